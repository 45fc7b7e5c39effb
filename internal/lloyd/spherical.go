package lloyd

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
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
	Cosine   bool
	ZeroMass float64 // of the zero rows, for the cosine
}

// NewSpace returns the space of p, for the cosine or the Euclidean distance.
func NewSpace(p *cluster.Problem, cosine bool) Space {
	if !cosine {
		return Space{Problem: p}
	}
	q := *p
	q.X = unitRows(p.X)
	s := Space{Problem: &q, Cosine: true}
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
	if s.Cosine {
		return (sum + s.ZeroMass) / 2
	}
	return sum
}

// Project returns c as centres of the space: scaled to length 1 for the cosine. A zero
// centre takes the direction of the first row that is not zero.
func (s Space) Project(c *Centres) *Centres {
	if !s.Cosine {
		return c
	}
	c.Cosine = true
	for h := range c.K {
		if !Normalise(c.At(h)) {
			s.firstDirection(c.At(h))
		}
	}
	return NewCentresIn(c.K, c.D, c.C, true)
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

// Normalise scales c to length 1, and reports whether it could: not where c is 0.
func Normalise(c []float64) bool {
	l := math.Sqrt(dotProduct(c, c))
	if l == 0 || math.IsInf(l, 0) {
		return false
	}
	for f := range c {
		c[f] /= l
	}
	return true
}

func length2(v data.Vec) float64 { return data.Norm2(v.Val) }

// unitTolerance is how far a squared length may be from 1 to count as 1, so that rows
// of length 1, as those of TF-IDF, stay as they are to the bit.
const unitTolerance = 1e-12

// unitRow returns v scaled to length 1, in buf unless v has that length already. Rows
// are normalised here alone, in a fit and in a prediction.
func unitRow(v data.Vec, buf []float64) data.Vec {
	l2 := length2(v)
	if isUnit(v, l2) {
		return v
	}
	l := math.Sqrt(l2)
	if math.IsInf(l, 0) || l2 < 1e-290 { // squares beyond the range: scale first
		big := largestAbs(v)
		s := 0.0
		for _, y := range v.Val {
			s += (y / big) * (y / big)
		}
		l = big * math.Sqrt(s)
	}
	buf = buf[:len(v.Val)]
	for p, y := range v.Val {
		buf[p] = y / l
	}
	return data.Vec{Idx: v.Idx, Val: buf}
}

// isUnit reports whether v, of squared length l2, has length 1 or is zero; not where
// only its squares underflow.
func isUnit(v data.Vec, l2 float64) bool {
	return math.Abs(l2-1) <= unitTolerance || l2 == 0 && largestAbs(v) == 0
}

// largestAbs returns the largest absolute value of v.
func largestAbs(v data.Vec) (big float64) {
	for _, y := range v.Val {
		big = max(big, math.Abs(y))
	}
	return big
}

// unitRows returns x with every row of length 1; x itself if they are already.
func unitRows(x data.Rows) data.Rows {
	buf, scaled := make([]float64, x.Dim()), make([]float64, x.Dim())
	first := -1
	for i := range x.Len() {
		if v := x.Row(i, buf); !isUnit(v, length2(v)) {
			first = i
			break
		}
	}
	if first < 0 {
		return x
	}
	if s, ok := x.(*data.Sparse); ok {
		out := &data.Sparse{Cols: s.Cols, Start: s.Start, Idx: s.Idx, Val: slices.Clone(s.Val)}
		for i := range s.Len() {
			copy(out.Val[s.Start[i]:], unitRow(s.Row(i, nil), scaled).Val)
		}
		return out
	}
	out := &data.Dense{Cols: x.Dim(), V: make([]float64, 0, x.Len()*x.Dim())}
	for i := range x.Len() {
		out.V = append(out.V, unitRow(x.Row(i, buf), scaled).Val...)
	}
	return out
}

// dotProduct returns Σ_f x_f·y_f, in four strands.
func dotProduct(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	f := 0
	for ; f+4 <= len(x); f += 4 {
		a, b := x[f:f+4:f+4], y[f:f+4:f+4]
		s[0] += float64(a[0] * b[0])
		s[1] += float64(a[1] * b[1])
		s[2] += float64(a[2] * b[2])
		s[3] += float64(a[3] * b[3])
	}
	for ; f < len(x); f++ {
		s[0] += float64(x[f] * y[f])
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}
