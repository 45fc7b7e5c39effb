package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A strand is what one goroutine does: stretches of its own, and parallel work between.
type strand []item

// An item is a stretch, by its number, or parallel work.
type item struct {
	stretch int32
	work    *parallel
}

// parallel is work for several workers.
type parallel struct {
	site             string // where it was begun
	workers          int
	ordered          bool
	take, each, join []strand
}

// steps returns the list of the strands of a step.
func (p *parallel) steps(kind blocks.Step) *[]strand {
	switch kind {
	case blocks.Take:
		return &p.take
	case blocks.Join:
		return &p.join
	}
	return &p.each
}

// A recording is what was done, on one goroutine.
type recording struct {
	root       strand
	stretches  []float64 // seconds of the processor
	background float64   // seconds of the processor on other threads: the garbage collector's
}

// A recorder makes a recording. It is a blocks.Recorder.
type recorder struct {
	recording
	on     bool
	clock  func() float64
	cost   float64 // what a look at the clock takes
	begun  float64
	frames []frame
	label  bool
}

// frame is parallel work that has begun.
type frame struct {
	work    *parallel
	kind    blocks.Step
	current strand
	inStep  bool
}

func (r *recorder) strand() *strand {
	if len(r.frames) == 0 {
		return &r.root
	}
	return &r.frames[len(r.frames)-1].current
}

// closeStretch ends the stretch that is under way.
func (r *recorder) closeStretch() {
	now := r.clock()
	s := r.strand()
	*s = append(*s, item{stretch: int32(len(r.stretches))})
	r.stretches = append(r.stretches, max(0, now-r.begun-r.cost))
}

func (r *recorder) Begin(workers int, ordered bool) {
	if !r.on {
		return
	}
	r.closeStretch()
	r.frames = append(r.frames, frame{work: &parallel{site: callSite(), workers: workers, ordered: ordered}})
	r.begun = r.clock()
}

func (r *recorder) Step(kind blocks.Step) {
	if !r.on || len(r.frames) == 0 { // recording began within
		return
	}
	f := &r.frames[len(r.frames)-1]
	if f.inStep {
		r.endStep(f)
	}
	f.kind, f.inStep = kind, true
	r.setLabel()
	r.begun = r.clock()
}

func (r *recorder) endStep(f *frame) {
	r.closeStretch()
	list := f.work.steps(f.kind)
	*list = append(*list, f.current)
	f.current, f.inStep = nil, false
}

func (r *recorder) End() {
	if !r.on || len(r.frames) == 0 {
		return
	}
	f := &r.frames[len(r.frames)-1]
	if f.inStep {
		r.endStep(f)
	}
	work := f.work
	r.frames = r.frames[:len(r.frames)-1]
	s := r.strand()
	*s = append(*s, item{work: work})
	r.setLabel()
	r.begun = r.clock()
}

var labels = [2]context.Context{
	pprof.WithLabels(context.Background(), pprof.Labels("stretch", "serial")),
	pprof.WithLabels(context.Background(), pprof.Labels("stretch", "parallel")),
}

// setLabel labels the goroutine for a profile.
func (r *recorder) setLabel() {
	if !r.label {
		return
	}
	at := 0
	for _, f := range r.frames {
		if f.inStep && f.kind == blocks.Work && f.work.workers > 1 {
			at = 1
		}
	}
	pprof.SetGoroutineLabels(labels[at])
}

// callSite names the function that began parallel work.
func callSite() string {
	var pc [24]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])])
	for {
		f, more := frames.Next()
		name := f.Function[strings.LastIndex(f.Function, "/")+1:]
		if !more || !strings.HasPrefix(name, "blocks.") && !strings.Contains(name, ".Sweep[") && !strings.Contains(name, ".LongBlocks[") && !strings.Contains(name, "InOrder[") {
			return fmt.Sprintf("%s (%s:%d)", name, path.Base(f.File), f.Line)
		}
	}
}

