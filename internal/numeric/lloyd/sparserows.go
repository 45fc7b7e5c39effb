package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// SparseRows searches the nearest centres of sparse rows.
type SparseRows struct {
	*data.Sparse
	centres *Centres // as last set
	pack    *simd.ByFeature
	norm2   []float64     // ‖x_i‖²
	intRows []simd.IntRow // the rows as integers; nil: not supported here
}

// NewSparseRows computes the lengths of the rows, and rounds them if that helps. It is
// done once for all iterations, and does not stop when a context ends.
func NewSparseRows(e *cluster.Env, x *data.Sparse) *SparseRows {
	s := &SparseRows{Sparse: x, norm2: make([]float64, x.Len())}
	var rounded []int16
	if simd.RoundsSparse() {
		s.intRows, rounded = make([]simd.IntRow, x.Len()), make([]int16, len(x.Val))
	}
	const rowsPerTask = 1024
	_ = blocks.Tasks(context.Background(), e.Workers, (x.Len()+rowsPerTask-1)/rowsPerTask, func(t int) {
		for i := t * rowsPerTask; i < min((t+1)*rowsPerTask, x.Len()); i++ {
			val := x.Val[x.Start[i]:x.Start[i+1]]
			s.norm2[i] = data.Norm2(val)
			if s.intRows != nil {
				s.intRows[i] = simd.RoundSparse(val, s.norm2[i], rounded[x.Start[i]:x.Start[i+1]])
			}
		}
	})
	return s
}

// SetCentres makes c the centres to search among.
func (s *SparseRows) SetCentres(ctx context.Context, e *cluster.Env, c *Centres) error {
	const featuresPerTask = 1024
	s.centres = c
	s.pack = simd.NewByFeature(c.K, c.D, c.C, c.norm, s.pack)
	return blocks.Tasks(ctx, e.Workers, (c.D+featuresPerTask-1)/featuresPerTask, func(i int) { s.pack.Transpose(i*featuresPerTask, min((i+1)*featuresPerTask, c.D)) })
}

// Nearest returns the centre nearest to row i, the lowest on ties: the one that
// Centres.Nearest returns.
func (s *SparseRows) Nearest(i int, scratch *simd.SparseScratch) int {
	c, v, v2 := s.centres, s.Row(i, nil), s.norm2[i]
	var whole simd.IntRow
	if s.intRows != nil {
		whole = s.intRows[i]
	}
	before := scratch.Exact
	h := s.pack.Nearest(v.Idx, v.Val, v2, whole, scratch)
	if scratch.Exact == before {
		return h // nearest by more than rounding errors
	}
	// The centre was found by squared lengths. If it is so near that these cancel,
	// compare distances feature by feature. Such centres have nearly the length of
	// the row, so none is missed if the limit is a few times as large.
	if d2 := data.SparseDist2(data.Dot(v, c.At(h)), v2, c.norm[h]); data.Cancels(d2/8, v2, c.norm[h]) {
		h, _ = c.Nearest(v)
	}
	return h
}
