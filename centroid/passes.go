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

func (s *sums) merge(t *sums) {
	for h, c := range t.Count {
		if c == 0 {
			continue
		}
		s.Count[h] += c
		s.Mass[h] += t.Mass[h]
		data.Add(s.at(h), data.Vec{Val: t.at(h)}, 1)
	}
}

// nearest assigns each row to its nearest centre, or where it is fixed. Of dense
// rows it also adds up the clusters, while they are at hand.
type nearest struct {
	Centres *Centres
	Sparse  *byFeature // the same centres, for sparse rows; else nil
	Weight  []float64
	Fixed   []int32

	labels []int
	dist   []float64
	sums   *sums
	cost   float64
}

type nearestPart struct {
	Labels []int
	Dist   []float64
	Sums   *sums // nil for sparse rows
	Cost   float64
}

func (p *nearest) Block(x data.Rows, lo, hi int) nearestPart {
	part := nearestPart{Labels: make([]int, hi-lo), Dist: make([]float64, hi-lo)}
	if p.Sparse == nil {
		part.Sums = newSums(p.Centres.K, p.Centres.D)
	}
	buf, dots := make([]float64, x.Dim()), make([]float64, p.Centres.K)
	for i := lo; i < hi; i++ {
		v, w := x.Row(i, buf), weight(p.Weight, i)
		h, d := p.place(i, v, dots)
		part.Labels[i-lo], part.Dist[i-lo] = h, d
		if part.Sums != nil {
			part.Sums.add(h, v, w, 1)
		}
		part.Cost += w * d
	}
	return part
}

func (p *nearest) place(i int, v data.Vec, dots []float64) (h int, dist float64) {
	switch {
	case p.Fixed != nil && p.Fixed[i] >= 0:
		h = int(p.Fixed[i])
		return h, p.Centres.dist2(v, h)
	case p.Sparse != nil:
		return p.Sparse.nearest(v, dots)
	}
	return p.Centres.Nearest(v)
}

func (p *nearest) Merge(lo, hi int, part nearestPart) {
	copy(p.labels[lo:hi], part.Labels)
	copy(p.dist[lo:hi], part.Dist)
	if part.Sums != nil {
		p.sums.merge(part.Sums)
	}
	p.cost += part.Cost
}

// distortion adds up the squared distances of rows to their own centres.
type distortion struct {
	Centres *Centres
	Labels  []int
	Weight  []float64
	sum     float64
}

func (p *distortion) Block(x data.Rows, lo, hi int) (s float64) {
	buf := make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		s += weight(p.Weight, i) * p.Centres.dist2(x.Row(i, buf), p.Labels[i])
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
