package constraint

import "fmt"

// A colouring of the components of a closure with k colours in progress. The
// classes have colours 0, 1, 2, … in their order.
type colouring struct {
	closure *Closure
	k       int
	colour  []int32 // of each component, -1 for none yet
	budget  int     // steps left
	stop    func() bool
}

func newColouring(c *Closure, k, budget int) *colouring {
	p := &colouring{closure: c, k: k, budget: budget, colour: make([]int32, c.Components())}
	for q := range p.colour {
		p.colour[q] = -1
	}
	return p
}

// colourAll fixes the classes, sets aside what can always be coloured last,
// colours the cores that are left one by one, and then the rest.
func (p *colouring) colourAll() Verdict {
	p.colourClasses()
	order, left := p.peel()
	var open Verdict
	undecided := false
	for _, components := range p.cores(left) {
		v := p.colourCore(newColouringCore(p.closure, p.k, p.colour, components))
		switch v.Answer {
		case No:
			return v
		case Unknown:
			undecided, open = true, v
		}
	}
	if undecided {
		return open
	}
	p.unpeel(order)
	return Verdict{Answer: Yes, Why: fmt.Sprintf("%d clusters are enough", p.k)}
}

func (p *colouring) colourClasses() {
	for rank, q := range p.closure.classed {
		p.colour[q] = int32(rank)
	}
}

// peel repeatedly removes components without a class that are cannot-linked to
// fewer than k others left: whatever colours these get, one remains. It returns
// them in the order of removal, and which components stay. Classes always stay;
// they are coloured already.
func (p *colouring) peel() (order []int32, left []bool) {
	c := p.closure
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
func (p *colouring) unpeel(order []int32) {
	mark := make([]int32, p.k)
	for at := len(order) - 1; at >= 0; at-- {
		q := order[at]
		for _, v := range p.closure.CannotLinked(int(q)) {
			if h := p.colour[v]; h >= 0 {
				mark[h] = int32(at + 1)
			}
		}
		h := int32(0)
		for mark[h] == int32(at+1) {
			h++
		}
		p.colour[q] = h
	}
}

// cores splits what is left, without the classes, into connected parts: once
// the classes are coloured they connect nothing.
func (p *colouring) cores(left []bool) [][]int32 {
	c := p.closure
	var out [][]int32
	for start := range left {
		if !left[start] || c.class[start] >= 0 {
			continue
		}
		left[start] = false
		components := []int32{int32(start)}
		for at := 0; at < len(components); at++ {
			for _, v := range c.CannotLinked(int(components[at])) {
				if left[v] && c.class[v] < 0 {
					left[v] = false
					components = append(components, v)
				}
			}
		}
		out = append(out, components)
	}
	return out
}

// colourCore settles one core: by a greedy colouring, by a clique that rules
// one out, by tabu search, or by exhaustive search.
func (p *colouring) colourCore(core *colouringCore) Verdict {
	g := &core.graph
	g.Stop = p.stop
	if found := g.DSATUR(); found != nil {
		return p.keepCore(core, found)
	}
	if found := g.SmallestLast(); found != nil {
		return p.keepCore(core, found)
	}
	var clique []int
	p.spend(4, func(budget *int) {
		if found := g.FindClique(budget); found != nil {
			clique = core.cliqueComponents(found)
		}
	})
	if clique != nil {
		return cliqueVerdict(p.k, clique)
	}
	var found []int32
	var done bool
	search := func(budget *int) { found, done = g.ExactColouring(budget) }
	p.spend(32, search) // small cores are settled at once
	if found == nil && !done {
		p.spend(2, func(budget *int) { found = g.TabuColouring(budget) })
	}
	if found == nil && !done {
		p.spend(1, search)
	}
	switch {
	case found != nil:
		return p.keepCore(core, found)
	case done:
		return exhaustedVerdict(p.k, core.minimalConflict(p.closure, p.colour))
	}
	return unknownVerdict(p.k, len(core.components))
}

// spend runs work with one part of the budget.
func (p *colouring) spend(part int, work func(budget *int)) {
	given := p.budget / part
	left := given
	work(&left)
	p.budget -= given - max(left, 0)
}

// keepCore takes over the colours of a core.
func (p *colouring) keepCore(core *colouringCore, found []int32) Verdict {
	taken := make(map[int32]bool, len(core.rank))
	rename := append([]int32(nil), core.rank...)
	for _, rank := range core.rank {
		taken[rank] = true
	}
	for free := int32(0); len(rename) < p.k; free++ {
		if !taken[free] {
			rename = append(rename, free)
		}
	}
	for v, q := range core.components {
		p.colour[q] = rename[found[v]]
	}
	return Verdict{Answer: Yes}
}
