package lloyd

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// StoredRows are dense rows that are not in memory as a whole, and whose nearest
// centres are found where the rows are kept: on several machines, for example. All
// else is done here, with the code for rows in memory and with the same bits.
type StoredRows interface {
	data.Rows
	// Load returns rows lo to hi as a *data.Dense or a *data.Dense32. Where they cannot
	// be read, Load returns zeros, and the next Assign an error.
	Load(lo, hi int) data.Rows
	// Assign finds the nearest of the centres c for every row, which is transformed by m
	// first unless m is nil. It does what AssignRows does.
	Assign(ctx context.Context, c *Centres, m *metric.Learned) (*Assigned, error)
	// LastAssigned returns what Assign returned last; nil before.
	LastAssigned() *Assigned
	// ExactSums reports whether sums of the rows, in two numbers each, have no rounding
	// error, so that they do not depend on the order of the rows.
	ExactSums() bool
}

// Assigned is the result of a search for the nearest centres of rows.
type Assigned struct {
	Centres    *Centres
	Metric     *metric.Learned
	Labels     []int32
	Sums       *KeptSums // of the rows by these labels
	Distortion []float64 // the sum of squared distances to the nearest centre in each block of blocks.Len rows
}

// AssignRows finds the nearest of the centres c for rows x in memory, transformed by m
// first unless m is nil.
func AssignRows(ctx context.Context, workers int, x data.Rows, c *Centres, m *metric.Learned) (*Assigned, error) {
	n, e, rows := x.Len(), &cluster.Env{Workers: workers}, x
	if m != nil {
		rows = NewTransformedRows(x, m)
	}
	packed := Pack(c, rows)
	out := &Assigned{Centres: c, Metric: m, Labels: slices.Repeat([]int32{-1}, n), Sums: NewKeptSums(c.K, c.D)}
	if err := cluster.Sweep(ctx, e, rows, &assignment{Centres: packed, Labels: out.Labels, First: true}); err != nil {
		return nil, err
	}
	if _, err := out.Sums.Update(ctx, e, &cluster.Problem{X: x, K: c.K}, nil, out.Labels, nil); err != nil {
		return nil, err
	}
	pass := &distortionPass{Centres: packed, Labels: out.Labels}
	return out, blocks.Each(ctx, workers, n, func(lo, hi int) float64 { return pass.Block(rows, lo, hi) },
		func(_, _ int, part float64) { out.Distortion = append(out.Distortion, part) })
}

// storedRows returns x if it is StoredRows, or the StoredRows that it transforms with
// the metric for it; nil for rows in memory.
func storedRows(x data.Rows) (StoredRows, *metric.Learned) {
	switch x := x.(type) {
	case StoredRows:
		return x, nil
	case *TransformedRows:
		if s, ok := x.Rows.(StoredRows); ok {
			return s, x.m
		}
	}
	return nil, nil
}

// LoadBlock returns rows lo to hi of x in memory: x itself and lo, or, for StoredRows,
// rows of their own and 0.
func LoadBlock(x data.Rows, lo, hi int) (data.Rows, int) {
	if s, ok := x.(StoredRows); ok {
		return s.Load(lo, hi), 0
	}
	return x, lo
}

// assignStored is an assignment of stored rows.
func (s *Search) assignStored(ctx context.Context, pass *assignment, x StoredRows, m *metric.Learned) error {
	found, err := x.Assign(ctx, s.centres, m)
	if err != nil {
		return err
	}
	for i, h := range found.Labels {
		if s.isFixed(i) {
			h = s.fixed[i]
		}
		if was := s.labels[i]; h != was {
			if s.labels[i] = h; !pass.First {
				pass.moves = append(pass.moves, Move{int32(i), was})
			}
		}
	}
	return nil
}

// distortionAt returns the sum of squared distances of the rows of a block to the
// centres of their labels, if that is known.
func (a *Assigned) distortionAt(c *Centres, lo, hi int, labels []int32) (sum float64, ok bool) {
	if a == nil || a.Centres != c || !slices.Equal(a.Labels[lo:hi], labels[lo:hi]) {
		return 0, false
	}
	return a.Distortion[lo/blocks.Len], true
}

// fewMoves is the number of moves up to which rows are read one by one.
const fewMoves = 256

// updateStored adds stored rows. Where sums are exact they follow from those of the
// last search and from the rows that are not at their nearest centre; elsewhere every
// row that has moved is read, in order.
func (s *KeptSums) updateStored(ctx context.Context, p *cluster.Problem, at *Centres, c labelChange, x StoredRows) (cost CostChange, err error) {
	var before *KeptSums
	if at != nil {
		before = s.Clone()
	}
	s.updateMass(p, c)
	buf := make([]float64, s.D)
	if found := x.LastAssigned(); found != nil && p.Weight == nil && c.len() > fewMoves && x.ExactSums() {
		copy(s.Sum, found.Sums.Sum)
		copy(s.sumError, found.Sums.sumError)
		for i, h := range found.Labels {
			if g := c.labels[i]; g != h {
				v := x.Row(i, buf)
				s.addRow(h, v, -1)
				s.addRow(g, v, 1)
			}
		}
	} else {
		for j := range c.len() {
			if j%blocks.Len == 0 && ctx.Err() != nil {
				return cost, ctx.Err()
			}
			i, from := c.moveAt(j)
			v, w := x.Row(int(i), buf), p.W(int(i))
			if from >= 0 {
				s.addRow(from, v, -w)
			}
			s.addRow(c.labels[i], v, w)
		}
	}
	if at != nil {
		cost = s.CostSince(before, at.C, nil)
	}
	return cost, nil
}

// addRow adds w times a dense row to the sum of cluster h.
func (s *KeptSums) addRow(h int32, v data.Vec, w float64) {
	sum, rest := s.At(int(h)), s.sumErrorAt(int(h))
	for f, y := range v.Val {
		sum[f], rest[f] = simd.TwoSum(sum[f], rest[f], float64(w*y))
	}
}

// Add adds sums of other rows: their rounded sums and rounding errors, as Errors
// returns them, and the number of rows in each cluster.
func (s *KeptSums) Add(sum, rest []float64, count []int) {
	for i, y := range sum {
		s.Sum[i], s.sumError[i] = simd.TwoSum(s.Sum[i], s.sumError[i], y)
		s.Sum[i], s.sumError[i] = simd.TwoSum(s.Sum[i], s.sumError[i], rest[i])
	}
	for h, n := range count {
		s.Count[h] += n
		s.Mass[h] += float64(n)
	}
}

// Errors returns the rounding errors of the sums.
func (s *KeptSums) Errors() []float64 { return s.sumError }
