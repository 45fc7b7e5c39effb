package cluster

import "math"

// CostTogether returns what it would add to the objective to put points i and
// j into one cluster by moving the cheaper of the two into the other's, and
// everything else left as it is. ok is false where the model cannot tell,
// or there are no such points.
func (r *Result) CostTogether(p *Problem, i, j int) (price float64, ok bool) {
	m, ok := r.pricer(p, i, j)
	if !ok {
		return 0, false
	}
	return min(m.move(i, r.Labels[i], r.Labels[j]), m.move(j, r.Labels[j], r.Labels[i])), true
}

// CostApart returns what it would add to the objective to take points i and j
// apart by moving the cheaper of the two to its next best cluster. ok is false
// where the model cannot tell, there is no other cluster, or i and j are not two
// points.
func (r *Result) CostApart(p *Problem, i, j int) (price float64, ok bool) {
	m, ok := r.pricer(p, i, j)
	if !ok || p.K < 2 || i == j {
		return 0, false
	}
	price = math.Inf(1)
	for h := range p.K {
		if h != r.Labels[i] {
			price = min(price, m.move(i, r.Labels[i], h), m.move(j, r.Labels[j], h))
		}
	}
	return price, true
}

// CostMove returns what it would add to the objective to move point i to
// cluster h. ok is false where the model cannot tell, or there is no such point
// or cluster.
func (r *Result) CostMove(p *Problem, i, h int) (price float64, ok bool) {
	m, ok := r.pricer(p, i)
	if !ok || h < 0 || h >= p.K {
		return 0, false
	}
	return m.move(i, r.Labels[i], h), true
}

type mover struct {
	PointCoster
	p   *Problem
	buf []float64
}

func (r *Result) pricer(p *Problem, points ...int) (*mover, bool) {
	m, ok := r.Model.(PointCoster)
	if !ok || p == nil || p.X == nil {
		return nil, false
	}
	for _, i := range points {
		if i < 0 || i >= min(p.X.Len(), len(r.Labels)) {
			return nil, false
		}
	}
	return &mover{m, p, make([]float64, p.X.Dim())}, true
}

func (m *mover) move(i, from, to int) float64 {
	v := m.p.X.Row(i, m.buf)
	return m.p.W(i) * (m.PointCost(v, to) - m.PointCost(v, from))
}
