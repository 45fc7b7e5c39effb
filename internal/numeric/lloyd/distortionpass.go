package lloyd

import "github.com/inklinghq/inkling/cluster/data"

// distancePass measures the squared distance of each row to the centre of its label.
type distancePass struct {
	Centres *PackedCentres
	Labels  []int32

	dist []float64
}

func (p *distancePass) Block(x data.Rows, lo, hi int) []float64 {
	dist := make([]float64, hi-lo)
	p.Centres.LabelledDistances(x, lo, hi, p.Labels[lo:hi], dist)
	return dist
}

func (p *distancePass) Merge(lo, _ int, part []float64) { copy(p.dist[lo:], part) }

// distortionPass adds up the weighted squared distances of rows to the centres of
// their labels.
type distortionPass struct {
	Centres *PackedCentres
	Labels  []int32
	Weight  []float64

	known func(lo, hi int) (sum float64, ok bool) // what the last search of stored rows found; else nil
	sum   float64
}

func (p *distortionPass) Block(x data.Rows, lo, hi int) (s float64) {
	if p.known != nil {
		if s, ok := p.known(lo, hi); ok {
			return s
		}
	}
	dist := make([]float64, hi-lo)
	p.Centres.LabelledDistances(x, lo, hi, p.Labels[lo:hi], dist)
	for i, d := range dist {
		s += float64(WeightAt(p.Weight, lo+i) * d)
	}
	return s
}

func (p *distortionPass) Merge(_, _ int, part float64) { p.sum += part }
