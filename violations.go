package inkling

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/score"
)

// A Satisfaction says how far the constraints are satisfied.
type Satisfaction struct {
	score.Kept
	SoftSeeds  int         `json:"soft_seeds"` // rows with weighted labels of several classes: neither satisfied nor violated
	Violations []Violation `json:"violations"` // most costly first
	Misplaced  []Misplaced `json:"misplaced"`  // most costly first
}

// Violated returns how many constraints are violated.
func (s *Satisfaction) Violated() int { return len(s.Violations) + len(s.Misplaced) }

// A Violation is a given link that is violated. Cost is what satisfying it would
// add to the objective; nil where the method cannot say.
type Violation struct {
	A      string   `json:"a"`
	B      string   `json:"b"`
	Kind   LinkKind `json:"kind"`
	Weight float64  `json:"weight"`
	Cost   *float64 `json:"cost"`
}

// A Misplaced row is not in the cluster named after its label. Cost is what
// moving it there would add to the objective; nil where the method cannot say.
type Misplaced struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Cluster string   `json:"cluster"`
	Weight  float64  `json:"weight"`
	Cost    *float64 `json:"cost"`
}

func (a *assignment) satisfaction() Satisfaction {
	return Satisfaction{score.Satisfied(a.p.Constraints, a.fitted.Labels), a.known.soft, a.violations(), a.misplaced()}
}

func (a *assignment) violations() []Violation {
	out := []Violation{}
	for _, v := range score.Violations(a.p.Constraints, a.fitted.Labels) {
		cost := a.fitted.CostApart
		if v.Kind == score.Must || v.Kind == score.Belief && v.Weight > 0 {
			cost = a.fitted.CostTogether
		}
		out = append(out, Violation{a.known.name(v.A), a.known.name(v.B), LinkKind(v.Kind), v.Weight, finiteOrNil(cost(a.p, v.A, v.B))})
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return byCost(a.Cost, b.Cost) })
	return out
}

func (a *assignment) misplaced() []Misplaced {
	out := []Misplaced{}
	for _, l := range score.Misplaced(a.p.Constraints, a.fitted.Labels) {
		var cost *float64
		home := slices.Index(a.names, a.p.Constraints.Name(l.Class))
		if home >= 0 {
			cost = finiteOrNil(a.fitted.CostMove(a.p, l.I, home))
		}
		out = append(out, Misplaced{a.known.name(l.I), a.p.Constraints.Name(l.Class), a.names[a.fitted.Labels[l.I]], l.W, cost})
	}
	slices.SortStableFunc(out, func(a, b Misplaced) int { return byCost(a.Cost, b.Cost) })
	return out
}

// finiteOrNil returns a number that may not be known as a pointer.
func finiteOrNil(x float64, ok bool) *float64 {
	if !ok || math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// byCost orders the most costly first and what has no cost last.
func byCost(a, b *float64) int {
	cost := func(p *float64) float64 {
		if p == nil {
			return math.Inf(-1)
		}
		return *p
	}
	return cmp.Compare(cost(b), cost(a))
}
