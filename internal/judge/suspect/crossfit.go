package suspect

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// errNoFits says that no clustering could be made.
var errNoFits = errors.New("no clustering could be made")

// crossFits adds the evidence of clusterings that have not seen a constraint.
func (j *judge) crossFits(ctx context.Context, links []link) error {
	k := max(j.p.K, j.set.Classes())
	if k < 2 || k > j.p.Len() {
		j.report.Notes = append(j.report.Notes, "without a number of clusters of at least 2, no clusterings were compared")
		return errNoFits
	}
	var train [folds]*constraint.Set // cleaned once for both
	if j.kernel.Graph() != nil {
		p := &cluster.Problem{Graph: j.kernel.Graph(), K: k}
		cut := kernel.NewGraphCut()
		if err := j.crossFit(ctx, byCut, p, cut, links, &train); err != nil {
			return err
		}
	}
	if j.p.X != nil && len(j.set.Labels) < fewLabels*j.classes && len(links) > 0 {
		bp := hmrf.NewHMRF()
		bp.Inference, bp.Weight = hmrf.ICM, cluster.ByRule(cluster.RuleAuto)
		return j.crossFit(ctx, byHMRF, &cluster.Problem{X: j.p.X, K: k}, bp, links, &train)
	}
	return nil
}

// crossFit fits p with the constraints of all folds but one, for each fold, and
// judges those of that fold by it. A fold that cannot be fitted says nothing. What the fits are made
// with is kept in train.
func (j *judge) crossFit(ctx context.Context, name string, p *cluster.Problem, alg cluster.Algorithm, links []link, train *[folds]*constraint.Set) error {
	workers := blocks.Workers(j.o.Workers)
	settings := cluster.Default()
	settings.Seed, settings.Workers, settings.Restarts, settings.Effort = j.o.Seed, max(1, workers/folds), fitRestarts, cluster.EffortLow
	settings.Shared = &cluster.Shared{} // starts without constraints are those of every fold
	labelFold, linkFold := splitLabels(j.set.Labels, j.o.Seed), splitLinks(links, j.o.Seed)
	var labels [folds][]int
	var failed [folds]error
	err := blocks.TasksWithNotice(ctx, workers, folds, func(f int) { j.progress(name, f, folds) }, func(f int) {
		if train[f] == nil {
			train[f], failed[f] = j.clean(ctx, j.without(f, labelFold, linkFold, links))
		}
		if failed[f] != nil {
			return
		}
		q := *p
		q.Constraints = constraint.Repaired(p.Len(), train[f])
		if r, err := cluster.Fit(ctx, &q, alg, settings); err == nil { // else there is no evidence for this fold
			labels[f] = r.Labels
		}
	})
	if err != nil {
		return context.Cause(ctx)
	}
	c := newClusteringEvidence(j, links)
	for f := range folds {
		if failed[f] != nil {
			return failed[f]
		}
		if labels[f] != nil {
			c.addFold(labels[f], train[f], func(i int) bool { return labelFold[i] == f }, func(i int) bool { return linkFold[i] == f })
		}
	}
	c.judge(name)
	return nil
}

// without returns the constraints of all folds but f.
func (j *judge) without(f int, labelFold, linkFold []int, links []link) *constraint.Set {
	s := &constraint.Set{Names: j.set.Names}
	for i, l := range j.set.Labels {
		if labelFold[i] != f {
			s.Labels = append(s.Labels, l)
		}
	}
	for i, l := range links {
		switch {
		case linkFold[i] == f:
		case l.together:
			s.Must = append(s.Must, l.Pair)
		default:
			s.Cannot = append(s.Cannot, l.Pair)
		}
	}
	return s
}

// cleanAbove is the probability of being wrong above which a clustering does not see a
// constraint.
const cleanAbove = 0.3

// clean returns constraints without those that the kernel of the others holds for
// wrong: a clustering that satisfies them would mislead.
func (j *judge) clean(ctx context.Context, s *constraint.Set) (*constraint.Set, error) {
	if j.gram == nil {
		return s, nil
	}
	sub := &judge{p: j.p, set: s, o: j.o, report: newReport(s), classes: j.classes, kernel: j.kernel, gram: j.gram, gramAt: j.gramAt,
		labels: newEvidence(len(s.Labels)), pairs: newEvidence(len(s.Must) + len(s.Cannot))}
	if err := sub.judgeByKernel(ctx, sub.links()); err != nil {
		return nil, err
	}
	sub.fillReport()
	return sub.report.Without(s, cleanAbove), nil
}

