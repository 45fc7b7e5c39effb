package lloyd

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A Search finds the nearest centre of every row, again and again while the
// centres move.
type Search struct {
	p         Space
	e         *cluster.Env
	centres   *Centres
	packed    *PackedCentres // centres, packed
	fixed     []int32        // the label that a row keeps, -1: none; nil: no row is fixed
	labels    []int32        // -1 before the first pass
	bounds    *bounds        // nil: too few centres, or rows not dense
	hasBounds bool           // bounds refer to these centres
	sparse    *SparseRows
	rounded   *roundedCache // nil: rows are not rounded
	parts     sync.Pool     // scratch of the passes
	probes    []boundProbe  // scratch of probeBounds
	device    onDevice
}

// NewSearch returns a search before its first pass. Whether to keep rounded rows is
// up to the caller: it pays where rows do not change between passes.
func NewSearch(p Space, e *cluster.Env, first *Centres) *Search {
	n := p.X.Len()
	s := &Search{p: p, e: e, centres: first, labels: make([]int32, n)}
	for i := range s.labels {
		s.labels[i] = -1
	}
	if stored, _ := searchedRows(p.X); IsDense(p.X) && stored == nil && p.K >= minBoundedCentres {
		s.bounds = newBounds(n, p.K, e.Workers)
	}
	if x, ok := p.X.(*data.Sparse); ok {
		s.sparse = NewSparseRows(e, x)
	}
	return s
}

// KeepRounded makes the search keep the rows as integers, if they are dense and not
// too many. Searches of later runs of a fit use them too.
func (s *Search) KeepRounded() {
	switch s.p.X.(type) {
	case *data.Dense, *data.Dense32:
	default:
		return
	}
	if s.bounds != nil && simd.RoundedBytes(s.p.X.Len(), s.p.X.Dim()) <= maxRoundedBytes {
		s.rounded = s.e.Once("rounded rows", func() any { return new(roundedCache) }).(*roundedCache)
		s.rounded.beginRun(s.p.X)
	}
}

// minBoundedCentres is the number of centres from which bounds pay: below, the
// search costs hardly more than the distance to the own centre.
const minBoundedCentres = 8

// runPass labels all rows by the centres as they are now. When ctx ends, some rows
// may have labels by these centres and others by those before, or none.
func (s *Search) runPass(ctx context.Context, pass *assignment) error {
	err := s.sweepPass(ctx, pass)
	if err != nil && s.bounds != nil {
		s.bounds.centres = nil // only some rows have new bounds
	}
	return err
}

func (s *Search) sweepPass(ctx context.Context, pass *assignment) error {
	if x, m := searchedRows(s.p.X); x != nil {
		return s.assignStored(ctx, pass, x, m)
	}
	if done, err := s.assignOnDevice(ctx, pass); done || err != nil {
		return err
	}
	pass.Centres, pass.Fixed, pass.Labels, pass.parts = s.packedCentres(), s.fixed, s.labels, &s.parts
	if s.bounds != nil {
		var keeps bool
		if keeps, pass.CentreMoves = s.bounds.planPass(s.centres, s.probeBounds); keeps {
			pass.Bounds = s.bounds
		}
	}
	s.hasBounds = pass.Bounds != nil
	if s.sparse != nil {
		pass.Sparse = s.sparse
		if err := s.sparse.SetCentres(ctx, s.e, s.centres); err != nil {
			return err
		}
	}
	if s.rounded != nil {
		if err := s.rounded.prepareFor(ctx, s); err != nil {
			return err
		}
		pass.Rounded = s.rounded.rows
	}
	err := cluster.Sweep(ctx, s.e, s.p.X, pass)
	if s.rounded != nil && err == nil {
		s.rounded.dropIfPoor(pass)
	}
	return err
}

// probeBounds samples about a thousand rows.
func (s *Search) probeBounds(by *centreMoves) []boundProbe {
	list := s.probes[:0]
	for i := 0; i < len(s.labels); i += 1 + len(s.labels)/1024 {
		h := s.labels[i]
		y := boundProbe{before: s.bounds.lowerSince(i, by.othersBefore[h]), upper: s.bounds.upperAt(i, h)}
		y.open = !s.isFixed(i) && !(y.upper < by.lowerAt(s.bounds, i, h, y.upper))
		list = append(list, y)
	}
	s.probes = list
	return list
}

func (s *Search) isFixed(i int) bool { return s.fixed != nil && s.fixed[i] >= 0 }

// Distances returns the squared distance of every row to the centre of its label.
func (s *Search) Distances(ctx context.Context) ([]float64, error) {
	pass := &distancePass{Centres: s.packedCentres(), Labels: s.labels, dist: make([]float64, len(s.labels))}
	return pass.dist, cluster.Sweep(ctx, s.e, s.p.X, pass)
}

// TotalDistortion returns Σ w_i ‖x_i − c_{l_i}‖² over the rows, by the centres as
// they are now and labels that need not be those of the search.
func (s *Search) TotalDistortion(ctx context.Context, labels []int32, weight []float64) (float64, error) {
	pass := &distortionPass{Centres: s.packedCentres(), Labels: labels, Weight: weight}
	if x, _ := searchedRows(s.p.X); x != nil && weight == nil {
		pass.known = func(lo, hi int) (float64, bool) { return x.LastAssigned().distortionAt(s.centres, lo, hi, labels) }
	}
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

// Replace sets the centres to c and the problem to p, whose rows represent the same
// points. Bounds are kept: the caller makes sure that they still hold.
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
	return s.runPass(ctx, &assignment{First: true})
}

// LowerBound returns a lower bound on the distance of row i to any centre but that
// of its label; 0 where the last pass kept no bounds.
func (s *Search) LowerBound(i int) float64 {
	if !s.hasBounds {
		return 0
	}
	return max(0, s.bounds.lowerAt(i, s.labels[i]))
}

// HasBounds reports whether the last pass kept bounds.
func (s *Search) HasBounds() bool { return s.hasBounds }

// searchedRows returns x if it is SearchedRows, or the SearchedRows that it transforms
// with the metric for it; nil for rows in memory.
func searchedRows(x data.Rows) (SearchedRows, *metric.Learned) {
	switch x := x.(type) {
	case SearchedRows:
		return x, nil
	case *TransformedRows:
		if s, ok := x.Rows.(SearchedRows); ok {
			return s, x.m
		}
	}
	return nil, nil
}

// assignStored is an assignment of stored rows.
func (s *Search) assignStored(ctx context.Context, pass *assignment, x SearchedRows, m *metric.Learned) error {
	found, err := x.Assign(ctx, s.centres, m)
	if err != nil {
		return err
	}
	return s.accept(pass, found.Labels)
}
