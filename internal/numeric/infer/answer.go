package infer

import "math"

// An Answer is the result of a method, and what is proved about it.
type Answer struct {
	Labels []int32 `json:"labels"`
	Energy float64 `json:"energy"` // of Labels
	// Bound is a proven lower bound on the energy of any labels, −Inf without one.
	Bound float64 `json:"bound"`
	// Exact says that no labels have a lower energy, to about 1e-9 of it.
	Exact bool `json:"exact"`
	// Converged says that the method ended by itself: a sweep that changed
	// nothing, messages that no longer change, a gap as small as asked for. It
	// says nothing about the quality of the labels.
	Converged  bool `json:"converged"`
	Iterations int  `json:"iterations"` // sweeps or rounds of messages, the maximum over all components
	// Relaxed is the value of the best fractional point of the linear program;
	// Relaxed − Bound is the certified gap of the program. NaN without one.
	Relaxed float64 `json:"relaxed"`
	// Fractional is the share of variables without an integral label in that point.
	Fractional float64 `json:"fractional"`
	Violated   int     `json:"violated"` // edges that cost something

	// Components is the number of connected components of the links, single
	// variables included, ExactComponents and ExactVariables how many components
	// and variables are proved optimal.
	Components      int `json:"components"`
	ExactComponents int `json:"exact_components"`
	ExactVariables  int `json:"exact_variables"`
}

// Gap returns how far the energy can at most be from the optimum.
func (a Answer) Gap() float64 { return a.Energy - a.Bound }

// proofTol is the relative difference of energy and bound up to which labels
// count as optimal.
const proofTol = 1e-9

// isProved reports whether a bound proves that an energy is optimal.
func isProved(energy, bound float64) bool {
	return !math.IsInf(bound, -1) && energy-bound <= proofTol*max(math.Abs(energy), math.Abs(bound))
}
