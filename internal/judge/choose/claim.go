package choose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// An Accuracy is how far a clustering agrees with constraints.
type Accuracy struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"` // of the 95 % interval
	High float64 `json:"high"`
	By   string  `json:"by"` // pairs: balanced between must-links and cannot-links; labels: the share in the cluster of their class
}

// What an Accuracy is measured by.
const (
	byPairs  = "pairs"
	byLabels = "labels"
)

func accuracyOf(e estimate, by string) *Accuracy {
	half := 1.96 * math.Sqrt(e.variance)
	return &Accuracy{Mean: e.mean, Low: max(0, e.mean-half), High: min(1, e.mean+half), By: by}
}

// OfPairs reports whether there is an accuracy, and it is that on pairs.
func (a *Accuracy) OfPairs() bool { return a != nil && a.By == byPairs }

// SE returns the standard error of the mean, from the end of the interval that is not cut off.
func (a *Accuracy) SE() float64 { return max(a.Mean-a.Low, a.High-a.Mean) / 1.96 }

// shareOf is the estimate of a share, as if one more observation had disagreed.
func shareOf(right []float64) estimate {
	n := float64(len(right))
	m := meanOf(right)
	return estimate{m, m*(1-m)/n + 1/(n*n)}
}

// refutedBy is by how much the accuracy of what is delivered may stay below the one that the
// candidate was judged by.
const refutedBy = 0.05

// Refuted reports whether what is delivered is clearly less accurate than what was judged, and
// so perhaps than what was claimed.
func (c *Choice) Refuted() bool {
	return c.Claimed != nil && c.Delivered != nil && c.Delivered.Mean < c.judged-refutedBy
}

// Measure returns the accuracy of a clustering on all given constraints, measured as the claim
// of the choice is; nil where nothing was claimed.
func (c *Choice) Measure(s *constraint.Set, labels []int) *Accuracy {
	if c.Claimed == nil || s == nil {
		return nil
	}
	right, obs := c.agreement(s, labels)
	if c.Claimed.By == byLabels {
		return accuracyOf(shareOf(right), byLabels)
	}
	return accuracyOf(balanced(right, obs), byPairs)
}

// agreement returns how far a clustering agrees with each constraint, and with what.
func (c *Choice) agreement(s *constraint.Set, labels []int) ([]float64, []observation) {
	all := everything(s)
	if c.Claimed.By == byLabels {
		return all.judgeNames(labels, c.K), nil
	}
	return all.judge(labels), observationsOf([]Fold{all})
}

// Prefers reports whether the constraints tell clusterings apart and speak for now: it agrees
// with them better than before does, by more than the standard error of the difference.
func (c *Choice) Prefers(s *constraint.Set, now, before []int) bool {
	if c.Claimed == nil || s == nil {
		return false
	}
	a, obs := c.agreement(s, now)
	b, _ := c.agreement(s, before)
	difference := make([]float64, len(a))
	for i := range a {
		difference[i] = a[i] - b[i]
	}
	if c.Claimed.By == byLabels {
		n, mean, variance := float64(len(a)), meanOf(difference), 0.0
		for _, d := range difference {
			variance += (d - mean) * (d - mean) / (n * n)
		}
		return mean > math.Sqrt(variance+1/(n*n))
	}
	d := balanced(difference, obs)
	return d.mean > math.Sqrt(d.variance)
}

// everything is a fold that holds out all constraints.
func everything(s *constraint.Set) Fold {
	f := Fold{Train: s}
	add := func(list []constraint.Pair, together func(constraint.Pair) bool) {
		for _, p := range list {
			if w := abs(p.W); w > 0 && p.I != p.J {
				f.Pairs = append(f.Pairs, HeldOutPair{p.I, p.J, together(p), min(1, w)})
			}
		}
	}
	add(s.Must, func(constraint.Pair) bool { return true })
	add(s.Cannot, func(constraint.Pair) bool { return false })
	add(s.Beliefs, func(p constraint.Pair) bool { return p.W > 0 })
	class := singleClasses(s)
	for _, l := range s.Labels {
		if c, ok := class[l.I]; ok && c == l.Class {
			f.Labels = append(f.Labels, l)
			delete(class, l.I)
		}
	}
	return f
}

// A fallback is a candidate that takes the place of one whose claim was withdrawn.
type fallback struct {
	Candidate
	claimed *Accuracy
	judged  float64
}

// Judged returns the accuracy of the candidate itself on held-out constraints, of which
// Claimed may state less.
func (c *Choice) Judged() float64 { return c.judged }

// Withdraw replaces the candidate by the next best, because what it delivers refutes its
// claim, and says so in LeftOut and Why. It returns false where there is no other: then the
// claim is no more than what is delivered.
func (c *Choice) Withdraw() bool {
	if c.Claimed == nil || c.Delivered == nil {
		return false
	}
	c.LeftOut = append(c.LeftOut, fmt.Sprintf("%s: right about %.0f %% of held-out constraints, but fitted with all of them about %.0f %%", c.Candidate, 100*c.judged, 100*c.Delivered.Mean))
	if len(c.next) == 0 {
		c.Claimed, c.judged = c.Delivered, c.Delivered.Mean
		return false
	}
	was := c.Candidate
	c.Candidate, c.Claimed, c.judged, c.Delivered, c.next = c.next[0].Candidate, c.next[0].claimed, c.next[0].judged, nil, c.next[1:]
	c.Why = fmt.Sprintf("%s: right about %.0f %% of held-out constraints; %s does not keep what it promised", c.Candidate, 100*c.Claimed.Mean, was)
	return true
}

