package lloyd

import (
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// PerturbedMeans returns count centres near the global mean: Random-KMeans of
// the paper.
func PerturbedMeans(p *cluster.Problem, e *cluster.Env, count int) []float64 {
	mean, variance := moments(p)
	out := make([]float64, 0, count*len(mean))
	for range count {
		for f, m := range mean {
			out = append(out, m+perturbation*math.Sqrt(variance[f])*e.Rand.NormFloat64())
		}
	}
	return out
}

// perturbation is how far, in standard deviations of each feature, a start
// without seeds lies from the global mean. The paper gives none; anything from
// 0.01 to 0.5 ends alike on Iris, more leaves clusters empty.
const perturbation = 0.1

// doubtful is the share of the squared mean below which a variance that is the
// difference of two large numbers may be no more than their rounding.
const doubtful = 1e-6

// moments returns the weighted mean and variance of each feature. One pass,
// whose cost is that of the values there are, is enough for all but features
// that hardly vary beside their size; these take another.
func moments(p *cluster.Problem) (mean, variance []float64) {
	d := p.X.Dim()
	mean, variance = make([]float64, d), make([]float64, d)
	buf, squares, mass := make([]float64, d), make([]float64, d), 0.0
	for i := range p.X.Len() {
		v, w := p.X.Row(i, buf), p.W(i)
		data.Add(mean, v, w)
		for q, y := range v.Val {
			squares[q] = y * y
		}
		data.Add(variance, data.Vec{Idx: v.Idx, Val: squares[:len(v.Val)]}, w)
		mass += w
	}
	again := false
	for f := range mean {
		m := mean[f] / mass
		mean[f], variance[f] = m, max(0, variance[f]/mass-m*m)
		again = again || variance[f] < doubtful*m*m
	}
	if again {
		spread(p, mean, variance, mass)
	}
	return mean, variance
}

// spread computes the doubtful ones of the variances from the distances to the
// mean.
func spread(p *cluster.Problem, mean, variance []float64, mass float64) {
	d := len(mean)
	sum, seen, buf := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range p.X.Len() {
		v, w := p.X.Row(i, buf), p.W(i)
		for q, y := range v.Val {
			f := q
			if v.Idx != nil {
				f = int(v.Idx[q])
			}
			sum[f] += w * (y - mean[f]) * (y - mean[f])
			seen[f] += w
		}
	}
	for f, m := range mean {
		if variance[f] >= doubtful*m*m {
			continue
		}
		// Values that are not there are 0. If none is missing, seen is mass to
		// the bit, for both are the same sum.
		variance[f] = (sum[f] + (mass-seen[f])*m*m) / mass
	}
}
