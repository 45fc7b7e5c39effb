package continuity

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spreading"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Bounds of doubt. An answer by which a row leaves its cluster is doubted where the other
// asked rows predict that it stays, with odds of about exp(1/surprise) to 1: then
// leave + surprise · log-odds is above violate. Where more than usualNoise of the rows are not
// where the others predict them, answers are often wrong, and weigh less.
const (
	surprise     = 0.4
	usualNoise   = 0.05
	fewestJury   = 10   // asked rows that predictions are made of
	fewestJoined = 4    // rows that answers join, in the mean, or predictions say nothing
	kernelRows   = 3000 // rows that the kernel of the asked rows is made of, where there are more
)

// kernelOf returns the kernel over which labels spread among the asked rows: that of all
// points, or where there are many rows that of a sample with the asked ones.
func (t *Task) kernelOf(ctx context.Context, asked []int) (*posterior.Gram, error) {
	p, rows := t.Problem, asked
	if p.X != nil && p.Len() > 2*kernelRows {
		draw := rand.New(rand.NewPCG(t.Seed, 36))
		of := slices.Clone(asked)
		for s := range kernelRows { // one of each stretch of rows
			lo, hi := s*p.Len()/kernelRows, (s+1)*p.Len()/kernelRows
			of = append(of, lo+draw.IntN(hi-lo))
		}
		slices.Sort(of)
		of = slices.Compact(of)
		rows = make([]int, len(asked))
		for i, row := range asked {
			rows[i], _ = slices.BinarySearch(of, row)
		}
		p = &cluster.Problem{X: data.Pick(p.X, of), K: p.K}
	}
	set := cluster.Default()
	set.Seed, set.Workers = t.Seed, t.Workers
	kern, err := spreading.NewKernel(ctx, p, spreading.NewLabelSpreading().KNN, &cluster.Env{Workers: t.Workers, Settings: &set})
	if err != nil {
		return nil, err
	}
	return kern.Gram(ctx, rows)
}

// doubt adds to what the clusters of asked rows cost how surprising each is, given all the
// others as they are in c, and returns the change that is cheapest then.
func (t *Task) doubt(ctx context.Context, gram *posterior.Gram, answers *constraint.Set, c *Change) (*Change, error) {
	if len(c.Asked) < fewestJury || len(c.Left) == 0 {
		return c, nil
	}
	a := newAsked(t.Base, t.Problem.K, answers, violate)
	a.addNearness(t.Costs)
	if _, err := a.addSurprise(ctx, gram, c.Labels, 0); err != nil {
		return nil, err
	}
	return a.change(ctx, t.Base, answers)
}

// believed returns labels of the asked rows for labels that spread: as they were told, but for answers that the other
// rows speak against. The clusters without answers, which are refuted then, have no say. known is the share of what
// there is to know about an asked row that the others tell, if all answers are right; 1 where that cannot be said: where
// they are few, or where most are joined by no answers, so that nobody knows which clusters are the same.
func (t *Task) believed(ctx context.Context, gram *posterior.Gram, answers *constraint.Set, told *Change) (_ *Change, known float64, err error) {
	if len(told.Asked) < fewestJury {
		return told, 1, nil
	}
	known = 1
	for round := range 2 {
		a := newAsked(t.Base, t.Problem.K, answers, violate)
		clear(a.field.Unary)
		a.addNearness(t.Costs)
		gain, err := a.addSurprise(ctx, gram, told.Labels, 1)
		if err != nil {
			return nil, 0, err
		}
		if round == 0 && len(a.rows) >= 2*t.enough() && fewestJoined*a.parts() <= len(a.rows) { // later what the others speak against is left out
			known = gain / math.Log(float64(t.Problem.K))
		}
		if told, err = a.change(ctx, t.Base, answers); err != nil {
			return nil, 0, err
		}
	}
	return told, known, nil
}

// parts counts the parts of the asked rows that answers join, whatever they say.
func (a *asked) parts() int {
	all := &constraint.Set{}
	for _, e := range a.field.Edges {
		all.Must = append(all.Must, constraint.Pair{I: int(e.I), J: int(e.J), W: 1})
	}
	for i, at := range a.labelled[min(1, len(a.labelled)):] {
		all.Must = append(all.Must, constraint.Pair{I: a.labelled[i], J: at, W: 1})
	}
	c, err := constraint.Close(len(a.rows), all)
	if err != nil {
		return len(a.rows)
	}
	return c.Components()
}

// without returns the constraints that labels satisfy.
func without(all *constraint.Set, labels []int, k int) *constraint.Set {
	of, out := clustersOfClasses(labels, k, all), *all
	out.Labels = slices.DeleteFunc(slices.Clone(all.Labels), func(l constraint.Label) bool { return labels[l.I] != of[l.Class] })
	out.Must = slices.DeleteFunc(slices.Clone(all.Must), func(p constraint.Pair) bool { return labels[p.I] != labels[p.J] })
	out.Cannot = slices.DeleteFunc(slices.Clone(all.Cannot), func(p constraint.Pair) bool { return labels[p.I] == labels[p.J] })
	return &out
}

// addSurprise adds how surprising each cluster is for each row, given labels of the other rows. So many times rows
// that look wrong are made to count less, and all is predicted again. gain is by how much the others tell a row better
// than the shares of the clusters do, in log-likelihood.
func (a *asked) addSurprise(ctx context.Context, gram *posterior.Gram, labels []int, again int) (gain float64, err error) {
	k, m := a.field.K, len(a.rows)
	given, class, weight := make([]constraint.Label, m), make([]int, m), slices.Repeat([]float64{1}, m)
	for i, row := range a.rows {
		class[i] = labels[row]
		given[i] = constraint.Label{I: gram.Rows[i], Class: class[i], W: 1}
	}
	q := make([][]float64, m)
	var calibration posterior.Calibration
	for round := 0; ; round++ {
		fit, err := posterior.FitLabels(ctx, gram, given, k)
		if err != nil {
			return 0, err
		}
		for i := range q {
			q[i] = fit.At(i)
		}
		calibration = posterior.FitCalibration(q, class, weight, k)
		if round == again {
			break
		}
		for i := range given {
			right := 1 - posterior.LabelWrong(calibration.Probability(q[i], class[i]), posterior.PriorWrong, k)
			given[i].W, weight[i] = right, right
		}
	}
	for i := range a.rows {
		for h := range k {
			a.field.Unary[i*k+h] -= surprise * math.Log(calibration.Probability(q[i], h))
		}
	}
	trust := min(1, posterior.LogOdds(1-calibration.Noise)/posterior.LogOdds(1-usualNoise))
	for e := range a.field.Edges {
		a.field.Same[e] *= trust
		a.field.Differ[e] *= trust
	}
	return calibration.Gain, nil
}
