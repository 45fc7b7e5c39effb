package infer

// A leaf is a variable that hung on one other when it was peeled off.
type leaf struct{ v, parent, link int32 }

// A leafElimination removes variables with one link from a field, again and
// again, until only cycles and the paths between them are left: the core. A
// removed leaf adds to the costs of its parent what it will cost beside each of
// the parent's labels. So the core has the optimum of the whole, a tree shrinks
// to one variable, and nothing is approximated. The same holds for the linear
// program, which is tight on trees.
type leafElimination struct {
	*agreementForm
	costs   []float64 // the costs of each variable, with those of its leaves
	leaves  []leaf    // in the order in which they were taken
	removed []bool    // links that were taken with them
}

func eliminateLeaves(d *agreementForm) *leafElimination {
	p := &leafElimination{agreementForm: d, costs: append([]float64(nil), d.unary...), removed: make([]bool, len(d.links))}
	degree := make([]int32, d.n)
	var next []int32
	for i := range degree {
		degree[i] = int32(d.graph.degree(int32(i)))
		if degree[i] == 1 {
			next = append(next, int32(i))
		}
	}
	message := make([]float64, d.k)
	for at := 0; at < len(next); at++ {
		v := next[at]
		if degree[v] == 0 { // its parent was peeled before: it is the root
			continue
		}
		for _, e := range d.graph.linksOf(v) {
			if p.removed[e.link] {
				continue
			}
			p.removed[e.link] = true
			p.leaves = append(p.leaves, leaf{v, e.other, e.link})
			minSumMessage(message, labelRow(p.costs, v, d.k), p.linkCosts(e.link))
			for a, m := range message {
				p.costs[int(e.other)*d.k+a] += m
			}
			degree[v]--
			if degree[e.other]--; degree[e.other] == 1 {
				next = append(next, e.other)
			}
			break
		}
	}
	return p
}

func (d *agreementForm) linkCosts(l int32) []float64 {
	return d.linkCost[int(l)*d.costWidth:][:d.costWidth]
}

// labelLeaves labels the leaves from the labels of the core and the roots.
func (p *leafElimination) labelLeaves(y []int32) {
	for at := len(p.leaves) - 1; at >= 0; at-- {
		f := p.leaves[at]
		y[f.v] = bestBeside(labelRow(p.costs, f.v, p.k), p.linkCosts(f.link), y[f.parent])
	}
}

// A core is one connected component of what is left after leafElimination: every
// variable has at least two links.
type core struct {
	n, k, costWidth int
	vars            []int32 // the variables by their numbers in the field
	unary           []float64
	links           []Edge
	linkCost        []float64
	graph           *linkGraph
	component       int     // of the component in the field
	offset          float64 // the energy of the component is that of the core and this
}

// coreComponents returns the components of the core, as lists of variables and links.
func (p *leafElimination) coreComponents() (vars, links [][]int32) {
	of, count := p.graph.connectedComponents(func(l int32) bool { return !p.removed[l] })
	size := make([]int32, count)
	for l, e := range p.links {
		if !p.removed[l] {
			size[of[e.I]]++
		}
	}
	name := make([]int32, count) // of the components that have links
	for q, m := range size {
		name[q] = -1
		if m > 0 {
			name[q] = int32(len(links))
			links = append(links, make([]int32, 0, m))
		}
	}
	vars = make([][]int32, len(links))
	for i, q := range of {
		if name[q] >= 0 {
			vars[name[q]] = append(vars[name[q]], int32(i))
		}
	}
	for l, e := range p.links {
		if !p.removed[l] {
			q := name[of[e.I]]
			links[q] = append(links[q], int32(l))
		}
	}
	return vars, links
}

// extractCore copies one component of the core. The list local is shared by all
// cores; each writes to its own variables.
func (p *leafElimination) extractCore(vars, links, local []int32) *core {
	q := &core{n: len(vars), k: p.k, costWidth: p.costWidth, vars: vars, component: int(p.componentOf[vars[0]]), offset: p.offset[p.componentOf[vars[0]]],
		unary: make([]float64, len(vars)*p.k), links: make([]Edge, len(links)), linkCost: make([]float64, len(links)*p.costWidth)}
	for at, i := range vars {
		local[i] = int32(at)
		copy(labelRow(q.unary, int32(at), p.k), labelRow(p.costs, i, p.k))
	}
	for at, l := range links {
		q.links[at] = Edge{local[p.links[l].I], local[p.links[l].J]}
		copy(q.linkCost[at*p.costWidth:], p.linkCosts(l))
	}
	q.graph = newLinkGraph(q.n, q.links)
	return q
}

// energyOf returns the energy of labels y of the core.
func (p *core) energyOf(y []int32) float64 {
	sum := 0.0
	for i, a := range y {
		sum += p.unary[i*p.k+int(a)]
	}
	for l, e := range p.links {
		if a := y[e.I]; a == y[e.J] {
			sum += linkCostAt(p.linkCost, p.costWidth, int32(l), a)
		}
	}
	return sum
}

// lowerBound returns the simplest lower bound: every variable and every link at
// its cheapest.
func (p *core) lowerBound() float64 {
	sum := 0.0
	for i := range int32(p.n) {
		r := labelRow(p.unary, i, p.k)
		sum += r[cheapestLabel(r)]
	}
	for l := range p.links {
		least := 0.0
		for _, c := range p.linkCost[l*p.costWidth:][:p.costWidth] {
			least = min(least, c)
		}
		sum += least
	}
	return sum
}

// cheapestLabels returns the cheapest label of each row of a table.
func (p *core) cheapestLabels(table []float64) []int32 {
	y := make([]int32, p.n)
	for i := range y {
		y[i] = cheapestLabel(labelRow(table, int32(i), p.k))
	}
	return y
}
