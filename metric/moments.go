package metric

import "github.com/inklinghq/inkling/data"

// Moments sums up a set of points so that the scatter of all its pairs follows
// without listing them: entailed constraints hold between whole components. The
// sums are taken about an origin near the points, such as the mean of the data,
// so that few digits cancel out.
type Moments struct {
	Form   Form // of the scatter it is to be added to
	Origin []float64
	Mass   float64
	Sum    []float64 // Σ w (x−o)
	Square []float64 // Σ w (x−o)(x−o)', a block as in Scatter
}

// NewMoments returns the moments of no point, about origin. It keeps origin.
func NewMoments(f Form, origin []float64) *Moments {
	d := len(origin)
	return &Moments{Form: f, Origin: origin, Sum: make([]float64, d), Square: make([]float64, f.sums(d))}
}

func (m *Moments) scatter() *Scatter {
	return &Scatter{Form: m.Form, D: len(m.Origin), S: m.Square, Mass: []float64{m.Mass}}
}

// Add takes in a point of weight w; -w takes it out again.
func (m *Moments) Add(v data.Vec, w float64) {
	g := make([]float64, len(m.Origin))
	data.Add(g, v, 1)
	for f, o := range m.Origin {
		g[f] -= o
	}
	m.Mass += w
	data.Add(m.Sum, data.Vec{Val: g}, w)
	m.scatter().AddGap(0, data.Vec{Val: g}, w)
}

// AddWithin adds to s, for cluster h, w times the scatter of all pairs of the
// set, each once: Σ_{i<j} w_i w_j (x_i−x_j)(x_i−x_j)' = M Σ w xx' − (Σ w x)(Σ w x)'.
func (s *Scatter) AddWithin(h int, m *Moments, w float64) {
	to := s.At(h)
	for p, y := range m.Square {
		to[p] += float64(w * float64(m.Mass*y))
	}
	s.AddGap(h, data.Vec{Val: m.Sum}, -w)
}

// AddBetween adds to s, for cluster h, w times the scatter of all pairs of a
// point of a and a point of b, whose origins must be the same.
func (s *Scatter) AddBetween(h int, a, b *Moments, w float64) {
	to := s.At(h)
	for p := range to {
		to[p] += float64(w * (float64(b.Mass*a.Square[p]) + float64(a.Mass*b.Square[p])))
	}
	// −(s_a s_b' + s_b s_a') = s_a s_a' + s_b s_b' − (s_a+s_b)(s_a+s_b)'
	both := make([]float64, len(a.Sum))
	for f := range both {
		both[f] = a.Sum[f] + b.Sum[f]
	}
	s.AddGap(h, data.Vec{Val: a.Sum}, w)
	s.AddGap(h, data.Vec{Val: b.Sum}, w)
	s.AddGap(h, data.Vec{Val: both}, -w)
}
