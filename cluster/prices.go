package cluster

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A Pricer is a Run that computes what single moves and single constraints cost in its
// objective. Fit asks for the Pricing whenever an iteration has ended; later stages
// do not change it.
type Pricer interface {
	Pricing() Pricing
}

// A Pricing holds what a run knows about its objective beside the problem and the
// labels.
type Pricing interface {
	// Prices returns the prices of labels, those of the iteration, on p, the problem
	// of the run. It changes neither.
	Prices(p *Problem, labels []int) PointPrices
}

// PointPrices are the prices of the labels of a fit. They need not be safe for
// concurrent use. Where a method moves some points as one, they also have a method
// MoveAsOne(i, j int) bool.
type PointPrices interface {
	// MoveCost returns by how much the objective rises if point i moves to another
	// cluster, every term counted. What the model holds stays as it is (centres, a
	// metric, the scale of penalties), as do the labels of the other points, except
	// those that the method treats as one with i. +Inf: such a move is impossible.
	MoveCost(i, to int) float64
	// PairPenalty returns the term that a given pair of a kind adds to the objective
	// as it is; ok is false where that is unknown or pairs are never violated.
	PairPenalty(kind Kind, q constraint.Pair) (penalty float64, ok bool)
	// LabelPenalty returns the term that a given label adds to the objective as it
	// is: where labels stand for pairs, those that are violated.
	LabelPenalty(l constraint.Label) (penalty float64, ok bool)
}

// Prices are the prices of violated constraints in a Result.
type Prices struct {
	PointPrices
	labels []int
	k      int
}

// Prices returns the prices of the constraints of p, the problem of the fit; nil if the
// method does not compute them. Without the fit's own knowledge, as with the labels of
// a saved model, a move costs what the model says, and penalties are unknown.
func (r *Result) Prices(p *Problem) *Prices {
	if p == nil || len(r.Labels) != p.Len() {
		return nil
	}
	out := &Prices{labels: r.Labels, k: p.K}
	if p.K == 0 && len(r.Labels) > 0 {
		out.k = 1 + slices.Max(r.Labels)
	}
	switch m, ok := r.Model.(PointCoster); {
	case r.pricing != nil:
		out.PointPrices = r.pricing.Prices(p, r.Labels)
	case ok && p.X != nil:
		out.PointPrices = &modelPrices{m, p, r.Labels, r.soft, make([]float64, p.X.Dim())}
	default:
		return nil
	}
	return out
}

// Together returns by how much the objective rises if the cheaper of points i and j
// moves into the cluster of the other. ok is false if there are no such points, or
// neither can move there.
func (s *Prices) Together(i, j int) (cost float64, ok bool) {
	if !s.isPoint(i) || !s.isPoint(j) {
		return 0, false
	}
	cost = math.Inf(1)
	if h := s.labels[j]; h >= 0 {
		cost = min(cost, s.move(i, h))
	}
	if h := s.labels[i]; h >= 0 {
		cost = min(cost, s.move(j, h))
	}
	return finite(cost)
}

// Apart returns by how much the objective rises if the cheaper of points i and j
// moves to the cluster that is cheapest for it, without the other. ok is false if
// they are not two points of one cluster, or neither can move without the other.
func (s *Prices) Apart(i, j int) (cost float64, ok bool) {
	if !s.isPoint(i) || !s.isPoint(j) || i == j || s.labels[i] != s.labels[j] {
		return 0, false
	}
	if g, ok := s.PointPrices.(interface{ MoveAsOne(i, j int) bool }); ok && g.MoveAsOne(i, j) {
		return 0, false
	}
	cost = math.Inf(1)
	for h := range s.k {
		if h != s.labels[i] {
			cost = min(cost, s.move(i, h), s.move(j, h))
		}
	}
	return finite(cost)
}

// Move returns by how much the objective rises if point i moves to cluster h. ok is
// false if there is no such point or cluster, or i cannot move there.
func (s *Prices) Move(i, h int) (cost float64, ok bool) {
	if !s.isPoint(i) || h < 0 || h >= s.k {
		return 0, false
	}
	return finite(s.move(i, h))
}

func (s *Prices) isPoint(i int) bool { return i >= 0 && i < len(s.labels) }

func (s *Prices) move(i, to int) float64 {
	if s.labels[i] == to {
		return 0
	}
	return s.MoveCost(i, to)
}

func finite(x float64) (float64, bool) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x, true
}

// modelPrices are the prices of methods whose objective is the cost of the points at
// their centres: constraints have no terms of their own.
type modelPrices struct {
	model  PointCoster
	p      *Problem
	labels []int
	soft   bool // penalties are 0, not unknown
	buf    []float64
}

func (m *modelPrices) MoveCost(i, to int) float64 {
	v := m.p.X.Row(i, m.buf)
	return m.p.W(i) * (m.model.PointCost(v, to) - m.model.PointCost(v, m.labels[i]))
}

func (m *modelPrices) PairPenalty(Kind, constraint.Pair) (float64, bool) { return 0, m.soft }

func (m *modelPrices) LabelPenalty(constraint.Label) (float64, bool) { return 0, m.soft }

// pickedPricing is that of the points that have a cluster, where some have none. The prices are those of the
// labels of the fit, whose other points stay as they are.
type pickedPricing struct {
	of     Pricing
	points []int
	labels []int // of all points
}

func (s *pickedPricing) Prices(p *Problem, labels []int) PointPrices {
	all := slices.Clone(s.labels)
	for at, i := range s.points {
		all[i] = labels[at]
	}
	return &pickedPrices{s.of.Prices(p, all), s.points}
}

type pickedPrices struct {
	of     PointPrices
	points []int
}

func (s *pickedPrices) MoveCost(i, to int) float64 { return s.of.MoveCost(s.points[i], to) }

func (s *pickedPrices) PairPenalty(kind Kind, q constraint.Pair) (float64, bool) {
	return s.of.PairPenalty(kind, constraint.Pair{I: s.points[q.I], J: s.points[q.J], W: q.W})
}

func (s *pickedPrices) LabelPenalty(l constraint.Label) (float64, bool) {
	return s.of.LabelPenalty(constraint.Label{I: s.points[l.I], Class: l.Class, W: l.W})
}
