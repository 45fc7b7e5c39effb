package kernel

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
)

// A swapSearch looks for a lower minimum where batch steps and moves have ended:
// one cluster is dissolved, each of its points joins the next nearest mean,
// another cluster is split in two, and the descent goes on from there. What does
// not lower J is undone. It is for kernels; on graphs splitAndMerge does the same
// at many levels.
//
// The work is counted in rows of the kernel, and bounded by a multiple of what
// the descent took, so that the search ends at the same place everywhere.
type swapSearch struct {
	rng      *rand.Rand
	tries    int     // swaps without success that end the search
	share    float64 // rows that the search may read, as a multiple of those of the descent
	least    int     // rows that it may read in any case
	descent  int     // rows read before the first swap
	failures int
}

// swapsPay reports whether the lowest J of a kernel is what one looks for. With
// constraints it may have a cluster of few must-linked points (see
// multilevelStart), with the ratio cut one of a single row.
func swapsPay(objective Objective, k int, constrained bool) bool {
	return objective != RatioCut && k > 1 && !constrained
}

// swapWork is how many multiplications a search may take in any case: some
// tenths of a second.
const swapWork = 4e8

// newSwapSearch returns nil where no search is made: at low effort, on graphs, and
// where swaps do not pay.
func newSwapSearch(f *weightedKMeans, objective Objective, e *cluster.Env) *swapSearch {
	dense, ok := f.matrix.(denseMatrix)
	if !ok || !swapsPay(objective, f.k, f.pairWeights.Start != nil) || !e.Effort.Searches() {
		return nil
	}
	n := uint64(f.numNodes())
	s := &swapSearch{rng: rand.New(rand.NewPCG(n, n)), tries: 3, share: 1, least: int(swapWork / dense.RowCost(f.k))}
	if e.Effort == cluster.EffortHigh {
		s.tries, s.share, s.least = 10, 10, 10*s.least
	}
	return s
}

// allowed reports whether another swap may be tried when so many rows have been
// read.
func (s *swapSearch) allowed(rows int) bool {
	return s.failures < s.tries && float64(rows-s.descent) < max(float64(s.least), s.share*float64(s.descent))
}

// A clusterSwap is a cluster to split, one to dissolve, and by how much J is
// estimated to fall.
type clusterSwap struct {
	split, dissolve int32
	gain            float64
}

// runSwaps tries swaps until one lowers J, once the iteration has changed hardly
// anything.
func (r *kmeansRun) runSwaps(ctx context.Context) (moved int, err error) {
	before, size := r.quality(), abs(r.Tracked().Sum())
	if before-r.startQuality > 2e-7*size {
		return 0, nil
	}
	s := r.swaps
	if s.descent == 0 {
		s.descent = r.rowsRead
	}
	if !s.allowed(r.rowsRead) {
		r.done = true
		return 0, nil
	}
	halves, err := r.splitInHalves(ctx, s.rng)
	if err != nil {
		return 0, err
	}
	saved := r.saveClusters()
	for _, plan := range r.planSwaps(halves, s.tries) {
		if !s.allowed(r.rowsRead) {
			break
		}
		r.applySwaps(plan, halves.label)
		if err := r.recompute(ctx); err != nil {
			return 0, err
		}
		if err := r.descend(ctx, r.refine); err != nil {
			return 0, err
		}
		if r.quality()-before > 1e-6*size {
			for i, c := range saved.label {
				if c != r.label[i] {
					moved++
				}
			}
			s.failures, r.batchConverged = 0, false
			return moved, nil
		}
		r.restoreClusters(saved)
		s.failures++
	}
	r.done = true
	return 0, nil
}

// splitInHalves cuts every cluster in two, all in the same passes: the halves of
// cluster c are clusters 2c and 2c + 1 of the result. The second half begins with
// the points that are more similar than the average to a random point; then each
// point joins the nearer mean of the two, a few times.
func (f *weightedKMeans) splitInHalves(ctx context.Context, rng *rand.Rand) (*weightedKMeans, error) {
	h := *f
	h.k, h.clusterSum, h.label = 2*f.k, nil, make([]int32, f.numNodes())
	members := make([][]int32, f.k)
	for i, c := range f.label {
		members[c] = append(members[c], int32(i))
		h.label[i] = 2 * c
	}
	row := make([]float64, f.numNodes())
	for _, nodes := range members {
		if len(nodes) < 2 {
			continue
		}
		f.readRow(nodes[rng.IntN(len(nodes))], row)
		mean, mass := 0.0, 0.0
		for _, i := range nodes {
			mean += row[i]
			mass += f.alpha[i]
		}
		for _, i := range nodes {
			if row[i]*mass > mean*f.alpha[i] {
				h.label[i]++
			}
		}
	}
	const rounds = 4
	for range rounds {
		if err := h.recompute(ctx); err != nil {
			return nil, err
		}
		if h.joinNearerHalves() == 0 {
			break
		}
	}
	err := h.recompute(ctx)
	f.rowsRead = h.rowsRead
	return &h, err
}

// readRow writes row i of B + W to row.
func (f *weightedKMeans) readRow(i int32, row []float64) {
	clear(row)
	f.matrix.AddRow(int(i), 1, row)
	f.rowsRead++
	row[i] = f.selfWeight[i]
	to, w := f.pairWeights.neighbours(i)
	for q, j := range to {
		row[j] += w[q]
	}
}

