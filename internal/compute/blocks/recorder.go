package blocks

import "sync/atomic"

// A Recorder hears what runs side by side. While one is set, parallel work is done on
// the calling goroutine, one step after the other, as if there were so many workers as
// were asked for. It is for measurements (bench/cores); programs set none.
type Recorder interface {
	// Begin is called where work for several workers begins, End where all of it is done.
	// Such work may begin within a step too. Merges of ordered work are done in
	// order, while later steps run.
	Begin(workers int, ordered bool)
	// Step is called where the next step begins; what was begun before it has ended.
	Step(Step)
	End()
}

// A Step is a part of parallel work.
type Step int

// The steps of parallel work.
const (
	Take Step = iota // take the next piece from its source: one at a time, in order
	Work             // work on a piece, beside others
	Join             // merge what the work on a piece returned: one at a time, in order
)

var recorder atomic.Pointer[Recorder]

// Record makes r hear all parallel work of this process until stop is called. There
// must be none under way, and only one goroutine may begin some until then.
func Record(r Recorder) (stop func()) {
	recorder.Store(&r)
	return func() { recorder.Store(nil) }
}

// recording returns the recorder, nil if there is none.
func recording() Recorder {
	if r := recorder.Load(); r != nil {
		return *r
	}
	return nil
}
