package centroid

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// byFeature holds centres so that a sparse row meets all of them in one walk
// through its values, in the order in which data.Dot adds them up: every
// distance has the bits of data.Dist2.
type byFeature struct {
	pack *simd.ByFeature
	norm []float64
}

func (m *Centres) byFeature() *byFeature {
	return &byFeature{simd.PackByFeature(m.K, m.D, m.C), m.norm}
}

// nearest returns the centre nearest to the sparse row v, the lowest on ties,
// and the squared distance to it. dots is room for the products.
func (t *byFeature) nearest(v data.Vec, dots []float64) (h int, dist float64) {
	t.pack.Products(v.Idx, v.Val, dots)
	v2 := data.Norm2(v.Val)
	dist = math.Inf(1)
	for g, norm := range t.norm {
		if d := data.SparseDist2(dots[g], v2, norm); d < dist {
			h, dist = g, d
		}
	}
	return h, dist
}

// sumsByCluster adds up the rows of each cluster, in row order, one cluster a
// task. For sparse rows this is far cheaper than merging sums of blocks, which
// would be as wide as the data.
func sumsByCluster(ctx context.Context, e *cluster.Env, p *cluster.Problem, labels []int) (*sums, error) {
	s := newSums(p.K, p.X.Dim())
	for _, h := range labels {
		s.Count[h]++
	}
	start := make([]int, p.K+1)
	for h, c := range s.Count {
		start[h+1] = start[h] + c
	}
	rows, next := make([]int32, len(labels)), append([]int(nil), start...)
	for i, h := range labels {
		rows[next[h]] = int32(i)
		next[h]++
	}
	err := cluster.Tasks(ctx, e.Workers, p.K, func(h int) {
		buf := make([]float64, p.X.Dim())
		sum := s.at(h)
		for _, i := range rows[start[h]:start[h+1]] {
			w := p.W(int(i))
			data.Add(sum, p.X.Row(int(i), buf), w)
			s.Mass[h] += w
		}
	})
	return s, err
}
