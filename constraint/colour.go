package constraint

import "fmt"

// workBudget bounds the elementary steps of the searches of one solve: one to
// three seconds.
const workBudget = 1 << 28

// A palette colours the components of a closure with k colours. Internally
// the classes have colours 0, 1, 2, … in their order.
type palette struct {
	c      *Closure
	k      int
	colour []int32 // of each component, -1 for none yet
	budget int     // steps left
}

func (p *palette) blank() {
	p.colour = make([]int32, p.c.Components())
	for q := range p.colour {
		p.colour[q] = -1
	}
}

// colourAll fixes the classes, sets aside what can always be coloured last,
// colours the cores that are left one by one, and then the rest.
func (p *palette) colourAll() Verdict {
	p.blank()
	for rank, q := range p.c.classed {
		p.colour[q] = int32(rank)
	}
	order, left := p.peel()
	var open Verdict
	tangled := false
	for _, verts := range p.cores(left) {
		v := p.colourCore(newCore(p, verts))
		switch v.Answer {
		case No:
			return v
		case Unknown:
			tangled, open = true, v
		}
	}
	if tangled {
		return open
	}
	p.unpeel(order)
	return Verdict{Answer: Yes, Why: fmt.Sprintf("%d clusters are enough", p.k)}
}

// peel repeatedly removes components without a class that are apart from
// fewer than k others left: whatever colours these get, one remains. It
// returns them in the order of removal, and which components stay. Classes
// always stay; they are coloured already.
func (p *palette) peel() (order []int32, left []bool) {
	c := p.c
	left = make([]bool, len(p.colour))
	degree := make([]int32, len(p.colour))
	for q := range left {
		left[q] = true
		degree[q] = int32(len(c.CannotLinked(q)))
		if c.class[q] < 0 && int(degree[q]) < p.k {
			order = append(order, int32(q))
			left[q] = false
		}
	}
	for at := 0; at < len(order); at++ {
		for _, v := range c.CannotLinked(int(order[at])) {
			degree[v]--
			if left[v] && c.class[v] < 0 && int(degree[v]) < p.k {
				order = append(order, v)
				left[v] = false
			}
		}
	}
	return order, left
}

// unpeel colours what peel removed, last removed first, with the lowest free
// colour.
func (p *palette) unpeel(order []int32) {
	seen := make([]int32, p.k)
	for at := len(order) - 1; at >= 0; at-- {
		q := order[at]
		for _, v := range p.c.CannotLinked(int(q)) {
			if h := p.colour[v]; h >= 0 {
				seen[h] = int32(at + 1)
			}
		}
		h := int32(0)
		for seen[h] == int32(at+1) {
			h++
		}
		p.colour[q] = h
	}
}

// cores splits what is left, without the classes, into connected pieces: once
// the classes are coloured they tie nothing together.
func (p *palette) cores(left []bool) [][]int32 {
	c := p.c
	var out [][]int32
	for start := range left {
		if !left[start] || c.class[start] >= 0 {
			continue
		}
		left[start] = false
		verts := []int32{int32(start)}
		for at := 0; at < len(verts); at++ {
			for _, v := range c.CannotLinked(int(verts[at])) {
				if left[v] && c.class[v] < 0 {
					left[v] = false
					verts = append(verts, v)
				}
			}
		}
		out = append(out, verts)
	}
	return out
}

// colourCore settles one core: by a greedy colouring, by a clique that
// forbids one, by repair, or by looking everywhere.
func (p *palette) colourCore(g *core) Verdict {
	if got := g.dsatur(); got != nil {
		return p.keep(g, got)
	}
	if got := g.smallestLast(); got != nil {
		return p.keep(g, got)
	}
	var clique []int
	p.spend(4, func(budget *int) { clique = g.clique(budget) })
	if clique != nil {
		return crowd(p.k, clique)
	}
	var got []int32
	var done bool
	look := func(budget *int) { got, done = g.exact(budget) }
	p.spend(32, look) // small cores are settled at once
	if got == nil && !done {
		p.spend(2, func(budget *int) { got = g.tabu(budget) })
	}
	if got == nil && !done {
		p.spend(1, look)
	}
	switch {
	case got != nil:
		return p.keep(g, got)
	case done:
		core := p.critical(g)
		return Verdict{Answer: No, Core: core, Why: fmt.Sprintf("every way to divide %d components, many of them apart, needs more than %d clusters", len(core), p.k)}
	}
	return Verdict{Answer: Unknown, Why: fmt.Sprintf("%d components are apart in too many ways to try all of them with %d clusters", len(g.verts), p.k)}
}

// spend runs work with one part of the budget.
func (p *palette) spend(part int, work func(budget *int)) {
	given := p.budget / part
	left := given
	work(&left)
	p.budget -= given - max(left, 0)
}

// keep takes over the colours of a core.
func (p *palette) keep(g *core, got []int32) Verdict {
	taken := make(map[int32]bool, len(g.ranks))
	rename := append([]int32(nil), g.ranks...)
	for _, rank := range g.ranks {
		taken[rank] = true
	}
	for free := int32(0); len(rename) < p.k; free++ {
		if !taken[free] {
			rename = append(rename, free)
		}
	}
	for v, q := range g.verts {
		p.colour[q] = rename[got[v]]
	}
	return Verdict{Answer: Yes}
}
