package metric

import "math"

// Prior returns what the estimate was drawn to, nil for nothing.
func (m *Learned) Prior() *Prior { return m.prior }

// PriorCost returns what the prior adds to the objective.
func (m *Learned) PriorCost() (s float64) {
	p := m.prior
	if p == nil || p.Nu == 0 {
		return 0
	}
	logT := 0.0
	if len(p.T) == m.d {
		for _, t := range p.T {
			logT += math.Log(t)
		}
	} else {
		u := append([]float64(nil), p.T...)
		cholesky(u, m.d)
		for i := range m.d {
			logT += 2 * math.Log(u[i*m.d+i])
		}
	}
	for h := range m.k {
		s += p.trace(m, h) - m.logs[h] - logT - float64(m.d)
	}
	return p.Nu * max(0, s)
}

// trace returns tr(A_h T).
func (p *Prior) trace(m *Learned, h int) (s float64) {
	if len(p.T) == m.d && m.form.Shape == Full {
		for f, w := range m.Weights(h) {
			s += float64(w * p.T[f])
		}
		return s
	}
	for q, a := range m.matrix(h) {
		s += float64(a * p.T[q])
	}
	return s
}

// target returns the best T for the matrices of m: the inverse of their mean,
// cut down to its diagonal where diagonal is asked for.
func target(m *Learned, diagonal bool) []float64 {
	d, k := m.d, float64(m.k)
	mean := make([]float64, m.form.block(d))
	for h := range m.k {
		for p, a := range m.matrix(h) {
			mean[p] += a / k
		}
	}
	if m.form.Shape == Full && !diagonal {
		if cholesky(mean, d) >= 0 {
			return nil
		}
		return inverse(mean, d)
	}
	t := make([]float64, d)
	for f := range t {
		p := f
		if m.form.Shape == Full {
			p = f*d + f
		}
		t[f] = 1 / mean[p]
	}
	return t
}
