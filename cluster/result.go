package cluster

import "slices"

// Status says why a run ended.
type Status string

// The ways in which a run ends. Only a converged run cannot be improved by more iterations.
const (
	Converged   Status = "converged"
	IterLimit   Status = "max-iter"
	Timeout     Status = "timeout"
	Interrupted Status = "interrupted"
)

// A Point of a trace is the objective after one iteration.
type Point struct {
	Iter      int     `json:"iter"`
	Objective float64 `json:"objective"`
	Moved     int     `json:"moved"`
}

// A Result is the best run: labels, model and objective are of the same iteration.
type Result struct {
	Labels     []int
	Model      Model
	Learned    any // what the run learned beside its model, if it is a Reporter; else nil
	Objective  Terms
	Trace      []Point
	Iterations int
	Status     Status
	Run        int    // which of the restarts it was, from 0
	Runs       int    // how many were made, the last perhaps in part
	Distinct   int    // how many of them started from different clusters
	Ignored    []Kind // the kinds of constraints that the problem has and the algorithm does not use
	Stub       bool   // the labels stand for nothing yet: see Stub
	// Membership and Outlier are of each point, if the run is a Grader; else nil.
	Membership, Outlier []float64

	pricing Pricing // of the run, if it is a Pricer
	soft    bool    // the algorithm may violate constraints
}

// Trivial reports whether the labels are no clustering worth having: a stub, or one
// cluster where the problem has several points and clusters. Where the context ended
// a fit, that is not an answer but a lack of time.
func (r *Result) Trivial(k int) bool {
	if r.Stub {
		return true
	}
	for _, h := range r.Labels {
		if h != r.Labels[0] {
			return false
		}
	}
	return k > 1 && len(r.Labels) > 1
}

// Assigned returns the points that have a cluster, and the result as one of these points
// alone; nil and r itself where all have one.
func (r *Result) Assigned() (points []int, of *Result) {
	if !slices.Contains(r.Labels, -1) {
		return nil, r
	}
	points = make([]int, 0, len(r.Labels))
	for i, h := range r.Labels {
		if h >= 0 {
			points = append(points, i)
		}
	}
	some := *r
	some.Labels, some.Membership, some.Outlier = pick(r.Labels, points), pick(r.Membership, points), pick(r.Outlier, points)
	if r.pricing != nil {
		some.pricing = &pickedPricing{r.pricing, points, r.Labels}
	}
	return points, &some
}

func pick[T any](list []T, at []int) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(at))
	for q, i := range at {
		out[q] = list[i]
	}
	return out
}

// Sizes returns the number of points in each of the first k clusters, which are
// all clusters if k is that of the problem.
func (r *Result) Sizes(k int) []int {
	s := make([]int, max(k, 0))
	for _, h := range r.Labels {
		if h >= 0 && h < k {
			s[h]++
		}
	}
	return s
}

// Labels32 returns the labels in half the memory.
func (r *Result) Labels32() []int32 {
	out := make([]int32, len(r.Labels))
	for i, h := range r.Labels {
		out[i] = int32(h)
	}
	return out
}

// CheapestMove returns by how much the cost of point i falls, as a number of at most 0, if
// it moves to the cluster where it costs least and all centres stay; false where the
// model has no costs of single points.
func (r *Result) CheapestMove(p *Problem, i int) (best float64, ok bool) {
	m, ok := r.Model.(PointCoster)
	if !ok || p.X == nil {
		return 0, false
	}
	v := p.X.Row(i, make([]float64, p.X.Dim()))
	own := m.PointCost(v, r.Labels[i])
	for h := range p.K {
		best = min(best, p.W(i)*(m.PointCost(v, h)-own))
	}
	return best, true
}
