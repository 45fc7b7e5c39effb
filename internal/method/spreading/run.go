package spreading

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// run holds the probabilities, which do not change, and the labels.
type run struct {
	p        *cluster.Problem
	closed   *constraint.Closure
	weight   float64        // of a violated cannot-link of weight 1
	apart    map[int][]link // by component: its cannot-links
	cost     []float64      // of point i in cluster h: −w_i log q_i(h), k for each point; nil: log k
	labels   []int
	model    *ClassModel // nil: none
	stub     bool        // the labels stand for nothing
	assigned bool
}

// A link is a cannot-link to a component.
type link struct {
	to     int
	weight float64
}

func newRun(p *cluster.Problem, closed *constraint.Closure, weight float64) *run {
	r := &run{p: p, closed: closed, weight: weight, apart: map[int][]link{}, labels: make([]int, p.Len())}
	if p.Constraints == nil {
		return r
	}
	for _, q := range p.Constraints.Cannot {
		a, b := closed.Component(q.I), closed.Component(q.J)
		if a == b { // left out of a contradiction
			continue
		}
		r.apart[a] = append(r.apart[a], link{b, q.W})
		r.apart[b] = append(r.apart[b], link{a, q.W})
	}
	return r
}

// toCosts turns the probabilities of a point into its costs.
func toCosts(q []float64, weight float64) {
	for h, y := range q {
		q[h] = -weight * math.Log(y)
	}
}

// pointCost is what point i costs in cluster h.
func (r *run) pointCost(i, h int) float64 {
	if r.cost == nil {
		return r.p.W(i) * math.Log(float64(r.p.K))
	}
	return r.cost[i*r.p.K+h]
}

// startUninformed makes all clusters equally likely. The first clusters are those of the
// cut; without a kernel they are consecutive points, which stands for nothing.
func (r *run) startUninformed(kern *posterior.Kernel) {
	n, k := len(r.labels), r.p.K
	r.cost, r.stub = nil, kern == nil && k > 1
	for c := range r.closed.Components() {
		first := int(r.closed.Members(c)[0])
		h := first * k / n
		if kern != nil {
			h = kern.Clusters()[first]
		}
		r.move(c, r.allowed(c, h))
	}
}

// IsStub reports whether ctx ended before there were clusters.
func (r *run) IsStub() bool { return r.stub && !r.assigned }

// allowed returns the class of component c, or h where it has none.
func (r *run) allowed(c, h int) int {
	if own := r.closed.Class(c); own >= 0 {
		return own
	}
	return h
}

// move puts component c into cluster h.
func (r *run) move(c, h int) {
	for _, i := range r.closed.Members(c) {
		r.labels[i] = h
	}
}

// Stages: every component moves to the cluster where it costs least, until none does.
func (r *run) Stages() []cluster.Stage {
	if r.assigned {
		return nil
	}
	return []cluster.Stage{{Name: "assign", Do: r.assign}}
}

// mostSweeps bounds the sweeps of assign; each lowers J.
const mostSweeps = 100

func (r *run) assign(ctx context.Context) (moved int, err error) {
	work := 0
	for sweep := 0; sweep < mostSweeps; sweep++ {
		changed := 0
		for c := range r.closed.Components() {
			if work += r.p.K; work > 1<<20 {
				if work = 0; ctx.Err() != nil {
					return moved, ctx.Err()
				}
			}
			if sweep > 0 && len(r.apart[c]) == 0 {
				continue // it does not depend on others
			}
			members := r.closed.Members(c)
			was := r.labels[members[0]]
			if best := r.best(c, was); best != was {
				r.move(c, best)
				changed += len(members)
			}
		}
		moved += changed
		if changed == 0 {
			break
		}
	}
	r.assigned = true
	return moved, nil
}

// best returns the cluster in which component c costs least, the one it is in on ties.
func (r *run) best(c, was int) int {
	if own := r.closed.Class(c); own >= 0 {
		return own
	}
	best, least := was, r.componentCost(c, was, r.labels)
	for h := range r.p.K {
		if y := r.componentCost(c, h, r.labels); y < least {
			best, least = h, y
		}
	}
	return best
}

// componentCost is what component c adds to the objective in cluster h.
func (r *run) componentCost(c, h int, labels []int) (sum float64) {
	for _, i := range r.closed.Members(c) {
		sum += r.pointCost(int(i), h)
	}
	violated := 0.0
	for _, l := range r.apart[c] {
		if labels[r.closed.Members(l.to)[0]] == h {
			violated += l.weight
		}
	}
	return sum + r.weight*violated
}

func (r *run) Labels() []int { return r.labels }

// Model returns the classifier; nil for label spreading, where a point that is not in the
// graph has no place in it.
func (r *run) Model() cluster.Model {
	if r.model == nil {
		return nil
	}
	return r.model
}

func (r *run) Objective(context.Context) (cluster.Terms, error) {
	terms := cluster.Terms{{Name: "misfit"}}
	for i, h := range r.labels {
		terms[0].Value += r.pointCost(i, h)
	}
	if r.p.Constraints != nil && len(r.p.Constraints.Cannot) > 0 {
		sum := 0.0
		for _, q := range r.p.Constraints.Cannot {
			if r.labels[q.I] == r.labels[q.J] {
				sum += r.weight * q.W
			}
		}
		terms = append(terms, cluster.Term{Name: "cannot-links", Value: sum})
	}
	return terms, nil
}

// Pricing: the costs of points do not change after Start.
func (r *run) Pricing() cluster.Pricing { return r }

// Prices returns the prices of labels.
func (r *run) Prices(_ *cluster.Problem, labels []int) cluster.PointPrices {
	return &prices{r, labels}
}

type prices struct {
	*run
	of []int
}

// MoveAsOne reports whether points i and j are of one component.
func (s *prices) MoveAsOne(i, j int) bool { return s.closed.Component(i) == s.closed.Component(j) }

// MoveCost returns the difference of J if point i, with its component, moves.
func (s *prices) MoveCost(i, to int) float64 {
	c := s.closed.Component(i)
	if s.closed.Class(c) >= 0 {
		return math.Inf(1)
	}
	return s.componentCost(c, to, s.of) - s.componentCost(c, s.of[i], s.of)
}

// PairPenalty: must-links are violated only where they were left out, and have no term.
func (s *prices) PairPenalty(kind cluster.Kind, q constraint.Pair) (float64, bool) {
	if kind != cluster.CannotLinks || s.of[q.I] != s.of[q.J] {
		return 0, true
	}
	return s.weight * q.W, true
}

// LabelPenalty: the same holds for labels.
func (s *prices) LabelPenalty(constraint.Label) (float64, bool) { return 0, true }
