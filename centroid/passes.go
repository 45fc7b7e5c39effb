package centroid

import (
	"github.com/inklinghq/inkling/data"
)

// sums holds, for each cluster, the weighted sum of its points, their weight
// and their number.
type sums struct {
	D     int
	Sum   []float64
	Mass  []float64
	Count []int
}

func newSums(k, d int) *sums {
	return &sums{D: d, Sum: make([]float64, k*d), Mass: make([]float64, k), Count: make([]int, k)}
}

func (s *sums) at(h int) []float64 { return s.Sum[h*s.D : (h+1)*s.D] }

func (s *sums) add(h int, v data.Vec, w float64, count int) {
	data.Add(s.at(h), v, w)
	s.Mass[h] += w
	s.Count[h] += count
}

// distortion adds up the squared distances of rows to their own centres.
type distortion struct {
	Centres *Centres
	Labels  []int32
	Weight  []float64
	Dist    []float64 // if not nil, receives them
	sum     float64
}

func (p *distortion) Block(x data.Rows, lo, hi int) (s float64) {
	dist := make([]float64, hi-lo)
	if p.Dist != nil {
		dist = p.Dist[lo:hi]
	}
	p.Centres.measure(x, lo, hi, p.Labels[lo:hi], dist)
	for i, d := range dist {
		s += float64(weight(p.Weight, lo+i) * d)
	}
	return s
}

func (p *distortion) Merge(_, _ int, part float64) { p.sum += part }

func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
