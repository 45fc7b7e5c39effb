package workspace

import (
	"context"
	"runtime"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
)

// New begins the work on a table: places, questions and the first fit are made in the
// background. Close ends it.
func New(o Options) *Workspace {
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	w := &Workspace{o: o, table: o.Table, session: o.Session, contents: o.Table.Contents(), notes: o.Notes, auto: true, proposedNames: map[int]proposed{}, asking: asking{seats: map[string]*seat{}, now: time.Now},
		wake: make(chan wish, 1), planeDone: make(chan struct{}), near: nearPlane{first: make(chan struct{})}, small: pictures{busy: make(chan struct{}, o.Workers)}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	w.shuffle()
	w.settings = o.Settings
	began := o.Session.Header().Fit
	if w.settings.K == 0 && w.settings.KMax == 0 {
		w.settings.K, w.settings.KMin, w.settings.KMax = began.K, began.KMin, began.KMax
	}
	if w.settings.Method == "" {
		w.settings.Method = began.Method
	}
	w.kFixed = w.settings.K > 0 || w.settings.KMax > 0
	if !w.kFixed && o.Table.Input() != cluster.InputRows {
		w.notes = append(w.notes, PlainNotes("the number of groups of a graph is not chosen: change it in the settings, or label nodes")...)
	}
	w.start(func() {
		w.place() // first, so that there is something to see
		w.firstFit()
		w.settle()
		w.refit()
	})
	return w
}

// firstFit makes the last fit of the session again, or a first one.
func (w *Workspace) firstFit() {
	start := time.Now()
	w.mu.Lock()
	w.running = &Running{Stage: door.StagePreparing, Objective: []float64{}, StartedAt: start.UTC(), Why: "opened"}
	w.mu.Unlock()
	r, e, err := w.session.LastFit(w.ctx, w.table, door.Options{Workers: w.o.Workers, NoSuspects: true, Progress: w.progress})
	var f *Fit
	if err == nil && r != nil {
		f, err = w.finished(w.ctx, r, e, time.Since(start))
	}
	w.mu.Lock()
	w.ended()
	if err == nil && f != nil {
		w.keep(f)
	}
	w.mu.Unlock()
	if w.ctx.Err() != nil {
		return
	}
	if f == nil {
		w.preview()
	}
	w.start(w.prepareQuestions)
	if f == nil {
		w.wantFit("opened", true)
		return
	}
	w.changed(StateChanged)
	w.afterFit(f)
	if w.behind() {
		w.wantFit("opened", true)
	}
}

// Close ends what is under way and closes the session.
func (w *Workspace) Close() error {
	w.stop()
	w.work.Wait()
	if q := w.asking.ready(); q != nil {
		q.Close()
	}
	return w.session.Close()
}

// Events returns the number of the last event.
func (w *Workspace) Events() int { return len(w.session.Events()) }
