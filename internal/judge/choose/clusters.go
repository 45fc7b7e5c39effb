package choose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

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
	halvings       = 3    // pairs of halves of the rows
	stableEnough   = 0.75 // a number whose clusterings agree less is taken only if all do
	silhouetteNear = 0.02 // silhouettes that differ less are not clearly different
)

// chooseKBySilhouette takes the number of the highest mean silhouette among those
// whose clusterings are stable.
func (c *comparison) chooseKBySilhouette(ctx context.Context, scale prepare.Scale, ks []int) error {
	x := c.sample
	p, err := newPoints(ctx, x, []Candidate{{Method: "kmeans", Scale: scale}}, c.o)
	if err != nil {
		return err
	}
	best, stable := -1, false
	kc := c.choice.Clusters
	for at, k := range ks {
		if c.o.Progress != nil {
			c.o.Progress(Progress{Fit: at + 1, Fits: len(ks), Candidate: fmt.Sprintf("kmeans, k = %d", k)})
		}
		t, err := c.silhouetteOf(ctx, p.byScale[scale].x, k)
		if err != nil {
			if ctx.Err() != nil && best >= 0 {
				break
			}
			return err
		}
		kc.Tried = append(kc.Tried, t)
		good := t.Stability >= stableEnough
		if best < 0 || good && !stable || good == stable && t.Mean > kc.Tried[best].Mean+1e-12 {
			best, stable = len(kc.Tried)-1, good
		}
	}
	won := kc.Tried[best]
	kc.K, kc.By, kc.Near = won.K, "silhouette and stability", nil
	for _, t := range kc.Tried {
		if t.K == won.K || (t.Stability >= stableEnough) == stable && won.Mean-t.Mean < silhouetteNear+t.SE {
			kc.Near = append(kc.Near, t.K)
		}
	}
	kc.Why = fmt.Sprintf("k = %d: mean silhouette %.2f, stability %.2f, without constraints a weak guess%s", won.K, won.Mean, won.Stability, kc.others())
	return nil
}

// silhouetteOf returns the mean silhouette of k-means with k clusters, and how far
// clusterings by two halves of the rows agree.
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
	n := x.Len()
	if n < 4*k {
		return out, nil
	}
	rng := rand.New(rand.NewPCG(c.o.Seed, uint64(k)))
	for r := range halvings {
		order := rng.Perm(n)
		a, err := c.kmeansLabels(ctx, data.Pick(x, order[:n/2]), x, k, uint64(2*r+1))
		if err != nil {
			return out, err
		}
		b, err := c.kmeansLabels(ctx, data.Pick(x, order[n/2:]), x, k, uint64(2*r+2))
		if err != nil {
			return out, err
		}
		ari, err := score.ARI(a, b)
		if err != nil {
			return out, err
		}
		out.Stability += ari / halvings
	}
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