// record makes a recording of work as if there were so many workers.
func record(w work, workers int, label bool) (*recording, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := &recorder{clock: threadSeconds, label: label}
	r.cost = clockCost(r.clock)
	stop := blocks.Record(r)
	defer stop()
	defer pprof.SetGoroutineLabels(context.Background())
	var all, mine float64
	err := w.do(workers, meter{
		start: func() {
			runtime.GC()
			all, mine, r.on = processSeconds(), r.clock(), true
			r.setLabel()
			r.begun = r.clock()
		},
		stop: func() {
			r.closeStretch()
			r.on = false
			r.background = max(0, processSeconds()-all-(r.clock()-mine))
		},
	})
	return &r.recording, err
}

func clockCost(clock func() float64) float64 {
	least := 1.0
	for range 1000 {
		a := clock()
		b := clock()
		least = min(least, b-a)
	}
	return least
}

// keepShortest keeps the shorter time of each stretch of two recordings of the same work.
func (r *recording) keepShortest(other *recording) error {
	if len(r.stretches) != len(other.stretches) {
		return fmt.Errorf("two recordings of the same work have %d and %d stretches", len(r.stretches), len(other.stretches))
	}
	for i, s := range other.stretches {
		r.stretches[i] = min(r.stretches[i], s)
	}
	r.background = min(r.background, other.background)
	return nil
}

// total returns the seconds of all stretches in a strand.
func (r *recording) total(s strand) (sum float64) {
	for _, it := range s {
		if it.work == nil {
			sum += r.stretches[it.stretch]
			continue
		}
		for _, list := range [][]strand{it.work.take, it.work.each, it.work.join} {
			for _, step := range list {
				sum += r.total(step)
			}
		}
	}
	return sum
}

// serialShare returns which share of all stretches can run beside nothing but the
// steps of the same work.
func (r *recording) serialShare() float64 {
	sum := 0.0
	for _, s := range r.serialSites() {
		sum += s
	}
	return sum / r.total(r.root)
}

// serialSites returns the seconds of serial stretches and of merges by where they are.
func (r *recording) serialSites() map[string]float64 {
	out := map[string]float64{}
	var visit func(s strand, what string)
	visit = func(s strand, what string) {
		for at, it := range s {
			if it.work == nil {
				place := what
				if what == "" {
					place = "begin"
					if at > 0 && s[at-1].work != nil {
						place = "after " + s[at-1].work.site
					}
					if at+1 < len(s) && s[at+1].work != nil {
						place += ", before " + s[at+1].work.site
					}
				}
				out[place] += r.stretches[it.stretch]
				continue
			}
			for _, step := range it.work.take {
				visit(step, "source of "+it.work.site)
			}
			for _, step := range it.work.join {
				visit(step, "merge of "+it.work.site)
			}
			if min(it.work.workers, len(it.work.each)) == 1 {
				for _, step := range it.work.each {
					visit(step, "one worker in "+it.work.site)
				}
			}
		}
	}
	visit(r.root, "")
	return out
}

// printSites prints the longest serial stretches, and the parallel work with the most time.
func (r *recording) printSites(w io.Writer, most int) {
	total := r.total(r.root)
	print := func(title string, by map[string]float64) {
		var names []string
		for name := range by {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			if by[a] > by[b] {
				return -1
			}
			return 1
		})
		for _, name := range names[:min(most, len(names))] {
			fmt.Fprintf(w, "    %-8s %5.1f %%  %9s  %s\n", title, 100*by[name]/total, seconds(by[name]), name)
		}
	}
	print("serial", r.serialSites())
	side := map[string]float64{}
	for _, it := range r.root {
		if it.work != nil {
			name := fmt.Sprintf("%s, %d × %d workers", it.work.site, len(it.work.each), it.work.workers)
			for _, step := range it.work.each {
				side[name] += r.total(step)
			}
		}
	}
	print("parallel", side)
	fmt.Fprintf(w, "    background %s, all %s\n", seconds(r.background), seconds(total))
}
