package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/reliability"
	"github.com/inklinghq/inkling/internal/numeric/steps"
	"github.com/inklinghq/inkling/internal/support/format"
)

// ErrKNeedsRows is the error of Run where the number of clusters is to be chosen
// for a kernel with too few constraints to judge it.
var ErrKNeedsRows = errors.New("the number of clusters of a kernel can be chosen only by constraints, and there are too few")

// chooseK chooses among the numbers of the task by fits without constraints.
func (c *comparison) chooseK(ctx context.Context, list []Candidate) (err error) {
	var ks []int
	for _, k := range c.task.Ks {
		if k >= 1 && k <= c.sample.Len() && k >= c.task.Problem.Constraints.Classes() {
			ks = append(ks, k)
		}
	}
	if len(ks) == 0 {
		return cluster.Problemf("k", "none of the numbers of clusters fits %s and %s", format.Count(c.sample.Len(), "point"), format.Count(c.task.Problem.Constraints.Classes(), "class of labels"))
	}
	c.choice.Clusters = &KChoice{K: ks[0], Near: ks, By: "nothing", Why: "there is only one number to choose from"}
	if len(ks) == 1 {
		return nil
	}
	if together, apart := c.kinds(); c.pairs() >= MinPairs && min(together, apart) >= minOfAKind {
		return c.chooseKByPairs(ctx, list, ks)
	}
	switch {
	case c.sample.Graph != nil:
		return c.chooseKByLength(ctx, list[0], ks)
	case c.sample.X == nil:
		return ErrKNeedsRows
	}
	return c.chooseKBySilhouette(ctx, list[0].Scale, ks)
}

// chooseKByPairs compares the fits without constraints of each number by held-out pairs. Few pairs leave many numbers
// about as good, and the smallest of them is often too small; among these the separation of the clusters decides, as it
// does without constraints. Another method than the reference takes part only where its best fit, of whatever number, is
// better than the best of the reference with the probability of the rule; its numbers are then judged by pairs alone.
func (c *comparison) chooseKByPairs(ctx context.Context, list []Candidate, ks []int) error {
	others := slices.DeleteFunc(slices.Clone(list), func(x Candidate) bool { return x.Constrained || x.Scale != list[0].Scale })
	trials, err := c.judgeNumbers(ctx, others[:min(1, len(others))], coarse(ks), c.o.Effort)
	trials, err = c.judgeLonger(ctx, others[:min(1, len(others))], ks, trials, err)
	best := bestTrial(trials, "")
	reference := best >= 0 && c.sample.X != nil
	if best < 0 || c.canBeBetter(trials[best].right) {
		more, late := c.judgeOthers(ctx, others[min(1, len(others)):], trials, best, ks)
		trials, err = append(trials, more...), errors.Join(err, late)
	}
	if len(trials) == 0 {
		return errors.Join(err, errors.New("no number of clusters could be fitted"))
	}
	if other := bestTrial(trials, ""); best < 0 || probabilityBetter(trials[other].right, trials[best].right, c.obs) > confidence {
		best, reference = other, false
	}
	kc := c.choice.Clusters
	kc.By, kc.Near = "held-out pairs", nil
	method := trials[best].method
	at := map[int]int{}
	for i, t := range trials {
		if t.method != method {
			continue
		}
		at[t.K] = i
		kc.Tried = append(kc.Tried, t.KTrial)
		if i == best || probabilityBetter(trials[best].right, t.right, c.obs) < confidence {
			kc.Near = append(kc.Near, t.K)
		}
	}
	slices.SortFunc(kc.Tried, func(a, b KTrial) int { return a.K - b.K })
	slices.Sort(kc.Near)
	kc.K = trials[best].K
	share := map[int]float64{}
	for _, k := range kc.Near {
		share[k] = trials[at[k]].together
	}
	likely, near := c.byShare(kc.Near, share, c.points.rowsOn(list[0].Scale))
	separated := ""
	if len(likely) < len(kc.Near) {
		separated = ", and so many must-links are likely by its clusters"
	}
	kc.Near = near
	if !slices.Contains(likely, kc.K) { // else the best of the likely ones
		kc.K = likely[0]
		for _, k := range likely {
			if trials[at[k]].Mean > trials[at[kc.K]].Mean+1e-12 {
				kc.K = k
			}
		}
	}
	if reference && len(kc.Near) > 1 {
		if kc.K, err = c.bestSeparated(ctx, list[0].Scale, kc, likely); err != nil {
			return err
		}
		separated += ", and of the numbers about as good the clusters are best separated"
	}
	kc.Why = fmt.Sprintf("k = %d: %s without constraints is right about %.0f %% of %d held-out pairs%s%s%s", kc.K, method,
		100*trials[at[kc.K]].Mean, c.pairs(), separated, kc.others(), kc.atEnd(ks))
	return nil
}

