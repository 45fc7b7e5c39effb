package spectral

import "fmt"

// InfeasibleError is the error that no vector, or fewer than a cut needs, satisfies
// the constraints as well as β asks. A Beta that is a number is the user's, so
// there is a remedy.
type InfeasibleError struct {
	Beta      float64 // that was asked for
	Most      float64 // λ₁·vol, which β must be below
	Trivial   float64 // 1ᵀQ1, what all points in one cluster would satisfy
	Feasible  int     // how many vectors there are
	Wanted    int     // how many are needed
	Uncertain bool    // Feasible is a lower bound
	Enough    float64 // as a share of λ₁·vol: below it enough vectors are feasible; 0: not known
	Views     bool    // views are among the constraints
}

// Infeasible returns true: see cluster.Infeasible.
func (e *InfeasibleError) Infeasible() bool { return true }

// Describe returns the message, which names no points.
func (e *InfeasibleError) Describe(func(int) string) string { return e.Error() }

func (e *InfeasibleError) Error() string {
	why := fmt.Sprintf("it must be below %.6g, the largest eigenvalue of the constraint matrix times the volume", e.Most)
	hint := "use a smaller beta, or auto"
	switch {
	case e.Beta < e.Most && e.Trivial > e.Beta && e.Feasible == 0:
		why = fmt.Sprintf("all points in one cluster satisfy them to %.6g and stand in the way of every cut", e.Trivial)
		hint = "must-links alone do not say where to cut: give some cannot-links, or use beta auto"
		if e.Views {
			hint = fmt.Sprintf("a view is all must-links: use a beta below %.4g, or auto", e.Enough)
		}
	case e.Beta < e.Most:
		why = fmt.Sprintf("they have too few directions of their own: feasible vectors: %d, needed: %d", e.Feasible, e.Wanted)
		hint = "give more constraints, use a smaller beta, or auto"
	}
	return fmt.Sprintf("no feasible cut satisfies the constraints to beta = %.6g: %s; %s", e.Beta, why, hint)
}

// infeasible tells what is known of a b that leaves too few feasible vectors.
func (c *cspSolver) infeasibleError(b float64, count int, exact bool) *InfeasibleError {
	most, vol := c.spectrum.largest(), c.pencil.vol
	return &InfeasibleError{Beta: b * vol, Most: most * vol, Trivial: c.pencil.zqz * vol, Feasible: count, Wanted: c.vectorsNeeded(), Uncertain: !exact,
		Enough: c.spectrum.feasibleBelow(c.vectorsNeeded(), c.pencil.zqz) / most, Views: c.views != nil}
}
