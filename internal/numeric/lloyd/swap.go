package lloyd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A swapSearch leaves local minima of k-means. When Lloyd's iteration has nearly
// converged it takes centres whose removal costs little and uses each of them to split
// a cluster where that gains much, makes a few iterations, and keeps the result if the
// cost has fallen; otherwise it returns to where it was and tries fewer or other swaps.
//
// Swaps of single centres are those of Lattanzi and Sohler (2019), several at a time and
// fewer after a failure those of Fritzke (2020). Both choose by sampling or by the error
// of clusters; here the cost of each removal and the gain of each split are estimated
// first (see changes), so that most swaps on separated clusters succeed at once.
type swapSearch struct {
	*Run
	keep        []bool   // clusters whose centres are never taken away; nil: none
	first       *Centres // those of the start
	limits      swapLimits
	saved       savedState
	trialPasses int // assignments in trials

	trialsSearched int // what Run.searched has grown by in trials

	changes []change // as estimated last

	exhausted bool // swaps that promise to gain have failed
	done      bool // all others have failed too, or are not tried

	sampled   bool    // the first centres are those of a search on a sample
	promising bool    // only swaps that promise to gain are tried
	leastLoss float64 // what the best swap loses, by the last estimate; below 0: it gains
	planned   bool    // there is such an estimate
}

// swapLimits bound a search.
type swapLimits struct {
	failures int // trials without success after which it ends
	steps    int // iterations in a trial
	passes   int // in all trials, and
	share    int // so many more for each pass of the descent
}

const (
	// Swaps that promise to gain are tried when the cost falls by less than nearly of it
	// in an iteration, others when it falls by less than converged.
	nearly    = 1e-3
	converged = 2e-5
	// worthwhileSwap is the relative decrease of the cost that makes a trial a success.
	worthwhileSwap = 1e-6
	// hopeFactor times the decrease in an iteration of a trial is what the iterations
	// after it may still gain.
	hopeFactor = 4
	// mostCandidates bounds the centres to remove, and the clusters to split, that are
	// combined.
	mostCandidates = 32
)

// A SwapPlan says which swaps a run tries.
type SwapPlan int

// The plans.
const (
	// AllSwaps is for first centres of any kind.
	AllSwaps SwapPlan = iota
	// SwapsAgain is for first centres that such a search has found on a sample of the rows. At normal effort half as
	// many failures end it: most swaps that gain on all rows have been made on the sample, where they cost less.
	SwapsAgain
	// PromisingSwaps is SwapsAgain with swaps that promise to gain alone. It is for runs after the first: one more
	// run costs less than to try the others. At high effort all are tried.
	PromisingSwaps
)

// SearchSwaps returns a run that starts as r has, and leaves local minima as far as the effort says; r itself where
// it does not. Centres of clusters in keep are not taken away; if such a cluster is split it keeps the half that is
// nearer to its first centre.
func SearchSwaps(r *Run, effort cluster.Effort, keep []bool, plan SwapPlan) cluster.Run {
	if s := newSwapSearch(r, effort, keep, plan); s != nil {
		return s
	}
	return r
}

// newSwapSearch returns a search; nil: none.
func newSwapSearch(r *Run, effort cluster.Effort, keep []bool, plan SwapPlan) *swapSearch {
	s := &swapSearch{Run: r, keep: keep, first: r.centres}
	switch effort {
	case cluster.EffortNormal:
		s.limits = swapLimits{failures: 10, steps: 8, passes: 100, share: 3}
		if s.sampled, s.promising = plan != AllSwaps, plan == PromisingSwaps; s.sampled {
			s.limits.failures /= 2
		}
	case cluster.EffortHigh:
		s.limits = swapLimits{failures: 100, steps: 30, passes: 5000, share: 10}
	default:
		return nil
	}
	if r.centres.K == 1 {
		return nil
	}
	return s
}

// Stages returns those of the next iteration, and tries swaps after it while any are left to try.
func (s *swapSearch) Stages() []cluster.Stage {
	if s.done {
		return s.Run.Stages()
	}
	return append(s.iteration(), cluster.Stage{Name: "swap", Do: s.try})
}

// mayTry reports whether the limits allow another trial.
func (s *swapSearch) mayTry(failed int) bool {
	return failed < s.limits.failures && s.trialPasses < s.limits.passes+s.limits.share*s.passes
}

// A swap takes the centre of cluster from away and gives clusters from and split one
// half each of what cluster split has been.
type swap struct {
	from, split int32
	net         float64 // estimate of the gain
}

