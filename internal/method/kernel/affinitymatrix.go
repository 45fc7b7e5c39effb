package kernel

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// An affinityMatrix is a symmetric n × n matrix B of affinities that a
// weightedKMeans works on: a graph, or rows mapped by a kernel.
type affinityMatrix interface {
	// AddRow adds w·B_ij to dst[j] for every j ≠ i.
	AddRow(i int, w float64, dst []float64)
	// Multiply writes Σ_j B_ij x_j over j ≠ i to dst[i], for every i.
	Multiply(ctx context.Context, workers int, x, dst []float64) error
}

// A denseMatrix is the affinityMatrix of a kernel.
type denseMatrix interface {
	affinityMatrix
	// ClusterSums adds, for every node i, Σ_j B_ij over j ≠ i in cluster c to
	// sum[c·n + i].
	ClusterSums(ctx context.Context, workers, k int, label []int32, sum []float64) error
	Diagonal(i int) float64 // B_ii
	RowCost(k int) float64  // multiplications for one row of ClusterSums
}

// A graphMatrix is the affinityMatrix of a graph.
type graphMatrix struct{ graph sparseMatrix }

// addToClusters adds Σ_j B_ij over j ≠ i in cluster c to sum[c].
func (s graphMatrix) addToClusters(i int, label []int32, sum []float64) {
	to, w := s.graph.neighbours(int32(i))
	for q, j := range to {
		if int(j) != i {
			sum[label[j]] += w[q]
		}
	}
}

func (s graphMatrix) AddRow(i int, w float64, dst []float64) {
	to, a := s.graph.neighbours(int32(i))
	for q, j := range to {
		if int(j) != i {
			dst[j] += float64(w * a[q])
		}
	}
}

func (s graphMatrix) Multiply(ctx context.Context, workers int, x, dst []float64) error {
	return blocks.Each(ctx, workers, len(x), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			y := 0.0
			to, w := s.graph.neighbours(int32(i))
			for q, j := range to {
				if int(j) != i {
					y += float64(w[q] * x[j])
				}
			}
			dst[i] = y
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

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