// joinNearerHalves moves every point to the nearer of the two halves of its
// cluster, all at once, and returns how many moved.
func (f *weightedKMeans) joinNearerHalves() (moved int) {
	norms := f.meanNorms()
	for i, c := range f.label {
		if other := c ^ 1; f.alpha[i] > 0 && f.meanDistance(i, int(other), norms) < f.meanDistance(i, int(c), norms) {
			f.label[i] = other
			moved++
		}
	}
	return moved
}

// meanDistance returns the squared distance of point i to the mean of cluster c,
// without K_ii.
func (f *weightedKMeans) meanDistance(i, c int, norms []float64) float64 {
	sum := f.clusterSum[c*f.numNodes()+i]
	if int(f.label[i]) == c {
		sum += f.selfWeight[i]
	}
	return norms[c] - quotient(2*sum/f.alpha[i], f.mass[c])
}

// nearestOther returns the nearest mean to point i of those that are not to be
// dissolved, beside its own, and the distance.
func (f *weightedKMeans) nearestOther(i int, norms []float64, dissolve []bool) (other int32, dist float64) {
	other, dist = -1, math.Inf(1)
	for c := range f.k {
		if c == int(f.label[i]) || dissolve[c] {
			continue
		}
		if d := f.meanDistance(i, c, norms); d < dist {
			other, dist = int32(c), d
		}
	}
	return other, dist
}

// dissolveCosts returns by how much J would rise, if the means stayed where they
// are, when the points of a cluster joined the nearest other means.
func (f *weightedKMeans) dissolveCosts() []float64 {
	costs, norms, none := make([]float64, f.k), f.meanNorms(), make([]bool, f.k)
	for i, own := range f.label {
		if f.alpha[i] > 0 {
			_, d := f.nearestOther(i, norms, none)
			costs[own] += f.alpha[i] * (d - f.meanDistance(i, int(own), norms))
		}
	}
	return costs
}

// planSwaps returns what to try, in this order: all disjoint swaps at once that by
// themselves lower J, if there are several; then up to most single swaps, the most
// promising first.
func (f *weightedKMeans) planSwaps(halves *weightedKMeans, most int) (plans [][]clusterSwap) {
	var splits, dissolved, single, all []clusterSwap
	costs := f.dissolveCosts()
	for c := range int32(f.k) {
		if halves.sizes[2*c] > 0 && halves.sizes[2*c+1] > 0 {
			parts := quotient(halves.association[2*c], halves.mass[2*c]) + quotient(halves.association[2*c+1], halves.mass[2*c+1])
			splits = append(splits, clusterSwap{split: c, gain: parts - quotient(f.association[c], f.mass[c])})
		}
		if !math.IsInf(costs[c], 1) {
			dissolved = append(dissolved, clusterSwap{dissolve: c, gain: -costs[c]})
		}
	}
	best := func(x, y clusterSwap) int {
		return cmp.Or(cmp.Compare(y.gain, x.gain), cmp.Compare(x.split, y.split), cmp.Compare(x.dissolve, y.dissolve))
	}
	slices.SortFunc(splits, best)
	slices.SortFunc(dissolved, best)
	used := make([]bool, f.k)
	for _, s := range splits {
		at := slices.IndexFunc(dissolved, func(d clusterSwap) bool { return !used[d.dissolve] && d.dissolve != s.split })
		if at < 0 || used[s.split] || s.gain+dissolved[at].gain <= 0 {
			continue
		}
		used[s.split], used[dissolved[at].dissolve] = true, true
		all = append(all, clusterSwap{s.split, dissolved[at].dissolve, s.gain + dissolved[at].gain})
	}
	if len(all) > 1 {
		plans = append(plans, all)
	}
	for _, s := range splits[:min(len(splits), most)] {
		for _, d := range dissolved[:min(len(dissolved), most+1)] {
			if s.split != d.dissolve {
				single = append(single, clusterSwap{s.split, d.dissolve, s.gain + d.gain})
			}
		}
	}
	slices.SortFunc(single, best)
	for at := range min(len(single), most) {
		plans = append(plans, single[at:at+1])
	}
	return plans
}

// applySwaps dissolves one cluster of each swap, and gives its number to the second
// half of the other. The sums are not those of the new labels.
func (f *weightedKMeans) applySwaps(plan []clusterSwap, half []int32) {
	dissolve, second := make([]bool, f.k), slices.Repeat([]int32{-1}, f.k)
	for _, s := range plan {
		dissolve[s.dissolve], second[s.split] = true, s.dissolve
	}
	next, norms := slices.Clone(f.label), f.meanNorms()
	for i, c := range f.label {
		switch {
		case dissolve[c]:
			if next[i] = plan[0].split; f.alpha[i] > 0 {
				if to, _ := f.nearestOther(i, norms, dissolve); to >= 0 {
					next[i] = to
				}
			}
		case second[c] >= 0 && half[i]%2 == 1:
			next[i] = second[c]
		}
	}
	copy(f.label, next)
}

// saveClusters returns a copy of the labels and all sums.
func (f *weightedKMeans) saveClusters() *weightedKMeans {
	return &weightedKMeans{label: slices.Clone(f.label), clusterSum: slices.Clone(f.clusterSum),
		mass: slices.Clone(f.mass), association: slices.Clone(f.association), sizes: slices.Clone(f.sizes)}
}

// restoreClusters takes back what saveClusters returned.
func (f *weightedKMeans) restoreClusters(saved *weightedKMeans) {
	copy(f.label, saved.label)
	copy(f.clusterSum, saved.clusterSum)
	copy(f.mass, saved.mass)
	copy(f.association, saved.association)
	copy(f.sizes, saved.sizes)
}
