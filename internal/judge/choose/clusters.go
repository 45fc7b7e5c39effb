package choose

import (
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
	"github.com/inklinghq/inkling/internal/support/format"
)

// ErrKNeedsRows is the error of Run where the number of clusters is to be chosen
// for a graph or a kernel with too few constraints to judge it.
var ErrKNeedsRows = errors.New("the number of clusters of a graph or a kernel can be chosen only by constraints, and there are too few")

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
	if c.sample.X == nil {
		return ErrKNeedsRows
	}
	return c.chooseKBySilhouette(ctx, list[0].Scale, ks)
}

// chooseKByPairs takes the number at which the best fit without constraints is
// right about most held-out pairs, the smallest on ties.
func (c *comparison) chooseKByPairs(ctx context.Context, list []Candidate, ks []int) error {
	ks = coarse(ks)
	var tried []Candidate
	for _, k := range ks {
		for _, x := range list {
			if !x.Constrained && x.Scale == list[0].Scale {
				x.K = k
				tried = append(tried, x)
			}
		}
	}
	var err error
	if c.points, err = newPoints(ctx, c.sample, tried, c.o); err != nil {
		return err
	}
	jobs := make([]*fitJob, len(tried))
	for i := range tried {
		jobs[i] = &fitJob{candidate: i, fold: -1}
	}
	stopped := c.points.runJobs(ctx, tried, jobs, c.o, 0, len(jobs))
	right := map[int][]float64{}
	means := map[int]estimate{}
	for i, j := range jobs {
		if j.err != nil {
			continue
		}
		var r []float64
		for f := range c.folds {
			r = append(r, c.folds[f].judge(j.labels)...)
		}
		k, e := tried[i].K, balanced(r, c.obs)
		if old, ok := means[k]; !ok || e.mean > old.mean {
			right[k], means[k] = r, e
		}
	}
	best := -1
	for _, k := range ks {
		if e, ok := means[k]; ok {
			c.choice.Clusters.Tried = append(c.choice.Clusters.Tried, KTrial{K: k, Mean: e.mean, SE: math.Sqrt(e.variance)})
			if best < 0 || e.mean > means[best].mean+1e-12 {
				best = k
			}
		}
	}
	if best < 0 {
		return errors.Join(stopped, errors.New("no number of clusters could be fitted"))
	}
	kc := c.choice.Clusters
	kc.K, kc.By, kc.Near = best, "held-out pairs", nil
	for _, k := range ks {
		if r, ok := right[k]; ok && (k == best || probabilityBetter(right[best], r, c.obs) < confidence) {
			kc.Near = append(kc.Near, k)
		}
	}
	kc.Why = fmt.Sprintf("k = %d: fits without constraints are right about %.0f %% of %d held-out pairs%s", best, 100*means[best].mean, c.pairs(), kc.others())
	return nil
}

// How the number of clusters is chosen without constraints.
const (
	silhouetteRows = 2000
	silhouetteNear = 0.02 // silhouettes that differ less count as equally good
	gridFrom       = 12   // numbers up to here are all tried, of larger ones a coarse grid first
	gridStep       = 1.2
	nearShown      = 3
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

// chooseKBySilhouette takes the number of the highest mean silhouette: of a coarse grid first, then of
// the numbers beside the best. The silhouette of the same number of clusters in rows whose columns are
// shuffled independently says whether there is anything to divide.
func (c *comparison) chooseKBySilhouette(ctx context.Context, scale prepare.Scale, ks []int) error {
	p, err := newPoints(ctx, c.sample, []Candidate{{Method: "kmeans", Scale: scale}}, c.o)
	if err != nil {
		return err
	}
	x, kc, best := p.byScale[scale].x, c.choice.Clusters, -1
	try := func(list []int) error {
		for _, k := range list {
			if slices.ContainsFunc(kc.Tried, func(t KTrial) bool { return t.K == k }) {
				continue
			}
			if c.o.Progress != nil {
				c.o.Progress(Progress{Fit: len(kc.Tried) + 1, Fits: max(len(kc.Tried)+1, len(coarse(ks))), Candidate: fmt.Sprintf("kmeans, k = %d", k)})
			}
			t, err := c.silhouetteOf(ctx, x, k)
			if err != nil {
				if ctx.Err() != nil && best >= 0 {
					return nil
				}
				return err
			}
			kc.Tried = append(kc.Tried, t)
			if best < 0 || t.Mean > kc.Tried[best].Mean+1e-12 {
				best = len(kc.Tried) - 1
			}
		}
		return nil
	}
	if err := try(coarse(ks)); err != nil {
		return err
	}
	for range 2 { // the best may move to the edge of what was tried around it
		at := kc.Tried[best].K
		var beside []int
		for _, k := range ks {
			if k > gridFrom && math.Abs(float64(k-at)) < (gridStep-1)*float64(at)/2+1 {
				beside = append(beside, k)
			}
		}
		if err := try(beside); err != nil {
			return err
		}
	}
	won := kc.Tried[best]
	slices.SortFunc(kc.Tried, func(a, b KTrial) int { return a.K - b.K })
	kc.K, kc.By, kc.Near = won.K, "silhouette", nil
	for _, t := range kc.Tried {
		if t.K == won.K || won.Mean-t.Mean < silhouetteNear+t.SE {
			kc.Near = append(kc.Near, t.K)
		}
	}
	null, err := c.nullSilhouette(ctx, x, won.K)
	if err != nil {
		return err
	}
	kc.Null = null
	kc.Why = fmt.Sprintf("k = %d: mean silhouette %.2f, %.2f where the columns are shuffled; without constraints a guess%s", won.K, won.Mean, null, kc.others())
	switch {
	case won.K > 1 && won.Mean < null+silhouetteNear:
		kc.Doubt = fmt.Sprintf("nothing supports more than one cluster: %d clusters are no better separated than in shuffled columns", won.K)
	case won.K == ks[len(ks)-1] && len(ks) > 2:
		kc.Why += "; it is the largest number tried"
	}
	return nil
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
	t, err := c.silhouetteOf(ctx, out, k)
	return t.Mean, err
}

// silhouetteOf returns the mean silhouette of k-means with k clusters.
func (c *comparison) silhouetteOf(ctx context.Context, x data.Rows, k int) (KTrial, error) {
	out := KTrial{K: k}
	labels, err := c.kmeansLabels(ctx, x, x, k, 0)
	if err != nil || k == 1 {
		return out, err
	}
	sil, err := score.Silhouette(ctx, x, labels, score.SilhouetteOptions{Sample: silhouetteRows, Seed: c.o.Seed, Workers: c.o.Workers})
	if err != nil && !errors.Is(err, score.ErrUndefined) {
		return out, err
	}
	out.Mean = sil.Mean
	for _, v := range sil.Values {
		out.SE += (v - sil.Mean) * (v - sil.Mean)
	}
	out.SE = math.Sqrt(out.SE) / float64(max(1, len(sil.Values)))
	return out, nil
}

// kmeansLabels fits k-means on some rows and places all.
func (c *comparison) kmeansLabels(ctx context.Context, on, all data.Rows, k int, add uint64) ([]int, error) {
	alg, err := Candidate{Method: "kmeans"}.Algorithm()
	if err != nil {
		return nil, err
	}
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort = c.o.Seed+add, c.o.Workers, c.o.Effort
	r, err := cluster.Fit(ctx, &cluster.Problem{X: on, K: k}, alg, s)
	if err != nil {
		return nil, err
	}
	if on == all {
		return r.Labels, nil
	}
	return cluster.Predict(ctx, r.Model, all, c.o.Workers)
}
