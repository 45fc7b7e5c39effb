package centroid

import (
	"cmp"
	"context"
	"slices"
)

// thaw tries to do better than single moves can. Two points that pairs hold away
// from their nearest centres may hold each other: neither can move while the
// other stays. So all that are held, or violate something, lose their labels
// and get new ones, the surest first: those with the largest difference between
// their two nearest centres. One that has no label yet costs the others nothing.
// Then every one of them may move once more. If J is not lower in the end, all
// go back.
func (r *hmrfRun) thaw(ctx context.Context) (moved int, err error) {
	type held struct {
		i    int32
		was  int32
		sure float64
	}
	var list []held
	for _, i := range r.f.points {
		if r.labels[i] != r.near[i] || r.bad[i] > 0 {
			sure := r.p.W(int(i)) * (r.ground.bound(int(i)) - r.low[i])
			list = append(list, held{i, r.labels[i], sure})
		}
	}
	change := 0.0 // of J
	for _, x := range list {
		change -= r.costAt(int(x.i), x.was)
		r.move(int(x.i), -1, nil)
	}
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b held) int {
		return cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(a.i, b.i))
	})
	for sweep := range 2 {
		for at, x := range order {
			if at%4096 == 4095 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			i := int(x.i)
			if h := r.cheapest(i); h != r.labels[i] {
				if sweep > 0 {
					change -= r.costAt(i, r.labels[i])
				}
				r.move(i, h, nil)
				change += r.costAt(i, h)
			}
		}
	}
	kept := change < -rounding*r.scaleOfJ()
	for _, x := range list {
		if !kept {
			r.move(int(x.i), x.was, nil)
		} else if r.labels[x.i] != x.was {
			moved++
		}
	}
	return moved, nil
}

// alwaysThaw is up to how many constrained points a thaw follows every
// assignment: it costs about as much as a sweep.
const alwaysThaw = 10_000

// timeToThaw reports whether to thaw after sweeps in which so many points moved.
// Of many points, not while many still move by themselves, for it mostly hastens
// what they do anyway, and then ever more seldom; but whenever none has moved, so
// that no run ends without.
func (r *hmrfRun) timeToThaw(moved int) bool {
	n := len(r.f.points)
	if moved == 0 || n <= alwaysThaw {
		return true
	}
	if r.wait > 0 || moved > n/50 {
		r.wait = max(0, r.wait-1)
		return false
	}
	r.span = min(2*r.span+1, 15)
	r.wait = r.span
	return true
}

// costAt returns what point i costs in cluster h, pairs included, as the others
// stand.
func (r *hmrfRun) costAt(i int, h int32) float64 {
	if r.bill != nil {
		return r.bill.costAt(i, h)
	}
	return r.p.W(i)*r.gauge(i, int(h)) + r.penalties(i)[h]
}

// scaleOfJ returns how large the terms of J are, for what rounding may amount to.
func (r *hmrfRun) scaleOfJ() (s float64) {
	for _, t := range r.terms {
		s += max(t.Value, -t.Value)
	}
	return s
}
