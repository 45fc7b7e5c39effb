package hmrf

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// A markovNetwork is the Markov random field of the points, of which inference
// asks for the parts that it needs. Variable i is point i; its costs are those of
// the clusters and of its own labels, its links are its pairs.
type markovNetwork struct {
	r        *labelling
	cheapest []int32 // the cheapest cluster of each point without its pairs
	at       []int32 // where a point is in the list of FieldOf, plus 1; 0 for all others
}

func (r *assignment) newMarkovNetwork() *markovNetwork {
	n := &markovNetwork{r: r.labelling, cheapest: r.near, at: make([]int32, len(r.labels))}
	if len(r.graph.Labels) == 0 {
		return n
	}
	n.cheapest = slices.Clone(r.near)
	g, costs, last := r.distortion.pointCost(), make([]float64, r.p.K), -1
	for _, l := range r.graph.Labels {
		if l.I == last {
			continue
		}
		last = l.I
		n.pointCosts(g, l.I, costs)
		for h, c := range costs {
			if c < costs[n.cheapest[l.I]] {
				n.cheapest[l.I] = int32(h)
			}
		}
	}
	return n
}

// Linked lists the constrained points.
func (n *markovNetwork) Linked() []int32 { return n.r.graph.Constrained }

// EachLink calls do for every pair of point i.
func (n *markovNetwork) EachLink(i int32, y []int32, do func(j int32, violated bool)) {
	n.r.graph.EachPair(int(i), func(j int32, must bool, _ float64) {
		do(j, must != (y[i] == y[j]))
	})
}

// pointCosts computes what point i costs in each cluster, without pairs.
func (n *markovNetwork) pointCosts(g pointCost, i int, costs []float64) {
	w := n.r.p.W(i)
	for h := range costs {
		costs[h] = w * g(i, h)
		for _, l := range n.r.graph.LabelsOf(i) {
			if l.Class != h {
				costs[h] += l.W * n.r.penalty.labelCost(l.Class)
			}
		}
	}
}

// FieldOf writes out the field of some points.
func (n *markovNetwork) FieldOf(ctx context.Context, points []int32) (*infer.Field, error) {
	k := n.r.p.K
	f := &infer.Field{N: len(points), K: k, Unary: make([]float64, len(points)*k)}
	err := blocks.Each(ctx, n.r.e.Workers, len(points), func(lo, hi int) struct{} {
		g := n.r.distortion.pointCost()
		for v := lo; v < hi; v++ {
			n.pointCosts(g, int(points[v]), f.Unary[v*k:(v+1)*k])
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return nil, err
	}
	for v, i := range points {
		n.at[i] = int32(v) + 1
	}
	for v, i := range points {
		if v%blocks.Len == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, t := range n.r.graph.WholePairs(int(i)) {
			if i < t.Point && n.at[t.Point] > 0 {
				f.Edges = append(f.Edges, infer.Edge{I: int32(v), J: n.at[t.Point] - 1})
				n.r.addPairCosts(f, i, t.Point, t.Must, t.Weight)
			}
		}
	}
	for _, i := range points {
		n.at[i] = 0
	}
	return f, nil
}

// addPairCosts adds what the pair i, j costs to the costs of f.
func (r *labelling) addPairCosts(f *infer.Field, i, j int32, must bool, w float64) {
	x, y := r.row1(i), r.row2(j)
	for h := range f.K {
		same, apart := 0.0, 0.0
		if !must {
			same = w * r.penalty.cannotCost(int32(h), x, y)
		} else if apart = w * r.penalty.mustCost(int32(h), int32(h), x, y); !r.penalty.sameForAllClusters() {
			apart /= 2 // each cluster has its share
		}
		f.Same, f.Differ = append(f.Same, same), append(f.Differ, apart)
		if r.penalty.sameForAllClusters() {
			return
		}
	}
}
