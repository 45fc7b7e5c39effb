package lloyd

import "github.com/inklinghq/inkling/cluster/data"

// Sums holds, for each cluster, the weighted sum of its points, their weight
// and their number.
type Sums struct {
	D     int
	Sum   []float64
	Mass  []float64
	Count []int
}

// NewSums returns the sums of k empty clusters of d features.
func NewSums(k, d int) *Sums {
	return &Sums{D: d, Sum: make([]float64, k*d), Mass: make([]float64, k), Count: make([]int, k)}
}

// At returns the sum of cluster h.
func (s *Sums) At(h int) []float64 { return s.Sum[h*s.D : (h+1)*s.D] }

// Add adds v of weight w, which stands for count points, to cluster h.
func (s *Sums) Add(h int, v data.Vec, w float64, count int) {
	data.Add(s.At(h), v, w)
	s.Mass[h] += w
	s.Count[h] += count
}

// WeightAt returns w_i, 1 where w is nil.
func WeightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
