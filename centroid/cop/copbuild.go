package cop

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/combinatorial"
)

// build gives every lump a first legal label, the centres standing still:
// parts that are no tangles the cheapest, tangles one after the other by a
// greedy colouring that heeds the distances. Where that gets stuck, the nearest
// labels are mended, and where that fails too the colouring of the closure
// takes over; false means that there is none, or that none was found.
func (s *layout) build(rng *rand.Rand) bool {
	s.frozen = true
	for q := range s.label {
		s.label[q] = s.fixed[q]
	}
	for q := range int32(len(s.label)) {
		if s.free(q) {
			s.label[q] = s.nearest(q)
		}
	}
	var plan []int32 // of the closure, once it was asked for
	answer, asked := constraint.Unknown, false
	ask := func() constraint.Answer {
		if !asked {
			if answer, asked = s.closed.Feasible(s.k).Answer, true; answer == constraint.Yes {
				plan, _ = s.closed.Colouring(s.k)
			}
		}
		return answer
	}
	for _, p := range s.parts {
		if s.buildPart(p) || p.shape == tangled && s.mend(p, mendSoon, rng, ask) {
			continue
		}
		switch ask() {
		case constraint.Yes:
			s.follow(p, plan)
		case constraint.No:
			return false
		default:
			if p.shape != tangled || !s.mend(p, mendLate, rng, ask) {
				return false
			}
		}
	}
	return true
}

func (s *layout) nearest(q int32) (h int32) {
	v, least := s.at(q, s.buf), math.Inf(1)
	for g := range s.k {
		if d := s.dist2(v, g); d < least {
			h, least = int32(g), d
		}
	}
	return h
}

func (s *layout) buildPart(p part) bool {
	if p.shape == tangled {
		return s.colour(p)
	}
	labels, cost := s.solve(p)
	if math.IsInf(cost, 1) {
		return false
	}
	s.write(p, labels)
	return true
}

func (s *layout) write(p part, labels []int32) {
	for at, q := range p.lumps {
		s.label[q] = labels[at]
	}
}

// follow takes the labels of a plan. Where no label bans a cluster the plan's
// clusters are interchangeable: they are matched with the centres.
func (s *layout) follow(p part, plan []int32) {
	table := make([]float64, s.k*s.k)
	for _, q := range p.lumps {
		s.label[q] = plan[q]
		if table == nil || len(s.ban.of(q)) > 0 {
			table = nil
			continue
		}
		for h, c := range s.prices(q) {
			table[int(plan[q])*s.k+h] += c
		}
	}
	if table == nil {
		return
	}
	if to, cost := combinatorial.Assign(table, s.k); !math.IsInf(cost, 0) && !math.IsNaN(cost) {
		for _, q := range p.lumps {
			s.label[q] = to[plan[q]]
		}
	}
}

// A colouring of one tangle: always the lump with fewest clusters left takes the
// cheapest of them, and among equals the one with most to lose (DSATUR of
// Brélaz 1979, with regret).
type colouring struct {
	*layout
	words int
	shut  []uint64 // clusters closed to each lump of the part, a bit each
	left  []int32  // how many are open
	queue picks
}

type pick struct {
	left   int32 // clusters left when it was queued
	regret float64
	q      int32
}

func (s *layout) colour(p part) bool {
	c := &colouring{layout: s, words: (s.k + 63) / 64}
	c.shut, c.left = make([]uint64, len(p.lumps)*c.words), make([]int32, len(p.lumps))
	for at, q := range p.lumps {
		s.place[q], s.label[q], c.left[at] = int32(at), -1, int32(s.k)
		for _, h := range s.ban.of(q) {
			c.close(q, h)
		}
	}
	for _, q := range p.lumps {
		c.push(q)
	}
	for c.queue.Len() > 0 {
		x := heap.Pop(&c.queue).(pick)
		if s.label[x.q] >= 0 || x.left != c.left[s.place[x.q]] {
			continue // queued again since
		}
		h := c.cheapest(x.q)
		if h < 0 {
			h = c.makeRoom(x.q)
		}
		if h < 0 {
			return false
		}
		s.label[x.q] = h
		for _, r := range s.apart.of(x.q) {
			if c.close(r, h) && s.label[r] < 0 {
				c.push(r)
			}
		}
	}
	return true
}

