package reliability

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
)

// Another person might have left out one column of a table. Where the clusters are then others, they say as much about
// that choice as about the rows.
const (
	fewColumns = 20  // of more, one makes little difference
	mostLeft   = 8   // columns that are left out, one at a time
	asKMeans   = 0.8 // least agreement with k-means: of another kind of clusters it would say nothing
)

// withoutColumn returns the mean agreement of k-means with k-means without one of the columns; nil where the clusters
// are not those of k-means.
func withoutColumn(ctx context.Context, x *data.Dense, labels []int, in Input) (*float64, error) {
	all, err := kmeansLabels(ctx, x, cluster.EffortNormal, in)
	if err != nil {
		return nil, err
	}
	own, err := score.ARI(all, labels)
	if err != nil || own < asKMeans {
		return nil, err
	}
	var columns []int
	of := func(f int) int {
		if in.Column == nil {
			return f
		}
		return in.Column[f]
	}
	for f := range x.Cols {
		if c := of(f); len(columns) == 0 || columns[len(columns)-1] != c {
			columns = append(columns, c)
		}
	}
	n, mean := min(len(columns), mostLeft), 0.0
	for q := range n {
		left := columns[q*len(columns)/n]
		var keep []int
		for f := range x.Cols {
			if of(f) != left {
				keep = append(keep, f)
			}
		}
		rest := &data.Dense{Cols: len(keep), V: make([]float64, 0, x.Len()*len(keep))}
		for i := range x.Len() {
			for _, f := range keep {
				rest.V = append(rest.V, x.V[i*x.Cols+f])
			}
		}
		without, err := kmeansLabels(ctx, rest, cluster.EffortNormal, in)
		if err != nil {
			return nil, err
		}
		same, err := score.ARI(all, without)
		if err != nil {
			return nil, err
		}
		mean += same / float64(n)
	}
	return pointer(mean), nil
}
