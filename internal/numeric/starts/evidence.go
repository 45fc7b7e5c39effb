package starts

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
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
func (v *evidence) violatedPairs(m *lloyd.Centres, workers int) []bool {
	const pairsPerTask = 128
	d, out := v.x.Dim(), make([]bool, len(v.must)+len(v.cannot))
	_, sparse := v.x.(*data.Sparse)
	placing := m.Prepare(&data.Dense{Cols: d, V: make([]float64, 2*pairsPerTask*d)})
	_ = blocks.Tasks(context.Background(), workers, (len(out)+pairsPerTask-1)/pairsPerTask, func(task int) {
		first, last := task*pairsPerTask, min(len(out), (task+1)*pairsPerTask)
		labels := make([]int, 0, 2*(last-first)) // of both rows of each pair
		buf := make([]float64, d)
		if sparse {
			for t := first; t < last; t++ {
				pair := v.pair(t)
				g, _ := m.Nearest(v.x.Row(pair.I, buf))
				h, _ := m.Nearest(v.x.Row(pair.J, buf))
				labels = append(labels, g, h)
			}
		} else {
			rows := &data.Dense{Cols: d, V: make([]float64, 2*(last-first)*d)}
			for t := first; t < last; t++ {
				pair, at := v.pair(t), 2*(t-first)*d
				v.x.Row(pair.I, buf).Write(rows.V[at : at+d])
				v.x.Row(pair.J, buf).Write(rows.V[at+d : at+2*d])
			}
			labels = labels[:rows.Len()]
			placing.Place(rows, 0, rows.Len(), labels)
		}
		for t := first; t < last; t++ {
			together := labels[2*(t-first)] == labels[2*(t-first)+1]
			out[t] = together != (t < len(v.must))
		}
	})
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
		w := v.pair(t).W
		square += float64(w * w)
		if b[t] {
			w = -w
		}
		sum += w
	}
	return inErrors(sum, square)
}

// pair returns pair t, must-links first.
func (v *evidence) pair(t int) constraint.Pair {
	if t < len(v.must) {
		return v.must[t]
	}
	return v.cannot[t-len(v.must)]
}
