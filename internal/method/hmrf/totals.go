package hmrf

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// updateTotals brings sums, cost and terms into line with the labels; last says
// that they are the last ones.
func (r *totals) updateTotals(ctx context.Context, last bool) error {
	moves, err := r.collectMoves(ctx)
	if err != nil {
		return err
	}
	if r.first {
		moves = nil
	}
	if err := r.applyMoves(ctx, moves); err != nil {
		return err
	}
	r.first = false
	if last || r.cost.NeedsMeasuring() {
		cost, err := r.distortion.totalCost(ctx, r.labels)
		if err != nil {
			return err
		}
		r.cost.SetMeasured(cost)
	}
	r.terms = r.objectiveTerms(r.cost.Cost, r.sums.Mass, r.violationTerms(r.violated))
	return nil
}

// collectMoves lists the points that have moved since the last call, and the
// pairs that the labels violate.
func (r *totals) collectMoves(ctx context.Context) (moves []lloyd.Move, err error) {
	type part struct {
		moves    []lloyd.Move
		violated []violation
	}
	moves, r.violated = r.moves[:0], r.violated[:0]
	err = lloyd.LongBlocks(ctx, r.e.Workers, len(r.labels), func(lo, hi int) (p part) {
		was, bad := r.previous[lo:hi], r.violationCount[lo:hi]
		for i, h := range r.labels[lo:hi] {
			if h != was[i] {
				p.moves = append(p.moves, lloyd.Move{Row: int32(lo + i), From: was[i]})
				was[i] = h
			}
			if bad[i] > 0 && !r.graph.HasLarge() {
				p.violated = r.appendViolationsOf(int32(lo+i), p.violated)
			}
		}
		return p
	}, func(_, _ int, p part) {
		moves = append(moves, p.moves...)
		r.violated = append(r.violated, p.violated...)
	})
	if r.graph.HasLarge() {
		r.violated = r.collectViolations(r.hasViolations)
	}
	r.moves = moves[:0]
	return moves, err
}

// applyMoves brings sums and cost up to date after moves; nil: all points are
// new.
func (r *totals) applyMoves(ctx context.Context, moves []lloyd.Move) error {
	r.pending.Add(moves, len(r.labels))
	known := !math.IsNaN(r.cost.Cost) && moves != nil
	var before *lloyd.KeptSums
	if known && lloyd.IsDense(r.p.X) { // sums of sparse rows are wide, and few rows move
		before = r.sums.Clone()
	}
	_, err := r.sums.Update(ctx, r.e, r.p.Problem, nil, r.labels, moves)
	if err != nil || !known {
		return err
	}
	cost := lloyd.CostChange{Delta: math.NaN()}
	if before != nil {
		cost = r.distortion.changeByMoves(before, r.sums)
	}
	if math.IsNaN(cost.Delta) {
		if cost.Delta, err = r.costOfMoves(ctx, moves); err != nil {
			return err
		}
	}
	r.cost.Apply(cost)
	return nil
}

// costOfMoves returns by how much moves have changed what points cost by
// themselves.
func (r *totals) costOfMoves(ctx context.Context, moves []lloyd.Move) (cost float64, err error) {
	err = blocks.Each(ctx, r.e.Workers, len(moves), func(lo, hi int) (s float64) {
		g := r.distortion.pointCost()
		for _, m := range moves[lo:hi] {
			i := int(m.Row)
			s += float64(r.p.W(i) * (g(i, int(r.labels[i])) - g(i, int(m.From))))
		}
		return s
	}, func(_, _ int, s float64) { cost += s })
	return cost, err
}

// pointCosts returns what each point costs where it is, without pairs.
func (r *labelling) pointCosts(ctx context.Context) ([]float64, error) {
	own := make([]float64, len(r.labels))
	err := blocks.Each(ctx, r.e.Workers, len(own), func(lo, hi int) struct{} {
		g := r.distortion.pointCost()
		for i := lo; i < hi; i++ {
			own[i] = g(i, int(r.labels[i]))
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	return own, err
}
