package cluster

import "math"

// CostTogether returns by how much the objective increases if the cheaper of
// points i and j moves into the cluster of the other, while everything else stays
// as it is. ok is false if the model does not compute costs, or there are no such
// points.
func (r *Result) CostTogether(p *Problem, i, j int) (cost float64, ok bool) {
	m, ok := r.moveCoster(p, i, j)
	if !ok {
		return 0, false
	}
	return min(m.moveCost(i, r.Labels[i], r.Labels[j]), m.moveCost(j, r.Labels[j], r.Labels[i])), true
}

// CostApart returns by how much the objective increases if the cheaper of points
// i and j moves to its next best cluster. ok is false if the model does not
// compute costs, there is no other cluster, or i and j are not two points.
func (r *Result) CostApart(p *Problem, i, j int) (cost float64, ok bool) {
	m, ok := r.moveCoster(p, i, j)
	if !ok || p.K < 2 || i == j {
		return 0, false
	}
	cost = math.Inf(1)
	for h := range p.K {
		if h != r.Labels[i] {
			cost = min(cost, m.moveCost(i, r.Labels[i], h), m.moveCost(j, r.Labels[j], h))
		}
	}
	return cost, true
}

// CostMove returns by how much the objective increases if point i moves to cluster
// h. ok is false if the model does not compute costs, or there is no such point or
// cluster.
func (r *Result) CostMove(p *Problem, i, h int) (cost float64, ok bool) {
	m, ok := r.moveCoster(p, i)
	if !ok || h < 0 || h >= p.K {
		return 0, false
	}
	return m.moveCost(i, r.Labels[i], h), true
}

// moveCoster computes what moves of the points of p cost.
type moveCoster struct {
	PointCoster
	p   *Problem
	buf []float64
}

func (r *Result) moveCoster(p *Problem, points ...int) (*moveCoster, bool) {
	m, ok := r.Model.(PointCoster)
	if !ok || p == nil || p.X == nil {
		return nil, false
	}
	for _, i := range points {
		if i < 0 || i >= min(p.X.Len(), len(r.Labels)) {
			return nil, false
		}
	}
	return &moveCoster{m, p, make([]float64, p.X.Dim())}, true
}

func (m *moveCoster) moveCost(i, from, to int) float64 {
	v := m.p.X.Row(i, m.buf)
	return m.p.W(i) * (m.PointCost(v, to) - m.PointCost(v, from))
}
