package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/infer"
	"github.com/inklinghq/inkling/internal/blocks"
)

// assignConstrained assigns the constrained points. open lists those that are not
// at their nearest centre or violate a pair, in ascending order.
func (r *descent) assignConstrained(ctx context.Context, open []int32) (moved int, err error) {
	if len(r.graph.constrained) == 0 {
		return 0, nil
	}
	switch r.a.Inference {
	case Nearest:
		return r.acceptLabels(func(v int) int32 { return r.near[r.graph.constrained[v]] }), nil
	case BP, LP:
		f, start, err := r.newMarkovField(ctx)
		if err != nil {
			return 0, err
		}
		answer, err := r.inferLabels(ctx, f, start)
		if err != nil {
			return 0, err
		}
		r.keepInference(answer)
		return r.acceptLabels(func(v int) int32 { return answer.Labels[v] }), nil
	}
	return r.assignByICM(ctx, open)
}

// inferLabels computes labels of low energy by belief propagation or linear
// programming (Bilenko and Basu 2004).
func (r *descent) inferLabels(ctx context.Context, f *infer.Field, start []int32) (infer.Answer, error) {
	if r.a.Inference == LP {
		return infer.Relax(ctx, f, start, infer.RelaxOptions{Polish: !r.a.Literal, Rand: r.e.Rand, Abandon: true}, r.e.Workers)
	}
	return infer.BeliefPropagation(ctx, f, start, infer.BPOptions{Polish: !r.a.Literal, Rand: r.e.Rand, Abandon: true}, r.e.Workers)
}

// acceptLabels takes the labels that next gives for the constrained points, in
// their order, unless they make J larger than the old ones do: methods that treat
// all points at once need not find better labels.
func (r *descent) acceptLabels(next func(v int) int32) (moved int) {
	old := make([]int32, len(r.graph.constrained))
	first := r.labels[r.graph.constrained[0]] < 0
	was := 0.0
	if !first {
		was = r.costOfConstrained()
	}
	for v, i := range r.graph.constrained {
		old[v], r.labels[i] = r.labels[i], next(v)
		if old[v] != r.labels[i] {
			moved++
		}
	}
	r.counts.recount(r.labels)
	if !first && r.costOfConstrained() > was {
		for v, i := range r.graph.constrained {
			r.labels[i] = old[v]
		}
		r.counts.recount(r.labels)
		moved = 0
	}
	r.countViolations()
	return moved
}

// costOfConstrained returns the part of J that depends on the labels of
// constrained points.
func (r *descent) costOfConstrained() (s float64) {
	_ = blocks.Each(context.Background(), r.e.Workers, len(r.graph.constrained), func(lo, hi int) (part float64) { // which does not end
		g := r.distortion.pointCost()
		for _, i := range r.graph.constrained[lo:hi] {
			part += float64(r.p.W(int(i)) * g(int(i), int(r.labels[i])))
		}
		return part
	}, func(_, _ int, part float64) { s += part })
	return s + r.violationTerms(r.collectViolations(func(int32) bool { return true })).Sum()
}

// newMarkovField returns the Markov random field of the constrained points, and
// their labels to start from, nil if they have none yet.
func (r *descent) newMarkovField(ctx context.Context) (f *infer.Field, start []int32, err error) {
	n, k := len(r.graph.constrained), r.p.K
	f = &infer.Field{N: n, K: k, Unary: make([]float64, n*k)}
	at := make([]int32, len(r.labels)) // the number of a point among the known
	for v, i := range r.graph.constrained {
		at[i] = int32(v)
		start = append(start, r.labels[i])
	}
	if start[0] < 0 {
		start = nil
	}
	err = blocks.Tasks(ctx, r.e.Workers, (n+blocks.Len-1)/blocks.Len, func(b int) {
		g := r.distortion.pointCost()
		for v := b * blocks.Len; v < min(n, (b+1)*blocks.Len); v++ {
			i := int(r.graph.constrained[v])
			for h := range k {
				f.Unary[v*k+h] = r.p.W(i) * g(i, h)
				for _, l := range r.graph.labelsOf(i) {
					if l.Class != h {
						f.Unary[v*k+h] += l.W * r.penalty.labelCost(l.Class)
					}
				}
			}
		}
	})
	for v, i := range r.graph.constrained {
		if v%blocks.Len == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		r.graph.eachPair(int(i), func(j int32, must bool, w float64) {
			if i < j {
				f.Edges = append(f.Edges, infer.Edge{I: int32(v), J: at[j]})
				r.addPairCosts(f, i, j, must, w)
			}
		})
	}
	return f, start, err
}

// addPairCosts adds what the pair i, j costs to the costs of f.
func (r *descent) addPairCosts(f *infer.Field, i, j int32, must bool, w float64) {
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
