package spectral

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// sweep splits the nodes in two where φ = cut_G/cut_H is lowest, of all splits
// by a threshold on u, and returns φ. H is L_C and c times the demand graph.
func (t *weighing) sweep(g *data.Graph, c float64, u []float64) (of []int, phi float64) {
	n, q := g.Len(), t.q
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[a], u[b]) })
	groups := q.byNode()
	in, all := make([]float64, len(q.groups)), make([]float64, len(q.groups))
	for h, m := range q.groups {
		for _, w := range m.w {
			all[h] += w
		}
	}
	between := func() (s float64) { // classes
		for _, y := range q.ties {
			s -= y.w * (in[y.g]*(all[y.h]-in[y.h]) + in[y.h]*(all[y.g]-in[y.g]))
		}
		return s
	}
	of = make([]int, n)
	cross := func(g *data.Graph, i int) (s float64) { // what i adds to a cut by crossing
		to, w := g.Neighbours(i)
		for e, j := range to {
			switch {
			case int(j) == i:
			case of[j] == 1:
				s -= w[e]
			default:
				s += w[e]
			}
		}
		return s
	}
	at, classes := n, 0.0
	var left, cut, apart float64
	phi = math.Inf(1)
	for r, i := range order[:n-1] {
		cut += cross(g, i)
		apart -= cross(q.pairs, i) // cannot-links stand below 0
		if of[i] = 1; groups != nil {
			if list := groups[int32(i)]; len(list) > 0 {
				for _, y := range list {
					in[y.g] += y.w
				}
				classes = between()
			}
		}
		left += t.l.Degree[i]
		if y := max(0, cut) / (max(0, apart) + classes + float64(c*left)*(t.vol-left)/t.vol); y < phi {
			phi, at = y, r
		}
	}
	for r, i := range order {
		if of[i] = 0; r <= at {
			of[i] = 1
		}
	}
	return of, phi
}

// byNode returns the groups that each node is in, as ties of group g by weight.
func (d *demand) byNode() map[int32][]tie {
	if len(d.groups) == 0 {
		return nil
	}
	out := map[int32][]tie{}
	for g, m := range d.groups {
		for q, i := range m.node {
			out[i] = append(out[i], tie{g: g, w: m.w[q]})
		}
	}
	return out
}
