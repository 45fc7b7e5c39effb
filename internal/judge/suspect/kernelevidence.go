package suspect

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Names of the sources of evidence.
const (
	byLabels  = "the labels of similar rows"
	byPairs   = "similar pairs"
	byMetric  = "a learned distance"
	byCut     = "graph-cut"
	byHMRF    = "hmrf-kmeans"
	fewLabels = 2 // labels of each class, on average, below which clusterings of rows judge pairs too
)

// judgeByKernel adds the evidence of the kernel, part by part.
func (j *judge) judgeByKernel(ctx context.Context, links []link) error {
	for _, part := range j.parts() {
		if err := j.judgePart(ctx, part, links); err != nil {
			return err
		}
	}
	return nil
}

// judgePart adds the evidence of the labels and pairs of a part.
func (j *judge) judgePart(ctx context.Context, t part, links []link) error {
	sub := &constraint.Set{Names: j.set.Names}
	for _, at := range t.labels {
		sub.Labels = append(sub.Labels, j.set.Labels[at])
	}
	own := make([]link, len(t.links))
	evidence := make([]*constraintEvidence, len(t.links))
	for i, at := range t.links {
		own[i], evidence[i] = links[at], j.pairs[at]
		sub.Must = append(sub.Must, links[at].Pair)
	}
	rows := posterior.LabelledRows(sub.Labels)
	labelled := len(rows)
	rows = append(rows, slices.DeleteFunc(constrainedRows(sub), func(i int) bool { return slices.Contains(rows[:labelled], i) })...)
	gram, err := j.gramOf(ctx, rows)
	if err != nil {
		return err
	}
	at := make(map[int]int, len(rows))
	for i, row := range rows {
		at[row] = i
	}
	var fit *posterior.LabelFit
	var calibration posterior.Calibration
	if labelled > 0 {
		if fit, err = posterior.FitLabels(ctx, gram.Leading(labelled), sub.Labels, j.classes); err != nil {
			return err
		}
		calibration = j.judgeLabels(t, sub, fit, at)
	}
	if len(own) == 0 {
		return nil
	}
	if fit != nil {
		j.judgePairsByLabels(gram, fit, calibration, own, evidence, at)
	}
	return j.judgePairsAlone(ctx, gram, own, evidence, at)
}

// judgeLabels compares each label with those of the other points, and returns how
// the class probabilities were calibrated.
func (j *judge) judgeLabels(t part, sub *constraint.Set, fit *posterior.LabelFit, at map[int]int) posterior.Calibration {
	q, class, weight := make([][]float64, len(sub.Labels)), make([]int, len(sub.Labels)), make([]float64, len(sub.Labels))
	for i, l := range sub.Labels {
		q[i], class[i], weight[i] = fit.At(at[l.I]), l.Class, min(l.W, 1)
	}
	c := posterior.FitCalibration(q, class, weight, j.classes)
	for i, l := range sub.Labels {
		e := j.labels[t.labels[i]]
		p := c.Probability(q[i], l.Class)
		likeliest := 0
		for h, y := range q[i] {
			if y > q[i][likeliest] {
				likeliest = h
			}
		}
		e.add(byLabels, sourceWeight(c.Gain), posterior.LabelWrong(p, posterior.PriorWrong, j.classes), likeliest != l.Class)
		e.remarks = append(e.remarks, j.neighbourWords(sub, fit.Gram, at[l.I], l.Class))
	}
	return c
}

// neighboursShown is how many labelled neighbours a remark counts.
const neighboursShown = 10

// neighbourWords says which labels the most similar labelled rows have.
func (j *judge) neighbourWords(sub *constraint.Set, g *posterior.Gram, i, class int) string {
	m := len(g.Rows)
	order := make([]int, 0, m)
	for o := range m {
		if o != i {
			order = append(order, o)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.At(i, b), g.At(i, a)) })
	order = order[:min(len(order), neighboursShown)]
	classOf := make(map[int]int, len(sub.Labels))
	for _, l := range slices.Backward(sub.Labels) {
		classOf[l.I] = l.Class
	}
	count := make([]int, j.classes)
	for _, o := range order {
		count[classOf[g.Rows[o]]]++
	}
	most := 0
	for h, n := range count {
		if n > count[most] {
			most = h
		}
	}
	if len(order) == 0 {
		return "there are no other labels"
	}
	switch {
	case most == class || count[most] == 0:
		return fmt.Sprintf("%d of its %d nearest labelled neighbours are %s too", count[class], len(order), sub.Name(class))
	case count[class] == 0:
		return fmt.Sprintf("%d of its %d nearest labelled neighbours are %s, none is %s", count[most], len(order), sub.Name(most), sub.Name(class))
	}
	return fmt.Sprintf("%d of its %d nearest labelled neighbours are %s, %d %s", count[most], len(order), sub.Name(most), count[class], sub.Name(class))
}

