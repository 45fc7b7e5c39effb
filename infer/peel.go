package infer

// A leaf is a variable that hung on one other when it was peeled off.
type leaf struct{ v, parent, link int32 }

// A peeling takes the variables with one link off a field, again and again,
// until only cycles and what lies between them are left: the core. A leaf
// leaves behind, in the prices of its parent, what it will cost beside each of
// the parent's labels. So the core has the optimum of the whole, a tree shrinks
// to one variable, and nothing is approximated. The same holds for the linear
// program, which is tight on trees.
type peeling struct {
	*diagonal
	h      []float64 // the prices of each variable, with those of its leaves
	leaves []leaf    // in the order in which they were taken
	gone   []bool    // links that were taken with them
}

func peel(d *diagonal) *peeling {
	p := &peeling{diagonal: d, h: append([]float64(nil), d.unary...), gone: make([]bool, len(d.links))}
	degree := make([]int32, d.n)
	var next []int32
	for i := range degree {
		degree[i] = int32(d.g.degree(int32(i)))
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
		for _, e := range d.g.of(v) {
			if p.gone[e.link] {
				continue
			}
			p.gone[e.link] = true
			p.leaves = append(p.leaves, leaf{v, e.other, e.link})
			minSum(message, row(p.h, v, d.k), p.prices(e.link))
			for a, m := range message {
				p.h[int(e.other)*d.k+a] += m
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

func (d *diagonal) prices(l int32) []float64 { return d.c[int(l)*d.width:][:d.width] }

// unpeel labels the leaves from the labels of the core and the roots.
func (p *peeling) unpeel(y []int32) {
	for at := len(p.leaves) - 1; at >= 0; at-- {
		f := p.leaves[at]
		y[f.v] = beside(row(p.h, f.v, p.k), p.prices(f.link), y[f.parent])
	}
}

// A piece is one component of the core, by itself: every variable has at least
// two links.
type piece struct {
	n, k, width int
	vars        []int32 // the variables by their numbers in the field
	unary       []float64
	links       []Edge
	c           []float64
	g           *graph
	number      int     // of the component in the field
	paid        float64 // its offset: the energy of the component is that of the piece and this
}

// cores returns the components of the core, as lists of variables and links.
func (p *peeling) cores() (vars, links [][]int32) {
	of, count := p.g.components(func(l int32) bool { return !p.gone[l] })
	size := make([]int32, count)
	for l, e := range p.links {
		if !p.gone[l] {
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
		if !p.gone[l] {
			q := name[of[e.I]]
			links[q] = append(links[q], int32(l))
		}
	}
	return vars, links
}

// piece copies one component of the core. The list local is common to all
// pieces; each writes to its own variables.
func (p *peeling) piece(vars, links, local []int32) *piece {
	q := &piece{n: len(vars), k: p.k, width: p.width, vars: vars, number: int(p.comp[vars[0]]), paid: p.offset[p.comp[vars[0]]],
		unary: make([]float64, len(vars)*p.k), links: make([]Edge, len(links)), c: make([]float64, len(links)*p.width)}
	for at, i := range vars {
		local[i] = int32(at)
		copy(row(q.unary, int32(at), p.k), row(p.h, i, p.k))
	}
	for at, l := range links {
		q.links[at] = Edge{local[p.links[l].I], local[p.links[l].J]}
		copy(q.c[at*p.width:], p.prices(l))
	}
	q.g = newGraph(q.n, q.links)
	return q
}

// energy returns the energy of labels y of the piece.
func (p *piece) energy(y []int32) float64 {
	sum := 0.0
	for i, a := range y {
		sum += p.unary[i*p.k+int(a)]
	}
	for l, e := range p.links {
		if a := y[e.I]; a == y[e.J] {
			sum += price(p.c, p.width, int32(l), a)
		}
	}
	return sum
}

// floor returns the plainest lower bound: everybody at its cheapest.
func (p *piece) floor() float64 {
	sum := 0.0
	for i := range int32(p.n) {
		r := row(p.unary, i, p.k)
		sum += r[cheapest(r)]
	}
	for l := range p.links {
		least := 0.0
		for _, c := range p.c[l*p.width:][:p.width] {
			least = min(least, c)
		}
		sum += least
	}
	return sum
}

// argmin returns the cheapest label of each row of a table.
func (p *piece) argmin(table []float64) []int32 {
	y := make([]int32, p.n)
	for i := range y {
		y[i] = cheapest(row(table, int32(i), p.k))
	}
	return y
}
