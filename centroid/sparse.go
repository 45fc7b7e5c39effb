package centroid

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// sparseRows searches the nearest centres of sparse rows.
type sparseRows struct {
	*data.Sparse
	pack  *simd.ByFeature
	norm2 []float64       // ‖x_i‖²
	whole []simd.WholeRow // the rows in whole numbers; nil: of no use here
}

// newSparseRows measures the rows, and rounds them if that helps: they stay the
// same from iteration to iteration, so it is done once, and not cut short.
func newSparseRows(e *cluster.Env, x *data.Sparse) *sparseRows {
	s := &sparseRows{Sparse: x, norm2: make([]float64, x.Len())}
	var room []int16
	if simd.RoundsSparse() {
		s.whole, room = make([]simd.WholeRow, x.Len()), make([]int16, len(x.Val))
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

// turn makes the rows ready to meet the centres c.
func (s *sparseRows) turn(ctx context.Context, e *cluster.Env, c *Centres) error {
	const some = 1024 // features a task
	s.pack = simd.NewByFeature(c.K, c.D, c.C, c.norm, s.pack)
	return blocks.Tasks(ctx, e.Workers, (c.D+some-1)/some, func(i int) { s.pack.Turn(i*some, min((i+1)*some, c.D)) })
}

// nearest returns the centre nearest to row i, the lowest on ties.
func (s *sparseRows) nearest(i int, room *simd.SparseRoom) int {
	lo, hi := s.Start[i], s.Start[i+1]
	var whole simd.WholeRow
	if s.whole != nil {
		whole = s.whole[i]
	}
	return s.pack.Nearest(s.Idx[lo:hi], s.Val[lo:hi], s.norm2[i], whole, room)
}

// settleSparse measures the distance of each row to its centre and adds up the
// rows of each cluster, in row order, one cluster a task: its centre and its sum
// then stay in cache. Merging sums of blocks would cost far more, as they are as
// wide as the data. What s held before is forgotten.
func settleSparse(ctx context.Context, e *cluster.Env, p *cluster.Problem, c *Centres, x *sparseRows, labels []int32, dist []float64, s *sums) (cost float64, err error) {
	clear(s.Count)
	clear(s.Mass)
	for _, h := range labels {
		s.Count[h]++
	}
	start := make([]int, p.K+1)
	for h, n := range s.Count {
		start[h+1] = start[h] + n
	}
	rows, next := make([]int32, len(labels)), append([]int(nil), start...)
	for i, h := range labels {
		rows[next[h]] = int32(i)
		next[h]++
	}
	costs := make([]float64, p.K)
	err = blocks.Tasks(ctx, e.Workers, p.K, func(h int) {
		sum, centre := s.at(h), c.At(h)
		clear(sum)
		for _, i := range rows[start[h]:start[h+1]] {
			w, dot := p.W(int(i)), 0.0
			lo, hi := x.Start[i], x.Start[i+1]
			val := x.Val[lo:hi]
			for q, f := range x.Idx[lo:hi] {
				y := val[q]
				dot += float64(y * centre[f])
				sum[f] += float64(w * y)
			}
			dist[i] = data.SparseDist2(dot, x.norm2[i], c.norm[h])
			costs[h] += float64(w * dist[i])
			s.Mass[h] += w
		}
	})
	for _, y := range costs {
		cost += y
	}
	return cost, err
}
