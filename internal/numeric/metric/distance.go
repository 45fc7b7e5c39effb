package metric

import (
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Dist2 returns (v−c)'A_h(v−c), never below 0. c2 is c'A_h c (see Norm2), which
// only a sparse v needs: under None and Diagonal its cost is then the number of
// values v holds, not the length of c, unless v is all but on the spot of c.
func (m *Learned) Dist2(h int, v data.Vec, c []float64, c2 float64) float64 {
	if m.form.Shape == Full {
		return m.full2(h, v, c)
	}
	if v.Idx == nil {
		if m.form.Shape == None {
			return simd.Dist2(v.Val, c[:len(v.Val)])
		}
		return weighted2(v.Val, c, m.matrix(h))
	}
	if m.form.Shape == None {
		return data.Dist2(v, c, c2)
	}
	a, v2, dot := m.matrix(h), 0.0, 0.0
	for p, f := range v.Idx {
		w := float64(a[f] * v.Val[p])
		v2 += float64(w * v.Val[p])
		dot += float64(w * c[f])
	}
	d2 := data.SparseDist2(dot, v2, c2)
	if !data.Cancels(d2, v2, c2) {
		return d2
	}
	d2 = 0
	eachDifference(v, data.Vec{Val: c}, func(f int, e float64) { d2 += float64(float64(e*e) * a[f]) })
	return d2
}

// Norm2 returns c'A_h c, what Dist2 asks for a centre.
func (m *Learned) Norm2(h int, c []float64) (s float64) {
	switch m.form.Shape {
	case None:
		return data.Norm2(c)
	case Diagonal:
		for f, a := range m.matrix(h) {
			s += float64(float64(a*c[f]) * c[f])
		}
		return s
	}
	u := m.upperOf(h)
	for j := range m.d {
		t := 0.0
		for i := j; i < m.d; i++ {
			t += float64(u[j*m.d+i] * c[i])
		}
		s += float64(t * t)
	}
	return s
}

// weighted2 returns Σ_f a_f (x_f−c_f)² in four strands.
func weighted2(x, c, a []float64) float64 {
	c, a = c[:len(x)], a[:len(x)]
	var s0, s1, s2, s3 float64
	f := 0
	for ; f+4 <= len(x); f += 4 {
		e0, e1, e2, e3 := x[f]-c[f], x[f+1]-c[f+1], x[f+2]-c[f+2], x[f+3]-c[f+3]
		s0 += float64(float64(e0*e0) * a[f])
		s1 += float64(float64(e1*e1) * a[f+1])
		s2 += float64(float64(e2*e2) * a[f+2])
		s3 += float64(float64(e3*e3) * a[f+3])
	}
	for ; f < len(x); f++ {
		e := x[f] - c[f]
		s0 += float64(float64(e*e) * a[f])
	}
	return (s0 + s1) + (s2 + s3)
}

func (m *Learned) upperOf(h int) []float64 {
	h = m.Index(h)
	return m.upper[h*m.d*m.d : (h+1)*m.d*m.d]
}

// full2 returns ‖U(v−c)‖²: as a sum of squares it cannot fall below 0.
func (m *Learned) full2(h int, v data.Vec, c []float64) (s float64) {
	u, d, x := m.upperOf(h), m.d, v.Val
	if v.Idx != nil {
		x = v.Full(make([]float64, d))
	}
	x, c = x[:d], c[:d]
	j := 0
	for ; j+4 <= d; j += 4 { // four rows side by side; below the diagonal they are 0
		a, b, e, g := u[j*d:(j+1)*d], u[(j+1)*d:(j+2)*d], u[(j+2)*d:(j+3)*d], u[(j+3)*d:(j+4)*d]
		var ta, tb, te, tg float64
		for i := j; i < d; i++ {
			y := x[i] - c[i]
			ta += float64(a[i] * y)
			tb += float64(b[i] * y)
			te += float64(e[i] * y)
			tg += float64(g[i] * y)
		}
		s += float64(ta * ta)
		s += float64(tb * tb)
		s += float64(te * te)
		s += float64(tg * tg)
	}
	for ; j < d; j++ {
		t, row := 0.0, u[j*d:(j+1)*d]
		for i := j; i < d; i++ {
			t += float64(row[i] * (x[i] - c[i]))
		}
		s += float64(t * t)
	}
	return s
}

// PairDist2 returns (x−y)'A_h(x−y), never below 0. Two sparse rows cost what
// they hold under None and Diagonal.
func (m *Learned) PairDist2(h int, x, y data.Vec) (s float64) {
	switch {
	case x.Idx == nil && y.Idx == nil:
		return m.Dist2(h, x, y.Val, 0)
	case m.form.Shape == Full:
		return m.full2(h, x, y.Full(make([]float64, m.d)))
	}
	var a []float64
	if m.form.Shape == Diagonal {
		a = m.matrix(h)
	}
	eachDifference(x, y, func(f int, e float64) {
		e2 := e * e
		if a != nil {
			e2 *= a[f]
		}
		s += e2
	})
	return s
}
