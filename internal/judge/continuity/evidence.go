package continuity

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/method/spreading"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Bounds of the evidence for spreading.
const (
	fewestAsked   = 8
	perCluster    = 4       // asked rows, too
	expectedLeave = 0.05    // share of the asked rows that leave a good clustering
	refuted       = 2.0     // standard deviations
	worse         = 3.0     // standard deviations of leaving that outweigh one by which spreading tells rows worse
	better        = 2.2     // held out, where they are not
	leastKnown    = 0.15    // share of what there is to know about an asked row that the others tell, or labels do not spread
	mostSpread    = 100_000 // rows; more take too long after each answer

	// The same of what took over already.
	stillRefuted = 1.0
	stillBetter  = -1.0
)

// A Task is a clustering and the answers about its rows.
type Task struct {
	Problem *cluster.Problem // rows or a graph, K, and as constraints the answers, and what was given
	Given   *constraint.Set  // constraints that Base was made with, which are no evidence; nil: none
	Base    []int            // the clusters without the answers
	Costs   []float64        // as of MinimalChange
	Spread  bool             // spreading was in force after the answers before
	Look    bool             // only whether labels spread is wanted
	Settled bool             // whether labels spread is not asked again: Spread says it
	Never   bool             // and must not be
	Seed    uint64
	Workers int
}

// A Decision is what became of the clustering.
type Decision struct {
	Change
	Spread  bool            // labels spread to rows that nobody asked about
	Fit     *cluster.Result // of the spreading; nil where it did not take over
	Leaving float64         // by how many standard deviations more rows left than leave a good clustering
	HeldOut float64         // by how many standard deviations spreading predicts answers better than the clusters without; NaN: not judged
	Small   bool            // spreading did not take over because a cluster of it would be too small
	Vague   bool            // spreading did not take over because the answers tell next to nothing about one another
}

// Decide applies the answers to the clusters of t.
func Decide(ctx context.Context, t *Task) (*Decision, error) {
	p, answers := t.Problem, t.answers()
	change, err := MinimalChange(ctx, t.Base, p.K, t.Costs, answers)
	if err != nil {
		return nil, err
	}
	var gram *posterior.Gram // nil: the clusters are as they were
	if p.K > 1 && canSpread(p) && (len(change.Left) > 0 || change.Doubted > 0) && len(change.Asked) > 1 {
		if gram, err = t.kernelOf(ctx, change.Asked); err != nil {
			return nil, err
		}
		for range 2 {
			if change, err = t.doubt(ctx, gram, answers, change); err != nil {
				return nil, err
			}
		}
	}
	d := &Decision{Change: *change, HeldOut: math.NaN()}
	d.Doubted = Violated(d.Labels, p.K, p.Constraints)
	given := newAsked(t.Base, p.K, t.Given, violate).at
	isGiven := func(row int) bool { _, ok := given[row]; return ok }
	d.Asked, d.Left = slices.DeleteFunc(d.Asked, isGiven), slices.DeleteFunc(d.Left, isGiven)
	if len(d.Asked) == 0 || gram == nil || t.Never {
		return d, nil
	}
	n, f := float64(len(d.Asked)), float64(len(d.Left))
	d.Leaving = (f - expectedLeave*n) / math.Sqrt(expectedLeave*(1-expectedLeave)*n)
	told, err := Obey(ctx, t.Base, p.K, t.Costs, answers)
	if err != nil {
		return nil, err
	}
	spread := t.Spread
	if !t.Settled {
		if spread, err = t.speaksForSpreading(ctx, gram, told, d); err != nil {
			return nil, err
		}
	}
	if !spread {
		return d, nil
	}
	told, known, err := t.believed(ctx, gram, answers, told)
	if err != nil {
		return nil, err
	}
	if d.Vague = !t.Settled && known < leastKnown; d.Vague {
		return d, nil
	}
	if d.Spread = t.Spread && t.Look; d.Spread {
		return d, nil
	}
	return d, t.spread(ctx, told, d)
}

// speaksForSpreading reports whether there is evidence for spreading, or where it is in force none against it.
func (t *Task) speaksForSpreading(ctx context.Context, gram *posterior.Gram, told *Change, d *Decision) (_ bool, err error) {
	if len(told.Left) == 0 { // the clusters without answers are right about all of them
		return false, nil
	}
	if d.HeldOut, err = t.heldOut(ctx, gram, told); err != nil {
		return false, err
	}
	if t.Spread {
		return d.HeldOut >= stillBetter || t.refuted(d, stillRefuted), nil
	}
	return d.HeldOut >= better || t.refuted(d, refuted), nil
}

// refuted reports whether so many rows had to leave that the clusters are refuted, though spreading may tell rows
// worse.
func (t *Task) refuted(d *Decision, bound float64) bool {
	return len(d.Asked) >= t.enough() && d.Leaving+worse*min(0, d.HeldOut) >= bound
}

// enough is how many asked rows can refute the clusters.
func (t *Task) enough() int { return max(fewestAsked, perCluster*t.Problem.K) }

