package hmrf

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/metric"
)

var distortions = []string{lloyd.Euclidean, lloyd.Cosine, metric.KL, metric.IDivergence, metric.ItakuraSaito}

// divergenceOf returns the divergence that a distortion is, nil for Euclidean,
// and for Cosine, which is Euclidean among rows of length 1.
func divergenceOf(distortion string) metric.Divergence {
	if distortion == lloyd.Euclidean || distortion == lloyd.Cosine {
		return nil
	}
	v, err := metric.ParseDivergence(distortion, 0)
	if err != nil {
		return nil // Check has refused it
	}
	return v
}

// meanDivergence returns how far a point is from the mean of all on average,
// shared out among the clusters.
func meanDivergence(p *cluster.Problem, v metric.Divergence) float64 {
	one, buf := lloyd.NewSums(1, p.X.Dim()), make([]float64, p.X.Dim())
	for i := range p.Len() {
		one.Add(0, p.X.Row(i, buf), p.W(i), 1)
	}
	v.Centre(one.Sum, one.Mass[0])
	rest, total := v.CentreTerm(one.Sum, nil), 0.0
	for i := range p.Len() {
		total += p.W(i) * v.FromCentre(p.X.Row(i, buf), one.Sum, nil, rest)
	}
	return total / one.Mass[0] / float64(p.K)
}
