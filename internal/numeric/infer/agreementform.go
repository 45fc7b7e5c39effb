package infer

// An agreementForm is a field written so that a link costs something only if its
// ends agree:
//
//	E(y) = offset + Σ_i unary(i, y_i) + Σ_l [y_i = y_j = a] c_l(a),  c = same − differ
//
// Every field can be written so. The whole cost of differing is added to offset,
// and given back if the ends agree; costs that are split between the ends are
// added to unary by label. Then c < 0 is a must-link, c > 0 a cannot-link, and
// edges between the same two variables become one link.
type agreementForm struct {
	n, k          int
	unary         []float64
	links         []Edge
	linkCost      []float64 // width numbers per link: one for all labels, or k
	costWidth     int
	graph         *linkGraph
	offset        []float64 // per connected component
	componentOf   []int32   // of each variable
	numComponents int
}

func newAgreementForm(f *Field) *agreementForm {
	d := &agreementForm{n: f.N, k: f.K, unary: f.Unary, costWidth: 1}
	if f.splitsDiffer() || len(f.Same) > len(f.Edges) {
		d.costWidth = f.K
	}
	if f.splitsDiffer() {
		d.unary = append([]float64(nil), f.Unary...)
	}
	all := newLinkGraph(f.N, f.Edges)
	d.componentOf, d.numComponents = all.connectedComponents(nil)
	d.offset = make([]float64, d.numComponents)
	d.links = make([]Edge, 0, len(f.Edges))
	d.linkCost = make([]float64, 0, len(f.Edges)*d.costWidth)
	seen := make([]int32, f.N) // 1 + the link of i to this variable, once it has one
	for i := range int32(f.N) {
		first := int32(len(d.links))
		for _, h := range all.linksOf(i) {
			if h.other < i {
				continue
			}
			if seen[h.other] <= first {
				d.links = append(d.links, Edge{i, h.other})
				d.linkCost = append(d.linkCost, make([]float64, d.costWidth)...)
				seen[h.other] = int32(len(d.links))
			}
			d.take(f, int(h.link), int(seen[h.other]-1))
		}
	}
	d.graph = newLinkGraph(d.n, d.links)
	return d
}

// take adds edge e of f to link l.
func (d *agreementForm) take(f *Field, e, l int) {
	for a := range d.costWidth {
		d.linkCost[l*d.costWidth+a] += f.sameCost(e, int32(a)) - f.differCost(e, int32(a), int32(a))
	}
	i, j := f.Edges[e].I, f.Edges[e].J
	switch {
	case f.splitsDiffer():
		for a, share := range f.Differ[e*f.K:][:f.K] {
			d.unary[int(i)*f.K+a] += share
			d.unary[int(j)*f.K+a] += share
		}
	case f.Differ != nil:
		d.offset[d.componentOf[i]] += f.Differ[e]
	}
}

// labelRow returns the costs of variable i in a table of k columns.
func labelRow(table []float64, i int32, k int) []float64 { return table[int(i)*k:][:k] }

// linkCostAt returns c_l(a).
func linkCostAt(c []float64, width int, l, a int32) float64 {
	if width == 1 {
		return c[l]
	}
	return c[int(l)*width+int(a)]
}

// componentEnergies returns the energy of y in each connected component.
func (d *agreementForm) componentEnergies(y []int32) []float64 {
	sums := append([]float64(nil), d.offset...)
	for i, h := range y {
		sums[d.componentOf[i]] += d.unary[i*d.k+int(h)]
	}
	for l, e := range d.links {
		if a := y[e.I]; a == y[e.J] {
			sums[d.componentOf[e.I]] += linkCostAt(d.linkCost, d.costWidth, int32(l), a)
		}
	}
	return sums
}

// twoBest returns the label of the least number, the least and the second least
// number. If there is only one, the second is +Inf.
func twoBest(h []float64) (best int, least, second float64) {
	least, second = h[0], inf
	for a := 1; a < len(h); a++ {
		switch v := h[a]; {
		case v < least:
			best, least, second = a, v, least
		case v < second:
			second = v
		}
	}
	return best, least, second
}

// minSumMessage sets out(b) = min_a h(a) + [a = b] c(b), in time linear in the
// labels: only the best label other than b counts beside b itself. It is the
// least that a variable with costs h and a link of cost c adds to a neighbour
// with label b.
func minSumMessage(out, h, c []float64) {
	best, least, second := twoBest(h)
	for b, v := range h {
		other := least
		if b == best {
			other = second
		}
		if len(c) == 1 {
			out[b] = min(other, v+c[0])
		} else {
			out[b] = min(other, v+c[b])
		}
	}
}

// bestBeside returns the best label of a variable with costs h whose link of cost
// c leads to a neighbour with label b, the lowest on ties.
func bestBeside(h, c []float64, b int32) int32 {
	best, least := -1, inf
	for a, v := range h {
		if int32(a) == b {
			v += c[min(a, len(c)-1)]
		}
		if v < least {
			best, least = a, v
		}
	}
	return int32(best)
}
