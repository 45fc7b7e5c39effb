package affinity

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// An Index is a table of rows that is searched several times, always exactly:
// for neighbours, for distances to all rows, and by those that walk its tree or
// its rings. Dense rows have one of the two, unless they have very many features; sparse
// rows have neither.
type Index struct {
	table *rowTable
	tree  *KDTree
	rings *Rings
}

// NewIndex prepares the rows of x, as KNN does, for searches of about k neighbours. A
// sample of rows decides between tree and rings.
func NewIndex(ctx context.Context, x data.Rows, k, workers int) (*Index, error) {
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	t.keepEmptyRowsFar()
	ix := &Index{table: t}
	if t.dense == nil {
		return ix, nil
	}
	if t.d <= treeDim {
		if ix.tree, err = buildKDTree(ctx, t, workers); err != nil {
			return nil, err
		}
		if t.n < treeRows || ix.tree.visitedShare(min(k, t.n-1)) <= ringsShare {
			return ix, nil
		}
	}
	ix.tree = nil
	if t.d > ringFeatures {
		return ix, nil
	}
	ix.rings, err = buildRings(ctx, t, workers)
	return ix, err
}

// ringsShare is the share of the leaves that a search by the tree may visit before
// rings are better.
const ringsShare = 0.05

// Tree returns the tree of dense rows, nil if there is none.
func (ix *Index) Tree() *KDTree { return ix.tree }

// Rings returns the rings of dense rows, nil if there are none.
func (ix *Index) Rings() *Rings { return ix.rings }

// Neighbours is KNN without approximation. Progress, unless nil, is called with the share
// of the rows that are done, on the goroutine that called it.
func (ix *Index) Neighbours(ctx context.Context, k, workers int, progress func(share float64)) (*Neighbours, error) {
	if k < 1 {
		return nil, fmt.Errorf("the number of neighbours must be at least 1, got %d", k)
	}
	nb := newNeighbours(ix.table, k)
	switch {
	case nb.K == 0:
		return nb, ctx.Err()
	case ix.tree != nil:
		return nb, nb.byTree(ctx, ix.tree, workers, progress)
	case ix.rings != nil:
		return nb, nb.byRings(ctx, ix.rings, workers, progress)
	}
	return nb, nb.bruteForce(ctx, workers, progress)
}

// Distances writes the squared distances of row i to all rows to dst, with the
// bits of those of its neighbours. It may be called from several goroutines.
func (ix *Index) Distances(i int, dst []float64) {
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	copy(dst, ix.table.squaredDistances(i, ix.table, 0, ix.table.n, r))
}
