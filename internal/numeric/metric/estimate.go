package metric

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// A LogDetScale is the multiplier c of −log det A in the objective, and so of
// A = c S⁻¹.
type LogDetScale string

// The scales.
const (
	ScaleN   LogDetScale = "n"   // c = N (N_h for each cluster): a point at one standard deviation costs 1 per feature
	ScaleOne LogDetScale = "one" // c = 1, as the 2003 paper prints it
)

// Values returns all scales.
func (LogDetScale) Values() []string { return []string{string(ScaleN), string(ScaleOne)} }

// AutoShrink asks for the weakest prior that has a mean: d+2 pseudo-observations
// for a full matrix, 3 for a diagonal one, whose features are estimated apart.
const AutoShrink = -1

// Options say how a metric is estimated. The zero value is the papers' way:
// no shrinkage, c = N.
type Options struct {
	// Scale is ScaleN, also if empty, or ScaleOne, under which Shrink is not used.
	Scale LogDetScale
	// Shrink is the number of pseudo-observations by which the metrics of
	// clusters are drawn to a common one, and a single full one to a diagonal:
	// Σ_h = (S_h + νT)/(N_h + ν). It vanishes as N_h grows. 0: none, below 0:
	// AutoShrink. One diagonal metric has nothing to be drawn to.
	Shrink float64
	// Floor is the least share of its own scatter that a feature (Full: an axis,
	// in features of unit scatter) may be left with; 0 stands for 1e-3.
	Floor float64
	// Base is the scatter of the rows alone, without pairs: what Floor is a share
	// of. Nil: the scatter itself.
	Base *Scatter
	// Previous, if not nil, is kept where the new metric would not lower
	// tr(AS) − c log det A plus the prior's part.
	Previous *Learned
}

// Multiplier returns c for a cluster of that mass.
func (o Options) Multiplier(mass float64) float64 {
	if o.Scale == ScaleOne {
		return 1
	}
	return mass
}

// A Report says how a metric came about.
type Report struct {
	Scale    LogDetScale `json:"scale"`              // what −log det A is multiplied by
	Shrink   float64     `json:"shrink"`             // pseudo-observations
	Constant []int       `json:"constant,omitempty"` // features without scatter: their weight is the smallest
	Clamped  []Clamp     `json:"clamped,omitempty"`
	Kept     bool        `json:"kept,omitempty"` // the previous metric stands
}

// A Clamp is a scatter too small, or negative, that was raised to its floor.
type Clamp struct {
	Metric  int     `json:"metric"`
	Feature int     `json:"feature"` // -1: an axis of a full metric
	From    float64 `json:"from"`    // as a share of the scatter of the rows
	To      float64 `json:"to"`
}

// Value returns Σ_h tr(A_h S_h) − c_h log det A_h + the prior's part: all of the
// objective that depends on the metric, as long as S holds it all.
func (o Options) Value(m *Learned, s *Scatter) (v float64) {
	for h := range m.k {
		v += m.Trace(h, s.Block(h)) - float64(o.Multiplier(s.Mass[h])*m.logs[h])
	}
	return v + m.PriorCost()
}

// Estimate returns the metric that minimises Value for s, with every weight
// finite and above 0 whatever s holds.
func Estimate(ctx context.Context, s *Scatter, o Options) (*Learned, Report, error) {
	r := Report{Scale: ScaleN}
	switch o.Scale {
	case "", ScaleN:
	case ScaleOne:
		r.Scale, o.Shrink = ScaleOne, 0
	default:
		return nil, r, fmt.Errorf("the scale of log det must be one of %s, got %q", strings.Join(o.Scale.Values(), ", "), string(o.Scale))
	}
	if o.Floor == 0 {
		o.Floor = 1e-3
	}
	if !(o.Floor > 0 && o.Floor <= 1) || math.IsNaN(o.Shrink) || math.IsInf(o.Shrink, 0) {
		return nil, r, fmt.Errorf("floor %v and shrink %v, the floor must be within (0, 1] and the shrinkage finite", o.Floor, o.Shrink)
	}
	if o.Base == nil {
		o.Base = s
	}
	for _, y := range s.S {
		if !data.Finite(y) {
			return nil, r, fmt.Errorf("the scatter holds %v; are the values very large?", y)
		}
	}
	if s.Form.Shape == None {
		return Identity(s.Form, 1, s.D), r, nil
	}
	e := newEstimate(s, o)
	m, err := e.learn(ctx, &r)
	if err != nil {
		return nil, r, err
	}
	if p := o.Previous; p != nil && p.form == m.form && p.k == m.k && o.Value(m, s) > o.Value(p, s) {
		m, r.Kept = p, true
	}
	return m, r, nil
}