// judgePairsByLabels compares pairs with the class probabilities of their points.
func (j *judge) judgePairsByLabels(g *posterior.Gram, fit *posterior.LabelFit, calibration posterior.Calibration, links []link, evidence []*constraintEvidence, at map[int]int) {
	labelled := make([]int, len(fit.Gram.Rows))
	for i := range labelled {
		labelled[i] = i
	}
	q := fit.PredictIn(g, labelled)
	scores := make([]float64, len(links))
	for i, l := range links {
		a, b := q[at[l.I]*fit.Classes:][:fit.Classes], q[at[l.J]*fit.Classes:][:fit.Classes]
		s := 0.0
		for h := range fit.Classes {
			s += float64(calibration.Probability(a, h) * calibration.Probability(b, h))
		}
		scores[i] = posterior.LogOdds(s)
	}
	c := fitPairCalibration(scores, links)
	for i, l := range links {
		evidence[i].addPair(byLabels, c, scores[i], l.together)
		a, b := likeliestClass(q, at[l.I], fit.Classes), likeliestClass(q, at[l.J], fit.Classes)
		words := fmt.Sprintf("by the labels of similar rows both are most likely %s", j.set.Name(a))
		if a != b {
			words = fmt.Sprintf("by the labels of similar rows they are most likely %s and %s", j.set.Name(a), j.set.Name(b))
		}
		evidence[i].remarks = append(evidence[i].remarks, words)
	}
}

func likeliestClass(q []float64, i, k int) (best int) {
	for h := range k {
		if q[i*k+h] > q[i*k+best] {
			best = h
		}
	}
	return best
}

// mostTogether is how many pairs judge each other, and how many a model of pairs is fitted to:
// the time grows with their third power.
const mostTogether = 400

// leaveOneOut returns what the other pairs say of each; where there are many, those of a random
// part that it is in.
func (j *judge) leaveOneOut(ctx context.Context, g *posterior.Gram, pairs []posterior.Pair) ([]float64, error) {
	if len(pairs) <= mostTogether {
		return posterior.LeaveOneOutPairs(ctx, g, pairs)
	}
	// Pairs of the same two points stay together.
	var groups [][]int
	of := map[[2]int]int{}
	for i, p := range pairs {
		key := [2]int{min(p.I, p.J), max(p.I, p.J)}
		at, ok := of[key]
		if !ok {
			at = len(groups)
			of[key], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	parts := make([][]int, (len(pairs)+mostTogether-1)/mostTogether)
	for at, i := range rand.New(rand.NewPCG(j.o.Seed, 17)).Perm(len(groups)) {
		parts[at%len(parts)] = append(parts[at%len(parts)], groups[i]...)
	}
	out := make([]float64, len(pairs))
	for _, part := range parts {
		some := make([]posterior.Pair, len(part))
		for i, at := range part {
			some[i] = pairs[at]
		}
		scores, err := posterior.LeaveOneOutPairs(ctx, g, some)
		if err != nil {
			return nil, err
		}
		for i, at := range part {
			out[at] = scores[i]
		}
	}
	return out, nil
}

// someOf returns at most mostTogether of the numbers below n, spread evenly.
func someOf(n int) []int {
	m := min(n, mostTogether)
	out := make([]int, m)
	for i := range out {
		out[i] = i * n / m
	}
	return out
}

// judgePairsAlone judges pairs by other pairs.
func (j *judge) judgePairsAlone(ctx context.Context, g *posterior.Gram, links []link, evidence []*constraintEvidence, at map[int]int) error {
	pairs := make([]posterior.Pair, len(links))
	for i, l := range links {
		pairs[i] = posterior.Pair{I: at[l.I], J: at[l.J], Together: l.together, Weight: l.W}
	}
	scores, err := j.leaveOneOut(ctx, g, pairs)
	if err != nil {
		return err
	}
	for i := range scores {
		scores[i] *= 2 // a mean from −1 to 1 as log-odds from −2 to 2, before calibration
	}
	c := fitPairCalibration(scores, links)
	for i, l := range links {
		evidence[i].addPair(byPairs, c, scores[i], l.together)
	}
	scores = j.metricScores(ctx, g, links, at)
	if err := ctx.Err(); err != nil {
		return err
	}
	c = fitPairCalibration(scores, links)
	for i, l := range links {
		evidence[i].addPair(byMetric, c, scores[i], l.together)
	}
	return nil
}
