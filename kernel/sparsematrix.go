package kernel

import (
	"slices"

	"github.com/inklinghq/inkling/data"
)

// A sparseMatrix is a symmetric matrix in the layout of data.Graph. Unlike those of
// a Graph its rows may be in any order. The zero value is the zero matrix.
type sparseMatrix struct{ data.Graph }

// neighbours returns the columns and values of row i.
func (g *sparseMatrix) neighbours(i int32) ([]int32, []float64) {
	if g.Start == nil {
		return nil, nil
	}
	lo, hi := g.Start[i], g.Start[i+1]
	return g.To[lo:hi:hi], g.W[lo:hi:hi]
}

// newSparseMatrix returns the matrix with these entries and their mirror images. Entries
// of the same pair add up. Loops are left out: a point shares its cluster with
// itself in every clustering. Without edges the matrix is zero.
func newSparseMatrix(n int, edges []data.Edge) sparseMatrix {
	if len(edges) == 0 {
		return sparseMatrix{}
	}
	edges = slices.DeleteFunc(edges, func(e data.Edge) bool { return e.U == e.V })
	return sparseMatrix{*data.BuildGraph(n, edges)}
}
