package main

import (
	"container/heap"
)

// timeSlice is how long the Go scheduler lets a goroutine run while others wait.
const timeSlice = 0.010

// replay returns how long the work would take on so many processors. Memory gives
// what it gives: parallel work on which one core spent t seconds takes at least
// the time to read what one core could have read in t, at most all data of the case.
func (m model) replay(r *recording, workers int, bytes float64) float64 {
	s := &simulation{r: r, m: m, free: workers, bytes: bytes, bandwidth: m.bandwidth(workers), yield: make(chan struct{})}
	s.launch(0, func(g *goroutine) { g.run(r.root) })
	s.loop()
	return s.now + r.background/float64(workers)
}

// A simulation is a machine in simulated time. Goroutines are real ones, of which one
// runs at a time.
type simulation struct {
	r         *recording
	m         model
	now       float64
	free      int // processors
	ready     []*goroutine
	events    eventQueue
	count     int
	yield     chan struct{}
	bytes     float64
	bandwidth float64
}

// A goroutine is simulated. Between blocking and being ready it has no processor.
type goroutine struct {
	s      *simulation
	resume chan struct{}
	since  float64 // when it got its processor
}

// launch makes a goroutine that is ready after a delay.
func (s *simulation) launch(delay float64, do func(*goroutine)) {
	g := &goroutine{s: s, resume: make(chan struct{})}
	go func() {
		<-g.resume
		do(g)
		s.free++
		s.yield <- struct{}{}
	}()
	s.at(s.now+delay, g, false)
}

func (s *simulation) at(t float64, g *goroutine, holds bool) {
	s.count++
	heap.Push(&s.events, event{t, s.count, g, holds})
}

// loop runs until nothing happens any more.
func (s *simulation) loop() {
	step := func(g *goroutine) {
		g.resume <- struct{}{}
		<-s.yield
	}
	for {
		switch {
		case s.free > 0 && len(s.ready) > 0:
			g := s.ready[0]
			s.ready = s.ready[1:]
			s.free--
			g.since = s.now
			step(g)
		case len(s.events) > 0:
			e := heap.Pop(&s.events).(event)
			s.now = e.t
			if e.holds {
				step(e.g)
			} else {
				s.ready = append(s.ready, e.g)
			}
		default:
			return
		}
	}
}

// spend uses the processor.
func (g *goroutine) spend(t float64) {
	if t <= 0 {
		return
	}
	g.s.at(g.s.now+t, g, true)
	g.pause()
	if len(g.s.ready) > 0 && g.s.now-g.since > timeSlice {
		g.s.ready = append(g.s.ready, g)
		g.block()
	}
}

func (g *goroutine) pause() {
	g.s.yield <- struct{}{}
	<-g.resume
}

// block gives the processor back until somebody wakes the goroutine.
func (g *goroutine) block() {
	g.s.free++
	g.pause()
}

func (g *goroutine) wake() { g.s.ready = append(g.s.ready, g) }

// run does what a strand does.
func (g *goroutine) run(s strand) {
	for _, it := range s {
		if it.work == nil {
			g.spend(g.s.r.stretches[it.stretch])
			continue
		}
		begun := g.s.now
		switch w := it.work; {
		case len(w.take) > 0:
			g.stream(w)
		case w.ordered:
			g.inOrder(w)
		default:
			g.tasks(w)
		}
		read := min(g.s.bytes, g.s.m.one*g.s.r.total(strand{it}))
		if least := read / g.s.bandwidth; g.s.now < begun+least {
			g.spend(begun + least - g.s.now)
		}
	}
}

// tasks is blocks.Tasks.
func (g *goroutine) tasks(w *parallel) {
	next, running, waits := 0, 0, false
	work := func(h *goroutine) {
		for next < len(w.each) {
			next++
			h.run(w.each[next-1])
		}
	}
	for i := range min(w.workers, len(w.each)) - 1 {
		running++
		g.s.launch(g.s.m.start*float64(1+i/4), func(h *goroutine) {
			work(h)
			if running--; running == 0 && waits {
				g.wake()
			}
		})
	}
	work(g)
	if waits = running > 0; waits {
		g.block()
	}
}

