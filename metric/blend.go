package metric

import "fmt"

// Blend returns (1−t) A + t B for the matrices of a and b, and for the targets of
// their priors, with 0 ≤ t ≤ 1: a step that goes only part of the way where the
// whole would raise the objective.
func Blend(a, b *Learned, t float64) (*Learned, error) {
	if a.form != b.form || a.d != b.d || a.k != b.k {
		return nil, fmt.Errorf("a %s metric of %d features cannot be blended with a %s one of %d", a.form, a.d, b.form, b.d)
	}
	if !(t >= 0 && t <= 1) {
		return nil, fmt.Errorf("a blend of %v, it must be within [0, 1]", t)
	}
	m, err := New(a.form, a.d, mix(a.a, b.a, t))
	if err != nil {
		return nil, err
	}
	switch p, q := a.prior, b.prior; {
	case p != nil && q != nil && len(p.T) == len(q.T):
		m.prior = &Prior{Nu: q.Nu, T: mix(p.T, q.T, t)}
	case q != nil:
		m.prior = q
	default:
		m.prior = p
	}
	return m, nil
}

func mix(a, b []float64, t float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = float64((1-t)*a[i]) + float64(t*b[i])
	}
	return out
}
