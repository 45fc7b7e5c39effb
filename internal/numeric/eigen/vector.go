package eigen

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// chunk is the length of the parts that vectors are cut into. It is fixed:
// sums over parts are added in order and have the same bits on any number of
// workers.
const chunk = 4096

// chunks calls do on each part of 0 ≤ i < n, from several goroutines.
func chunks(workers, n int, do func(c, lo, hi int)) {
	chunksUntil(context.Background(), workers, n, do)
}

// chunksUntil is chunks, which leaves out what is left when ctx ends.
func chunksUntil(ctx context.Context, workers, n int, do func(c, lo, hi int)) {
	count := (n + chunk - 1) / chunk
	if count == 1 {
		do(0, 0, n)
		return
	}
	_ = blocks.Tasks(ctx, workers, count, func(c int) {
		do(c, c*chunk, min(n, (c+1)*chunk))
	})
}

// inner returns Σ x_i y_i, in a fixed order of additions.
func inner(x, y []float64) float64 { return simd.Inner(x, y) }

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
func addTo(y []float64, a float64, x []float64) { simd.AddTo(y, a, x) }

// addAll adds Σ_j f_j x_j, from lo to hi, to y, which has hi − lo numbers.
func addAll(y []float64, f []float64, xs [][]float64, lo, hi int) {
	for ; len(xs) >= 4; f, xs = f[4:], xs[4:] {
		simd.AddTo4(y, (*[4]float64)(f), xs[0][lo:hi], xs[1][lo:hi], xs[2][lo:hi], xs[3][lo:hi])
	}
	for j, x := range xs {
		simd.AddTo(y, f[j], x[lo:hi])
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
	f := make([]float64, len(h))
	for j := range h {
		f[j] = -h[j]
	}
	chunks(workers, len(w), func(_, lo, hi int) { addAll(w[lo:hi], f, vs, lo, hi) })
}

// combine returns Σ_j q[j] vs[j] for each row q of the table.
func combine(workers, n int, vs [][]float64, q [][]float64) [][]float64 {
	out := newVectors(len(q), n)
	mix(context.Background(), workers, out, nil, vs, q)
	return out
}

// random fills x with numbers of a normal distribution.
func random(x []float64, rng *rand.Rand) {
	for i := range x {
		x[i] = rng.NormFloat64()
	}
}

// projectOut takes the part along the orthonormal vectors null off x.
func projectOut(workers int, x []float64, null [][]float64) {
	if len(null) > 0 {
		subtract(workers, x, dots(workers, null, x), null)
	}
}

// mix sets out[c] to base[c] + Σ_j coef[c][j] in[j]; a nil base stands for
// zeros. When ctx ends what it set is not to be used.
func mix(ctx context.Context, workers int, out, base, in [][]float64, coef [][]float64) {
	if len(out) == 0 {
		return
	}
	chunksUntil(ctx, workers, len(out[0]), func(_, lo, hi int) {
		for ; lo < hi; lo += tile {
			end := min(hi, lo+tile)
			for c, o := range out {
				if ctx.Err() != nil {
					return
				}
				y := o[lo:end]
				if base == nil {
					clear(y)
				} else {
					copy(y, base[c][lo:end])
				}
				addAll(y, coef[c], in, lo, end)
			}
		}
	})
}

func newVectors(count, n int) [][]float64 {
	all := make([]float64, count*n)
	out := make([][]float64, count)
	for c := range out {
		out[c] = all[c*n : (c+1)*n : (c+1)*n]
	}
	return out
}

// tile is the number of rows of many vectors that are worked on together: they
// fit the cache.
const tile = 512
