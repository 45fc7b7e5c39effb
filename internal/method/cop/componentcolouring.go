package cop

import (
	"container/heap"
	"math"
	"slices"
)

// A componentColouring is a greedy colouring of a component of cannot-linked
// chunklets: the chunklet with the fewest open clusters is the next to take its
// cheapest one, among equals the one with the greatest regret, the cost of its second
// choice above the first (DSATUR of Brélaz 1979, with regret).
type componentColouring struct {
	*partition
	wordsPerChunklet int
	closedBits       []uint64 // clusters closed to each chunklet of the component, a bit each
	openCount        []int32  // clusters open to each chunklet of the component
	queue            candidateQueue
}

// A colouringCandidate is a chunklet without a label in the queue. It is out of date if
// its number of open clusters has changed since.
type colouringCandidate struct {
	openCount int32 // when it was queued
	regret    float64
	chunklet  int32
}

// colourComponent labels the component by a greedy colouring, and reports whether it
// succeeded.
func (s *partition) colourComponent(p cannotComponent) bool {
	c := &componentColouring{partition: s, wordsPerChunklet: (s.k + 63) / 64}
	c.closedBits, c.openCount = make([]uint64, len(p.chunklets)*c.wordsPerChunklet), make([]int32, len(p.chunklets))
	for v, q := range p.chunklets {
		s.indexInComponent[q], s.label[q], c.openCount[v] = int32(v), -1, int32(s.k)
		for _, h := range s.forbidden.listOf(q) {
			c.closeCluster(q, h)
		}
	}
	for _, q := range p.chunklets {
		c.enqueue(q)
	}
	for c.queue.Len() > 0 {
		x := heap.Pop(&c.queue).(colouringCandidate)
		if s.label[x.chunklet] >= 0 || x.openCount != c.openCount[s.indexInComponent[x.chunklet]] {
			continue // labelled, or out of date
		}
		h := c.cheapestOpen(x.chunklet)
		if h < 0 {
			h = c.openByInterchange(x.chunklet)
		}
		if h < 0 {
			return false
		}
		s.label[x.chunklet] = h
		for _, r := range s.cannotLinked.listOf(x.chunklet) {
			if c.closeCluster(r, h) && s.label[r] < 0 {
				c.enqueue(r)
			}
		}
	}
	return true
}

// closeCluster closes cluster h to q, and reports whether it was open.
func (c *componentColouring) closeCluster(q, h int32) bool {
	word, bit := &c.closedBits[int(c.indexInComponent[q])*c.wordsPerChunklet+int(h/64)], uint64(1)<<(h%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	c.openCount[c.indexInComponent[q]]--
	return true
}

func (c *componentColouring) isOpen(q int32, h int) bool {
	return c.closedBits[int(c.indexInComponent[q])*c.wordsPerChunklet+h/64]&(1<<(h%64)) == 0
}

// enqueue adds q to the queue with its open clusters and regret as they are now.
func (c *componentColouring) enqueue(q int32) {
	least, second := math.Inf(1), math.Inf(1)
	for h, x := range c.assignmentCosts(q) {
		if !c.isOpen(q, h) {
			continue
		}
		if x < least {
			least, second = x, least
		} else if x < second {
			second = x
		}
	}
	regret := second - least
	if math.IsInf(second, 1) {
		regret = second
	}
	heap.Push(&c.queue, colouringCandidate{c.openCount[c.indexInComponent[q]], regret, q})
}

// cheapestOpen returns the cheapest cluster open to q, -1 if there is none.
func (c *componentColouring) cheapestOpen(q int32) int32 {
	to, least := int32(-1), math.Inf(1)
	for h, x := range c.assignmentCosts(q) {
		if x < least && c.isOpen(q, h) {
			to, least = int32(h), x
		}
	}
	return to
}

// openByInterchange opens a cluster a for q, which has no open one: it tries to move
// all chunklets in a that have a cannot-link with q to some cluster b by Kempe chains.
// It returns a, or -1.
func (c *componentColouring) openByInterchange(q int32) int32 {
	for a := range int32(c.k) {
		if slices.Contains(c.forbidden.listOf(q), a) {
			continue
		}
		for b := range int32(c.k) {
			if b != a && c.interchangeAround(q, a, b) {
				return a
			}
		}
	}
	return -1
}

// interchangeAround swaps clusters a and b on the Kempe chains of the neighbours of q
// in a. It changes nothing and returns false if a chain leads back to q, or to a
// forbidden cluster.
func (c *componentColouring) interchangeAround(q, a, b int32) bool {
	c.currentMark++
	c.visitedMark[q] = c.currentMark
	c.chain = c.chain[:0]
	for _, r := range c.cannotLinked.listOf(q) {
		if c.label[r] == a {
			c.visitedMark[r] = c.currentMark
			c.chain = append(c.chain, r)
		}
	}
	for next := 0; next < len(c.chain); next++ {
		u := c.chain[next]
		to := a + b - c.label[u]
		if slices.Contains(c.forbidden.listOf(u), to) {
			return false
		}
		for _, r := range c.cannotLinked.listOf(u) {
			if r == q && to == a {
				return false
			}
			if c.label[r] == to && c.visitedMark[r] != c.currentMark {
				c.visitedMark[r] = c.currentMark
				c.chain = append(c.chain, r)
			}
		}
	}
	for _, u := range c.chain {
		c.label[u] = a + b - c.label[u]
	}
	for _, u := range c.chain {
		c.recomputeOpen(u)
		for _, r := range c.cannotLinked.listOf(u) {
			c.recomputeOpen(r)
		}
	}
	return true
}

// recomputeOpen recomputes which clusters are open to q, and queues it again.
func (c *componentColouring) recomputeOpen(q int32) {
	if c.label[q] >= 0 {
		return // it has a label
	}
	v := int(c.indexInComponent[q])
	clear(c.closedBits[v*c.wordsPerChunklet : (v+1)*c.wordsPerChunklet])
	c.openCount[v] = int32(c.k)
	for _, h := range c.forbidden.listOf(q) {
		c.closeCluster(q, h)
	}
	for _, r := range c.cannotLinked.listOf(q) {
		if h := c.label[r]; h >= 0 {
			c.closeCluster(q, h)
		}
	}
	c.enqueue(q)
}

// candidateQueue is a heap: fewest open clusters first, then the greatest regret, then
// the lowest chunklet.
type candidateQueue []colouringCandidate

func (p candidateQueue) Len() int { return len(p) }

func (p candidateQueue) Swap(i, j int) { p[i], p[j] = p[j], p[i] }

func (p candidateQueue) Less(i, j int) bool {
	a, b := p[i], p[j]
	switch {
	case a.openCount != b.openCount:
		return a.openCount < b.openCount
	case a.regret != b.regret:
		return a.regret > b.regret
	}
	return a.chunklet < b.chunklet
}

func (p *candidateQueue) Push(x any) { *p = append(*p, x.(colouringCandidate)) }

func (p *candidateQueue) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
