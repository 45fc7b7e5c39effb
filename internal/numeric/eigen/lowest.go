package eigen

import "math"

// lowestSteps is the maximum number of steps of Lowest; far fewer find the end of a
// spectrum.
const lowestSteps = 200

// Lowest returns the lowest Ritz value of a symmetric matrix after some steps of the
// Lanczos method with full reorthogonalisation, and the norm of its residual. It begins
// with v, which it changes; where v has no length, both are 0. product multiplies the
// matrix by a vector, which it must not change.
func Lowest(v []float64, product func([]float64) ([]float64, error)) (value, residual float64, err error) {
	length := norm(1, v)
	if length == 0 || math.IsInf(1/length, 0) || math.IsNaN(length) {
		return 0, 0, nil
	}
	scale(v, 1/length)
	basis := [][]float64{v}
	var diagonal, beside []float64
	for step := 1; ; step++ {
		w, err := product(basis[step-1])
		if err != nil {
			return 0, 0, err
		}
		diagonal = append(diagonal, dot(1, w, basis[step-1]))
		for range 2 { // twice is enough
			for _, u := range basis {
				axpy(1, w, -dot(1, w, u), u)
			}
		}
		b := norm(1, w)
		value, last := lowestTridiagonal(diagonal, beside)
		residual = b * math.Abs(last)
		size := math.Abs(value) + math.Abs(diagonal[0])
		if residual <= 1e-10*size || b <= 1e-14*size || step == min(lowestSteps, len(v)) {
			return value, residual, nil
		}
		beside = append(beside, b)
		scale(w, 1/b)
		basis = append(basis, w)
	}
}