// planSwaps returns swaps, the most promising first. Centres of clusters in keep are not taken away.
func planSwaps(all []change, keep []bool) (swaps []swap) {
	byRemoval, byGain := make([]int32, 0, len(all)), make([]int32, 0, len(all))
	for h, c := range all {
		if keep == nil || !keep[h] {
			byRemoval = append(byRemoval, int32(h))
		}
		if c.a != nil {
			byGain = append(byGain, int32(h))
		}
	}
	slices.SortStableFunc(byRemoval, func(g, h int32) int { return cmp.Compare(all[g].removal, all[h].removal) })
	slices.SortStableFunc(byGain, func(g, h int32) int { return cmp.Compare(all[h].gain, all[g].gain) })
	for _, g := range byRemoval[:min(len(byRemoval), mostCandidates)] {
		for _, h := range byGain[:min(len(byGain), mostCandidates)] {
			if g != h {
				swaps = append(swaps, swap{g, h, all[h].gain - all[g].removal})
			}
		}
	}
	slices.SortStableFunc(swaps, func(x, y swap) int { return cmp.Compare(y.net, x.net) })
	return swaps
}

// compatibleSwaps returns swaps that promise to gain and can be made together: no
// cluster is in two of them, and no centre is taken away together with the one that its
// rows would go to.
func compatibleSwaps(plan []swap, all []change) (swaps []swap) {
	used := make([]bool, len(all))
	for _, s := range plan {
		if s.net <= 0 {
			break
		}
		next := all[s.from].next
		if used[s.from] || used[s.split] || next >= 0 && used[next] {
			continue
		}
		used[s.from], used[s.split] = true, true
		if next >= 0 {
			used[next] = true
		}
		swaps = append(swaps, s)
	}
	return swaps
}

// estimateOf returns the estimates of the clusters of a run.
func estimateOf(r *Run) *estimate { return &estimate{r.p, r.e.Workers, r.centres, r.labels, r.sums} }

// try is the stage that tries swaps until a trial succeeds or the limits are
// reached: first all that promise to gain together, then half of them and so on, then
// one by one.
func (s *swapSearch) try(ctx context.Context) (moved int, err error) {
	limit := nearly
	if s.exhausted {
		limit = converged
	}
	if s.done || !(s.decrease <= limit*s.cost.Cost) {
		return 0, nil
	}
	s.done = s.exhausted
	all, err := estimateOf(s.Run).changes(ctx, s.changes)
	if err != nil {
		return 0, err
	}
	s.changes = all
	plan := planSwaps(all, s.keep)
	if s.planned = len(plan) > 0; s.planned {
		s.leastLoss = -plan[0].net
	}
	together := compatibleSwaps(plan, all)
	s.saved.save(s.Run)
	for failed := 0; s.mayTry(failed); failed++ {
		swaps := together
		if len(together) == 0 {
			if len(plan) == 0 || !s.exhausted {
				break
			}
			swaps, plan = plan[:1], plan[1:]
		}
		before := s.searched
		won, err := s.trial(ctx, swaps, all)
		s.trialsSearched += s.searched - before
		if won && err == nil {
			s.exhausted, s.done = false, false
			return s.saved.countMoved(s.Run), nil
		}
		s.saved.restore(s.Run)
		if err != nil {
			return 0, err
		}
		together = together[:len(together)/2]
	}
	s.exhausted, s.done = true, s.done || s.promising
	return 0, nil
}

// trial makes swaps and a few iterations, and reports whether the cost has fallen
// below that of the saved state by more than these iterations would have gained without
// the swaps.
func (s *swapSearch) trial(ctx context.Context, swaps []swap, all []change) (won bool, err error) {
	s.shift = math.Inf(1) // what a trial shifts, and takes back, is no convergence
	before, ordinary := s.cost.Cost, 0.0
	s.moveCentres(swaps, all)
	was := math.Inf(1)
	for step := range s.limits.steps {
		if step > 0 {
			if _, err := s.Means(ctx); err != nil {
				return false, err
			}
			ordinary += s.decrease
		}
		if _, err := s.assignMoves(ctx); err != nil {
			return false, err
		}
		if err := s.remeasureCost(ctx); err != nil {
			return false, err
		}
		s.trialPasses++
		now := s.cost.Cost
		if now < before-ordinary-worthwhileSwap*before {
			return true, nil
		}
		if s.settled || now-hopeFactor*(was-now) > before {
			return false, nil
		}
		was = now
	}
	return false, nil
}

// moveCentres replaces the centres by those after swaps, and updates the cost to the
// labels as they are.
func (s *swapSearch) moveCentres(swaps []swap, all []change) {
	old := s.centres
	now := slices.Clone(old.C)
	var by []float64
	size := 0.0
	for _, swap := range swaps {
		stays, goes := all[swap.split].a, all[swap.split].b
		if first := s.first.At(int(swap.split)); s.keep != nil && s.keep[swap.split] && simd.Dist2(goes, first) < simd.Dist2(stays, first) {
			stays, goes = goes, stays
		}
		for _, to := range []struct {
			h int32
			c []float64
		}{{swap.split, stays}, {swap.from, goes}} {
			copy(now[int(to.h)*old.D:], to.c)
			if s.sums.Mass[to.h] == 0 {
				continue
			}
			y := s.sums.CentreMoveCost(int(to.h), old.At(int(to.h)), to.c, nil)
			by = append(by, y)
			size += math.Abs(y)
		}
	}
	s.centres = NewCentresIn(old.K, old.D, now, old.By)
	s.cost.Apply(CostChange{SumSorted(by), 0x1p-48 * size})
}
