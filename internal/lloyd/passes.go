package lloyd

import "github.com/inklinghq/inkling/data"

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

// distancePass measures the squared distance of each row to the centre of its label.
type distancePass struct {
	Centres *PackedCentres
	Labels  []int32

	dist []float64
}

func (p *distancePass) Block(x data.Rows, lo, hi int) []float64 {
	dist := make([]float64, hi-lo)
	p.Centres.labelledDistances(x, lo, hi, p.Labels[lo:hi], dist)
	return dist
}

func (p *distancePass) Merge(lo, _ int, part []float64) { copy(p.dist[lo:], part) }

// distortionPass adds up the weighted squared distances of rows to the centres of
// their labels.
type distortionPass struct {
	Centres *PackedCentres
	Labels  []int32
	Weight  []float64

	sum float64
}

func (p *distortionPass) Block(x data.Rows, lo, hi int) (s float64) {
	dist := make([]float64, hi-lo)
	p.Centres.labelledDistances(x, lo, hi, p.Labels[lo:hi], dist)
	for i, d := range dist {
		s += float64(WeightAt(p.Weight, lo+i) * d)
	}
	return s
}

func (p *distortionPass) Merge(_, _ int, part float64) { p.sum += part }

// WeightAt returns w_i, 1 where w is nil.
func WeightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
