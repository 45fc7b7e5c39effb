package eigen

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/blocks"
)

// chunk is the length of the parts that vectors are cut into. It is fixed:
// sums over parts are added in order and have the same bits on any number of
// workers.
const chunk = 4096

// chunks calls do on each part of 0 ≤ i < n, from several goroutines.
func chunks(workers, n int, do func(c, lo, hi int)) {
	count := (n + chunk - 1) / chunk
	if count == 1 {
		do(0, 0, n)
		return
	}
	_ = blocks.Tasks(context.Background(), workers, count, func(c int) {
		do(c, c*chunk, min(n, (c+1)*chunk))
	})
}

// inner returns Σ x_i y_i in eight partial sums, added as pairs.
func inner(x, y []float64) float64 {
	var a, b, c, d, e, f, g, h float64
	for len(x) >= 8 && len(y) >= 8 {
		p, q := (*[8]float64)(x), (*[8]float64)(y)
		a += float64(p[0] * q[0])
		b += float64(p[1] * q[1])
		c += float64(p[2] * q[2])
		d += float64(p[3] * q[3])
		e += float64(p[4] * q[4])
		f += float64(p[5] * q[5])
		g += float64(p[6] * q[6])
		h += float64(p[7] * q[7])
		x, y = x[8:], y[8:]
	}
	s := ((a + e) + (c + g)) + ((b + f) + (d + h))
	y = y[:len(x)]
	for i := range x {
		s += float64(x[i] * y[i])
	}
	return s
}

// dot is inner over parts, side by side.
func dot(workers int, x, y []float64) (s float64) {
	n := len(x)
	if n <= chunk {
		return inner(x, y)
	}
	part := make([]float64, (n+chunk-1)/chunk)
	chunks(workers, n, func(c, lo, hi int) { part[c] = inner(x[lo:hi], y[lo:hi]) })
	for _, p := range part {
		s += p
	}
	return s
}

func norm(workers int, x []float64) float64 { return math.Sqrt(dot(workers, x, x)) }

func scale(x []float64, a float64) {
	for i := range x {
		x[i] *= a
	}
}

// addTo adds a x to y.
func addTo(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float64(a * x[i])
	}
}

// axpy is addTo over parts, side by side.
func axpy(workers int, y []float64, a float64, x []float64) {
	chunks(workers, len(y), func(_, lo, hi int) { addTo(y[lo:hi], a, x[lo:hi]) })
}

// dots returns the products of w with each of the vectors.
func dots(workers int, vs [][]float64, w []float64) []float64 {
	n, m := len(w), len(vs)
	out := make([]float64, m)
	if m == 0 {
		return out
	}
	part := make([]float64, (n+chunk-1)/chunk*m)
	chunks(workers, n, func(c, lo, hi int) {
		for j, v := range vs {
			part[c*m+j] = inner(v[lo:hi], w[lo:hi])
		}
	})
	for at, y := range part {
		out[at%m] += y
	}
	return out
}

// subtract takes Σ h_j v_j off w.
func subtract(workers int, w []float64, h []float64, vs [][]float64) {
	chunks(workers, len(w), func(_, lo, hi int) {
		for j, v := range vs {
			addTo(w[lo:hi], -h[j], v[lo:hi])
		}
	})
}

// combine returns Σ_j q[j] vs[j] for each row q of the m by m table.
func combine(workers, n int, vs [][]float64, q [][]float64) [][]float64 {
	out := make([][]float64, len(q))
	for a := range out {
		out[a] = make([]float64, n)
	}
	chunks(workers, n, func(_, lo, hi int) {
		for a := range out {
			for j, v := range vs {
				addTo(out[a][lo:hi], q[a][j], v[lo:hi])
			}
		}
	})
	return out
}

// random fills x with numbers of a normal distribution.
func random(x []float64, rng *rand.Rand) {
	for i := range x {
		x[i] = rng.NormFloat64()
	}
}

// clean takes the part along the orthonormal vectors null off x.
func clean(workers int, x []float64, null [][]float64) {
	if len(null) > 0 {
		subtract(workers, x, dots(workers, null, x), null)
	}
}