// estimate is one estimate under way.
type estimate struct {
	s      *Scatter
	o      Options
	nu     float64
	pooled []float64 // scatter of the rows for each feature, over all clusters; constant ones filled in
	flat   []bool    // constant features
	mass   float64   // of all rows, at least 1
	cov    [][]float64
}

func newEstimate(s *Scatter, o Options) *estimate {
	e := &estimate{s: s, o: o, pooled: make([]float64, s.D), flat: make([]bool, s.D)}
	for h := range s.Metrics() {
		e.mass += s.Mass[h]
		for f := range e.pooled {
			e.pooled[f] += max(0, o.Base.Block(h)[s.slot(f)])
		}
	}
	if e.mass <= 0 {
		e.mass = 1
	}
	most := 0.0
	for f, y := range e.pooled {
		e.flat[f] = y <= roundingOf(o.Base.Square[f])
		if !e.flat[f] {
			most = max(most, y)
		}
	}
	if most == 0 { // every point lies on its centre: the Euclidean distance
		most = e.mass
	}
	for f, flat := range e.flat {
		if flat {
			e.pooled[f] = most
		}
	}
	switch {
	case s.Form == Form{Shape: Diagonal}:
	case o.Shrink >= 0:
		e.nu = o.Shrink
	case s.Form.Shape == Full:
		e.nu = float64(s.D + 2)
	default:
		e.nu = 3
	}
	return e
}

// roundingOf returns the scatter that rounding alone may leave of a constant
// feature whose squares add up to s; below 1e-250 squares have no digits left.
func roundingOf(s float64) float64 { return max(1e-24*s, 1e-250) }

// learn estimates the covariances, then the metrics and, in turn, the target.
func (e *estimate) learn(ctx context.Context, r *Report) (*Learned, error) {
	r.Shrink = e.nu
	for f, flat := range e.flat {
		if flat {
			r.Constant = append(r.Constant, f)
		}
	}
	for h := range e.s.Metrics() {
		c, err := e.invertible(ctx, h, r)
		if err != nil {
			return nil, err
		}
		e.cov = append(e.cov, c)
	}
	var prior *Prior
	if e.nu > 0 {
		prior = &Prior{Nu: e.nu, T: e.firstTarget()}
	}
	m, err := e.metrics(prior)
	// In the geometry of positive definite matrices the objective over the
	// target is convex: the way in turns leads to its one minimum.
	for turn := 0; err == nil && prior != nil && turn < 30; turn++ {
		t := target(m, e.diagonalTarget())
		if t == nil || nearlyEqual(t, prior.T) {
			break
		}
		prior = &Prior{Nu: e.nu, T: t}
		m, err = e.metrics(prior)
	}
	return m, err
}

func nearlyEqual(a, b []float64) bool {
	most, diff := 0.0, 0.0
	for i := range a {
		most, diff = max(most, math.Abs(a[i])), max(diff, math.Abs(a[i]-b[i]))
	}
	return diff <= 1e-12*most
}

func (e *estimate) diagonalTarget() bool { return !e.s.Form.PerCluster }

// firstTarget returns the pooled covariance.
func (e *estimate) firstTarget() []float64 {
	d := e.s.D
	t := make([]float64, len(e.cov[0]))
	for _, c := range e.cov {
		for p, y := range c {
			t[p] += y / e.mass
		}
	}
	if e.s.Form.Shape == Full && e.diagonalTarget() {
		for f := range d {
			t[f] = t[f*d+f]
		}
		t = t[:d:d]
	}
	return t
}

// metrics returns A_h = (c_h/N_h) ((S_h + νT)/(N_h + ν))⁻¹.
func (e *estimate) metrics(p *Prior) (*Learned, error) {
	d, form := e.s.D, e.s.Form
	a := make([]float64, 0, len(e.s.S))
	for h, cov := range e.cov {
		n := e.s.Mass[h]
		scale := n
		if n <= 0 { // a cluster without points: sound has given it the pooled covariance
			n, scale = 1, 1
		}
		c := append([]float64(nil), cov...)
		if p != nil {
			for q, t := range p.T {
				if form.Shape == Full && len(p.T) == d {
					q = q*d + q
				}
				c[q] += float64(p.Nu * t)
			}
			scale = n + p.Nu
		}
		if e.o.Scale == ScaleOne {
			scale = 1
		}
		if form.Shape == Diagonal {
			for f := range c {
				c[f] = scale / c[f]
			}
		} else {
			if q := cholesky(c, d); q >= 0 {
				return nil, fmt.Errorf("the scatter of cluster %d is singular at feature %d", h, q)
			}
			c = inverse(c, d)
			for q := range c {
				c[q] *= scale
			}
		}
		a = append(a, c...)
	}
	m, err := New(form, d, a)
	if err == nil {
		m.prior = p
	}
	return m, err
}
