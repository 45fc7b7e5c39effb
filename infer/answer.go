package infer

import "math"

// An Answer is what a method found, and what it can say about it.
type Answer struct {
	Labels []int32 `json:"labels"`
	Energy float64 `json:"energy"` // of Labels
	// Bound is a proven lower bound on the energy of any labels, −Inf where
	// there is none.
	Bound float64 `json:"bound"`
	// Exact says that no labels have a lower energy, to about 1e-9 of it.
	Exact bool `json:"exact"`
	// Converged says that the method ended by itself: a sweep that changed
	// nothing, messages that stand still, a gap as small as was asked for. It
	// says nothing about how good the labels are.
	Converged  bool `json:"converged"`
	Iterations int  `json:"iterations"` // sweeps or rounds of messages, the most of any part
	// Relaxed is the value of the best fractional point of the linear program;
	// Relaxed − Bound is the certified gap of the program. NaN without one.
	Relaxed float64 `json:"relaxed"`
	// Fractional is the share of variables without a whole label in that point.
	Fractional float64 `json:"fractional"`
	Violated   int     `json:"violated"` // edges that cost something

	// Of the connected components of the links, one variable being the
	// smallest, and of the variables in them: all, and those proved optimal.
	Components      int `json:"components"`
	ExactComponents int `json:"exact_components"`
	ExactVariables  int `json:"exact_variables"`
}

// Gap returns how far the energy can at most be from the optimum.
func (a Answer) Gap() float64 { return a.Energy - a.Bound }

// proofTol is the part of the energy to which a bound proves it.
const proofTol = 1e-9

// proved reports whether a bound leaves nothing to be gained.
func isProved(energy, bound float64) bool {
	return !math.IsInf(bound, -1) && energy-bound <= proofTol*max(math.Abs(energy), math.Abs(bound))
}
