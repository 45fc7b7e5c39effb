package door

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/choose"
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

// A Violation is a given link that is violated.
//
// Penalty is its own term in the objective as it is: 0 where the objective has none,
// as for must-links in kernel methods that reward satisfied ones and for constraints that a
// choice left out as doubtful; nil for methods that
// never violate the constraints that they use, and for spectral ones, whose constraints shape
// eigenvectors.
//
// Cost is by how much the objective would rise if the cheaper of its rows moved to
// satisfy it, every term counted: the distances, all other links of that row, entailed
// ones included, its labels and beliefs. All other rows stay. So do the centres, the
// learned metric and the scale of penalties in methods that have them; in methods on
// kernels and graphs, where a cluster is nothing but its rows, it is the difference
// of the objective of the two clusterings. In a local minimum it is not negative; below 0 the
// search ended before every single move was tried, or does not make them (m-kmeans,
// spectral methods). nil where no move of one row satisfies the link.
type Violation struct {
	A       string   `json:"a"`
	B       string   `json:"b"`
	Kind    LinkKind `json:"kind"`
	Weight  float64  `json:"weight"`
	Penalty *float64 `json:"penalty"`
	Cost    *float64 `json:"cost"`
}

// A Misplaced row is not in the cluster named after its label. Penalty and Cost are as
// in a Violation: the term of the label, and what moving the row to that cluster
// would add to the objective.
type Misplaced struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Cluster string   `json:"cluster"`
	Weight  float64  `json:"weight"`
	Penalty *float64 `json:"penalty"`
	Cost    *float64 `json:"cost"`
}

func (a *assignment) satisfaction() Satisfaction {
	if a.whole != nil { // links count with the rows that are noise
		whole := *a.whole
		whole.names, whole.p = a.names, a.whole.withK(a.p.K)
		return whole.satisfaction()
	}
	violated, misplaced := score.Violations(a.p.Constraints, a.fitted.Labels), score.Misplaced(a.p.Constraints, a.fitted.Labels)
	var prices *cluster.Prices
	if len(violated)+len(misplaced) > 0 {
		prices = a.fitted.Prices(cmp.Or(a.on, a.p))
	}
	return Satisfaction{score.Satisfied(a.p.Constraints, a.fitted.Labels), a.known.soft, a.violations(violated, prices), a.misplaced(misplaced, prices)}
}

func (a *assignment) violations(list []score.Violation, prices *cluster.Prices) []Violation {
	out := []Violation{}
	for _, v := range list {
		x := Violation{A: a.known.name(v.A), B: a.known.name(v.B), Kind: LinkKind(v.Kind), Weight: v.Weight}
		if prices != nil {
			kind, cost := cluster.CannotLinks, prices.Apart
			switch {
			case v.Kind == score.Belief && v.Weight < 0:
				kind = cluster.Beliefs
			case v.Kind == score.Belief:
				kind, cost = cluster.Beliefs, prices.Together
			case v.Kind == score.Must:
				kind, cost = cluster.MustLinks, prices.Together
			}
			x.Penalty = finiteOrNil(prices.PairPenalty(kind, choose.UsedPair(a.on, kind, constraint.Pair{I: v.A, J: v.B, W: v.Weight})))
			x.Cost = finiteOrNil(cost(v.A, v.B))
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return byCost(a.Cost, b.Cost) })
	return out
}

func (a *assignment) misplaced(list []constraint.Label, prices *cluster.Prices) []Misplaced {
	out := []Misplaced{}
	for _, l := range list {
		x := Misplaced{ID: a.known.name(l.I), Label: a.p.Constraints.Name(l.Class), Cluster: a.names[a.fitted.Labels[l.I]], Weight: l.W}
		if prices != nil {
			x.Penalty = finiteOrNil(prices.LabelPenalty(choose.UsedLabel(a.on, l)))
			if home := slices.Index(a.names, x.Label); home >= 0 {
				x.Cost = finiteOrNil(prices.Move(l.I, home))
			}
		}
		out = append(out, x)
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
