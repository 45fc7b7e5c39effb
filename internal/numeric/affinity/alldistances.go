package affinity

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
)

// Distances are the squared distances between all rows of a table, computed on
// demand, with the bits of those that KNN returns.
type Distances struct{ table *rowTable }

// NewDistances prepares the rows of x, as KNN does.
func NewDistances(ctx context.Context, x data.Rows, workers int) (*Distances, error) {
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	t.keepEmptyRowsFar()
	return &Distances{t}, nil
}

// Row writes the squared distances of row i to all rows to dst. It may be called
// from several goroutines.
func (d *Distances) Row(i int, dst []float64) {
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	copy(dst, d.table.squaredDistances(i, d.table, 0, d.table.n, r))
}