// mostFallbacks bounds the fits with constraints that are tried after another has failed.
const mostFallbacks = 3

// nextBest returns what may take the place of the candidate that was chosen: that of the two
// steps, the fits with constraints that are clearly better than the one at plain, the best first,
// then those without constraints.
func (c *comparison) nextBest(ready []judged, at, plain int) (out []judged) {
	for _, j := range ready {
		if j.Constrained && probabilityBetter(j.right, ready[plain].right, c.obs) > confidence {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(a, b judged) int {
		return cmp.Compare(balanced(b.right, c.obs).mean, balanced(a.right, c.obs).mean)
	})
	out = out[:min(len(out), mostFallbacks)]
	return append(append([]judged{ready[at]}, out...), ready[plain], ready[0])
}

// claim notes what the candidate own promises, and what replaces it if it does not keep that.
// What was the best of several on some constraints is less good on others; so the claim is not
// above what choosing by the other folds gives on each.
func (c *comparison) claim(ready []judged, own, at, plain int) {
	byNames := isClassifier(ready[own].Candidate) && len(ready[own].named) > 0
	c.choice.Claimed, c.choice.judged = c.claimOf(ready[own], byNames)
	right, named := c.byOtherFolds(ready)
	e := balanced(right, c.obs)
	if byNames {
		e = shareOf(named)
	}
	if e.mean < c.choice.Claimed.Mean {
		c.choice.Claimed = accuracyOf(e, c.choice.Claimed.By)
	}
	c.choice.Named = c.byRow(ready[own].named)
	seen := map[string]bool{ready[own].Candidate.String(): true}
	for _, j := range c.nextBest(ready, at, plain) {
		if name := j.Candidate.String(); !seen[name] {
			seen[name] = true
			a, mean := c.claimOf(j, byNames)
			c.choice.next = append(c.choice.next, fallback{j.Candidate, a, mean})
		}
	}
}

func (c *comparison) claimOf(j judged, byNames bool) (*Accuracy, float64) {
	a := accuracyOf(balanced(j.right, c.obs), byPairs)
	if byNames {
		a = accuracyOf(shareOf(j.named), byLabels)
	}
	return a, a.Mean
}

// byRow returns what held-out labels, fold by fold, say of their rows; nil where not all were judged.
func (c *comparison) byRow(named []float64) map[int]float64 {
	out := map[int]float64{}
	for _, f := range c.folds {
		if len(f.Labels) > len(named) {
			return nil
		}
		for at, l := range f.Labels {
			i := l.I
			if c.at != nil {
				i = c.at[i]
			}
			out[i] = named[at]
		}
		named = named[len(f.Labels):]
	}
	return out
}

// byOtherFolds returns the agreement of the candidates that the rule takes by the other folds,
// on each.
func (c *comparison) byOtherFolds(ready []judged) (right, named []float64) {
	lo, nameLo := 0, 0
	for _, f := range c.folds {
		hi, nameHi := lo+len(f.Pairs)+2*len(f.Labels), nameLo+len(f.Labels)
		obs := slices.Concat(c.obs[:lo], c.obs[hi:])
		others := make([]judged, len(ready))
		for i, j := range ready {
			others[i] = judged{Candidate: j.Candidate, right: slices.Concat(j.right[:lo], j.right[hi:]), labels: j.labels}
			if len(j.named) > 0 {
				others[i].named = slices.Concat(j.named[:nameLo], j.named[nameHi:])
			}
		}
		at, _ := twoSteps(others, obs)
		at = c.preferClassifier(others, at)
		right = append(right, ready[at].right[lo:hi]...)
		if len(ready[at].named) > 0 {
			named = append(named, ready[at].named[nameLo:nameHi]...)
		}
		lo, nameLo = hi, nameHi
	}
	return right, named
}

// chance is the balanced accuracy of a coin.
const chance = 0.5

// worseThanChance reports whether choosing by the other folds gives candidates that are right
// about less than a coin would be: then the constraints do not choose, and the reference stays.
func (c *comparison) worseThanChance(ready []judged) bool {
	right, _ := c.byOtherFolds(ready)
	return balanced(right, c.obs).mean < chance
}

// thinEvidence is the number of held-out pairs below which a fit with constraints must be
// confirmed.
const thinEvidence = 80

// confirmed reports whether what fits with constraints gain over the fit at plain lasts: the best
// of them on the other folds gains on each, by more than the standard error. The best of several
// on few constraints is often no better on others.
func (c *comparison) confirmed(ready []judged, plain int) bool {
	difference := make([]float64, 0, len(c.obs))
	lo := 0
	for _, f := range c.folds {
		hi := lo + len(f.Pairs) + 2*len(f.Labels)
		obs := slices.Concat(c.obs[:lo], c.obs[hi:])
		best, top := plain, 0.0
		for i, j := range ready {
			if m := balanced(slices.Concat(j.right[:lo], j.right[hi:]), obs).mean; j.Constrained && (best == plain || m > top) {
				best, top = i, m
			}
		}
		for i := lo; i < hi; i++ {
			difference = append(difference, ready[best].right[i]-ready[plain].right[i])
		}
		lo = hi
	}
	d := balanced(difference, c.obs)
	return d.mean > math.Sqrt(d.variance)
}
