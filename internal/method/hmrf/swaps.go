package hmrf

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A swapSearch leaves local minima of J as k-means does (see lloyd.SearchSwaps):
// when an iteration gains little, centres whose removal costs little are used to
// split clusters where that gains much, both estimated without pairs. After a few
// iterations the result is kept if J, all terms included, has fallen; otherwise the
// state before is restored, and fewer or other swaps are tried.
type swapSearch struct {
	r                                       *descent
	keep                                    []bool // clusters of classes with labels: their centres are not taken away
	maxFailures, maxSteps, maxPasses, share int    // trials that fail; iterations in a trial, and in all trials, with so many more for each of the descent
	trialPasses, descentPasses              int
	exhausted                               bool // swaps that promise to gain have failed
	done                                    bool // all others have failed too
}

// Escapes reports whether runs leave local minima if the effort says so.
func (a *HMRF) Escapes(p *cluster.Problem) bool {
	form, _ := a.Metric.Form()
	return a.Centres == nil && p.K > 1 && divergenceOf(a.Distortion) == nil && !form.PerCluster
}

// newSwapSearch returns a search as long as the effort says, nil for none. Where every
// cluster has its own metric, for divergences and from given centres there is none.
func newSwapSearch(r *descent) *swapSearch {
	s := &swapSearch{r: r, keep: make([]bool, r.p.K), maxFailures: 8, maxSteps: 8, maxPasses: 40, share: 2}
	if r.e.Effort == cluster.EffortHigh {
		s.maxFailures, s.maxSteps, s.maxPasses, s.share = 60, 20, 1000, 10
	}
	for _, l := range r.graph.Labels {
		s.keep[l.Class] = true
	}
	if !r.e.Effort.Searches() || !r.a.Escapes(r.p.Problem) {
		return nil
	}
	return s
}

const (
	// Swaps that promise to gain are tried when J falls by less than nearlyConverged of
	// it in an iteration, others when it falls by less than almostConverged.
	nearlyConverged = 1e-3
	almostConverged = 2e-5
	// worthwhileSwap is the relative decrease of J that makes a trial a success.
	worthwhileSwap = 1e-6
	// hopeFactor times the decrease in an iteration of a trial is what the iterations
	// after it may still gain.
	hopeFactor = 4
)

// try is the stage that tries swaps until a trial succeeds or the limits are
// reached: first all that promise to gain together, then half of them and so on, then,
// where the descent has almost converged, others one by one.
func (s *swapSearch) try(ctx context.Context) (moved int, err error) {
	r, scale := s.r, s.r.objectiveScale()
	s.descentPasses++
	almost := r.decrease <= almostConverged*scale
	if !almost && (s.exhausted || !(r.decrease <= nearlyConverged*scale)) {
		return 0, nil
	}
	before := r.terms.Sum()
	if moved, err = r.inferAfterICM(ctx); err != nil || r.terms.Sum() < before-worthwhileSwap*scale {
		return moved, err
	}
	plan, together, err := s.plan(ctx)
	if err != nil {
		return moved, err
	}
	saved := r.saveState()
	for failed := 0; s.mayTry(failed); failed++ {
		swaps := together
		if len(together) == 0 {
			if len(plan) == 0 || !almost {
				break
			}
			swaps, plan = plan[:1], plan[1:]
		}
		won, err := s.trial(ctx, swaps)
		if won && err == nil {
			s.exhausted = false
			return moved + len(r.changedSince(saved.labels)), nil
		}
		if e := r.restoreState(context.WithoutCancel(ctx), saved); err == nil {
			err = e
		}
		if err != nil {
			return moved, err
		}
		together = together[:len(together)/2]
	}
	s.exhausted, s.done = true, almost
	return moved, nil
}

// mayTry reports whether the limits allow another trial.
func (s *swapSearch) mayTry(failed int) bool {
	return failed < s.maxFailures && s.trialPasses < s.maxPasses+s.share*s.descentPasses
}

