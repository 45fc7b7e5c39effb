package starts

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// sparseColumns are sparse rows feature by feature: the distances of all rows to one
// of them then take only the rows that share a feature with it.
type sparseColumns struct {
	x     *data.Sparse
	start []int   // feature f has rows[start[f]:start[f+1]]
	rows  []int32 // ascending
	val   []float64
	norm  []float64 // squared length of each row
}

func newSparseColumns(x *data.Sparse) *sparseColumns {
	s := &sparseColumns{x: x, start: make([]int, x.Cols+2), rows: make([]int32, len(x.Idx)), val: make([]float64, len(x.Idx)), norm: make([]float64, x.Len())}
	for _, f := range x.Idx {
		s.start[f+2]++
	}
	for f := range x.Cols {
		s.start[f+2] += s.start[f+1]
	}
	for i := range x.Len() {
		v := x.Row(i, nil)
		s.norm[i] = data.Norm2(v.Val)
		for q, f := range v.Idx {
			at := s.start[f+1]
			s.rows[at], s.val[at] = int32(i), v.Val[q]
			s.start[f+1]++
		}
	}
	return s
}

// distances writes the squared distance of every row to each candidate, a row of x as
// centre, to dist, one candidate per task.
func (s *sparseColumns) distances(ctx context.Context, workers int, candidates [][]float64, dist [][]float64) error {
	return blocks.Tasks(ctx, workers, len(candidates), func(j int) {
		c, to := candidates[j], dist[j]
		clear(to)
		c2 := data.Norm2(c)
		for f, y := range c {
			if y == 0 {
				continue
			}
			val := s.val[s.start[f]:s.start[f+1]]
			for q, i := range s.rows[s.start[f]:s.start[f+1]] {
				to[i] += float64(y * val[q])
			}
		}
		for i, dot := range to {
			to[i] = data.SparseDist2(dot, s.norm[i], c2)
			if data.Cancels(to[i], s.norm[i], c2) {
				to[i] = data.Dist2(s.x.Row(i, nil), c, c2)
			}
		}
	})
}
