package metric

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// Scatter holds S_h = Σ w (x−y)(x−y)', one for all clusters or one for each,
// and the weight of the points behind it. For None it is the number Σ w ‖x−y‖²,
// for Diagonal the d squares; for Full d rows of d numbers, of which only the
// upper triangle is kept.
type Scatter struct {
	Form   Form
	D      int
	S      []float64 // one block for each metric
	Mass   []float64 // N_h, or N: the weight of the points, not of the pairs
	Square []float64 // Σ_h N_h μ_hf², of all rows: tells a constant feature from rounding
}

// NewScatter returns an empty scatter of form f for k clusters of d features.
func NewScatter(f Form, k, d int) *Scatter {
	k = f.Metrics(k)
	return &Scatter{Form: f, D: d, S: make([]float64, k*f.sums(d)), Mass: make([]float64, k), Square: make([]float64, d)}
}

// sums returns how many numbers one block of a scatter takes.
func (f Form) sums(d int) int { return max(1, f.block(d)) }

// Metrics returns the number of blocks.
func (s *Scatter) Metrics() int { return len(s.Mass) }

// Block returns the block of cluster h; whoever changes it changes s.
func (s *Scatter) Block(h int) []float64 {
	if len(s.Mass) == 1 {
		h = 0
	}
	b := s.Form.sums(s.D)
	return s.S[h*b : (h+1)*b : (h+1)*b]
}

// Clone returns a copy of s.
func (s *Scatter) Clone() *Scatter {
	t := &Scatter{Form: s.Form, D: s.D}
	t.S = append(t.S, s.S...)
	t.Mass = append(t.Mass, s.Mass...)
	t.Square = append(t.Square, s.Square...)
	return t
}

// Merge adds t, which must have the form of s. Blocks of rows merged in a fixed
// order give the same bits on any number of workers.
func (s *Scatter) Merge(t *Scatter) error {
	if s.Form != t.Form || s.D != t.D || len(s.Mass) != len(t.Mass) {
		return fmt.Errorf("a %s scatter of %d features and %d blocks cannot take in a %s one of %d and %d",
			s.Form, s.D, len(s.Mass), t.Form, t.D, len(t.Mass))
	}
	addTo(s.S, t.S)
	addTo(s.Mass, t.Mass)
	addTo(s.Square, t.Square)
	return nil
}

// AddPair adds w (x−y)(x−y)' to the scatter of cluster h. Sparse rows cost what
// they hold, squared for Full. w may be negative.
func (s *Scatter) AddPair(h int, x, y data.Vec, w float64) {
	at := s.Block(h)
	switch {
	case s.Form.Shape == Full:
		s.addFull(at, difference(x, y), w)
	case s.Form.Shape == Diagonal && x.Idx == nil && y.Idx == nil:
		addSquares(at, x.Val, y.Val, w)
	case s.Form.Shape == Diagonal:
		eachDifference(x, y, func(f int, e float64) { at[f] += float64(w * float64(e*e)) })
	default:
		t := 0.0
		eachDifference(x, y, func(_ int, e float64) { t += float64(e * e) })
		at[0] += float64(w * t)
	}
}

// AddGap adds w g g' to the scatter of cluster h, g being a difference of two
// points.
func (s *Scatter) AddGap(h int, g data.Vec, w float64) {
	at := s.Block(h)
	switch s.Form.Shape {
	case Full:
		s.addFull(at, g, w)
	case Diagonal:
		for p, e := range g.Val {
			at[g.Feature(p)] += float64(w * float64(e*e))
		}
	default:
		at[0] += float64(w * data.Norm2(g.Val))
	}
}

// addSquares adds w (x_f−y_f)² to each s_f, eight features at a time.
func addSquares(s, x, y []float64, w float64) {
	s, y = s[:len(x)], y[:len(x)]
	for len(x) >= 8 && len(y) >= 8 && len(s) >= 8 {
		u, v, t := (*[8]float64)(x), (*[8]float64)(y), (*[8]float64)(s)
		e0, e1, e2, e3 := u[0]-v[0], u[1]-v[1], u[2]-v[2], u[3]-v[3]
		e4, e5, e6, e7 := u[4]-v[4], u[5]-v[5], u[6]-v[6], u[7]-v[7]
		t[0] += float64(w * float64(e0*e0))
		t[1] += float64(w * float64(e1*e1))
		t[2] += float64(w * float64(e2*e2))
		t[3] += float64(w * float64(e3*e3))
		t[4] += float64(w * float64(e4*e4))
		t[5] += float64(w * float64(e5*e5))
		t[6] += float64(w * float64(e6*e6))
		t[7] += float64(w * float64(e7*e7))
		x, y, s = x[8:], y[8:], s[8:]
	}
	for f, v := range x {
		e := v - y[f]
		s[f] += float64(w * float64(e*e))
	}
}

// addFull adds w g g' to the upper triangle of at.
func (s *Scatter) addFull(at []float64, g data.Vec, w float64) {
	d := s.D
	if g.Idx == nil {
		for i, y := range g.Val {
			t := float64(w * y)
			if t == 0 {
				continue
			}
			row, rest := at[i*d+i:(i+1)*d], g.Val[i:]
			for j, z := range rest {
				row[j] += float64(t * z)
			}
		}
		return
	}
	for p, i := range g.Idx {
		t, row := float64(w*g.Val[p]), at[int(i)*d:(int(i)+1)*d]
		for q := p; q < len(g.Idx); q++ {
			row[g.Idx[q]] += float64(t * g.Val[q])
		}
	}
}
