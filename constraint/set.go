// Package constraint holds what is known about points before they are
// clustered: labels of some, pairs that must or cannot be together, and soft
// beliefs about pairs. It closes the knowledge (what follows from it), finds
// contradictions with the chain that proves them, tells whether k clusters can
// honour it, lints it, and draws knowledge from true labels for experiments.
//
// Nothing that follows is ever written out as pairs: labels and must-links
// become components by union-find, cannot-links become edges between
// components, so memory is O(n + m) for n points and m pieces of knowledge.
package constraint

// A Pair links points I and J; their order never matters. W is the weight of
// a must-link or a cannot-link (1 is ordinary), or a belief.
type Pair struct {
	I, J int
	W    float64
}

// A Label says that point I is of class Class, with weight W (1 is ordinary).
// A point with labels of several classes whose weights are not all 1 is a soft
// seed: it counts for each class by weight and stays out of the closure.
type Label struct {
	I, Class int
	W        float64
}

// A Set is what is known. A nil Set knows nothing.
type Set struct {
	Must    []Pair
	Cannot  []Pair
	Beliefs []Pair // W in [-1, 1]: above 0 together, below 0 apart; always soft, never in the closure
	Labels  []Label
	Names   []string // Names[c] is what class c is called; empty where classes have no names
}