// close shuts cluster h to q, and reports whether it was open.
func (c *colouring) close(q, h int32) bool {
	word, bit := &c.shut[int(c.place[q])*c.words+int(h/64)], uint64(1)<<(h%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	c.left[c.place[q]]--
	return true
}

func (c *colouring) open(q int32, h int) bool {
	return c.shut[int(c.place[q])*c.words+h/64]&(1<<(h%64)) == 0
}

func (c *colouring) push(q int32) {
	least, next := math.Inf(1), math.Inf(1)
	for h, x := range c.prices(q) {
		if !c.open(q, h) {
			continue
		}
		if x < least {
			least, next = x, least
		} else if x < next {
			next = x
		}
	}
	regret := next - least
	if math.IsInf(next, 1) {
		regret = next
	}
	heap.Push(&c.queue, pick{c.left[c.place[q]], regret, q})
}

func (c *colouring) cheapest(q int32) int32 {
	to, least := int32(-1), math.Inf(1)
	for h, x := range c.prices(q) {
		if x < least && c.open(q, h) {
			to, least = int32(h), x
		}
	}
	return to
}

// makeRoom frees a cluster for q, which none is left for: all lumps in cluster
// a that are apart from q change with cluster b along their chains, unless the
// chains come back to q. It returns a, or -1.
func (c *colouring) makeRoom(q int32) int32 {
	for a := range int32(c.k) {
		if slices.Contains(c.ban.of(q), a) {
			continue
		}
		for b := range int32(c.k) {
			if b != a && c.flip(q, a, b) {
				return a
			}
		}
	}
	return -1
}

func (c *colouring) flip(q, a, b int32) bool {
	c.turn++
	c.mark[q] = c.turn
	c.chain = c.chain[:0]
	for _, r := range c.apart.of(q) {
		if c.label[r] == a {
			c.mark[r] = c.turn
			c.chain = append(c.chain, r)
		}
	}
	for at := 0; at < len(c.chain); at++ {
		u := c.chain[at]
		to := a + b - c.label[u]
		if slices.Contains(c.ban.of(u), to) {
			return false
		}
		for _, r := range c.apart.of(u) {
			if r == q && to == a {
				return false
			}
			if c.label[r] == to && c.mark[r] != c.turn {
				c.mark[r] = c.turn
				c.chain = append(c.chain, r)
			}
		}
	}
	for _, u := range c.chain {
		c.label[u] = a + b - c.label[u]
	}
	for _, u := range c.chain {
		c.refresh(u)
		for _, r := range c.apart.of(u) {
			c.refresh(r)
		}
	}
	return true
}

// refresh finds out anew which clusters are open to q.
func (c *colouring) refresh(q int32) {
	if c.label[q] >= 0 {
		return // it has its cluster
	}
	at := int(c.place[q])
	clear(c.shut[at*c.words : (at+1)*c.words])
	c.left[at] = int32(c.k)
	for _, h := range c.ban.of(q) {
		c.close(q, h)
	}
	for _, r := range c.apart.of(q) {
		if h := c.label[r]; h >= 0 {
			c.close(q, h)
		}
	}
	c.push(q)
}

// picks is a heap: fewest clusters left first, then the greatest regret, then
// the lowest lump.
type picks []pick

func (p picks) Len() int      { return len(p) }
func (p picks) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p picks) Less(i, j int) bool {
	a, b := p[i], p[j]
	switch {
	case a.left != b.left:
		return a.left < b.left
	case a.regret != b.regret:
		return a.regret > b.regret
	}
	return a.q < b.q
}
func (p *picks) Push(x any) { *p = append(*p, x.(pick)) }
func (p *picks) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
