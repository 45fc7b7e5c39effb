package choose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/support/format"
)

// classifierMethod is the method that labels of every class speak for.
const classifierMethod = "classifier"

// leaveClassifier is how probable it must be that another candidate places held-out labels
// better than the classifier. On ties the other stays: where clusters that all rows speak for
// agree with the labels as well, a classifier that few labels made can only do harm.
const leaveClassifier = 0.5

// nearlyAll is the share of held-out labels from which on clusters without constraints agree with nearly all.
const nearlyAll = 0.9

// classifierAt returns the index of the first classifier among candidates; -1 where there
// is none, or labels are of few of the clusters.
func (c *comparison) classifierAt(list []Candidate) int {
	if len(list) == 0 || !labelsOfMost(c.task.Problem.Constraints, list[0].K) {
		return -1
	}
	return slices.IndexFunc(list, isClassifier)
}

func isClassifier(x Candidate) bool { return x.Method == classifierMethod && x.Constrained }

// labelsOfMost reports whether there are labels of at least half of k classes, and of two at least; beside
// links, which may say as much, two of each class on average.
func labelsOfMost(s *constraint.Set, k int) bool {
	if s == nil || k < 2 {
		return false
	}
	class := map[int]bool{}
	soft, labels := s.SoftSeeds(), 0
	for _, l := range s.Labels {
		if !soft[l.I] { // a classifier does not use soft seeds
			class[l.Class] = true
			labels++
		}
	}
	enough := len(class)
	if len(s.Must)+len(s.Cannot)+len(s.Beliefs) > 0 {
		enough *= 2
	}
	return 2*len(class) >= k && len(class) >= 2 && labels >= enough
}

// namesAll reports whether a fit without constraints has every labelled row in the cluster of its class, where there are
// labels alone. What all rows speak for and no label contradicts is then kept: on 32 draws of two or three labels of each class,
// from 15 tables, a classifier was better by more than .01 in 12 and worse in 13, by up to .22.
func (c *comparison) namesAll(ctx context.Context, x Candidate) bool {
	known := c.sample.Constraints
	if x.Constrained || len(known.Must)+len(known.Cannot)+len(known.Beliefs) > 0 {
		return false
	}
	if c.points == nil {
		var err error
		if c.points, err = newPoints(ctx, c.sample, []Candidate{x}, c.o); err != nil {
			return false
		}
	}
	labels, err := c.points.fit(ctx, x, nil, c.o, c.o.Workers)
	if err != nil {
		return false
	}
	all := everything(known)
	return len(all.Labels) == len(known.Labels) && !slices.Contains(all.judgeNames(labels, x.K), 0)
}

// judgeNames returns for each held-out label of a fold whether labels, a clustering, put
// its row into the cluster that the training labels name after its class.
func (f *Fold) judgeNames(labels []int, k int) (right []float64) {
	if len(f.Labels) == 0 {
		return nil
	}
	names := score.NameClusters(labels, k, f.Train)
	for _, l := range f.Labels {
		h := labels[l.I]
		right = append(right, weightIf(h < len(names) && names[h] == l.Class))
	}
	return right
}

// preferClassifier returns the index of the classifier that is right about most held-out
// labels, one with all labels unless another is clearly better, where the candidate at is not as good at them; else at. Clusters that have
// no place for a labelled class must be clearly better: they cannot be right about its rows.
func (c *comparison) preferClassifier(ready []judged, at int) int {
	own := -1
	for i, j := range ready {
		if !isClassifier(j.Candidate) || len(j.named) == 0 {
			continue
		}
		if own < 0 || betterNamed(j, ready[own]) {
			own = i
		}
	}
	if own < 0 || !labelsOfMost(c.task.Problem.Constraints, ready[own].K) || len(ready[at].named) != len(ready[own].named) {
		return at
	}
	if isClassifier(ready[at].Candidate) {
		return own
	}
	better := pairedBetter(ready[at].named, ready[own].named)
	if c.leavesOutClass(ready[at]) {
		if better >= confidence {
			return at
		}
		return own
	}
	if better >= leaveClassifier || !ready[at].Constrained && byOneLabel(ready[own], ready[at]) {
		return at
	}
	return own
}

// byOneLabel reports whether a classifier is right about one held-out label more, and no more, than clusters that the rows alone speak for and
// that agree with nearly all labels. That is no evidence: at the next label it may be the other way round, and such clusters know all other rows.
func byOneLabel(own, other judged) bool {
	n := float64(len(own.named))
	return meanOf(other.named) >= nearlyAll-1e-9 && n*(meanOf(own.named)-meanOf(other.named)) <= 1+1e-9
}

// betterNamed reports whether classifier a is right about more held-out labels than b. One that leaves labels out must be
// clearly better than one with all of them.
func betterNamed(a, b judged) bool {
	switch {
	case a.Robust == b.Robust || len(a.named) != len(b.named):
		return meanOf(a.named) > meanOf(b.named)+1e-9
	case a.Robust != "":
		return pairedBetter(a.named, b.named) > confidence
	}
	return pairedBetter(b.named, a.named) <= confidence
}

// leavesOutClass reports whether no cluster of a fit without constraints is named after one of the labelled classes.
func (c *comparison) leavesOutClass(j judged) bool {
	if j.labels == nil {
		return false
	}
	names := score.NameClusters(j.labels, j.K, c.sample.Constraints)
	return slices.ContainsFunc(c.sample.Constraints.Labels, func(l constraint.Label) bool { return !slices.Contains(names, l.Class) })
}

// pairedBetter returns the probability that the mean of a is above that of b, by their
// differences, with one disagreement more than was observed and the prior N(0, 0.1²).
func pairedBetter(a, b []float64) float64 {
	n := float64(len(a))
	mean, variance := 0.0, 0.0
	for i := range a {
		mean += (a[i] - b[i]) / n
	}
	for i := range a {
		d := a[i] - b[i] - mean
		variance += d * d / (n * n)
	}
	variance += 1 / (n * n)
	z := mean * priorDeviation / math.Sqrt(variance*(priorDeviation*priorDeviation+variance))
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}

// whyClassifier words the choice of the classifier over the candidate at.
func (c *comparison) whyClassifier(own, other judged) string {
	why := fmt.Sprintf("%s: right about the class of %.0f %% of %s, %s about %.0f %%", own.Candidate, 100*meanOf(own.named),
		format.Count(len(own.named), "held-out label"), other.Candidate, 100*meanOf(other.named))
	switch {
	case isClassifier(other.Candidate):
		why += ", which is not clearly better"
	case meanOf(other.named) > meanOf(own.named):
		why += ", but without a cluster for one of the classes"
	}
	return why
}

// ClearlyBetter reports whether a is right more often than b about the same labels, with the probability that the rule of
// this package asks for.
func ClearlyBetter(a, b []float64) bool { return pairedBetter(a, b) > confidence }

// Mean returns the mean of values.
func Mean(values []float64) float64 { return meanOf(values) }

func meanOf(values []float64) (mean float64) {
	for _, y := range values {
		mean += y / float64(len(values))
	}
	return mean
}