// A numberTrial is a fit of one method with some number of clusters, judged by held-out pairs.
type numberTrial struct {
	KTrial
	method   string
	right    []float64
	together float64 // how probable it is that two rows are in one cluster
}

// canBeBetter reports whether a fit that is right about everything would be better than one that is right about this, with
// the probability of the rule.
func (c *comparison) canBeBetter(right []float64) bool {
	perfect := make([]float64, len(right))
	for i := range perfect {
		perfect[i] = 1
	}
	return probabilityBetter(perfect, right, c.obs) > confidence
}

// judgeOthers fits other candidates than the reference, whose trials are given with the index of
// the best: each with few numbers, none above those that are about as good for the reference, which needs the most to
// tell clusters of any form apart; then with the numbers beside the best, where it may be better.
func (c *comparison) judgeOthers(ctx context.Context, list []Candidate, reference []numberTrial, best int, ks []int) ([]numberTrial, error) {
	largest := ks[len(ks)-1]
	if best >= 0 {
		largest = 0
		for _, t := range reference {
			if probabilityBetter(reference[best].right, t.right, c.obs) < confidence {
				largest = max(largest, t.K)
			}
		}
	}
	ks = slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return k > largest })
	few := spaced(ks)
	trials, err := c.judgeNumbers(ctx, list, few, c.o.Effort)
	at := bestTrial(trials, "")
	if err != nil || at < 0 || best >= 0 && probabilityBetter(trials[at].right, reference[best].right, c.obs) < 0.5 {
		return trials, err
	}
	found := slices.Index(few, trials[at].K)
	low, high := few[max(0, found-1)], few[min(len(few)-1, found+1)]
	beside := slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return k <= low || k >= high || slices.Contains(few, k) })
	list = slices.DeleteFunc(slices.Clone(list), func(x Candidate) bool { return x.Method != trials[at].method })
	more, err := c.judgeNumbers(ctx, list, beside, c.o.Effort)
	return append(trials, more...), err
}

// spaced returns numbers that are two fifths apart, and the last.
func spaced(ks []int) (out []int) {
	for i, k := range ks {
		if len(out) == 0 || 5*k >= 7*out[len(out)-1] || i == len(ks)-1 {
			out = append(out, k)
		}
	}
	return out
}

// judgeLonger fits the reference with the numbers of many clusters that are nearly as good as the best again, and those
// beside the best, by a search that leaves local minima (see searchLonger): else another method is taken for its search.
func (c *comparison) judgeLonger(ctx context.Context, reference []Candidate, all []int, trials []numberTrial, err error) ([]numberTrial, error) {
	at := bestTrial(trials, "")
	if err != nil || at < 0 || c.sample.X == nil || !c.canBeBetter(trials[at].right) {
		return trials, err
	}
	order := slices.Clone(trials)
	slices.SortStableFunc(order, func(a, b numberTrial) int { return cmp.Compare(b.Mean, a.Mean) })
	var ks []int
	for _, t := range order {
		if t.K > manyClusters && len(ks) < longerMost && probabilityBetter(order[0].right, t.right, c.obs) < confidence {
			ks = append(ks, t.K)
		}
	}
	for round := range 2 {
		again, err := c.judgeNumbers(ctx, reference, ks, cluster.EffortNormal)
		for _, t := range again {
			switch i := slices.IndexFunc(trials, func(old numberTrial) bool { return old.K == t.K }); {
			case i < 0:
				trials = append(trials, t)
			case t.Mean > trials[i].Mean:
				trials[i] = t
			}
		}
		if err != nil || round > 0 {
			return trials, ignoreEnd(ctx, err)
		}
		best := trials[bestTrial(trials, "")].K
		ks = slices.DeleteFunc(slices.Clone(all), func(k int) bool {
			return k <= gridFrom || !besideGrid(k, best) || slices.ContainsFunc(trials, func(t numberTrial) bool { return t.K == k })
		})
	}
	return trials, nil
}

