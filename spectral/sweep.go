package spectral

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// sweep splits the nodes of g in two where that cuts least, of all splits by a
// threshold on u (Shi and Malik 2000, section 3).
func sweepNcut(g *data.Graph, u []float64) []int {
	vol := 0.0
	for i := range u {
		vol += g.Degree(i)
	}
	left, cut := 0.0, 0.0
	of, _ := bestSweep(u, func(of []int, i int) float64 {
		cut += cutChange(g, of, i)
		left += g.Degree(i)
		return cut/left + cut/(vol-left)
	})
	return of
}

// byThreshold takes the nodes by rising u, all but the last, from side 0 to
// side 1, and returns the sides where the price was lowest, and that price.
// Price is told the sides before node i crosses, and returns what they cost
// after.
func bestSweep(u []float64, price func(of []int, i int) float64) (of []int, least float64) {
	n := len(u)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(u[a], u[b]) })
	of, least = make([]int, n), math.Inf(1)
	at := n
	for q, i := range order[:n-1] {
		if y := price(of, i); y < least {
			least, at = y, q
		}
		of[i] = 1
	}
	for q, i := range order {
		if of[i] = 0; q <= at {
			of[i] = 1
		}
	}
	return of, least
}

// crossing returns what node i adds to the cut between the sides by going from
// side 0 to side 1.
func cutChange(g *data.Graph, of []int, i int) (s float64) {
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

// sweep splits the nodes in two where φ = cut_G/cut_H is lowest, of all splits
// by a threshold on u, and returns φ. H is L_C and c times the demand graph.
func (t *fastgeCandidate) sweepPhi(g *data.Graph, c float64, u []float64) (of []int, phi float64) {
	q := t.constraints
	groups := q.groupsOfNodes()
	in, all := make([]float64, len(q.groups)), make([]float64, len(q.groups))
	for h, m := range q.groups {
		for _, w := range m.w {
			all[h] += w
		}
	}
	between := func() (s float64) { // classes
		for _, y := range q.couplings {
			s -= y.w * (in[y.g]*(all[y.h]-in[y.h]) + in[y.h]*(all[y.g]-in[y.g]))
		}
		return s
	}
	var left, cut, apart, classes float64
	return bestSweep(u, func(of []int, i int) float64 {
		cut += cutChange(g, of, i)
		apart -= cutChange(q.pairs, of, i) // cannot-links stand below 0
		if list := groups[int32(i)]; len(list) > 0 {
			for _, y := range list {
				in[y.g] += y.w
			}
			classes = between()
		}
		left += t.laplacian.Degree[i]
		return max(0, cut) / (max(0, apart) + classes + float64(c*left)*(t.vol-left)/t.vol)
	})
}

// byNode returns the groups that each node is in, as ties of group g by weight.
func (d *constraintMatrix) groupsOfNodes() map[int32][]coupling {
	if len(d.groups) == 0 {
		return nil
	}
	out := map[int32][]coupling{}
	for g, m := range d.groups {
		for q, i := range m.node {
			out[i] = append(out[i], coupling{g: g, w: m.w[q]})
		}
	}
	return out
}
