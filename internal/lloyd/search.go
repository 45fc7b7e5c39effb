package lloyd

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// A Search finds the nearest centre of every row, again and again while the
// centres move.
type Search struct {
	p       Space
	e       *cluster.Env
	centres *Centres
	packed  *PackedCentres // those of the last pass
	fixed   []int32        // the label that a row keeps, -1 for none; nil: none at all
	labels  []int32        // -1 before the first pass
	bounds  *bounds        // nil: they would not pay
	bounded bool           // they are of these centres
	sparse  *SparseRows
	rounded *rounded // nil: the rows are not to be rounded
}

// NewSearch returns a search that has found nothing yet. Whether to round the rows
// is up to the caller: it pays where they stay the same.
func NewSearch(p Space, e *cluster.Env, first *Centres) *Search {
	n := p.X.Len()
	s := &Search{p: p, e: e, centres: first, labels: make([]int32, n)}
	for i := range s.labels {
		s.labels[i] = -1
	}
	if IsDense(p.X) && p.K >= leastBounded {
		s.bounds = newBounds(n, p.K)
	}
	if x, ok := p.X.(*data.Sparse); ok {
		s.sparse = NewSparseRows(e, x)
	}
	return s
}

// KeepRounded makes the search keep the rows in whole numbers, if they are dense
// and not too many.
func (s *Search) KeepRounded() {
	if s.bounds != nil && simd.RoundedBytes(s.p.X.Len(), s.p.X.Dim()) <= mostRounded {
		s.rounded = new(rounded)
	}
}

// leastBounded is the number of centres from which bounds pay: below, the
// search costs hardly more than the distance to one's own centre.
const leastBounded = 8

// IsDense reports whether rows are dense and of a kind that is ours.
func IsDense(x data.Rows) bool {
	switch x.(type) {
	case *data.Dense, *data.Dense32, *TransformedRows:
		return true
	}
	return false
}

// run labels all rows by the centres as they are now. When ctx ends, some rows
// may have labels by these centres and others by those before, or none.
func (s *Search) run(ctx context.Context, pass *assignment) error {
	err := s.sweep(ctx, pass)
	if err != nil && s.bounds != nil {
		s.bounds.last = nil // what they say is of some rows only
	}
	return err
}

func (s *Search) sweep(ctx context.Context, pass *assignment) error {
	pass.Centres, pass.Fixed, pass.Labels = s.packedCentres(), s.fixed, s.labels
	if s.bounds != nil {
		var keeps bool
		if keeps, pass.Shift = s.bounds.next(s.centres, s.probe); keeps {
			pass.Bounds = s.bounds
		}
	}
	s.bounded = pass.Bounds != nil
	if s.sparse != nil {
		pass.Sparse = s.sparse
		if err := s.sparse.SetCentres(ctx, s.e, s.centres); err != nil {
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
func (s *Search) probe(by *shift) []probe {
	list := make([]probe, 0, 1024)
	for i := 0; i < len(s.labels); i += 1 + len(s.labels)/1024 {
		h := s.labels[i]
		y := probe{before: s.bounds.since(i, by.before[h]), upper: s.bounds.most(i, h)}
		y.open = !s.isFixed(i) && !(y.upper < by.least(s.bounds, i, h, y.upper))
		list = append(list, y)
	}
	return list
}

func (s *Search) isFixed(i int) bool { return s.fixed != nil && s.fixed[i] >= 0 }

// Distances measures every row to the centre of its label.
func (s *Search) Distances(ctx context.Context) ([]float64, error) {
	pass := &distancePass{Centres: s.packedCentres(), Labels: s.labels, dist: make([]float64, len(s.labels))}
	return pass.dist, cluster.Sweep(ctx, s.e, s.p.X, pass)
}

// TotalDistortion returns Σ w_i ‖x_i − c_{l_i}‖² over the rows, by the centres as
// they are now and labels that need not be those of the search.
func (s *Search) TotalDistortion(ctx context.Context, labels []int32, weight []float64) (float64, error) {
	pass := &distortionPass{Centres: s.packedCentres(), Labels: labels, Weight: weight}
	err := cluster.Sweep(ctx, s.e, s.p.X, pass)
	return pass.sum, err
}

// packedCentres returns the centres as they are now, packed once for all passes.
func (s *Search) packedCentres() *PackedCentres {
	if s.packed == nil || s.packed.Centres != s.centres {
		s.packed = Pack(s.centres, s.p.X)
	}
	return s.packed
}

// Rows returns the rows that are searched.
func (s *Search) Rows() data.Rows { return s.p.X }

// Centres returns the centres as they are now.
func (s *Search) Centres() *Centres { return s.centres }

// Labels returns the label of each row after the last pass; the search changes
// them in the next.
func (s *Search) Labels() []int32 { return s.labels }

// Replace makes c the centres and p the problem, whose rows stand for the same
// points. Bounds stay: the caller makes sure that they still hold.
func (s *Search) Replace(p *cluster.Problem, c *Centres) {
	s.p.Problem, s.centres, s.packed = p, c, nil
	if x, ok := p.X.(*data.Sparse); !ok {
		s.sparse = nil
	} else if s.sparse == nil || x != s.sparse.Sparse {
		s.sparse = NewSparseRows(s.e, x)
	}
}

// AssignAll labels every row by the centres as they are now, and lists no moves.
func (s *Search) AssignAll(ctx context.Context) error {
	return s.run(ctx, &assignment{First: true})
}

// LowerBound returns at most the distance of row i to any centre but that of its
// label; 0 where the last pass kept no bounds.
func (s *Search) LowerBound(i int) float64 {
	if !s.bounded {
		return 0
	}
	return max(0, s.bounds.least(i, s.labels[i]))
}

// RescaleBounds carries the bounds over to rows and centres whose features weigh
// now what they weighed was before, in squared distances: distances shrink at most
// by the root of the factor by which the weight of a feature falls most, and grow
// at most by that by which one rises most. Where either is nil the features are
// mixed, and bounds are lost. The centres are those of the new space.
func (s *Search) RescaleBounds(ctx context.Context, was, now []float64) error {
	b, least, most := s.bounds, math.Inf(1), 0.0
	if b == nil || b.last == nil {
		return nil
	}
	if was == nil || now == nil {
		b.last = nil
		return nil
	}
	for f := range was {
		least, most = min(least, now[f]/was[f]), max(most, now[f]/was[f])
	}
	shrink, grow := math.Sqrt(least)/RoundingMargin, math.Sqrt(most)*RoundingMargin
	slack := 0.0 // what rounding may make of the centres
	for h := range b.last.K {
		slack = max(slack, 1e-14*math.Sqrt(data.Norm2(s.centres.At(h))))
	}
	err := LongBlocks(ctx, s.e.Workers, len(b.lower), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			h := s.labels[i]
			b.beyond(i, h, max(b.least(i, h), 0)*shrink-slack)
			b.hold(i, h, b.most(i, h)*grow+slack)
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return err
	}
	last := make([]float64, len(b.last.C))
	for f := range was {
		r := math.Sqrt(now[f] / was[f])
		for at := f; at < len(last); at += len(was) {
			last[at] = b.last.C[at] * r
		}
	}
	b.last = NewCentres(b.last.K, b.last.D, last)
	return nil
}

// HasBounds reports whether the last pass kept bounds.
func (s *Search) HasBounds() bool { return s.bounded }
