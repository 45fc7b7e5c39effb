package hmrf

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// thaw tries to do better than single moves can. Two points that pairs hold away
// from their nearest centres may hold each other: neither can move while the
// other stays. So all that are held, or violate something, lose their labels
// and get new ones, the surest first: those with the largest difference between
// their two nearest centres. One that has no label yet costs the others nothing.
// Then every one of them may move once more. If J is not lower in the end, all
// go back.
func (r *hmrfRun) thaw(ctx context.Context) (moved int, err error) {
	list, err := r.frozen(ctx)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	tab, err := r.newTab(ctx, list)
	if err != nil {
		return 0, err
	}
	for _, x := range list {
		tab.leave(int(x.i))
		r.move(int(x.i), -1, nil)
	}
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b frozen) int {
		return cmp.Or(cmp.Compare(b.sure, a.sure), cmp.Compare(a.i, b.i))
	})
	for range 2 {
		if err := r.settleFrozen(ctx, order, tab); err != nil {
			return 0, err
		}
	}
	change, err := tab.close(ctx)
	if err != nil {
		return 0, err
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

// A frozen point is held away from its nearest centre, or violates something.
type frozen struct {
	i    int32
	was  int32   // its label
	sure float64 // by how much its nearest centre is cheaper than any other, at least
}

// frozen lists the frozen points, rising.
func (r *hmrfRun) frozen(ctx context.Context) (list []frozen, err error) {
	err = lloyd.LongBlocks(ctx, r.e.Workers, len(r.labels), func(lo, hi int) (part []frozen) {
		var g gauge
		near, bad := r.near[lo:hi], r.bad[lo:hi]
		for at, h := range r.labels[lo:hi] {
			if h != near[at] || bad[at] > 0 {
				if g == nil {
					g = r.ground.gauge()
				}
				i := lo + at
				part = append(part, frozen{int32(i), h, r.p.W(i) * max(0, r.ground.bound(i)-g(i, int(near[at])))})
			}
		}
		return part
	}, func(_, _ int, part []frozen) { list = append(list, part...) })
	return list, err
}

// settleFrozen visits points in the given order. Where they would go is found
// for some of them side by side, if there are several goroutines; it is still
// right when their turn comes unless a partner has moved meanwhile.
func (r *hmrfRun) settleFrozen(ctx context.Context, order []frozen, tab *tab) error {
	ahead := r.e.Workers != 1 && r.billable() && len(order) >= leastTogether
	to := make([]int32, chunk*8)
	for lo := 0; lo < len(order); lo += len(to) {
		batch := order[lo:min(lo+len(to), len(order))]
		if ahead {
			err := blocks.Tasks(ctx, r.e.Workers, (len(batch)+chunk-1)/chunk, func(c int) {
				b := r.newBill()
				for at := c * chunk; at < min((c+1)*chunk, len(batch)); at++ {
					to[at] = b.cheapest(int(batch[at].i))
				}
			})
			if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.settleBatch(batch, to, ahead, tab)
	}
	return nil
}

func (r *hmrfRun) settleBatch(batch []frozen, to []int32, ahead bool, tab *tab) {
	moods := r.moodsOf()
	for at, x := range batch {
		i := int(x.i)
		var h int32
		if ahead && !r.stale(x.i) {
			h = to[at]
		} else {
			h = r.cheapest(i)
		}
		if h == r.labels[i] {
			continue
		}
		tab.leave(i)
		r.move(i, h, nil)
		tab.enter(i)
		moods[i] = gone
	}
	for _, x := range batch {
		moods[x.i] = 0
	}
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