// answers returns the constraints without given labels that the clusters violate already: whoever made
// the clusters knew them, and an answer about other rows says nothing about them.
func (t *Task) answers() *constraint.Set {
	all := t.Problem.Constraints
	if t.Given == nil || len(t.Given.Labels) == 0 || all.Empty() {
		return all
	}
	type given struct {
		row   int
		class string
	}
	violated, of := map[given]bool{}, clustersOfClasses(t.Base, t.Problem.K, t.Given)
	for _, l := range t.Given.Labels {
		if t.Base[l.I] != of[l.Class] {
			violated[given{l.I, t.Given.Name(l.Class)}] = true
		}
	}
	if len(violated) == 0 {
		return all
	}
	out := *all
	out.Labels = slices.DeleteFunc(slices.Clone(all.Labels), func(l constraint.Label) bool { return violated[given{l.I, all.Name(l.Class)}] })
	return &out
}

// canSpread reports whether label spreading takes the points of p.
func canSpread(p *cluster.Problem) bool {
	return (p.X != nil || p.Graph != nil) && p.Len() <= mostSpread && cluster.Check(p, spreading.NewLabelSpreading()) == nil
}

// spread lets answers spread that are not at odds with the labels of believed, unless a cluster would be too small.
func (t *Task) spread(ctx context.Context, believed *Change, d *Decision) error {
	p := *t.Problem
	p.Constraints = without(p.Constraints, believed.Labels, p.K)
	set := cluster.Default()
	set.Seed, set.Workers, set.Effort = t.Seed, t.Workers, cluster.EffortLow
	fit, err := cluster.Fit(ctx, &p, spreading.NewLabelSpreading(), set)
	if err != nil {
		return err
	}
	if tooSmall(fit.Labels, t.Base, p.K) {
		d.Small = true
		return nil
	}
	fit = match(fit, t.Base, p.K)
	d.Spread, d.Fit, d.Labels = true, fit, fit.Labels
	d.Doubted = Violated(fit.Labels, p.K, t.Problem.Constraints)
	return nil
}

// tooSmall reports whether a cluster of labels is below a third of the mean size and below half of
// the smallest cluster of base.
func tooSmall(labels, base []int, k int) bool {
	sizes := func(of []int) []int {
		s := make([]int, k)
		for _, h := range of {
			s[h]++
		}
		return s
	}
	bound := min(float64(len(labels))/float64(3*k), float64(slices.Min(sizes(base)))/2)
	return float64(slices.Min(sizes(labels))) < bound
}

// match gives the clusters of a fit the numbers of those of base with which they share most rows.
func match(fit *cluster.Result, base []int, k int) *cluster.Result {
	to := Matching(fit.Labels, k, base, k)
	taken := make([]bool, k)
	for _, h := range to {
		if h >= 0 {
			taken[h] = true
		}
	}
	for h, was := range to {
		if was < 0 {
			to[h] = slices.Index(taken, false)
			taken[to[h]] = true
		}
	}
	out := &cluster.Result{Labels: make([]int, len(fit.Labels)), Objective: fit.Objective, Trace: fit.Trace, Iterations: fit.Iterations,
		Status: fit.Status, Runs: fit.Runs, Distinct: fit.Distinct, Ignored: fit.Ignored}
	for i, h := range fit.Labels {
		out.Labels[i] = to[h]
	}
	return out
}

// Matching returns for each of the k clusters of labels the cluster of before, of which there are
// kBefore, that it continues: all different, with the most rows in common; -1 where it
// continues none. Labels below 0 are left out.
func Matching(labels []int, k int, before []int, kBefore int) []int {
	size := k + kBefore
	cost := make([]float64, k*size)
	for i, h := range labels {
		if h >= 0 && before[i] >= 0 {
			cost[h*size+before[i]]--
		}
	}
	column, _ := combinatorial.Assign(cost, size)
	out := make([]int, k)
	for h, to := range column {
		if out[h] = -1; cost[h*size+int(to)] < 0 { // it shares rows
			out[h] = int(to)
		}
	}
	return out
}

// heldOut compares how both tell the cluster of an asked row from all others: spreading without
// the row itself, and the clusters without answers. It is the number of rows that only the one
// gets right less that of those that only the other does, by its standard deviation if
// both were equally good. Rows, not components, are left out: the rows of a class are soon one
// component, without which the class is unknown.
func (t *Task) heldOut(ctx context.Context, gram *posterior.Gram, told *Change) (float64, error) {
	labels := make([]constraint.Label, len(told.Asked))
	for i, row := range told.Asked {
		labels[i] = constraint.Label{I: gram.Rows[i], Class: told.Labels[row], W: 1}
	}
	fit, err := posterior.FitLabels(ctx, gram, labels, t.Problem.K)
	if err != nil {
		return 0, err
	}
	difference, count := 0.0, 0.0
	for i, row := range told.Asked {
		spread, stay := highest(fit.At(i)) == told.Labels[row], t.Base[row] == told.Labels[row]
		switch {
		case spread && !stay:
			difference, count = difference+1, count+1
		case stay && !spread:
			difference, count = difference-1, count+1
		}
	}
	return difference / math.Sqrt(max(count, 1)), nil
}

func highest(q []float64) (best int) {
	for h := range q {
		if q[h] > q[best] {
			best = h
		}
	}
	return best
}
