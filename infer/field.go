// Package infer finds labels of low energy in a pairwise field: n variables
// with k labels each, a price per variable and label, and a price for each
// linked pair that depends on whether the two agree. The E-step of constrained
// k-means is such a field: the distances to the centres are the unary prices,
// the constraints are the links.
//
// There are four ways to ask, from cheap to thorough:
//
//   - [ICM] moves one variable at a time while that pays;
//   - [BeliefPropagation] passes messages along the links;
//   - [Relax] solves the linear program and rounds its solution;
//   - [Solve] combines them and takes what can be proved.
//
// Finding the best labels is NP-hard in general and easy in parts. All but ICM
// look for the easy parts first: variables without links, trees, trees that
// hang on something harder, and, with two labels, fields that one maximum flow
// answers. An [Answer] says how much of it is proved.
//
// The methods follow Bilenko and Basu, "A comparison of inference techniques
// for semi-supervised clustering with hidden Markov random fields" (2004).
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
// A must-link has same = 0 and a price for being apart, a cannot-link the
// reverse. Every constraint stands once (the paper's equation (1) counts each
// twice, its equation (6) once). Several edges may link the same two variables:
// their prices add up.
//
// Same and Differ hold one number per edge, or K per edge where the price
// depends on the label, each independently of the other; nil means zero
// throughout:
//
//	len(Same) = len(Edges):     same_e(a) = Same[e]
//	len(Same) = len(Edges)·K:   same_e(a) = Same[e·K+a]
//	len(Differ) = len(Edges):   apart_e(a, b) = Differ[e], the whole price
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

// Check returns what is wrong with f, nil if nothing is.
func (f *Field) Check() error {
	switch {
	case f.N < 0 || f.N > math.MaxInt32:
		return fmt.Errorf("%d variables, wanted 0 to %d", f.N, math.MaxInt32)
	case f.K < 1 || f.K > math.MaxInt32:
		return fmt.Errorf("%d labels, wanted at least 1", f.K)
	case len(f.Unary)/f.K != f.N || len(f.Unary)%f.K != 0:
		return fmt.Errorf("%d unary prices for %d variables with %d labels", len(f.Unary), f.N, f.K)
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
			return fmt.Errorf("unary price of variable %d, label %d is %v, wanted a finite number", p/f.K, p%f.K, u)
		}
	}
	if err := f.checkCosts("same", f.Same); err != nil {
		return err
	}
	return f.checkCosts("differ", f.Differ)
}

func (f *Field) checkCosts(name string, prices []float64) error {
	m := len(f.Edges)
	if prices != nil && len(prices) != m && (m == 0 || len(prices)/m != f.K || len(prices)%m != 0) {
		return fmt.Errorf("%d %s prices for %d edges, wanted one or %d per edge", len(prices), name, m, f.K)
	}
	for p, v := range prices {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s price of edge %d is %v, wanted a finite number from 0", name, p/(len(prices)/m), v)
		}
	}
	return nil
}

// same returns the price of edge e when both its ends have label a.
func (f *Field) sameCost(e int, a int32) float64 {
	switch len(f.Same) {
	case 0:
		return 0
	case len(f.Edges):
		return f.Same[e]
	}
	return f.Same[e*f.K+int(a)]
}

// apart returns the price of edge e when its ends have labels a ≠ b.
func (f *Field) differCost(e int, a, b int32) float64 {
	switch len(f.Differ) {
	case 0:
		return 0
	case len(f.Edges):
		return f.Differ[e]
	}
	return f.Differ[e*f.K+int(a)] + f.Differ[e*f.K+int(b)]
}

// shares reports whether each end of an edge pays its own part of being apart.
func (f *Field) splitsDiffer() bool { return len(f.Differ) != len(f.Edges) && f.Differ != nil }

// price returns what edge e costs under labels y.
func (f *Field) edgeCost(e int, y []int32) float64 {
	a, b := y[f.Edges[e].I], y[f.Edges[e].J]
	if a == b {
		return f.sameCost(e, a)
	}
	return f.differCost(e, a, b)
}

// Energy returns E(y). A field that Check accepts and N labels from 0 to K−1
// are the caller's promise.
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

// checkStart returns what is wrong with labels to start from; −1 is a variable
// without a label.
func (f *Field) checkStart(start []int32) error {
	if start != nil && len(start) != f.N {
		return fmt.Errorf("%d labels to start from for %d variables", len(start), f.N)
	}
	for i, h := range start {
		if h < -1 || int(h) >= f.K {
			return fmt.Errorf("variable %d starts with label %d, wanted -1 to %d", i, h, f.K-1)
		}
	}
	return nil
}

// cheapest returns the label of the least price, the lowest on ties.
func cheapestLabel(prices []float64) int32 {
	best := 0
	for h, p := range prices {
		if p < prices[best] {
			best = h
		}
	}
	return int32(best)
}