// fitRestarts is the number of starts of each fit.
const fitRestarts = 3

// splitLabels returns the fold of each label; labels of one point are in one fold,
// and the classes are spread evenly.
func splitLabels(labels []constraint.Label, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 14))
	fold, of, next := make([]int, len(labels)), map[int]int{}, map[int]int{}
	for _, i := range rng.Perm(len(labels)) {
		l := labels[i]
		f, ok := of[l.I]
		if !ok {
			f = (next[l.Class] + l.Class) % folds
			next[l.Class]++
			of[l.I] = f
		}
		fold[i] = f
	}
	return fold
}

// clusteringEvidence is what the clusterings of all folds say.
type clusteringEvidence struct {
	j     *judge
	links []link

	labelShares [][]float64 // by label: the share of each class among the training labels of its cluster; nil: unknown
	together    []int8      // by link: 1 in one cluster, 0 in two, −1 unknown
}

func newClusteringEvidence(j *judge, links []link) *clusteringEvidence {
	c := &clusteringEvidence{j: j, links: links, labelShares: make([][]float64, len(j.set.Labels)), together: make([]int8, len(links))}
	for i := range c.together {
		c.together[i] = -1
	}
	return c
}

// addFold reads the clustering of one fold.
func (c *clusteringEvidence) addFold(labels []int, train *constraint.Set, labelHeld, linkHeld func(i int) bool) {
	for i, l := range c.links {
		if linkHeld(i) {
			c.together[i] = 0
			if labels[l.I] == labels[l.J] {
				c.together[i] = 1
			}
		}
	}
	if len(train.Labels) == 0 {
		return
	}
	k := c.j.classes
	prior, total := make([]float64, k), 0.0
	byCluster := map[int][]float64{}
	for _, l := range train.Labels {
		w := min(l.W, 1)
		prior[l.Class] += w
		total += w
		h := labels[l.I]
		if byCluster[h] == nil {
			byCluster[h] = make([]float64, k)
		}
		byCluster[h][l.Class] += w
	}
	const strength = 1.0 // labels that the prior counts as
	for i, l := range c.j.set.Labels {
		if !labelHeld(i) {
			continue
		}
		q := make([]float64, k)
		sum := 0.0
		for h := range q {
			q[h] = strength * (prior[h] + 0.5) / (total + 0.5*float64(k))
			if own := byCluster[labels[l.I]]; own != nil {
				q[h] += own[h]
			}
			sum += q[h]
		}
		for h := range q {
			q[h] /= sum
		}
		c.labelShares[i] = q
	}
}

// judge calibrates and adds the evidence.
func (c *clusteringEvidence) judge(name string) {
	var q [][]float64
	var class []int
	var weight []float64
	for i, l := range c.j.set.Labels {
		if c.labelShares[i] != nil {
			q, class, weight = append(q, c.labelShares[i]), append(class, l.Class), append(weight, min(l.W, 1))
		}
	}
	// A cluster knows its labels only as a whole: it weighs less than the neighbours.
	cal := posterior.FitCalibration(q, class, weight, c.j.classes)
	for i, l := range c.j.set.Labels {
		shares := c.labelShares[i]
		if shares == nil {
			continue
		}
		likeliest := likeliestClass(shares, 0, len(shares))
		c.j.labels[i].add(name, sourceWeight(cal.Gain)/4, posterior.LabelWrong(cal.Probability(shares, l.Class), posterior.PriorWrong, c.j.classes), likeliest != l.Class)
	}
	c.judgeLinks(name)
}

// judgeLinks judges links by how often others of their kind are in one cluster.
func (c *clusteringEvidence) judgeLinks(name string) {
	var scores []float64
	var known []link
	var at []int
	for i, l := range c.links {
		if c.together[i] >= 0 {
			scores, known, at = append(scores, 4*float64(c.together[i])-2), append(known, l), append(at, i)
		}
	}
	if len(known) == 0 {
		return
	}
	cal := fitPairCalibration(scores, known)
	for i, l := range known {
		c.j.pairs[at[i]].addPair(name, cal, scores[i], l.together)
	}
}
