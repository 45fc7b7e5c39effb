package starts

import (
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// PerturbedMeans returns count centres near the global mean: the start of
// Random-KMeans (Basu, Banerjee and Mooney 2002).
func PerturbedMeans(p *cluster.Problem, e *cluster.Env, count int) []float64 {
	mean, variance := moments(p)
	out := make([]float64, 0, count*len(mean))
	for range count {
		for f, m := range mean {
			out = append(out, m+perturbationScale*math.Sqrt(variance[f])*e.Rand.NormFloat64())
		}
	}
	return out
}

// MeanVariance returns the mean of the variances of the columns, every row counted once.
func MeanVariance(x data.Rows) (mean float64) {
	_, variance := moments(&cluster.Problem{X: x})
	for _, v := range variance {
		mean += v / float64(len(variance))
	}
	return mean
}

// perturbationScale is the distance of a start without seeds from the global mean, in
// standard deviations of each feature. The paper does not give it; values from 0.01 to
// 0.5 give the same result on Iris, larger ones leave clusters empty.
const perturbationScale = 0.1

// doubtfulShare is the share of the squared mean below which a variance computed as
// the difference of two large numbers may be only rounding error.
const doubtfulShare = 1e-6

// moments returns the weighted mean and variance of each feature. One pass over the
// stored values is enough, except for features whose variance is small beside their
// mean; these take a second pass.
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
		again = again || variance[f] < doubtfulShare*m*m
	}
	if again {
		recomputeVariances(p, mean, variance, mass)
	}
	return mean, variance
}

// recomputeVariances computes the doubtful variances again, from the distances to the
// mean.
func recomputeVariances(p *cluster.Problem, mean, variance []float64, mass float64) {
	d := len(mean)
	sum, stored, buf := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range p.X.Len() {
		v, w := p.X.Row(i, buf), p.W(i)
		for q, y := range v.Val {
			f := q
			if v.Idx != nil {
				f = int(v.Idx[q])
			}
			sum[f] += w * (y - mean[f]) * (y - mean[f])
			stored[f] += w
		}
	}
	for f, m := range mean {
		if variance[f] >= doubtfulShare*m*m {
			continue
		}
		// Values that are not stored are 0. If all are stored, stored is mass to
		// the bit, as both are the same sum.
		variance[f] = (sum[f] + (mass-stored[f])*m*m) / mass
	}
}
