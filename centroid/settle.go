package centroid

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// settle brings sums, prices and terms into line with the labels.
func (r *hmrfRun) settle(ctx context.Context) error {
	cost, err := r.settleOwn(ctx)
	if err != nil {
		return err
	}
	if err := r.settleSums(ctx); err != nil {
		return err
	}
	r.terms = r.account(cost, r.sums.Mass, r.violations(r.violated))
	return nil
}

// settleOwn measures the points that are held away from their nearest centres,
// lists the pairs that the labels violate, and returns what all points cost where
// they are.
func (r *hmrfRun) settleOwn(ctx context.Context) (cost float64, err error) {
	type part struct {
		cost     float64
		held     int
		violated []violation
	}
	var held []int32
	r.own, r.violated = r.low, r.violated[:0]
	err = spans(ctx, r.e.Workers, len(r.own), func(lo, hi int) (p part) {
		var g gauge
		near, bad, open := r.near[lo:hi], r.bad[lo:hi], r.open[lo:hi]
		for i, h := range r.labels[lo:hi] {
			if h != near[i] {
				if g == nil {
					g = r.ground.gauge()
				}
				r.own[lo+i] = g(lo+i, int(h))
				open[p.held] = int32(lo + i)
				p.held++
			}
			if bad[i] > 0 && r.f.crowd == nil {
				p.violated = r.gatherAt(int32(lo+i), p.violated)
			}
		}
		p.cost = weighted(r.own[lo:hi], r.p.Weight, lo)
		return p
	}, func(lo, _ int, p part) {
		held = r.append(held, lo, p.held)
		r.violated = append(r.violated, p.violated...)
		cost += p.cost
	})
	r.held = held
	if r.f.crowd != nil {
		r.violated = r.gather(r.isBad)
	}
	return cost, err
}

// weighted adds up numbers of rows from lo on, each times the weight of its row.
func weighted(y, weight []float64, lo int) (s float64) {
	if weight != nil {
		for i, v := range y {
			s += float64(weight[lo+i] * v)
		}
		return s
	}
	var four [4]float64 // so that an addition need not wait for the last
	for len(y) >= 4 {
		four[0] += y[0]
		four[1] += y[1]
		four[2] += y[2]
		four[3] += y[3]
		y = y[4:]
	}
	for i, v := range y {
		four[i] += v
	}
	return four[0] + four[1] + four[2] + four[3]
}

// settleSums takes the points that are held out of the sums of their nearest
// centres and adds them to their own: each cluster by itself, in their order.
func (r *hmrfRun) settleSums(ctx context.Context) error {
	start := make([]int, r.p.K+1)
	for _, i := range r.held {
		start[r.near[i]+1]++
		start[r.labels[i]+1]++
	}
	for h := range r.p.K {
		start[h+1] += start[h]
	}
	list, next := make([]int32, 2*len(r.held)), append([]int(nil), start...)
	for _, i := range r.held {
		for _, h := range [2]int32{r.near[i], r.labels[i]} {
			list[next[h]] = i
			next[h]++
		}
	}
	err := blocks.Tasks(ctx, r.e.Workers, r.p.K, func(h int) {
		buf := make([]float64, r.p.X.Dim())
		for _, i := range list[start[h]:start[h+1]] {
			w, one := r.p.W(int(i)), 1
			if int(r.near[i]) == h {
				w, one = -w, -1
			}
			r.sums.add(h, r.p.X.Row(int(i), buf), w, one)
		}
		if r.sums.Count[h] == 0 {
			r.sums.Mass[h] = 0
		}
	})
	return err
}
