package kernel

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// fixedRand is the randomness of choices that must be the same in every run of a
// fit: objectives under different kernels cannot be compared.
func fixedRand(p *cluster.Problem) *rand.Rand { return rand.New(rand.NewPCG(uint64(p.Len()), 2008)) }

// findWidth finds the width of an rbf kernel, the same for every run.
func (a *KernelHMRF) findWidth(ctx context.Context, p *cluster.Problem, workers int) (*KernelInfo, error) {
	if p.Kernel != nil || a.Kernel != RBF {
		return &KernelInfo{}, nil
	}
	if w := fixedValue(a.Width); w != 0 {
		return &KernelInfo{Width: w, WidthRule: widthGiven}, nil
	}
	rng := fixedRand(p)
	k, err := a.kernelFunc().Fit(context.WithoutCancel(ctx), sampleRows(p.X, rng), rng, workers)
	if errors.Is(err, affinity.ErrNoDistance) { // all rows are equal: any width serves
		k.Width, err = 1, nil
	}
	if err != nil { // the parameters were checked: the rows are at fault
		return nil, &cluster.ProblemError{Field: "x", Err: err}
	}
	info := &KernelInfo{Width: k.Width, WidthRule: RuleMedian}
	if a.Width.Rule != cluster.RuleAuto {
		return info, nil
	}
	t := newWidthSearch(a, p, rng)
	if t == nil {
		return info, nil
	}
	if err := t.chooseWidth(ctx, info, workers); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return info, nil
}

// A widthSearch compares widths by held-out pairs: rows are divided into two
// halves, and a clustering that is given the pairs in one half is judged by those
// in the other. Single held-out pairs would not do: they mostly follow from other
// pairs of the same rows, and every width satisfies them.
type widthSearch struct {
	algorithm KernelHMRF
	problem   *cluster.Problem // the rows of pairs, and some others
	pairs     []data.Edge
	half      []int8 // of each row
}

// searchRows is the number of rows that a widthSearch uses, and searchPairs the
// least number of pairs that it needs.
const searchRows, searchPairs = 600, 8

// widthMultiples are the multiples of the median width to try, the nearest to it
// first.
var widthMultiples = []float64{1, 0.5, 2, 0.25, 4, 0.125}

// newWidthSearch returns nil if there are too few pairs to choose by.
func newWidthSearch(a *KernelHMRF, p *cluster.Problem, rng *rand.Rand) *widthSearch {
	all := softEdges(p.Constraints)
	rng.Shuffle(len(all), func(x, y int) { all[x], all[y] = all[y], all[x] })
	t := &widthSearch{algorithm: *a}
	t.algorithm.Features, t.algorithm.Memory = 0, 64
	at := map[int]int{}
	var rows []int
	indexOf := func(i int) int {
		if _, ok := at[i]; !ok {
			at[i] = len(rows)
			rows = append(rows, i)
		}
		return at[i]
	}
	for _, q := range all {
		if len(rows) <= searchRows-2 {
			t.pairs = append(t.pairs, data.Edge{U: indexOf(q.U), V: indexOf(q.V), W: q.W})
		}
	}
	if len(t.pairs) < searchPairs {
		return nil
	}
	for _, i := range rng.Perm(p.Len()) {
		if len(rows) < searchRows {
			indexOf(i)
		}
	}
	t.problem = &cluster.Problem{X: data.Subset(p.X, rows), K: p.K}
	if p.Weight != nil {
		t.problem.Weight = make([]float64, len(rows))
		for q, i := range rows {
			t.problem.Weight[q] = p.Weight[i]
		}
	}
	t.splitHalves(rng)
	return t
}

// splitHalves puts rows that pairs connect into the same half, so that few pairs
// are lost between the halves; but the rows of a group of more than a quarter of
// them are divided one by one.
func (t *widthSearch) splitHalves(rng *rand.Rand) {
	tied := &constraint.Set{}
	for _, q := range t.pairs {
		tied.Must = append(tied.Must, constraint.Pair{I: q.U, J: q.V, W: 1})
	}
	t.half = make([]int8, t.problem.Len())
	groups, err := constraint.Close(t.problem.Len(), tied)
	if err != nil {
		return // must-links alone never contradict each other
	}
	size, constrained := [2]int{}, 0
	for q := range groups.Components() {
		if groups.Size(q) > 1 {
			constrained += groups.Size(q)
		}
	}
	for q := range groups.Components() {
		members := slices.Clone(groups.Members(q))
		step := len(members)
		if 4*len(members) > constrained {
			rng.Shuffle(len(members), func(x, y int) { members[x], members[y] = members[y], members[x] })
			step = 1
		}
		for lo := 0; lo < len(members) && len(members) > 1; lo += step {
			h := 0
			if size[1] < size[0] {
				h = 1
			}
			for _, i := range members[lo : lo+step] {
				t.half[i] = int8(h)
			}
			size[h] += step
		}
	}
}

// chooseWidth tries multiples of the width in info, and takes the one whose
// clusterings satisfy most held-out pairs; the one nearest to it on ties.
func (t *widthSearch) chooseWidth(ctx context.Context, info *KernelInfo, workers int) error {
	median, best := info.Width, -1
	for _, c := range widthMultiples {
		kept, held := 0, 0
		for half := range int8(2) {
			k, h, err := t.tryWidth(ctx, c*median, half, workers)
			if err != nil {
				return err
			}
			kept, held = kept+k, held+h
		}
		if kept > best && held > 0 {
			best = kept
			*info = KernelInfo{Width: c * median, WidthRule: widthHeldOut, HeldOut: held, HeldOutKept: kept}
		}
	}
	return nil
}

// tryWidth clusters with the pairs outside a half, and counts the pairs within it
// that are satisfied.
func (t *widthSearch) tryWidth(ctx context.Context, width float64, half int8, workers int) (kept, held int, err error) {
	p := *t.problem
	p.Constraints = &constraint.Set{}
	for _, q := range t.pairs {
		if t.half[q.U] == half || t.half[q.V] == half {
			continue
		}
		if pair := (constraint.Pair{I: q.U, J: q.V, W: abs(q.W)}); q.W > 0 {
			p.Constraints.Must = append(p.Constraints.Must, pair)
		} else {
			p.Constraints.Cannot = append(p.Constraints.Cannot, pair)
		}
	}
	run, err := t.algorithm.startWithWidth(ctx, &p, &cluster.Env{Rand: fixedRand(&p), Workers: workers}, &KernelInfo{Width: width})
	for range 30 {
		if err != nil || len(run.Stages()) == 0 {
			break
		}
		for _, s := range run.Stages() {
			if _, err = s.Do(ctx); err != nil {
				break
			}
		}
	}
	if err != nil {
		return 0, 0, err
	}
	label := run.Labels()
	for _, q := range t.pairs {
		if t.half[q.U] != half || t.half[q.V] != half {
			continue
		}
		held++
		if (label[q.U] == label[q.V]) == (q.W > 0) {
			kept++
		}
	}
	return kept, held, nil
}

// sampleRows returns up to 500 rows, enough to estimate distances between rows.
func sampleRows(x data.Rows, rng *rand.Rand) data.Rows {
	const most = 500
	if x.Len() <= most {
		return x
	}
	return data.Subset(x, rng.Perm(x.Len())[:most])
}
