package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// SparseRows searches the nearest centres of sparse rows.
type SparseRows struct {
	*data.Sparse
	centres *Centres // that rows meet
	pack    *simd.ByFeature
	norm2   []float64     // ‖x_i‖²
	whole   []simd.IntRow // the rows in whole numbers; nil: of no use here
}

// NewSparseRows measures the rows, and rounds them if that helps: they stay the
// same from iteration to iteration, so it is done once, and not cut short.
func NewSparseRows(e *cluster.Env, x *data.Sparse) *SparseRows {
	s := &SparseRows{Sparse: x, norm2: make([]float64, x.Len())}
	var room []int16
	if simd.RoundsSparse() {
		s.whole, room = make([]simd.IntRow, x.Len()), make([]int16, len(x.Val))
	}
	const some = 1024 // rows a task
	_ = blocks.Tasks(context.Background(), e.Workers, (x.Len()+some-1)/some, func(t int) {
		for i := t * some; i < min((t+1)*some, x.Len()); i++ {
			val := x.Val[x.Start[i]:x.Start[i+1]]
			s.norm2[i] = data.Norm2(val)
			if s.whole != nil {
				s.whole[i] = simd.RoundSparse(val, s.norm2[i], room[x.Start[i]:x.Start[i+1]])
			}
		}
	})
	return s
}

// SetCentres makes the rows ready to meet the centres c.
func (s *SparseRows) SetCentres(ctx context.Context, e *cluster.Env, c *Centres) error {
	const some = 1024 // features a task
	s.centres = c
	s.pack = simd.NewByFeature(c.K, c.D, c.C, c.norm, s.pack)
	return blocks.Tasks(ctx, e.Workers, (c.D+some-1)/some, func(i int) { s.pack.Transpose(i*some, min((i+1)*some, c.D)) })
}

// Nearest returns the centre nearest to row i, the lowest on ties: the one that
// Centres.Nearest returns.
func (s *SparseRows) Nearest(i int, room *simd.SparseScratch) int {
	c, v, v2 := s.centres, s.Row(i, nil), s.norm2[i]
	var whole simd.IntRow
	if s.whole != nil {
		whole = s.whole[i]
	}
	before := room.Exact
	h := s.pack.Nearest(v.Idx, v.Val, v2, whole, room)
	if room.Exact == before {
		return h // by more than rounding
	}
	// The best was found by squared lengths. If it is nearer than they can tell,
	// ask the distances. Centres that are so near have all but the length of the
	// row, so none is missed if a few times as far is taken for near too.
	if d2 := data.SparseDist2(data.Dot(v, c.At(h)), v2, c.norm[h]); data.Cancels(d2/8, v2, c.norm[h]) {
		h, _ = c.Nearest(v)
	}
	return h
}
