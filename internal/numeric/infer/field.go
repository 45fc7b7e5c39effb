// Package infer finds labels of low energy in a pairwise field: n variables with
// k labels each, a cost per variable and label, and a cost for each linked pair
// that depends on whether the two labels agree. The E-step of constrained k-means
// is such a field: the distances to the centres are the unary costs, the
// constraints are the links.
//
// There are four methods, from cheap to thorough:
//
//   - [ICM] moves one variable at a time while that lowers the energy;
//   - [BeliefPropagation] passes messages along the links;
//   - [Relax] solves the linear program and rounds its solution;
//   - [Solve] combines them and proves what it can.
//
// Finding the best labels is NP-hard in general and easy in parts. All methods
// but ICM solve the easy parts exactly first: variables without links, trees,
// trees that are attached to something harder, and, with two labels, fields that
// one maximum flow solves; with the option Exact also what has few cycles. An
// [Answer] says how much of it is proved optimal.
//
// Where the cheapest labels of the variables violate few links, [PropagateRegions]
// and [RelaxRegions] infer only the labels around these, in a [Network] of which
// the rest is never written out.
//
// The methods follow Bilenko and Basu, "A comparison of inference techniques for
// semi-supervised clustering with hidden Markov random fields" (2004).
// Throughout, i and j are variables, a, b and h labels, e a link.
package infer

import (
	"fmt"
	"math"
)

// An Edge links two variables.
type Edge struct{ I, J int32 }

// A Field is an energy over N variables with K labels each:
//
//	E(y) = Σ_i Unary[i,y_i] + Σ_e [y_i = y_j] same_e(y_i) + [y_i ≠ y_j] apart_e(y_i, y_j)
//
// A must-link has same = 0 and a cost for being apart, a cannot-link the
// reverse. Every constraint counts once (the paper's equation (1) counts each
// twice, its equation (6) once). Several edges may link the same two variables:
// their costs add up.
//
// Same and Differ hold one number per edge, or K per edge where the cost
// depends on the label, each independently of the other; nil means zero
// throughout:
//
//	len(Same) = len(Edges):     same_e(a) = Same[e]
//	len(Same) = len(Edges)·K:   same_e(a) = Same[e·K+a]
//	len(Differ) = len(Edges):   apart_e(a, b) = Differ[e], the whole cost
//	len(Differ) = len(Edges)·K: apart_e(a, b) = Differ[e·K+a] + Differ[e·K+b],
//	                            a share for each end, by its own label
//
// With one label both readings agree: nothing is ever apart.
type Field struct {
	N, K   int
	Unary  []float64 // N rows of K, finite
	Edges  []Edge
	Same   []float64 // finite, not negative
	Differ []float64 // finite, not negative
}

// Check returns what is wrong with f, nil if f is valid.
func (f *Field) Check() error {
	switch {
	case f.N < 0 || f.N > math.MaxInt32:
		return fmt.Errorf("variables must be from 0 to %d, got %d", math.MaxInt32, f.N)
	case f.K < 1 || f.K > math.MaxInt32:
		return fmt.Errorf("labels must be at least 1, got %d", f.K)
	case len(f.Unary)/f.K != f.N || len(f.Unary)%f.K != 0:
		return fmt.Errorf("%d unary costs for %d variables with %d labels", len(f.Unary), f.N, f.K)
	case len(f.Edges) > math.MaxInt32/2:
		return fmt.Errorf("%d edges, at most %d", len(f.Edges), math.MaxInt32/2)
	}
	for e, l := range f.Edges {
		if l.I < 0 || l.J < 0 || int(l.I) >= f.N || int(l.J) >= f.N {
			return fmt.Errorf("edge %d links %d and %d, there are %d variables", e, l.I, l.J, f.N)
		}
		if l.I == l.J {
			return fmt.Errorf("edge %d links variable %d to itself", e, l.I)
		}
	}
	for p, u := range f.Unary {
		if math.IsNaN(u) || math.IsInf(u, 0) {
			return fmt.Errorf("the unary cost of variable %d, label %d must be finite, got %v", p/f.K, p%f.K, u)
		}
	}
	if err := f.checkCosts("same", f.Same); err != nil {
		return err
	}
	return f.checkCosts("differ", f.Differ)
}

// checkCosts refuses costs of edges whose number does not fit, or that are
// negative or not finite.
func (f *Field) checkCosts(name string, costs []float64) error {
	m := len(f.Edges)
	if costs != nil && len(costs) != m && (m == 0 || len(costs)/m != f.K || len(costs)%m != 0) {
		return fmt.Errorf("%s costs must be one or %d for each of %d edges, got %d", name, f.K, m, len(costs))
	}
	for p, v := range costs {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("the %s cost of edge %d must be finite and at least 0, got %v", name, p/(len(costs)/m), v)
		}
	}
	return nil
}

// sameCost returns the cost of edge e when both its ends have label a.
func (f *Field) sameCost(e int, a int32) float64 {
	switch len(f.Same) {
	case 0:
		return 0
	case len(f.Edges):
		return f.Same[e]
	}
	return f.Same[e*f.K+int(a)]
}

// differCost returns the cost of edge e when its ends have labels a ≠ b.
func (f *Field) differCost(e int, a, b int32) float64 {
	switch len(f.Differ) {
	case 0:
		return 0
	case len(f.Edges):
		return f.Differ[e]
	}
	return f.Differ[e*f.K+int(a)] + f.Differ[e*f.K+int(b)]
}

// splitsDiffer reports whether the cost of differing is split between the ends of
// an edge.
func (f *Field) splitsDiffer() bool { return len(f.Differ) != len(f.Edges) && f.Differ != nil }

// edgeCost returns what edge e costs under labels y.
func (f *Field) edgeCost(e int, y []int32) float64 {
	a, b := y[f.Edges[e].I], y[f.Edges[e].J]
	if a == b {
		return f.sameCost(e, a)
	}
	return f.differCost(e, a, b)
}

// Energy returns E(y). The caller promises a field that Check accepts and N
// labels from 0 to K−1.
func (f *Field) Energy(y []int32) float64 {
	sum, pairs := 0.0, 0.0
	for i, h := range y {
		sum += f.Unary[i*f.K+int(h)]
	}
	for e := range f.Edges {
		pairs += f.edgeCost(e, y)
	}
	return sum + pairs
}

// Violated counts the edges that cost something under labels y.
func (f *Field) Violated(y []int32) (count int) {
	for e := range f.Edges {
		if f.edgeCost(e, y) > 0 {
			count++
		}
	}
	return count
}

// checkStart refuses labels to start from that are wrong in number or out of
// range; −1 is a variable without a label.
func (f *Field) checkStart(start []int32) error {
	if start != nil && len(start) != f.N {
		return fmt.Errorf("%d labels to start from for %d variables", len(start), f.N)
	}
	for i, h := range start {
		if h < -1 || int(h) >= f.K {
			return fmt.Errorf("the first label of variable %d must be from -1 to %d, got %d", i, f.K-1, h)
		}
	}
	return nil
}

// cheapestLabel returns the label of the least cost, the lowest on ties.
func cheapestLabel(costs []float64) int32 {
	best := 0
	for h, p := range costs {
		if p < costs[best] {
			best = h
		}
	}
	return int32(best)
}