// judgeNumbers fits candidates with each of the numbers.
func (c *comparison) judgeNumbers(ctx context.Context, list []Candidate, ks []int, effort cluster.Effort) (trials []numberTrial, err error) {
	var tried []Candidate
	for _, k := range ks {
		for _, x := range list {
			x.K = k
			tried = append(tried, x)
		}
	}
	if len(tried) == 0 {
		return nil, nil
	}
	if c.points == nil {
		if c.points, err = newPoints(ctx, c.sample, tried, c.o); err != nil {
			return nil, err
		}
	} else if err = c.points.add(ctx, tried, c.o); err != nil {
		return nil, err
	}
	jobs := make([]*fitJob, len(tried))
	for i := range tried {
		jobs[i] = &fitJob{candidate: i, fold: -1}
	}
	o := c.o
	o.Effort = effort
	err = c.points.runJobs(ctx, tried, jobs, o, 0, len(jobs))
	for i, j := range jobs {
		if j.err != nil {
			continue
		}
		var r []float64
		for f := range c.folds {
			r = append(r, c.folds[f].judge(j.labels)...)
		}
		e := balanced(r, c.obs)
		trials = append(trials, numberTrial{KTrial{K: tried[i].K, Mean: e.mean, SE: math.Sqrt(e.variance)}, tried[i].Method, r, togetherShare(j.labels)})
	}
	return trials, err
}

// bestTrial returns the index of the most accurate trial of a method, of any where method is "", the smallest number on
// ties; -1 where there is none.
func bestTrial(trials []numberTrial, method string) int {
	best := -1
	for i, t := range trials {
		if (method == "" || t.method == method) && (best < 0 || t.Mean > trials[best].Mean+1e-12) {
			best = i
		}
	}
	return best
}

// bestSeparated returns the number among the likely ones of those about as good whose k-means clusters are best separated, as
// chooseKBySilhouette has it, and puts it first; the others follow by their silhouettes.
func (c *comparison) bestSeparated(ctx context.Context, scale prepare.Scale, kc *KChoice, likely []int) (int, error) {
	p, err := newPoints(ctx, c.sample, []Candidate{{Method: "kmeans", Scale: scale}}, c.o)
	if err != nil {
		return 0, err
	}
	x, _ := steps.Spread(p.byScale[scale].x, c.o.Seed)
	tried := &KChoice{}
	for _, k := range kc.Near {
		effort := c.o.Effort
		if k > manyClusters {
			effort = cluster.EffortNormal
		}
		t, err := c.silhouetteOf(ctx, x, k, effort)
		if err != nil {
			return 0, err
		}
		tried.Tried = append(tried.Tried, t)
	}
	open := &KChoice{Tried: slices.DeleteFunc(slices.Clone(tried.Tried), func(t KTrial) bool { return !slices.Contains(likely, t.K) })}
	best := open.Tried[0]
	for _, t := range open.Tried {
		if t.better(best) {
			best = t
		}
	}
	won := open.fewest(best).K
	kc.order(won, tried)
	return won, nil
}

// How the number of clusters is chosen without constraints.
const (
	silhouetteRows = 2000
	silhouetteNear = 0.02 // silhouettes that differ less count as equally good
	gridFrom       = 12   // numbers up to here are all tried, of larger ones a coarse grid first
	gridStep       = 1.2
	nearShown      = 3
	manyClusters   = 8    // of more, the numbers that are nearly as good as the best are fitted again, by a longer search
	longerNear     = 0.03 // so much less may they have
	longerMost     = 8    // so many of them
)

// coarse returns the numbers that are tried first: all small ones, then those a fifth apart, and the last.
func coarse(ks []int) (out []int) {
	next := 0.0
	for i, k := range ks {
		if k <= gridFrom || float64(k) >= next || i == len(ks)-1 {
			out = append(out, k)
			next = gridStep * float64(k)
		}
	}
	return out
}

// besideGrid reports whether a number is between those of the coarse grid beside at.
func besideGrid(k, at int) bool {
	return math.Abs(float64(k-at)) < (gridStep-1)*float64(at)/2+1
}

// better reports whether t is the better number: first that half of its clusters are more than exceptions, then by the silhouette, which
// a few rows far from all others raise more than any groups do.
func (t KTrial) better(than KTrial) bool {
	if t.few != than.few {
		return than.few
	}
	return t.Mean > than.Mean+1e-12
}

// fewest returns the smallest number whose silhouette is less than the best by no more than one standard error of the difference over the same
// rows: pieces of a group, such as those of a ring, are separated about as well as groups, whatever their number.
func (kc *KChoice) fewest(best KTrial) KTrial {
	out := best
	for _, t := range kc.Tried {
		if t.K > 1 && t.K < out.K && t.few == best.few && best.Mean-t.Mean <= best.errorAgainst(t) {
			out = t
		}
	}
	return out
}

