package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// Sums holds, for each cluster, the weighted sum of its points, their weight
// and their number.
type Sums struct {
	D     int
	Sum   []float64
	Mass  []float64
	Count []int
}

func NewSums(k, d int) *Sums {
	return &Sums{D: d, Sum: make([]float64, k*d), Mass: make([]float64, k), Count: make([]int, k)}
}

func (s *Sums) At(h int) []float64 { return s.Sum[h*s.D : (h+1)*s.D] }

func (s *Sums) Add(h int, v data.Vec, w float64, count int) {
	data.Add(s.At(h), v, w)
	s.Mass[h] += w
	s.Count[h] += count
}

// distortionPass adds up the squared distances of rows to their own centres.
type distortionPass struct {
	Centres *Centres
	Labels  []int32
	Weight  []float64
	Dist    []float64 // if not nil, receives them
	sum     float64
}

func (p *distortionPass) Block(x data.Rows, lo, hi int) (s float64) {
	dist := make([]float64, hi-lo)
	if p.Dist != nil {
		dist = p.Dist[lo:hi]
	}
	p.Centres.measure(x, lo, hi, p.Labels[lo:hi], dist)
	for i, d := range dist {
		s += float64(WeightAt(p.Weight, lo+i) * d)
	}
	return s
}

func (p *distortionPass) Merge(_, _ int, part float64) { p.sum += part }

// TotalDistortion returns Σ w_i ‖x_i − c_{l_i}‖² over the rows of x.
func TotalDistortion(ctx context.Context, e *cluster.Env, x data.Rows, c *Centres, labels []int32, weight []float64) (float64, error) {
	pass := &distortionPass{Centres: c, Labels: labels, Weight: weight}
	err := cluster.Sweep(ctx, e, x, pass)
	return pass.sum, err
}

func WeightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
