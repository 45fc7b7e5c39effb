package metric

import "math"

// cholesky replaces the symmetric d×d matrix a by U, upper triangular with
// a = U'U, zeros below. It returns -1, or the pivot at which a is found not to
// be positive definite.
func cholesky(a []float64, d int) int {
	for i := range d {
		row := a[i*d : (i+1)*d]
		p := row[i]
		if !(p > 0) || math.IsInf(p, 0) {
			return i
		}
		p = math.Sqrt(p)
		for j := i; j < d; j++ {
			row[j] /= p
		}
		for j := i + 1; j < d; j++ {
			f := row[j]
			if f == 0 {
				continue
			}
			down := a[j*d : (j+1)*d]
			for q := j; q < d; q++ {
				down[q] -= float64(f * row[q])
			}
		}
		for j := range i {
			row[j] = 0
		}
	}
	return -1
}

// inverse returns the inverse of U'U, symmetric to the bit.
func inverse(u []float64, d int) []float64 {
	inv := make([]float64, d*d) // U⁻¹, upper triangular
	for j := range d {
		inv[j*d+j] = 1 / u[j*d+j]
		for i := j - 1; i >= 0; i-- {
			s := 0.0
			for q := i + 1; q <= j; q++ {
				s += float64(u[i*d+q] * inv[q*d+j])
			}
			inv[i*d+j] = -s / u[i*d+i]
		}
	}
	out := make([]float64, d*d)
	for i := range d {
		for j := i; j < d; j++ {
			s := 0.0
			for q := j; q < d; q++ {
				s += float64(inv[i*d+q] * inv[j*d+q])
			}
			out[i*d+j], out[j*d+i] = s, s
		}
	}
	return out
}
