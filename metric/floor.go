package metric

import "math"

// sound returns the scatter of cluster h, raised where it is too small to be
// inverted: no feature, and no axis of a full metric, keeps less than the floor's
// share of what the rows alone scatter there. A feature that is constant within
// h takes the scatter of all clusters, one that is constant everywhere the
// largest of any feature, so that its weight is small and finite.
func (e *estimate) sound(h int, r *Report) []float64 {
	d, n := e.s.D, e.s.Mass[h]
	base := make([]float64, d)
	bare := make([]bool, d)
	for f := range base {
		share := e.pooled[f] * n / e.mass
		if n <= 0 {
			share = e.pooled[f] / e.mass
		}
		own := e.o.Base.At(h)[e.s.slot(f)]
		bare[f] = e.flat[f] || own <= 1e-12*share
		if base[f] = own; bare[f] {
			base[f] = share
		}
	}
	if e.s.Form.Shape == Full {
		return e.soundFull(h, base, bare, r)
	}
	out := make([]float64, d)
	for f, b := range base {
		least := e.o.Floor * b
		if bare[f] {
			least = b
		}
		out[f] = e.s.At(h)[f]
		if out[f] < least {
			if !bare[f] {
				r.Clamped = append(r.Clamped, Clamp{h, f, out[f] / b, e.o.Floor})
			}
			out[f] = least
		}
	}
	return out
}

// soundFull is sound for a full metric, in features of unit scatter: there the
// mean eigenvalue of the rows' scatter is 1, whatever the features' units.
func (e *estimate) soundFull(h int, base []float64, bare []bool, r *Report) []float64 {
	d, s := e.s.D, e.s.At(h)
	unit := make([]float64, d)
	for f, b := range base {
		unit[f] = math.Sqrt(b)
	}
	c := make([]float64, d*d)
	for i := range d {
		for j := i; j < d; j++ {
			y := s[i*d+j] / unit[i] / unit[j]
			if bare[i] || bare[j] {
				y = 0
				if i == j {
					y = max(1, s[i*d+i]/base[i])
				}
			}
			c[i*d+j], c[j*d+i] = y, y
		}
	}
	least := e.o.Floor
	for f := range d { // beside a pair far larger than the scatter, rounding alone is more than the floor
		least = max(least, 1e-12*math.Abs(c[f*d+f]))
	}
	test := append([]float64(nil), c...)
	for f := range d {
		test[f*d+f] -= least
	}
	if cholesky(test, d) >= 0 {
		c = raise(c, d, least, func(from, to float64) {
			r.Clamped = append(r.Clamped, Clamp{h, -1, from, to})
		})
	}
	for i := range d {
		for j := range d {
			c[i*d+j] = float64(c[i*d+j]*unit[min(i, j)]) * unit[max(i, j)]
		}
	}
	return c
}

// raise returns the symmetric c with every eigenvalue below least raised to it. It
// is put together anew, so that a large negative one leaves no rounding behind.
func raise(c []float64, d int, least float64, tell func(from, to float64)) []float64 {
	values, vectors := jacobi(c, d)
	for _, v := range values {
		least = max(least, 1e-12*v)
	}
	out := make([]float64, d*d)
	for q, v := range values {
		if v < least {
			tell(v, least)
			v = least
		}
		for i := range d {
			for j := i; j < d; j++ {
				out[i*d+j] += float64(v * float64(vectors[i*d+q]*vectors[j*d+q]))
			}
		}
	}
	for i := range d {
		for j := range i {
			out[i*d+j] = out[j*d+i]
		}
	}
	return out
}

// jacobi returns the eigenvalues of the symmetric a and its eigenvectors as
// columns, by rotations that undo one off-diagonal entry at a time.
func jacobi(a []float64, d int) (values, vectors []float64) {
	a = append([]float64(nil), a...)
	v := make([]float64, d*d)
	for i := range d {
		v[i*d+i] = 1
	}
	for range 60 {
		off, on := 0.0, 0.0
		for i := range d {
			on += float64(a[i*d+i] * a[i*d+i])
			for j := i + 1; j < d; j++ {
				off += float64(a[i*d+j] * a[i*d+j])
			}
		}
		if off <= 1e-30*on {
			break
		}
		for p := range d {
			for q := p + 1; q < d; q++ {
				rotate(a, v, d, p, q)
			}
		}
	}
	values = make([]float64, d)
	for i := range d {
		values[i] = a[i*d+i]
	}
	return values, v
}

// rotate turns the axes p and q so that a_pq becomes 0.
func rotate(a, v []float64, d, p, q int) {
	if a[p*d+q] == 0 {
		return
	}
	theta := (a[q*d+q] - a[p*d+p]) / (2 * a[p*d+q])
	t := 1 / (math.Abs(theta) + math.Hypot(theta, 1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Hypot(t, 1)
	s := t * c
	for i := range d {
		x, y := a[i*d+p], a[i*d+q]
		a[i*d+p], a[i*d+q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	for i := range d {
		x, y := a[p*d+i], a[q*d+i]
		a[p*d+i], a[q*d+i] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
		x, y = v[i*d+p], v[i*d+q]
		v[i*d+p], v[i*d+q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	a[p*d+q], a[q*d+p] = 0, 0
}