// inOrder is blocks.Each.
func (g *goroutine) inOrder(w *parallel) {
	count := len(w.each)
	workers := min(w.workers, count)
	if workers == 1 {
		for b := range count {
			g.run(w.each[b])
			g.run(w.join[b])
		}
		return
	}
	window, next, merged, running := 4*workers, 0, 0, 0
	done := make([]bool, count)
	var waiting []*goroutine // for room
	waitsFor := -1           // which block the caller waits for; count: for the others to end
	take := func(h *goroutine) {
		b := next
		next++
		h.run(w.each[b])
		h.spend(g.s.m.handOver)
		done[b] = true
		if waitsFor == b {
			waitsFor = -1
			g.wake()
		}
	}
	for i := range workers - 1 {
		running++
		g.s.launch(g.s.m.start*float64(1+i/4), func(h *goroutine) {
			for next < count {
				if next-merged >= window {
					waiting = append(waiting, h)
					h.block()
					continue
				}
				take(h)
			}
			if running--; running == 0 && waitsFor == count {
				g.wake()
			}
		})
	}
	for merged < count {
		if !done[merged] {
			if next < count && next-merged < window {
				take(g)
				continue
			}
			waitsFor = merged
			g.block()
		}
		g.spend(g.s.m.handOver)
		g.run(w.join[merged])
		if merged++; len(waiting) > 0 {
			waiting[0].wake()
			waiting = waiting[1:]
		}
	}
	for _, h := range waiting {
		h.wake()
	}
	if running > 0 {
		waitsFor = count
		g.block()
	}
}

// stream is blocks.Stream.
func (g *goroutine) stream(w *parallel) {
	count := len(w.each)
	window, taken, begun, merged, running := 2*w.workers, 0, 0, 0, 0
	done, ended := make([]bool, count), false
	var waiting []*goroutine // for pieces
	var source *goroutine    // where it waits for room
	callerWaits := false
	wakeCaller := func() {
		if callerWaits {
			callerWaits = false
			g.wake()
		}
	}
	running++
	g.s.launch(g.s.m.start, func(h *goroutine) {
		for _, step := range w.take {
			for taken-merged >= window {
				source = h
				h.block()
			}
			h.run(step)
			if taken < count {
				taken++
			}
			if len(waiting) > 0 {
				waiting[0].wake()
				waiting = waiting[1:]
			}
		}
		ended = true
		for _, other := range waiting {
			other.wake()
		}
		waiting = nil
		running--
		wakeCaller()
	})
	for range w.workers {
		running++
		g.s.launch(g.s.m.start, func(h *goroutine) {
			for begun < count {
				if begun >= taken {
					if ended {
						break
					}
					waiting = append(waiting, h)
					h.block()
					continue
				}
				b := begun
				begun++
				h.run(w.each[b])
				h.spend(g.s.m.handOver)
				done[b] = true
				wakeCaller()
			}
			running--
			wakeCaller()
		})
	}
	for merged < count || running > 0 {
		if merged == count || !done[merged] {
			callerWaits = true
			g.block()
			continue
		}
		if merged < len(w.join) {
			g.run(w.join[merged])
		}
		if merged++; source != nil {
			source.wake()
			source = nil
		}
	}
}

// An event is something that happens at a time.
type event struct {
	t     float64
	order int
	g     *goroutine
	holds bool // g has a processor
}

// eventQueue is a heap, the earliest first.
type eventQueue []event

func (q eventQueue) Len() int { return len(q) }
func (q eventQueue) Less(i, j int) bool {
	if q[i].t != q[j].t {
		return q[i].t < q[j].t
	}
	return q[i].order < q[j].order
}
func (q eventQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *eventQueue) Push(x any)   { *q = append(*q, x.(event)) }
func (q *eventQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
