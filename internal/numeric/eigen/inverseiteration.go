package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// A locatedValue is a tridiagonal eigenvalue and the unreduced part [lo, hi) that it belongs to.
type locatedValue struct {
	value  float64
	lo, hi int
}

// locatedValues returns the eigenvalues of the tridiagonal matrix, ascending, each
// with its part.
func locatedValues(ctx context.Context, d, e []float64) ([]locatedValue, bool) {
	n := len(d)
	out := make([]locatedValue, 0, n)
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && math.Abs(e[hi]) > ulp*math.Sqrt(math.Abs(d[hi-1]))*math.Sqrt(math.Abs(d[hi])) && math.Abs(e[hi]) > smallestNormal {
			hi++
		}
		part, off := slices.Clone(d[lo:hi]), slices.Clone(e[lo:hi])
		off[0] = 0
		if !implicitQL(ctx, 1, part, off, nil) {
			return nil, false
		}
		for _, y := range part {
			out = append(out, locatedValue{y, lo, hi})
		}
		lo = hi
	}
	slices.SortStableFunc(out, func(a, b locatedValue) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.lo - b.lo
	})
	return out, true
}

// inverseIteration returns the eigenvectors of the tridiagonal matrix to the
// given eigenvalues (in ascending order). Those of close eigenvalues of the same
// part are kept orthogonal. It reports whether all of them came out well.
func inverseIteration(ctx context.Context, d, e []float64, want []locatedValue) ([][]float64, bool) {
	n := len(d)
	out := make([][]float64, len(want))
	rng := rand.New(rand.NewPCG(1, 0x1e55))
	for k, p := range want {
		if ctx.Err() != nil {
			return nil, false
		}
		out[k] = make([]float64, n)
		x := out[k][p.lo:p.hi]
		if len(x) == 1 {
			x[0] = 1
			continue
		}
		size := 0.0
		for i := p.lo; i < p.hi; i++ {
			size = max(size, math.Abs(d[i])+math.Abs(e[i]))
		}
		var close [][]float64
		shift := p.value
		for j := k - 1; j >= 0 && math.Abs(want[j].value-p.value) <= 1e-3*size; j-- {
			if want[j].lo != p.lo {
				continue
			}
			if len(close) == 0 && shift-want[j].value < 10*ulp*size {
				shift = want[j].value + 10*ulp*size // apart from its twin, by a hair
			}
			close = append(close, out[j][p.lo:p.hi])
		}
		if !invert(d[p.lo:p.hi], e[p.lo:p.hi], shift, size, x, close, rng) {
			return nil, false
		}
	}
	return out, true
}

// invert solves (T − shift) x = b a few times over, from a random start.
func invert(d, e []float64, shift, size float64, x []float64, close [][]float64, rng *rand.Rand) bool {
	lu := factorShifted(d, e, shift, size)
	random(x, rng)
	for tries := range 8 {
		scale(x, 1/math.Sqrt(inner(x, x)))
		lu.solve(x)
		grown := math.Sqrt(inner(x, x))
		for range 2 {
			for _, y := range close {
				addTo(x, -inner(x, y), y)
			}
		}
		left := math.Sqrt(inner(x, x))
		if !(left > 0) || math.IsInf(left, 0) || left < 1e-8*grown {
			random(x, rng)
			continue
		}
		scale(x, 1/left)
		if left*size*ulp*math.Sqrt(float64(len(x)))*64 >= 1 && tries >= 1 {
			return true
		}
	}
	return false
}

// shiftedLU is T − shift with rows interchanged: upper triangle with two bands.
type shiftedLU struct {
	u0, u1, u2, l []float64
	swap          []bool
}

func factorShifted(d, e []float64, shift, size float64) shiftedLU {
	n := len(d)
	f := shiftedLU{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n)}
	least := max(ulp*size, smallestNormal)
	a, b := d[0]-shift, 0.0 // the row in hand: diagonal and the next
	if n > 1 {
		b = e[1]
	}
	for i := range n - 1 {
		below, diag, next := e[i+1], d[i+1]-shift, 0.0
		if i+2 < n {
			next = e[i+2]
		}
		if math.Abs(a) >= math.Abs(below) {
			if math.Abs(a) < least {
				a = math.Copysign(least, a)
			}
			m := below / a
			f.u0[i], f.u1[i], f.l[i] = a, b, m
			a, b = diag-float64(m*b), next
		} else {
			m := a / below
			f.swap[i] = true
			f.u0[i], f.u1[i], f.u2[i], f.l[i] = below, diag, next, m
			a, b = b-float64(m*diag), -float64(m*next)
		}
	}
	if math.Abs(a) < least {
		a = math.Copysign(least, a)
	}
	f.u0[n-1] = a
	return f
}

func (f shiftedLU) solve(x []float64) {
	n := len(x)
	for i := range n - 1 {
		if f.swap[i] {
			x[i], x[i+1] = x[i+1], x[i]
		}
		x[i+1] -= float64(f.l[i] * x[i])
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		if i+1 < n {
			s -= float64(f.u1[i] * x[i+1])
		}
		if i+2 < n {
			s -= float64(f.u2[i] * x[i+2])
		}
		x[i] = s / f.u0[i]
	}
}
