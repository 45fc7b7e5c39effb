package choose

// confidence is how probable it must be that a candidate is better than the one
// that it replaces.
const confidence = 0.9

// A judged candidate has its agreement with every observation.
type judged struct {
	Candidate
	right []float64
	named []float64 // by held-out label: 1 where the row is in the cluster that the other labels name after its class, else 0

	labels []int // of a fit without constraints
}

// twoSteps returns the index of the candidate that the rule takes, and that of the
// best fit without constraints. The first candidate is the reference.
func twoSteps(list []judged, obs []observation) (chosen, unconstrained int) {
	best := func(from int, constrained bool) int {
		at, mean := from, 0.0
		for i, c := range list {
			if i == from || c.Constrained != constrained || probabilityBetter(c.right, list[from].right, obs) <= confidence {
				continue
			}
			if m := balanced(c.right, obs).mean; at == from || m > mean {
				at, mean = i, m
			}
		}
		return at
	}
	unconstrained = best(0, false)
	return best(unconstrained, true), unconstrained
}
