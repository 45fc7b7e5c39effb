package dataio

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/data"
)

// kernelTolerance is how far apart, relative to the larger, two mirrored cells
// of a similarity matrix may be.
const kernelTolerance = 1e-9

// toKernel turns the rows of ds into a similarity matrix: they must be square
// and symmetric. Mirrored cells that differ by rounding are kept as they are.
func toKernel(ds *Dataset) error {
	if ds.Kernel != nil {
		return nil
	}
	if ds.X == nil {
		return &Error{File: ds.Name, Msg: "this is not a matrix, a kernel is wanted"}
	}
	n, d := ds.X.Len(), ds.X.Dim()
	if n != d {
		return &Error{File: ds.Name, Msg: fmt.Sprintf("%d rows of %d columns, a kernel is square", n, d),
			Hint: "give a square matrix of similarities, or read it as vectors"}
	}
	k, ok := ds.X.(*data.Dense)
	if !ok {
		k = &data.Dense{Cols: d, V: make([]float64, 0, n*d)}
		for i := range n {
			k.V = append(k.V, data.Copy(ds.X, i)...)
		}
	}
	if err := checkSymmetric(k, ds.Name); err != nil {
		return err
	}
	ds.X, ds.Kernel = nil, k
	return nil
}

func checkSymmetric(k *data.Dense, name string) error {
	n := k.Len()
	for i := range n {
		for j := range i {
			a, b := k.V[i*n+j], k.V[j*n+i]
			if math.IsNaN(a) || math.IsNaN(b) {
				return &Error{File: name, Msg: fmt.Sprintf("row %d, column %d is missing, a kernel has no gaps", i, j)}
			}
			if math.Abs(a-b) > kernelTolerance*max(math.Abs(a), math.Abs(b)) {
				return &Error{File: name, Msg: fmt.Sprintf("row %d, column %d is %v but row %d, column %d is %v, a kernel is symmetric", i, j, a, j, i, b)}
			}
		}
	}
	return nil
}
