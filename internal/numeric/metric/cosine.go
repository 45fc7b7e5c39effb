package metric

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// Cosine is 1 − x'μ/(‖x‖‖μ‖).
const Cosine = "cosine"

var cosineDistance = Distance{Name: Cosine, Searched: true, Unit: true, New: func(float64) Divergence { return cosine{} }}

// cosine is 1 − x'Aμ / (‖x‖_A ‖μ‖_A) for a diagonal A. A point or a centre
// without length has no direction: it is at distance 1 from everything but
// another such point. Centres are the directions of the mean, and of length 1.
type cosine struct{}

func (cosine) Name() string { return Cosine }

func (cosine) Check(x data.Rows) error { return data.CheckFinite(x) }

// Prepare brings v to length 1.
func (cosine) Prepare(v data.Vec, buf []float64) data.Vec {
	buf = buf[:len(v.Val)]
	big := 0.0
	for _, y := range v.Val {
		big = max(big, math.Abs(y))
	}
	if big == 0 {
		return v
	}
	for p, y := range v.Val { // first by the largest, so that squares stay in range
		buf[p] = y / big
	}
	l := math.Sqrt(data.Norm2(buf))
	for p := range buf {
		buf[p] /= l
	}
	return data.Vec{Idx: v.Idx, Val: buf}
}

func (cosine) FromCentre(v data.Vec, c, a []float64, rest float64) float64 {
	dot, v2 := 0.0, 0.0
	for p, y := range v.Val {
		f := v.Feature(p)
		w := float64(weightAt(a, f) * y)
		dot += float64(w * c[f])
		v2 += float64(w * y)
	}
	if v2 == 0 || rest == 0 {
		return 1
	}
	return max(0, 1-dot/math.Sqrt(v2)/math.Sqrt(rest))
}

// CentreTerm returns ‖c‖²_A.
func (cosine) CentreTerm(c, a []float64) (s float64) {
	for f, y := range c {
		s += float64(float64(weightAt(a, f)*y) * y)
	}
	return s
}

// Centre brings the sum to length 1, unless it has none.
func (z cosine) Centre(sum []float64, _ float64) {
	copy(sum, z.Prepare(data.Vec{Val: sum}, make([]float64, len(sum))).Val)
}

// Gap returns (x/‖x‖ − y/‖y‖)/√2, whose squared length is 1 − cos(x, y); where one
// of the two has no length, the direction of the other. Weights are not in it.
func (z cosine) Gap(x, y data.Vec) data.Vec {
	u, v := z.Prepare(x, make([]float64, len(x.Val))), z.Prepare(y, make([]float64, len(y.Val)))
	g := difference(u, v)
	if data.Norm2(x.Val) == 0 || data.Norm2(y.Val) == 0 {
		return g
	}
	for p := range g.Val {
		g.Val[p] /= math.Sqrt2
	}
	return g
}
