package score

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// ErrUndefined is the error for a clustering without a silhouette: it needs at least two
// clusters, and fewer clusters than rows.
var ErrUndefined = errors.New("the silhouette is undefined")

// SilhouetteOptions say how much to measure and with what. The zero value
// measures up to 10,000 rows on all processors.
type SilhouetteOptions struct {
	// Sample is the number of rows beyond which only a sample of about that
	// size is measured; 0 is 10,000, below 0 measures all rows.
	Sample int
	// Seed draws the sample.
	Seed uint64
	// Workers is the number of goroutines; below 1, one per processor. The
	// result has the same bits for any number.
	Workers int
}

// Silhouettes hold how well rows fit their clusters (Rousseeuw 1987). That of
// a row is (b − a) / max(a, b), with a its mean Euclidean distance to the
// others of its cluster and b that to the nearest other cluster: near 1 it is
// well placed, near 0 between two clusters, below 0 nearer to another one. A
// row alone in its cluster, or at distance 0 from two clusters, has 0.
type Silhouettes struct {
	N        int                 // rows in all
	Sampled  bool                // whether only some of them were measured
	Mean     float64             // over all rows; where Sampled, its estimate
	Rows     []int               // the rows measured, ascending
	Values   []float64           // of Rows, in the same order
	Clusters []ClusterSilhouette // by ascending label
}

// ClusterSilhouette is the mean silhouette of one cluster.
type ClusterSilhouette struct {
	Label    int
	Size     int // rows in the cluster
	Measured int // how many of them were measured
	Mean     float64
}

// Silhouette measures the rows of x under the labels, which may be any
// numbers; each value is a cluster. The cost is O(m²d) for m measured rows, on
// sparse rows less by far.
//
// Where there are more rows than opts.Sample, the rows measured are drawn from
// each cluster in proportion to its size, at least two if it has them, and
// measured as if there were no others; Mean then weighs the clusters by their
// full size.
//
// It returns ErrUndefined for fewer than two clusters or where every row is a
// cluster, an error for rows that are not finite, and ctx's error when ctx
// ends first.
func Silhouette(ctx context.Context, x data.Rows, labels []int, opts SilhouetteOptions) (Silhouettes, error) {
	if x == nil {
		return Silhouettes{}, fmt.Errorf("no rows given for %d labels", len(labels))
	}
	if r, ok := x.(interface{ Check() error }); ok {
		if err := r.Check(); err != nil {
			return Silhouettes{}, fmt.Errorf("%w", err)
		}
	}
	n := x.Len()
	if n != len(labels) {
		return Silhouettes{}, fmt.Errorf("%d rows, %d labels; every row needs one", n, len(labels))
	}
	c := encode(labels, rangeOf(labels))
	k := len(c.group.values)
	if k < 2 || k == n {
		return Silhouettes{}, fmt.Errorf("%w: clusters %d, rows %d; it needs at least 2, and fewer than rows", ErrUndefined, k, n)
	}
	s, err := newSample(c, opts.Sample, opts.Seed)
	if err != nil {
		return Silhouettes{}, err
	}
	if err := s.loadRows(x); err != nil {
		return Silhouettes{}, err
	}
	values := make([]float64, len(s.rows))
	if err := s.measure(ctx, opts.Workers, values); err != nil {
		return Silhouettes{}, err
	}
	for p, v := range values {
		if math.IsNaN(v) {
			return Silhouettes{}, fmt.Errorf("the distances from row %d overflow; scale the data down", s.rows[p])
		}
	}
	return s.summary(c.group.values, values), nil
}

// loadRows checks the sampled rows and chooses how to measure them: by an inverted
// index if all are sparse, by differences otherwise.
func (s *sample) loadRows(x data.Rows) error {
	buf := make([]float64, x.Dim())
	sparse := true
	for _, i := range s.rows {
		v := x.Row(i, buf)
		if err := v.CheckFinite(i); err != nil {
			return fmt.Errorf("silhouette: %w", err)
		}
		sparse = sparse && v.Idx != nil
	}
	if sparse {
		s.distances = newSparseSilhouette(s, x)
	} else {
		s.distances = &denseSilhouette{s, x}
	}
	return nil
}

// summary turns the values of the sample, cluster by cluster, into a result.
func (s *sample) summary(labels []int, values []float64) Silhouettes {
	r := Silhouettes{N: s.n, Sampled: len(s.rows) < s.n}
	for c := range s.sizes {
		lo, hi := s.start[c], s.start[c+1]
		sum := 0.0
		for _, v := range values[lo:hi] {
			sum += v
		}
		mean := sum / float64(hi-lo)
		r.Clusters = append(r.Clusters, ClusterSilhouette{labels[c], s.sizes[c], hi - lo, mean})
		r.Mean += mean * (float64(s.sizes[c]) / float64(s.n))
	}
	r.Rows, r.Values = s.inRowOrder(values)
	return r
}
