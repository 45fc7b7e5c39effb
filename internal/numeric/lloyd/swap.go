package lloyd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/simd"
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
	keep   []bool   // clusters whose centres are never taken away; nil: none
	first  *Centres // those of the start
	limits swapLimits
	saved  savedState
	passes int // made in trials

	searched int // what Run.searched has grown by in trials

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

// SearchSwaps makes the run leave local minima as far as the effort says. It is
// called before the first stage. Centres of clusters in keep are not taken away; if
// such a cluster is split it keeps the half that is nearer to its first centre.
func (r *Run) SearchSwaps(effort cluster.Effort, keep []bool) {
	s := &swapSearch{keep: keep, first: r.centres}
	switch effort {
	case cluster.EffortNormal:
		s.limits = swapLimits{failures: 10, steps: 8, passes: 100, share: 3}
	case cluster.EffortHigh:
		s.limits = swapLimits{failures: 100, steps: 30, passes: 5000, share: 10}
	default:
		return
	}
	if r.centres.K > 1 {
		r.swaps = s
	}
}

// SearchSwapsAgain is SearchSwaps for first centres that such a search has found on a
// sample of the rows. At normal effort half as many failures end it: most swaps that
// gain on all rows have been made on the sample, where they cost less.
func (r *Run) SearchSwapsAgain(effort cluster.Effort, keep []bool) {
	r.SearchSwaps(effort, keep)
	if r.swaps != nil && effort == cluster.EffortNormal {
		r.swaps.limits.failures /= 2
		r.swaps.sampled = true
	}
}

// SearchPromisingSwaps is SearchSwapsAgain for swaps that promise to gain alone. It is
// for runs after the first: one more run costs less than to try the others. At high
// effort all are tried.
func (r *Run) SearchPromisingSwaps(effort cluster.Effort, keep []bool) {
	r.SearchSwapsAgain(effort, keep)
	if r.swaps != nil {
		r.swaps.promising = effort == cluster.EffortNormal
	}
}

// mayTry reports whether the limits allow another trial.
func (s *swapSearch) mayTry(failed, descentPasses int) bool {
	return failed < s.limits.failures && s.passes < s.limits.passes+s.limits.share*descentPasses
}

// A swap takes the centre of cluster from away and gives clusters from and split one
// half each of what cluster split has been.
type swap struct {
	from, split int32
	net         float64 // estimate of the gain
}

// planSwaps returns swaps, the most promising first.
func (s *swapSearch) planSwaps(all []change) (swaps []swap) {
	byRemoval, byGain := make([]int32, 0, len(all)), make([]int32, 0, len(all))
	for h, c := range all {
		if s.keep == nil || !s.keep[h] {
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

// trySwaps is the stage that tries swaps until a trial succeeds or the limits are
// reached: first all that promise to gain together, then half of them and so on, then
// one by one.
func (r *Run) trySwaps(ctx context.Context) (moved int, err error) {
	s := r.swaps
	limit := nearly
	if s.exhausted {
		limit = converged
	}
	if s.done || !(r.decrease <= limit*r.cost.Cost) {
		return 0, nil
	}
	s.done = s.exhausted
	all, err := r.changes(ctx, s.changes)
	if err != nil {
		return 0, err
	}
	s.changes = all
	plan := s.planSwaps(all)
	if s.planned = len(plan) > 0; s.planned {
		s.leastLoss = -plan[0].net
	}
	together := compatibleSwaps(plan, all)
	s.saved.save(r)
	for failed := 0; s.mayTry(failed, r.passes); failed++ {
		swaps := together
		if len(together) == 0 {
			if len(plan) == 0 || !s.exhausted {
				break
			}
			swaps, plan = plan[:1], plan[1:]
		}
		before := r.searched
		won, err := r.trySwap(ctx, swaps, all)
		s.searched += r.searched - before
		if won && err == nil {
			s.exhausted, s.done = false, false
			return s.saved.countMoved(r), nil
		}
		s.saved.restore(r)
		if err != nil {
			return 0, err
		}
		together = together[:len(together)/2]
	}
	s.exhausted, s.done = true, s.done || s.promising
	return 0, nil
}

// trySwap makes swaps and a few iterations, and reports whether the cost has fallen
// below that of the saved state by more than these iterations would have gained without
// the swaps.
func (r *Run) trySwap(ctx context.Context, swaps []swap, all []change) (won bool, err error) {
	r.shift = math.Inf(1) // what a trial shifts, and takes back, is no convergence
	before, ordinary := r.cost.Cost, 0.0
	r.moveCentres(swaps, all)
	was := math.Inf(1)
	for step := range r.swaps.limits.steps {
		if step > 0 {
			if _, err := r.Means(ctx); err != nil {
				return false, err
			}
			ordinary += r.decrease
		}
		if _, err := r.assignMoves(ctx); err != nil {
			return false, err
		}
		if err := r.remeasureCost(ctx); err != nil {
			return false, err
		}
		r.swaps.passes++
		now := r.cost.Cost
		if now < before-ordinary-worthwhileSwap*before {
			return true, nil
		}
		if r.settled || now-hopeFactor*(was-now) > before {
			return false, nil
		}
		was = now
	}
	return false, nil
}

// moveCentres replaces the centres by those after swaps, and updates the cost to the
// labels as they are.
func (r *Run) moveCentres(swaps []swap, all []change) {
	old := r.centres
	now := slices.Clone(old.C)
	var by []float64
	size := 0.0
	for _, s := range swaps {
		stays, goes := all[s.split].a, all[s.split].b
		if first := r.swaps.first.At(int(s.split)); r.swaps.keep != nil && r.swaps.keep[s.split] && simd.Dist2(goes, first) < simd.Dist2(stays, first) {
			stays, goes = goes, stays
		}
		for _, to := range []struct {
			h int32
			c []float64
		}{{s.split, stays}, {s.from, goes}} {
			copy(now[int(to.h)*old.D:], to.c)
			if r.sums.Mass[to.h] == 0 {
				continue
			}
			y := r.sums.CentreMoveCost(int(to.h), old.At(int(to.h)), to.c, nil)
			by = append(by, y)
			size += math.Abs(y)
		}
	}
	r.centres = NewCentresIn(old.K, old.D, now, old.Cosine)
	r.cost.Apply(CostChange{SumSorted(by), 0x1p-48 * size})
}
