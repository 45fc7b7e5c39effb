package suspect

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// A Rule says what becomes of doubtful constraints.
type Rule string

// The rules.
const (
	RuleNone   Rule = "none"   // constraints stay as they are given
	RuleWeight Rule = "weight" // each weighs its given weight times (1 − p)⁴
	RuleDrop   Rule = "drop"   // those with p above DropAbove are left out
)

// Values returns the names of all rules.
func (Rule) Values() []string {
	return []string{string(RuleNone), string(RuleWeight), string(RuleDrop)}
}

// Check refuses other rules; "" stands for none.
func (r Rule) Check() error {
	if r == "" {
		return nil
	}
	return enum.Check("robust", r)
}

// DropAbove is the probability of being wrong above which RuleDrop leaves a constraint
// out.
const DropAbove = 0.1

// leastWeight keeps a weighted constraint in its set: weights of 0 are refused.
const leastWeight = 1e-6

// Robust judges the constraints of p and returns them reweighted by rule, with the
// verdicts. p is not changed.
func Robust(ctx context.Context, p *cluster.Problem, rule Rule, o Options) (*constraint.Set, *Report, error) {
	if err := rule.Check(); err != nil {
		return nil, nil, err
	}
	r, err := Judge(ctx, p, o)
	if err != nil {
		return nil, nil, err
	}
	return r.Reweight(p.Constraints, rule), r, nil
}

// Reweight returns a copy of s, the set that r judges, with its constraints reweighted
// by rule. Beliefs stay.
func (r *Report) Reweight(s *constraint.Set, rule Rule) *constraint.Set {
	switch rule {
	case RuleDrop:
		return r.Without(s, DropAbove)
	case RuleWeight:
		return r.scaled(s)
	}
	return r.Without(s, math.Inf(1))
}

// Without returns a copy of s, the set that r judges, without the constraints whose
// probability of being wrong is above a bound. Beliefs stay.
func (r *Report) Without(s *constraint.Set, above float64) *constraint.Set {
	if s == nil {
		return nil
	}
	return &constraint.Set{Names: s.Names, Beliefs: s.Beliefs, Labels: atMost(s.Labels, r.Labels, above),
		Must: atMost(s.Must, r.Must, above), Cannot: atMost(s.Cannot, r.Cannot, above)}
}

// Undoubted returns of a list with an entry for each verdict what RuleDrop keeps.
func Undoubted[T any](list []T, verdicts []Verdict) []T { return atMost(list, verdicts, DropAbove) }

// atMost returns the entries whose probability of being wrong is not above a bound.
func atMost[T any](list []T, verdicts []Verdict, bound float64) (kept []T) {
	for i, v := range list {
		if !(verdicts[i].Wrong > bound) {
			kept = append(kept, v)
		}
	}
	return kept
}

func (r *Report) scaled(s *constraint.Set) *constraint.Set {
	if s == nil {
		return nil
	}
	belief := func(v Verdict) float64 { return max(leastWeight, math.Pow(1-v.Wrong, 4)) }
	out := &constraint.Set{Names: s.Names, Beliefs: s.Beliefs}
	for i, l := range s.Labels {
		l.W *= belief(r.Labels[i])
		out.Labels = append(out.Labels, l)
	}
	scale := func(pairs []constraint.Pair, verdicts []Verdict) (list []constraint.Pair) {
		for i, p := range pairs {
			p.W *= belief(verdicts[i])
			list = append(list, p)
		}
		return list
	}
	out.Must, out.Cannot = scale(s.Must, r.Must), scale(s.Cannot, r.Cannot)
	return out
}

// Share returns the estimated share of wrong constraints: the mean of their probabilities
// of being wrong, 0 where there are none.
func (r *Report) Share() float64 {
	sum, count := 0.0, 0
	for _, list := range [][]Verdict{r.Labels, r.Must, r.Cannot} {
		for _, v := range list {
			sum += v.Wrong
			count++
		}
	}
	return sum / float64(max(1, count))
}

// Above returns how many constraints have a probability of being wrong above a
// bound.
func (r *Report) Above(bound float64) (count int) {
	for _, list := range [][]Verdict{r.Labels, r.Must, r.Cannot} {
		for _, v := range list {
			if v.Wrong > bound {
				count++
			}
		}
	}
	return count
}
