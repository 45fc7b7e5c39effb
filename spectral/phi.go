package spectral

import "github.com/inklinghq/inkling/data"

// sweep splits the nodes in two where φ = cut_G/cut_H is lowest, of all splits
// by a threshold on u, and returns φ. H is L_C and c times the demand graph.
func (t *weighing) sweep(g *data.Graph, c float64, u []float64) (of []int, phi float64) {
	q := t.q
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
	var left, cut, apart, classes float64
	return byThreshold(u, func(of []int, i int) float64 {
		cut += crossing(g, of, i)
		apart -= crossing(q.pairs, of, i) // cannot-links stand below 0
		if list := groups[int32(i)]; len(list) > 0 {
			for _, y := range list {
				in[y.g] += y.w
			}
			classes = between()
		}
		left += t.l.Degree[i]
		return max(0, cut) / (max(0, apart) + classes + float64(c*left)*(t.vol-left)/t.vol)
	})
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
