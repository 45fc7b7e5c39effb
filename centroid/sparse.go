package centroid

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// byFeature holds centres feature by feature: the K numbers of feature f are
// C[f·K : (f+1)·K]. A sparse row then meets all centres in one walk through its
// values, in the order in which data.Dot adds them up, so that every distance
// has the bits of data.Dist2.
type byFeature struct {
	K    int
	C    []float64
	norm []float64
}

func (m *Centres) byFeature() *byFeature {
	t := &byFeature{K: m.K, C: make([]float64, m.K*m.D), norm: m.norm}
	for h := range m.K {
		for f, y := range m.At(h) {
			t.C[f*m.K+h] = y
		}
	}
	return t
}

// nearest returns the centre nearest to the sparse row v, the lowest on ties,
// and the squared distance to it. dots is room for K numbers.
func (t *byFeature) nearest(v data.Vec, dots []float64) (h int, dist float64) {
	t.products(v, dots)
	v2 := data.Norm2(v.Val)
	dist = math.Inf(1)
	for g, dot := range dots {
		if d := data.SparseDist2(dot, v2, t.norm[g]); d < dist {
			h, dist = g, d
		}
	}
	return h, dist
}

// products writes v'μ_h to dots[h] for every h.
func (t *byFeature) products(v data.Vec, dots []float64) {
	clear(dots)
	for p, f := range v.Idx {
		y, c := v.Val[p], t.C[int(f)*t.K:int(f+1)*t.K]
		dots := dots[:len(c)]
		for h, x := range c {
			dots[h] += y * x
		}
	}
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
