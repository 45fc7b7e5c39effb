package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/infer"
	"github.com/inklinghq/inkling/internal/blocks"
)

// infer assigns the points of which something is known. open lists those that
// are not at their nearest centre or violate a pair, rising.
func (r *hmrfRun) infer(ctx context.Context, open []int32) (moved int, err error) {
	if len(r.f.points) == 0 {
		return 0, nil
	}
	switch r.a.Inference {
	case "nearest":
		return r.consider(func(v int) int32 { return r.near[r.f.points[v]] }), nil
	case "bp", "lp":
		f, start, err := r.markov(ctx)
		if err != nil {
			return 0, err
		}
		answer, err := r.answer(ctx, f, start)
		if err != nil {
			return 0, err
		}
		r.keep(answer)
		return r.consider(func(v int) int32 { return answer.Labels[v] }), nil
	}
	return r.icm(ctx, open)
}

// answer asks for labels of low energy.
func (r *hmrfRun) answer(ctx context.Context, f *infer.Field, start []int32) (infer.Answer, error) {
	if r.a.Inference == "lp" {
		return infer.Relax(ctx, f, start, infer.RelaxOptions{Polish: !r.a.Literal, Rand: r.e.Rand, Abandon: true}, r.e.Workers)
	}
	return infer.BeliefPropagation(ctx, f, start, infer.BPOptions{Polish: !r.a.Literal, Rand: r.e.Rand, Abandon: true}, r.e.Workers)
}

// consider takes the labels that next gives for the known points, in their
// order, unless they make J larger than the old ones do: methods that look at
// all points at once need not find better labels than there are.
func (r *hmrfRun) consider(next func(v int) int32) (moved int) {
	old := make([]int32, len(r.f.points))
	first := r.labels[r.f.points[0]] < 0
	was := 0.0
	if !first {
		was = r.costOfKnown()
	}
	for v, i := range r.f.points {
		old[v], r.labels[i] = r.labels[i], next(v)
		if old[v] != r.labels[i] {
			moved++
		}
	}
	r.crowds.read(r.labels)
	if !first && r.costOfKnown() > was {
		for v, i := range r.f.points {
			r.labels[i] = old[v]
		}
		r.crowds.read(r.labels)
		moved = 0
	}
	r.countBad()
	return moved
}

// costOfKnown returns the part of J that the labels of known points decide.
func (r *hmrfRun) costOfKnown() (s float64) {
	_ = blocks.Each(context.Background(), r.e.Workers, len(r.f.points), func(lo, hi int) (part float64) { // which does not end
		g := r.ground.gauge()
		for _, i := range r.f.points[lo:hi] {
			part += float64(r.p.W(int(i)) * g(int(i), int(r.labels[i])))
		}
		return part
	}, func(_, _ int, part float64) { s += part })
	return s + r.violations(r.gather(func(int32) bool { return true })).Sum()
}

// markov returns the field of the known points, and their labels to start from,
// nil if they have none yet.
func (r *hmrfRun) markov(ctx context.Context) (f *infer.Field, start []int32, err error) {
	n, k := len(r.f.points), r.p.K
	f = &infer.Field{N: n, K: k, Unary: make([]float64, n*k)}
	at := make([]int32, len(r.labels)) // the number of a point among the known
	for v, i := range r.f.points {
		at[i] = int32(v)
		start = append(start, r.labels[i])
	}
	if start[0] < 0 {
		start = nil
	}
	err = blocks.Tasks(ctx, r.e.Workers, (n+blocks.Len-1)/blocks.Len, func(b int) {
		g := r.ground.gauge()
		for v := b * blocks.Len; v < min(n, (b+1)*blocks.Len); v++ {
			i := int(r.f.points[v])
			for h := range k {
				f.Unary[v*k+h] = r.p.W(i) * g(i, h)
				for _, l := range r.f.told(i) {
					if l.Class != h {
						f.Unary[v*k+h] += l.W * r.toll.label(l.Class)
					}
				}
			}
		}
	})
	for v, i := range r.f.points {
		if v%blocks.Len == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		r.f.each(int(i), func(j int32, must bool, w float64) {
			if i < j {
				f.Edges = append(f.Edges, infer.Edge{I: int32(v), J: at[j]})
				r.addPrices(f, i, j, must, w)
			}
		})
	}
	return f, start, err
}

// addPrices adds what the pair i, j costs to the prices of f.
func (r *hmrfRun) addPrices(f *infer.Field, i, j int32, must bool, w float64) {
	x, y := r.row1(i), r.row2(j)
	for h := range f.K {
		same, apart := 0.0, 0.0
		if !must {
			same = w * r.toll.cannot(int32(h), x, y)
		} else if apart = w * r.toll.must(int32(h), int32(h), x, y); !r.toll.alike() {
			apart /= 2 // each cluster has its share
		}
		f.Same, f.Differ = append(f.Same, same), append(f.Differ, apart)
		if r.toll.alike() {
			return
		}
	}
}
