package centroid

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// A search finds the nearest centre of every row, again and again while the
// centres move.
type search struct {
	p       space
	e       *cluster.Env
	centres *Centres
	fixed   []int32 // the label that a row keeps, -1 for none; nil: none at all
	labels  []int32 // -1 before the first pass
	bounds  *bounds // nil: they would not pay
	bounded bool    // they are of these centres
	sparse  *sparseRows
	rounded *rounded // nil: the rows are not to be rounded
}

// newSearch returns a search that has found nothing yet. Whether to round the rows
// is up to the caller: it pays where they stay the same.
func newSearch(p space, e *cluster.Env, first *Centres) *search {
	n := p.X.Len()
	s := &search{p: p, e: e, centres: first, labels: make([]int32, n)}
	for i := range s.labels {
		s.labels[i] = -1
	}
	if isDense(p.X) && p.K >= leastBounded {
		s.bounds = newBounds(n, p.K)
	}
	if x, ok := p.X.(*data.Sparse); ok {
		s.sparse = newSparseRows(e, x)
	}
	return s
}

// round makes the search keep the rows in whole numbers, if they are dense and not
// too many.
func (s *search) round() {
	if s.bounds != nil && simd.RoundedBytes(s.p.X.Len(), s.p.X.Dim()) <= mostRounded {
		s.rounded = new(rounded)
	}
}

// leastBounded is the number of centres from which bounds pay: below, the
// search costs hardly more than the distance to one's own centre.
const leastBounded = 8

// isDense reports whether rows are dense and of a kind that is ours.
func isDense(x data.Rows) bool {
	switch x.(type) {
	case *data.Dense, *data.Dense32, *seen:
		return true
	}
	return false
}

// run labels all rows by the centres as they are now. When ctx ends, some rows
// may have labels by these centres and others by those before, or none.
func (s *search) run(ctx context.Context, pass *assignment) error {
	err := s.sweep(ctx, pass)
	if err != nil && s.bounds != nil {
		s.bounds.last = nil // what they say is of some rows only
	}
	return err
}

func (s *search) sweep(ctx context.Context, pass *assignment) error {
	pass.Centres, pass.Fixed, pass.Labels = s.centres, s.fixed, s.labels
	if s.bounds != nil {
		var keeps bool
		if keeps, pass.Shift = s.bounds.next(s.centres, s.probe); keeps {
			pass.Bounds = s.bounds
		}
	}
	s.bounded = pass.Bounds != nil
	if s.sparse != nil {
		pass.Sparse = s.sparse
		if err := s.sparse.turn(ctx, s.e, s.centres); err != nil {
			return err
		}
	}
	if s.rounded != nil {
		if err := s.rounded.turn(ctx, s); err != nil {
			return err
		}
		pass.Rounded = s.rounded.rows
	}
	err := cluster.Sweep(ctx, s.e, s.p.X, pass)
	if s.rounded != nil && err == nil {
		s.rounded.judge(pass)
	}
	return err
}

// probe looks at about a thousand rows.
func (s *search) probe(by *shift) []probe {
	list := make([]probe, 0, 1024)
	for i := 0; i < len(s.labels); i += 1 + len(s.labels)/1024 {
		h := s.labels[i]
		y := probe{before: s.bounds.since(i, by.before[h]), upper: s.bounds.most(i, h)}
		y.open = !s.isFixed(i) && !(y.upper < by.least(s.bounds, i, h, y.upper))
		list = append(list, y)
	}
	return list
}

func (s *search) isFixed(i int) bool { return s.fixed != nil && s.fixed[i] >= 0 }

// distances measures every row to the centre of its label.
func (s *search) distances(ctx context.Context) ([]float64, error) {
	pass := &distortion{Centres: s.centres, Labels: s.labels, Dist: make([]float64, len(s.labels))}
	return pass.Dist, cluster.Sweep(ctx, s.e, s.p.X, pass)
}
