package eigen

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// reflections hold Q of A = Q T Qᵀ as n−2 Householder reflections
// I − τ u uᵀ: the u of step i stands in the first i numbers of row i of a.
type reflections struct {
	n   int
	a   []float64
	tau []float64
}

// tridiagonalise reduces the symmetric matrix whose lower triangle is in a to
// tridiagonal form, diagonal d and off-diagonal e (e[i] joins i−1 and i, e[0]
// is 0). It works from the last row upwards, so that all it touches lies along
// rows, and does the rank-2 update of one step and the product of the next in
// one walk through the matrix: the memory is read once per step, not twice. When ctx
// ends it stops, and what it returns is not to be used.
func tridiagonalise(ctx context.Context, workers, n int, a []float64) (d, e []float64, q reflections) {
	d, e = make([]float64, n), make([]float64, n)
	q = reflections{n, a, make([]float64, n)}
	v, w := make([]float64, n), make([]float64, n) // pending: A −= v wᵀ + w vᵀ
	parts := make([]float64, n*triangleParts)
	pending := false
	for i := n - 1; i >= 0 && ctx.Err() == nil; i-- {
		row := a[i*n : i*n+i+1]
		if pending {
			simd.TakeOff(row, v[i], w, w[i], v)
		}
		d[i] = row[i]
		u := row[:i]
		if i == 0 {
			break
		}
		alpha, tau := householder(u)
		e[i], q.tau[i] = alpha, tau
		if i == 1 {
			continue // u has one number, nothing to rotate
		}
		y := symmetricStep(workers, n, i, a, v, w, u, parts, pending)
		// p = τ A u; the update is u wᵀ + w uᵀ with w = p − (τ/2)(pᵀu) u.
		for c := range i {
			y[c] *= tau
		}
		half := 0.5 * tau * inner(y[:i], u)
		for c := range i {
			w[c] = y[c] - float64(half*u[c])
		}
		copy(v, u)
		pending = tau != 0
	}
	return d, e, q
}

// householder turns u into the vector of a reflection that maps u onto
// (0, …, 0, alpha), and returns alpha and τ. A u of which only the last number
// is not zero is left alone (τ = 0).
func householder(u []float64) (alpha, tau float64) {
	m := len(u) - 1
	most := 0.0
	for _, y := range u[:m] {
		most = max(most, math.Abs(y))
	}
	if most == 0 {
		return u[m], 0
	}
	most = max(most, math.Abs(u[m]))
	s := 0.0
	for _, y := range u {
		t := y / most
		s += float64(t * t)
	}
	alpha = -math.Copysign(most*math.Sqrt(s), u[m])
	// u becomes u − alpha e, scaled to 1 in its last number.
	lead := u[m] - alpha
	for c := range m {
		u[c] /= lead
	}
	u[m] = 1
	return alpha, -lead / alpha
}

// triangleParts bounds the number of tasks a step is cut into.
const triangleParts = 12

// symmetricStep applies the pending update to the leading m rows of a and
// returns the product of the result with u. The rows are cut into parts of
// about equal area, by m alone; each part has sums of its own, added in order.
func symmetricStep(workers, n, m int, a, v, w, u, parts []float64, pending bool) []float64 {
	count := min(triangleParts, 1+m*m/40000)
	cut := func(b int) int { return int(float64(m) * math.Sqrt(float64(b)/float64(count))) }
	do := func(b int) {
		lo, hi := cut(b), cut(b+1)
		if b == count-1 {
			hi = m
		}
		y := parts[b*n : b*n+hi]
		clear(y)
		for r := lo; r < hi; r++ {
			row := a[r*n : r*n+r+1]
			if pending {
				simd.TakeOff(row, v[r], w, w[r], v)
			}
			ur := u[r]
			y[r] += simd.InnerAdd(row[:r], u, y, ur) + float64(row[r]*ur)
		}
	}
	if count == 1 {
		do(0)
		return parts[:m]
	}
	_ = blocks.Tasks(context.Background(), workers, count, do)
	y := parts[(count-1)*n : (count-1)*n+m]
	for b := range count - 1 {
		hi := cut(b + 1)
		addTo(y[:hi], 1, parts[b*n:b*n+hi])
	}
	return y
}

// apply sets each of the vectors z to Q z. Vectors are independent; a group
// goes through the reflections together, so that each is read once a group.
func (q reflections) apply(ctx context.Context, workers int, z [][]float64) {
	const group = 16
	_ = blocks.Tasks(ctx, workers, (len(z)+group-1)/group, func(g int) {
		vs := z[g*group : min(len(z), (g+1)*group)]
		for i := 2; i < q.n; i++ {
			u, tau := q.a[i*q.n:i*q.n+i], q.tau[i]
			if tau == 0 {
				continue
			}
			for _, v := range vs {
				addTo(v[:i], -tau*inner(u, v[:i]), u)
			}
		}
	})
}
