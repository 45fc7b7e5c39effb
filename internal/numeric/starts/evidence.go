package starts

import (
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// overRows returns by how many standard errors the rows cost more at distances
// a than at b: the sum of their differences over the deviation that such a sum
// has over draws of the rows (the test of Vuong 1989, with distances in place of
// log-likelihoods). It is 0 where the sums are equal but for rounding, and
// infinite where all rows differ by the same.
func overRows(p *cluster.Problem, a, b []float64) float64 {
	const rounding = 1e-12
	n, sum, all := float64(len(a)), 0.0, 0.0
	for i := range a {
		sum += float64(p.W(i) * (a[i] - b[i]))
		all += float64(p.W(i) * (a[i] + b[i]))
	}
	if math.Abs(sum) <= rounding*all {
		return 0
	}
	square := 0.0
	for i := range a {
		d := float64(p.W(i)*(a[i]-b[i])) - sum/n
		square += float64(d * d)
	}
	return inErrors(sum, square)
}

// inErrors returns sum over the root of its variance.
func inErrors(sum, variance float64) float64 {
	if sum == 0 {
		return 0
	}
	return sum / math.Sqrt(variance)
}

// contestPairs bounds the pairs of each kind that a contest looks at.
const contestPairs = 20_000

// evidence is the given pairs, at most contestPairs of each kind.
type evidence struct {
	x            data.Rows
	must, cannot []constraint.Pair
}

func askedPairs(p *cluster.Problem) *evidence {
	v := &evidence{x: p.X}
	if p.Constraints != nil {
		v.must, v.cannot = evenly(p.Constraints.Must), evenly(p.Constraints.Cannot)
	}
	return v
}

// evenly returns all pairs, or contestPairs of them, evenly chosen.
func evenly(pairs []constraint.Pair) []constraint.Pair {
	if len(pairs) <= contestPairs {
		return pairs
	}
	out := make([]constraint.Pair, contestPairs)
	for t := range out {
		out[t] = pairs[t*len(pairs)/contestPairs]
	}
	return out
}

// violatedPairs says which pairs the nearest centres violate, must-links first.
func (v *evidence) violatedPairs(m *lloyd.Centres) []bool {
	out := make([]bool, 0, len(v.must)+len(v.cannot))
	x, y := make([]float64, v.x.Dim()), make([]float64, v.x.Dim())
	ask := func(pairs []constraint.Pair, together bool) {
		for _, pair := range pairs {
			g, _ := m.Nearest(v.x.Row(pair.I, x))
			h, _ := m.Nearest(v.x.Row(pair.J, y))
			out = append(out, (g == h) != together)
		}
	}
	ask(v.must, true)
	ask(v.cannot, false)
	return out
}

// standardErrors returns by how many standard errors a violates more than b. Only
// pairs that one violates and the other does not distinguish them; if neither were
// better, each of these would fall to either side by the toss of a coin (the
// test of McNemar 1947, with weights).
func (v *evidence) standardErrors(a, b []bool) float64 {
	sum, square := 0.0, 0.0
	for t := range a {
		if a[t] == b[t] {
			continue
		}
		w := v.weight(t)
		square += float64(w * w)
		if b[t] {
			w = -w
		}
		sum += w
	}
	return inErrors(sum, square)
}

func (v *evidence) weight(t int) float64 {
	if t < len(v.must) {
		return v.must[t].W
	}
	return v.cannot[t-len(v.must)].W
}
