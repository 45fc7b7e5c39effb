package spectral

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// demand is the constraint matrix Q over the nodes of a graph, Q_ij above 0
// where i and j should be together and below 0 where they should be apart:
//
//	Q = P + Σ_{g,h} C_gh e_g e_hᵀ
//
// P are pairs, sparse; e_g are groups of nodes, with weights, of which all are
// tied to all. So what labels and closed knowledge say of all pairs takes
// memory for the points only.
//
// As an operator it is Q̄ = D^{-1/2} Q D^{-1/2}.
type demand struct {
	pairs  *data.Graph
	groups []group
	ties   []tie     // C, each of g ≤ h once
	half   []float64 // 1/√degree
	where  []int32   // the nodes that Q says something of, rising
	few    int       // how many eigenvalues of a large piece are wanted; 0: as many as usual

	tiesOf map[int32][]int // the ties of each piece, by its first node
}

type group struct {
	node []int32
	w    []float64
}

type tie struct {
	g, h int
	w    float64
}

// newDemand writes what is known as Q. Links count by their weights, beliefs as
// they are. Labels are groups: +1 within a class, -1 between two, and +1 on the
// diagonal, as in the example of section 4.4. Pairs alone have a diagonal of 0.
func newDemand(f *field, s *constraint.Set, closed *constraint.Closure, k int, degree []float64) (*demand, error) {
	d := &demand{half: make([]float64, len(f.at))}
	for i, y := range degree {
		d.half[i] = 1 / math.Sqrt(y)
	}
	var edges []data.Edge
	put := func(list []constraint.Pair, sign float64) {
		for _, p := range list {
			if i, j := f.node[p.I], f.node[p.J]; i >= 0 && j >= 0 && i != j && p.W != 0 {
				edges = append(edges, data.Edge{U: min(i, j), V: max(i, j), W: sign * p.W})
			}
		}
	}
	if s != nil {
		put(s.Beliefs, 1)
	}
	switch {
	case s == nil:
	case closed != nil:
		d.close(f, closed, k)
	default:
		put(s.Must, 1)
		put(s.Cannot, -1)
		d.label(f, s)
	}
	slices.SortStableFunc(edges, func(a, b data.Edge) int {
		if a.U != b.U {
			return a.U - b.U
		}
		return a.V - b.V
	})
	var err error
	if d.pairs, err = data.NewGraph(len(f.at), edges); err != nil {
		return nil, err
	}
	d.where = d.support()
	return d, nil
}

// label makes a group of each class.
func (d *demand) label(f *field, s *constraint.Set) {
	at := map[int]int{}
	for _, l := range s.Labels {
		i := f.node[l.I]
		if i < 0 {
			continue
		}
		g, ok := at[l.Class]
		if !ok {
			g = len(d.groups)
			at[l.Class] = g
			d.groups = append(d.groups, group{})
			for h := range g {
				d.ties = append(d.ties, tie{h, g, -1})
			}
			d.ties = append(d.ties, tie{g, g, 1})
		}
		d.groups[g].put(i, l.W)
	}
}

func (g *group) put(node int, w float64) {
	g.node, g.w = append(g.node, int32(node)), append(g.w, w)
}

// support returns the nodes that Q has entries for.
func (d *demand) support() (where []int32) {
	touched := make([]bool, d.pairs.Len())
	for _, g := range d.groups {
		for _, i := range g.node {
			touched[i] = true
		}
	}
	for i := range touched {
		_, w := d.pairs.Neighbours(i)
		for _, y := range w {
			touched[i] = touched[i] || y != 0
		}
		if touched[i] {
			where = append(where, int32(i))
		}
	}
	return where
}

// entries returns the number of entries of Q that are not 0, an entry of both
// parts counting twice.
func (d *demand) entries() float64 {
	count := float64(len(d.pairs.To))
	for _, t := range d.ties {
		c := float64(len(d.groups[t.g].node)) * float64(len(d.groups[t.h].node))
		if t.g != t.h {
			c *= 2
		}
		count += c
	}
	return count
}

// Dim returns the number of nodes.
func (d *demand) Dim() int { return len(d.half) }

// Apply sets dst to Q̄x.
func (d *demand) Apply(dst, x []float64) {
	clear(dst)
	d.addBlock(dst, x, 1)
}

// addBlock adds Q̄x to dst for p vectors.
func (d *demand) addBlock(dst, x []float64, p int) {
	for _, i := range d.where {
		to, w := d.pairs.Neighbours(int(i))
		for q, j := range to {
			f := float64(w[q]*d.half[j]) * d.half[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * x[int(j)*p+c])
			}
		}
	}
	in, out := make([]float64, len(d.groups)*p), make([]float64, len(d.groups)*p)
	for g, m := range d.groups {
		for q, i := range m.node {
			f := m.w[q] * d.half[i]
			for c := range p {
				in[g*p+c] += float64(f * x[int(i)*p+c])
			}
		}
	}
	for _, t := range d.ties {
		for c := range p {
			out[t.g*p+c] += float64(t.w * in[t.h*p+c])
			if t.g != t.h {
				out[t.h*p+c] += float64(t.w * in[t.g*p+c])
			}
		}
	}
	for g, m := range d.groups {
		for q, i := range m.node {
			f := m.w[q] * d.half[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * out[g*p+c])
			}
		}
	}
}
