package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// assignConstrained assigns the constrained points. open lists those that are not
// at their nearest centre or violate a pair, in ascending order.
func (r *assignment) assignConstrained(ctx context.Context, open []int32) (moved int, err error) {
	if len(r.graph.Constrained) == 0 {
		return 0, nil
	}
	switch r.a.Inference {
	case Nearest:
		moved, _ = r.acceptLabels(r.near)
		return moved, nil
	case BP, LP:
		answer, err := r.inferLabels(ctx)
		if err != nil {
			return 0, err
		}
		moved, cost := r.acceptLabels(answer.Labels)
		r.keepInference(answer, cost)
		return moved, nil
	}
	return r.assignByICM(ctx, open)
}

// inferLabels computes labels of low energy by belief propagation or linear
// programming (Bilenko and Basu 2004). The labels of unconstrained points are of no
// use.
func (r *assignment) inferLabels(ctx context.Context) (infer.RegionAnswer, error) {
	var start []int32
	if r.labels[r.graph.Constrained[0]] >= 0 {
		start = r.labels
	}
	n := r.newMarkovNetwork()
	if r.a.Inference == LP {
		return infer.RelaxRegions(ctx, n, n.cheapest, start, infer.RelaxOptions{Polish: !r.a.Literal, Exact: !r.a.Literal, Rand: r.e.Rand}, r.e.Workers)
	}
	return infer.PropagateRegions(ctx, n, n.cheapest, start, infer.BPOptions{Polish: !r.a.Literal, Exact: !r.a.Literal, Patience: patience, Rand: r.e.Rand}, r.e.Workers)
}

// patience is the number of rounds of messages without other labels after which an
// assignment is content with these.
const patience = 10

// inferAfterICM replaces labels that single moves do not improve by those of belief
// propagation if J is lower with them. It needs the nearest centres of this model.
func (r *descent) inferAfterICM(ctx context.Context) (moved int, err error) {
	if r.a.Inference != ICM || len(r.graph.Constrained) == 0 || r.graph.HasLarge() {
		return 0, nil
	}
	answer, err := r.inferLabels(ctx)
	if err != nil {
		return 0, err
	}
	if moved, _ = r.acceptLabels(answer.Labels); moved > 0 {
		r.settled = false
		err = r.updateTotals(context.WithoutCancel(ctx), false)
	}
	return moved, err
}

// acceptLabels gives constrained points their labels in next, unless that makes J
// larger than the old ones do: methods that treat all points at once need not find
// better labels. It also returns what next costs.
func (r *assignment) acceptLabels(next []int32) (moved int, cost float64) {
	old := make([]int32, len(r.graph.Constrained))
	first := r.labels[r.graph.Constrained[0]] < 0
	was := 0.0
	if !first {
		was = r.costOfConstrained()
	}
	for v, i := range r.graph.Constrained {
		old[v], r.labels[i] = r.labels[i], next[i]
		if old[v] != r.labels[i] {
			moved++
		}
	}
	r.counts.Recount(r.labels)
	if cost = r.costOfConstrained(); !first && cost > was {
		for v, i := range r.graph.Constrained {
			r.labels[i] = old[v]
		}
		r.counts.Recount(r.labels)
		moved = 0
	}
	r.countViolations()
	return moved, cost
}

// costOfConstrained returns the part of J that depends on the labels of
// constrained points.
func (r *labelling) costOfConstrained() (s float64) {
	_ = blocks.Each(context.Background(), r.e.Workers, len(r.graph.Constrained), func(lo, hi int) (part float64) { // which does not end
		g := r.distortion.pointCost()
		for _, i := range r.graph.Constrained[lo:hi] {
			part += float64(r.p.W(int(i)) * g(int(i), int(r.labels[i])))
		}
		return part
	}, func(_, _ int, part float64) { s += part })
	return s + r.violationTerms(r.collectViolations(func(int32) bool { return true })).Sum()
}
