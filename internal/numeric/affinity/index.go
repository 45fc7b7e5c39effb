package affinity

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// An Index is a table of rows that is searched several times, always exactly:
// for neighbours, for distances to all rows, and by those that walk its tree.
type Index struct {
	table *rowTable
	tree  *KDTree
}

// NewIndex prepares the rows of x, as KNN does. Dense rows get a tree.
func NewIndex(ctx context.Context, x data.Rows, workers int) (*Index, error) {
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	t.keepEmptyRowsFar()
	ix := &Index{table: t}
	if t.dense != nil {
		if ix.tree, err = buildKDTree(ctx, t, workers); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

// Tree returns the tree of dense rows, nil if they are sparse.
func (ix *Index) Tree() *KDTree { return ix.tree }

// Neighbours is KNN without approximation.
func (ix *Index) Neighbours(ctx context.Context, k, workers int) (*Neighbours, error) {
	if k < 1 {
		return nil, fmt.Errorf("the number of neighbours must be at least 1, got %d", k)
	}
	nb := newNeighbours(ix.table, k)
	if nb.K == 0 {
		return nb, ctx.Err()
	}
	return nb, nb.exactSearch(ctx, ix.tree, ix.tree.shareToVisit(nb.K), workers)
}

// Distances writes the squared distances of row i to all rows to dst, with the
// bits of those of its neighbours. It may be called from several goroutines.
func (ix *Index) Distances(i int, dst []float64) {
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	copy(dst, ix.table.squaredDistances(i, ix.table, 0, ix.table.n, r))
}
