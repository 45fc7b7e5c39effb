package source

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// kernelTolerance is how far apart, relative to the larger, two mirrored cells
// of a similarity matrix may be.
const kernelTolerance = 1e-9

// MakeKernel turns the rows of ds into a similarity matrix: they must be square
// and symmetric. Mirrored cells that differ by rounding are kept as they are.
func MakeKernel(ds *Dataset) error {
	if ds.Kernel != nil {
		return nil
	}
	if ds.X == nil {
		return &Error{File: ds.Name, Msg: "this is not a matrix, a kernel is wanted"}
	}
	n, d := ds.X.Len(), ds.X.Dim()
	if n != d {
		return &Error{File: ds.Name, Msg: fmt.Sprintf("a kernel must be square, got %d rows of %d columns", n, d),
			Hint: "give a square matrix of similarities, or read it as vectors"}
	}
	k, err := fullMatrix(ds)
	if err != nil {
		return err
	}
	if err := checkSymmetric(k, ds.Name); err != nil {
		return err
	}
	ds.X, ds.Kernel = nil, k
	return nil
}

// fullMatrix returns the rows of ds as one dense block.
func fullMatrix(ds *Dataset) (*data.Dense, error) {
	if k, ok := ds.X.(*data.Dense); ok {
		return k, nil
	}
	n := ds.X.Len()
	if s, ok := ds.X.(*data.Sparse); ok && n > 4096 && n/1024*n > len(s.Val) {
		return nil, &Error{File: ds.Name, Msg: fmt.Sprintf("a kernel of %d by %d cells with %s: nearly all of it is zero", n, n, Counted(len(s.Val), "value")),
			Hint: "read it as a graph"}
	}
	k := &data.Dense{Cols: n, V: make([]float64, n*n)}
	buf := make([]float64, n)
	for i := range n {
		ds.X.Row(i, buf).Write(k.V[i*n : (i+1)*n])
	}
	return k, nil
}

// checkSymmetric refuses gaps and cells that differ from their mirror images.
func checkSymmetric(k *data.Dense, name string) error {
	n := k.Len()
	for i := range n {
		for j := range n {
			a := k.V[i*n+j]
			if a-a != 0 {
				return &Error{File: name, Msg: fmt.Sprintf("row %d, column %d (from 0) is %v; every value of a kernel must be a number", i, j, a)}
			}
			if j >= i {
				continue
			}
			b := k.V[j*n+i]
			if math.Abs(a-b) > kernelTolerance*max(math.Abs(a), math.Abs(b)) {
				return &Error{File: name, Msg: fmt.Sprintf("row %d, column %d is %v but row %d, column %d is %v (from 0), a kernel is symmetric", i, j, a, j, i, b)}
			}
		}
	}
	return nil
}
