package kernel

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/data"
)

// taken returns a given kernel in single precision. Cells that differ from
// their mirror images by rounding, which Problem.Check lets pass, are those
// below the diagonal.
func taken(k *data.Dense) (*affinity.Matrix, error) {
	n := k.Len()
	v := make([]float32, n*n)
	for i := range n {
		for j := range i + 1 {
			y := float32(k.V[i*n+j])
			if math.IsInf(float64(y), 0) {
				return nil, fmt.Errorf("row %d, column %d is %v, at most %.3g; scale the matrix", i, j, k.V[i*n+j], math.MaxFloat32)
			}
			v[i*n+j], v[j*n+i] = y, y
		}
	}
	return affinity.NewMatrix(n, v)
}
