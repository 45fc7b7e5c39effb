package eigen

import (
	"math"
)

// lowestTridiagonal returns the lowest eigenvalue of the symmetric tridiagonal matrix
// with these numbers on and beside its diagonal, and the last component of its
// unit eigenvector. The value is bisected by counting negative pivots; the
// vector is two steps of inverse iteration.
func lowestTridiagonal(diagonal, beside []float64) (value, last float64) {
	m := len(diagonal)
	lo, hi := math.Inf(1), math.Inf(1)
	for i, d := range diagonal {
		r := 0.0
		if i > 0 {
			r += math.Abs(beside[i-1])
		}
		if i < m-1 {
			r += math.Abs(beside[i])
		}
		lo, hi = min(lo, d-r), min(hi, d)
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if pivotsBelow(diagonal, beside, mid) > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	x := make([]float64, m)
	for i := range x {
		x[i] = 1 / math.Sqrt(float64(m))
	}
	for range 3 {
		solveTridiagonal(diagonal, beside, lo-1e-14*(math.Abs(lo)+math.Abs(diagonal[0])+math.SmallestNonzeroFloat64), x)
		size := 0.0
		for _, y := range x {
			size += float64(y * y)
		}
		if a := 1 / math.Sqrt(size); !math.IsNaN(a) && !math.IsInf(a, 0) {
			for i := range x {
				x[i] *= a
			}
		}
	}
	return lo, x[m-1]
}

// pivotsBelow counts the eigenvalues below x.
func pivotsBelow(diagonal, beside []float64, x float64) (count int) {
	p := 1.0
	for i, d := range diagonal {
		p, d = d-x, p
		if i > 0 {
			p -= beside[i-1] / d * beside[i-1]
		}
		if p == 0 {
			p = math.SmallestNonzeroFloat64 * 1e16
		}
		if p < 0 {
			count++
		}
	}
	return count
}

// solveTridiagonal replaces x by the solution y of (T − s)y = x, where s lies
// below all eigenvalues of T.
func solveTridiagonal(diagonal, beside []float64, s float64, x []float64) {
	m := len(diagonal)
	p := make([]float64, m)
	for i := range m {
		p[i] = diagonal[i] - s
		if i > 0 {
			f := beside[i-1] / p[i-1]
			p[i] -= f * beside[i-1]
			x[i] -= f * x[i-1]
		}
		if p[i] == 0 {
			p[i] = math.SmallestNonzeroFloat64 * 1e16
		}
	}
	for i := m - 1; i >= 0; i-- {
		if i < m-1 {
			x[i] -= beside[i] * x[i+1]
		}
		x[i] /= p[i]
	}
}