// order puts the number that was chosen first among those about as good; the others follow by their silhouettes.
func (kc *KChoice) order(won int, tried *KChoice) {
	slices.SortStableFunc(kc.Near, func(a, b int) int {
		switch {
		case a == b:
			return 0
		case a == won:
			return -1
		case b == won:
			return 1
		}
		return cmp.Compare(tried.mean(b), tried.mean(a))
	})
}

// errorAgainst returns the standard error of the difference between the silhouettes of two trials.
func (t KTrial) errorAgainst(other KTrial) float64 {
	n := len(t.values)
	if n == 0 || n != len(other.values) {
		return 0
	}
	mean, square := 0.0, 0.0
	for i, v := range t.values {
		d := v - other.values[i]
		mean += d / float64(n)
		square += d * d / float64(n)
	}
	return math.Sqrt(max(0, square-mean*mean) / float64(n))
}

// chooseKBySilhouette takes the smallest number that is within one standard error of the highest mean silhouette: of a coarse grid first, then of
// the numbers beside the best, and of larger ones where the largest is the best and the task allows more. Values that were
// recorded in steps are spread over them first: else a cluster for each combination of a few values is the best. The silhouette
// of the same number of clusters in rows whose columns are shuffled independently says whether there is anything to divide.
func (c *comparison) chooseKBySilhouette(ctx context.Context, scale prepare.Scale, ks []int) error {
	p, err := newPoints(ctx, c.sample, []Candidate{{Method: "kmeans", Scale: scale}}, c.o)
	if err != nil {
		return err
	}
	x, spread := steps.Spread(p.byScale[scale].x, c.o.Seed)
	kc, best := c.choice.Clusters, -1
	try := func(list []int) error {
		for _, k := range list {
			if slices.ContainsFunc(kc.Tried, func(t KTrial) bool { return t.K == k }) {
				continue
			}
			if c.o.Progress != nil {
				c.o.Progress(Progress{Fit: len(kc.Tried) + 1, Fits: max(len(kc.Tried)+1, len(coarse(ks))), Candidate: fmt.Sprintf("kmeans, k = %d", k)})
			}
			t, err := c.silhouetteOf(ctx, x, k, c.o.Effort)
			if err != nil {
				if ctx.Err() != nil && best >= 0 {
					return nil
				}
				return err
			}
			kc.Tried = append(kc.Tried, t)
			if best < 0 || t.better(kc.Tried[best]) {
				best = len(kc.Tried) - 1
			}
		}
		return nil
	}
	if err := try(coarse(ks)); err != nil {
		return err
	}
	for last := ks[len(ks)-1]; kc.Tried[best].K == last && last < min(c.task.Beyond, x.Len()) && ctx.Err() == nil; last = ks[len(ks)-1] {
		for k := last + 1; k <= min(c.task.Beyond, x.Len(), last+max(1, last/2)); k++ {
			ks = append(ks, k)
		}
		if err := try(coarse(ks)); err != nil {
			return err
		}
	}
	for range 2 { // the best may move to the edge of what was tried around it
		at := kc.Tried[best].K
		var beside []int
		for _, k := range ks {
			if k > gridFrom && besideGrid(k, at) {
				beside = append(beside, k)
			}
		}
		if err := try(beside); err != nil {
			return err
		}
	}
	if best, err = c.searchLonger(ctx, x, ks, kc, best); err != nil {
		return err
	}
	top := kc.Tried[best]
	won := kc.fewest(top)
	slices.SortFunc(kc.Tried, func(a, b KTrial) int { return a.K - b.K })
	kc.K, kc.By, kc.Near = won.K, "silhouette", nil
	for _, t := range kc.Tried {
		if t.K == won.K || top.Mean-t.Mean < silhouetteNear+t.SE && t.few == top.few {
			kc.Near = append(kc.Near, t.K)
		}
	}
	kc.order(won.K, kc)
	null, err := c.nullSilhouette(ctx, x, won.K)
	if err != nil {
		return err
	}
	kc.Null = null
	spreading := ""
	if spread {
		spreading = " (values recorded in steps spread over them)"
	}
	if won.K != top.K {
		spreading += fmt.Sprintf(", the fewest clusters within one standard error of the best, %.2f of %d", top.Mean, top.K)
	}
	kc.Why = fmt.Sprintf("k = %d: mean silhouette %.2f%s, %.2f where the columns are shuffled; without constraints a guess%s%s", won.K, won.Mean, spreading, null, kc.others(), kc.atEnd(ks))
	if won.K > 1 && won.Mean < null+silhouetteNear {
		kc.Doubt = fmt.Sprintf("nothing supports more than one cluster: %d clusters are no better separated than in shuffled columns", won.K)
	}
	return nil
}