// plan estimates which swaps gain most, in the space of a metric that weighs the
// features.
func (s *swapSearch) plan(ctx context.Context) (plan, together []lloyd.Swap, err error) {
	r, m := s.r, s.r.model
	if !m.needsTransform() || m.Metric.Form().Shape != metric.Diagonal {
		return lloyd.PlanSwaps(ctx, r.p, r.e, lloyd.NewCentresIn(m.K, m.D, m.C, r.p.Distance), r.labels, r.sums, s.keep)
	}
	q := *r.p.Problem
	q.X = r.distortion.(*sharedDistortion).search.Rows()
	plan, together, err = lloyd.PlanSwaps(ctx, r.p.WithProblem(&q), r.e, m.transformedCentres(), r.labels, r.sums, s.keep)
	undone := map[*float64]bool{} // swaps share their centres
	for _, swap := range slices.Concat(plan, together) {
		for _, c := range [][]float64{swap.A, swap.B} {
			if undone[&c[0]] {
				continue
			}
			undone[&c[0]] = true
			for f, w := range m.Metric.Weights(0) {
				c[f] /= math.Sqrt(w)
			}
		}
	}
	return plan, together, err
}

// trial makes swaps and a few iterations, and reports whether J has fallen by more
// than these iterations would have gained without the swaps.
func (s *swapSearch) trial(ctx context.Context, swaps []lloyd.Swap) (won bool, err error) {
	r := s.r
	before, scale, was := r.terms.Sum(), r.objectiveScale(), math.Inf(1)
	c, d := slices.Clone(r.model.C), r.model.D
	for _, swap := range swaps {
		copy(c[int(swap.Split)*d:], swap.A)
		copy(c[int(swap.From)*d:], swap.B)
	}
	r.model = r.model.withoutCaches()
	r.model.C = c
	r.cost.Invalidate()
	for step := range s.maxSteps {
		if step > 0 {
			if _, err := r.updateMeans(ctx); err != nil {
				return false, err
			}
			if r.model.learned() {
				if _, err := r.learnMetric(ctx); err != nil {
					return false, err
				}
			}
		}
		if _, err := r.assign(ctx); err != nil {
			return false, err
		}
		s.trialPasses++
		now := r.terms.Sum()
		if now < before-float64(step)*r.decrease-worthwhileSwap*scale {
			return true, nil
		}
		if r.settled || now-hopeFactor*(was-now) > before {
			return false, nil
		}
		was = now
	}
	return false, nil
}

// A snapshot is the state of a descent, to return to.
type snapshot struct {
	labelling  labelling
	totals     totals
	assignment assignment
	labels     []int32
	settled    bool
	decrease   float64
}

// saveState returns a copy of what a trial changes.
func (r *descent) saveState() *snapshot {
	s := &snapshot{*r.labelling, *r.totals, *r.assignment, slices.Clone(r.labels), r.settled, r.decrease}
	s.labelling.violationCount, s.totals.violated = slices.Clone(r.violationCount), slices.Clone(r.violated)
	s.totals.sums = r.sums.Clone()
	return s
}

// changedSince returns the moves from other labels to those of r.
func (r *descent) changedSince(labels []int32) (moves []lloyd.Move) {
	for i, h := range labels {
		if h != r.labels[i] {
			moves = append(moves, lloyd.Move{Row: int32(i), From: h})
		}
	}
	return moves
}

// restoreState returns r to a saved state.
func (r *descent) restoreState(ctx context.Context, s *snapshot) error {
	r.pending.Add(r.changedSince(s.labels), len(r.labels))
	labels, bad, previous, pending := r.labels, r.violationCount, r.previous, r.pending
	*r.labelling, *r.totals, *r.assignment = s.labelling, s.totals, s.assignment
	copy(labels, s.labels)
	copy(previous, s.labels)
	copy(bad, s.labelling.violationCount)
	r.labels, r.violationCount, r.previous, r.pending = labels, bad, previous, pending
	r.violated, r.sums = slices.Clone(s.totals.violated), s.totals.sums.Clone()
	r.settled, r.decrease = s.settled, s.decrease
	r.counts.Recount(r.labels)
	return r.distortion.setModel(ctx, r.model)
}
