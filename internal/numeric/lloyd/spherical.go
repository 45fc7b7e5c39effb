package lloyd

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A Space is the space in which a run measures distances: the problem itself, or,
// for the cosine, the problem with every row and every centre scaled to length 1. There
//
//	1 − x'μ = ½ ‖x − μ‖²  for ‖x‖ = 1,  and 1 = ½ + ½ ‖0 − μ‖²  for x = 0,
//
// so that J = ½ Σ w_i ‖x_i − μ_{l_i}‖² + ½ (the weight of the zero rows), and
// the nearest centre is the one with the largest cosine (eq. 2 of Basu,
// Banerjee and Mooney 2002). Zero rows have no direction: they stay zero, cost
// 1 each, and go to cluster 0 as all are tied.
type Space struct {
	*cluster.Problem
	Distance metric.Distance // the zero value is Euclidean
	ZeroMass float64         // of the zero rows, for the cosine
}

// NewSpace returns the space of p for a distance.
func NewSpace(p *cluster.Problem, by metric.Distance) Space {
	if !by.Unit {
		return Space{Problem: p, Distance: by}
	}
	q := *p
	q.X = unitRows(p.X)
	s := Space{Problem: &q, Distance: by}
	if z, ok := q.X.(interface{ ZeroRows() int }); ok && p.Weight == nil {
		s.ZeroMass = float64(z.ZeroRows())
		return s
	}
	buf := make([]float64, p.X.Dim())
	for i := range q.X.Len() {
		if length2(q.X.Row(i, buf)) == 0 {
			s.ZeroMass += p.W(i)
		}
	}
	return s
}

// WithProblem returns the space of another problem, whose rows are in the
// space already.
func (s Space) WithProblem(p *cluster.Problem) Space {
	s.Problem = p
	return s
}

// Objective turns a sum of weighted squared distances in the space into J.
func (s Space) Objective(sum float64) float64 {
	if s.Distance.Unit {
		return (sum + s.ZeroMass) / 2
	}
	return sum
}

// Project returns c as centres of the space: scaled to length 1 for the cosine. A zero
// centre takes the direction of the first row that is not zero.
func (s Space) Project(c *Centres) *Centres {
	if !s.Distance.Unit {
		return c
	}
	c.By = s.Distance
	for h := range c.K {
		if !Normalise(c.At(h)) {
			s.firstDirection(c.At(h))
		}
	}
	return NewCentresIn(c.K, c.D, c.C, s.Distance)
}

func (s Space) firstDirection(dst []float64) {
	buf := make([]float64, len(dst))
	for i := range s.X.Len() {
		if v := s.X.Row(i, buf); length2(v) > 0 {
			data.Add(dst, v, 1)
			return
		}
	}
	dst[0] = 1
}
