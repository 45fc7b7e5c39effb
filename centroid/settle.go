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
	if err := r.settleViolated(ctx); err != nil {
		return err
	}
	r.terms = r.account(cost, r.sums.Mass, r.violations(r.violated))
	return nil
}

// settleOwn measures the points that are held away from their nearest centres,
// and returns what all cost where they are.
func (r *hmrfRun) settleOwn(ctx context.Context) (cost float64, err error) {
	type part struct {
		cost float64
		held int
	}
	var held []int32
	r.own = r.low
	err = blocks.Each(ctx, r.e.Workers, len(r.own), func(lo, hi int) (p part) {
		var g gauge
		for i := lo; i < hi; i++ {
			if h := r.labels[i]; h != r.near[i] {
				if g == nil {
					g = r.ground.gauge()
				}
				r.own[i] = g(i, int(h))
				r.open[lo+p.held] = int32(i)
				p.held++
			}
			p.cost += float64(r.p.W(i) * r.own[i])
		}
		return p
	}, func(lo, _ int, p part) {
		held = r.append(held, lo, p.held)
		cost += p.cost
	})
	r.held = held
	return cost, err
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

// settleViolated lists the pairs that the labels violate.
func (r *hmrfRun) settleViolated(ctx context.Context) error {
	if r.f.crowd != nil {
		r.violated = r.gather(r.isBad)
		return nil
	}
	r.violated = r.violated[:0]
	return blocks.Each(ctx, r.e.Workers, len(r.bad), func(lo, hi int) (list []violation) {
		for i := lo; i < hi; i++ {
			if r.bad[i] > 0 {
				list = r.gatherAt(int32(i), list)
			}
		}
		return list
	}, func(_, _ int, list []violation) { r.violated = append(r.violated, list...) })
}