// searchLonger fits the numbers of many clusters that are nearly as good as the best again, and those beside the best then,
// by a search that leaves local minima: of 20 clusters a short one finds two as one, or one as two, in most fits, which costs
// more of the silhouette than a number that is off by two. It returns the index of the best.
func (c *comparison) searchLonger(ctx context.Context, x data.Rows, ks []int, kc *KChoice, best int) (int, error) {
	done := map[int]bool{}
	longer := func(k int) error {
		if done[k] || k <= manyClusters {
			return nil
		}
		done[k] = true
		if c.o.Progress != nil {
			c.o.Progress(Progress{Fit: len(done), Fits: max(len(done), longerMost), Candidate: fmt.Sprintf("kmeans, k = %d, longer", k)})
		}
		t, err := c.silhouetteOf(ctx, x, k, cluster.EffortNormal)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(kc.Tried, func(t KTrial) bool { return t.K == k })
		if at < 0 {
			at, kc.Tried = len(kc.Tried), append(kc.Tried, t)
		} else if t.better(kc.Tried[at]) {
			kc.Tried[at] = t
		}
		if kc.Tried[at].better(kc.Tried[best]) {
			best = at
		}
		return nil
	}
	first := slices.Clone(kc.Tried)
	slices.SortStableFunc(first, func(a, b KTrial) int { return cmp.Compare(b.Mean, a.Mean) })
	for _, t := range first[:min(len(first), longerMost)] {
		if t.Mean < first[0].Mean-longerNear {
			break
		}
		if err := longer(t.K); err != nil {
			return best, ignoreEnd(ctx, err)
		}
	}
	for range longerMost {
		at := kc.Tried[best].K
		for _, k := range []int{at - 1, at + 1} {
			if slices.Contains(ks, k) {
				if err := longer(k); err != nil {
					return best, ignoreEnd(ctx, err)
				}
			}
		}
		if kc.Tried[best].K == at {
			break
		}
	}
	return best, nil
}

// ignoreEnd returns nil in place of an error that the end of the time has caused.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// nullSilhouette returns the silhouette of k clusters in rows whose columns are shuffled independently
// of each other: they have the same values in each column, and nothing in common.
func (c *comparison) nullSilhouette(ctx context.Context, x data.Rows, k int) (float64, error) {
	n, d := x.Len(), x.Dim()
	if _, sparse := x.(*data.Sparse); sparse || k < 2 || d < 2 {
		return 0, nil
	}
	rng, out, buf := rand.New(rand.NewPCG(c.o.Seed, 0x9011)), &data.Dense{Cols: d, V: make([]float64, n*d)}, make([]float64, d)
	for i := range n {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			out.V[i*d+v.Feature(q)] = y
		}
	}
	for f := range d {
		rng.Shuffle(n, func(a, b int) { out.V[a*d+f], out.V[b*d+f] = out.V[b*d+f], out.V[a*d+f] })
	}
	t, err := c.silhouetteOf(ctx, out, k, c.o.Effort)
	return t.Mean, err
}

// mean returns what a number that was tried reached.
func (kc *KChoice) mean(k int) float64 {
	for _, t := range kc.Tried {
		if t.K == k {
			return t.Mean
		}
	}
	return 0
}

// silhouetteOf returns the mean silhouette of k-means with k clusters.
func (c *comparison) silhouetteOf(ctx context.Context, x data.Rows, k int, effort cluster.Effort) (KTrial, error) {
	out := KTrial{K: k}
	labels, err := c.kmeansLabels(ctx, x, k, effort)
	if err != nil || k == 1 {
		return out, err
	}
	out.few = reliability.MostlyExceptions(reliability.Exceptions(labels, k), k)
	sil, err := score.Silhouette(ctx, x, labels, score.SilhouetteOptions{Sample: silhouetteRows, Seed: c.o.Seed, Workers: c.o.Workers})
	if err != nil && !errors.Is(err, score.ErrUndefined) {
		return out, err
	}
	out.Mean, out.values = sil.Mean, sil.Values
	for _, v := range sil.Values {
		out.SE += (v - sil.Mean) * (v - sil.Mean)
	}
	out.SE = math.Sqrt(out.SE) / float64(max(1, len(sil.Values)))
	return out, nil
}

// kmeansLabels fits k-means.
func (c *comparison) kmeansLabels(ctx context.Context, x data.Rows, k int, effort cluster.Effort) ([]int, error) {
	alg, err := Candidate{Method: "kmeans"}.Algorithm()
	if err != nil {
		return nil, err
	}
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort = c.o.Seed, c.o.Workers, effort
	r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: k}, alg, s)
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}
