package hmrf

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
)

// icm assigns constrained points by iterated conditional modes: one after the
// other, in random order, each goes where it is cheapest as the others stand,
// if that is strictly cheaper than where it is. A sweep need not visit points
// at their nearest centre whose pairs are all honoured, as nothing is cheaper.
// After the first sweep only those have news that are tied to a point that
// moved. open lists the points that may move, rising; in the very first
// assignment, when points have no label yet, they cost their partners nothing.
func (r *hmrfRun) icm(ctx context.Context, open []int32) (moved int, err error) {
	first := len(r.f.points) > 0 && r.labels[r.f.points[0]] < 0
	r.crowds.read(r.labels)
	if !first {
		open = union(open, r.f.loud)
	}
	var news *news // with one sweep nobody need hear anything
	if r.a.Sweeps != 1 {
		news = newNews(len(r.labels))
	}
	for sweep := 1; len(open) > 0; sweep++ {
		visit := r.sweep
		if !first && len(open) >= leastTogether && r.billable() {
			visit = r.sweepTogether
		}
		changed, err := visit(ctx, open, news)
		if err != nil {
			return 0, err
		}
		moved += changed
		if first {
			r.countBad()
			first = false
			open = slices.Clone(r.f.points)
		} else {
			open = nil
			if news != nil {
				open = news.take(r.f.loud)
			}
		}
		if changed == 0 || sweep == r.a.Sweeps || sweep == mostSweeps {
			break
		}
	}
	if r.a.Thaw && r.timeToThaw(moved) {
		m, err := r.thaw(ctx)
		return moved + m, err
	}
	return moved, nil
}

// sweep visits the points of open one after the other, in random order.
func (r *hmrfRun) sweep(ctx context.Context, open []int32, n *news) (moved int, err error) {
	r.e.Rand.Shuffle(len(open), func(a, b int) { open[a], open[b] = open[b], open[a] })
	for at, i := range open {
		if at%4096 == 4095 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if h := r.cheapest(int(i)); h != r.labels[i] {
			r.move(int(i), h, n)
			moved++
		}
	}
	return moved, nil
}

// mostSweeps bounds an assignment where rounding would go on for ever.
const mostSweeps = 100

// cheapest returns the cluster in which point i costs least, pairs included:
// where it is if nothing is strictly cheaper, else the nearest of the cheapest,
// else the lowest. Penalties are never negative, so that a point need not look
// beyond its nearest centre where that is free of them, and where a bound on the
// other distances shows that none can make up for its penalty.
func (r *hmrfRun) cheapest(i int) int32 {
	if r.bill != nil {
		return r.bill.cheapest(i)
	}
	near, now := r.near[i], r.labels[i]
	if r.content(i, near) {
		return near
	}
	pen, w := r.penalties(i), r.p.W(i)
	low := r.gauge(i, int(near))
	to, least := near, w*low+pen[near]
	others := math.Inf(1) // the least penalty elsewhere
	for h, y := range pen {
		if int32(h) != near {
			others = min(others, y)
		}
	}
	if bound := w * max(low, r.ground.bound(i)); bound+others < least {
		for h, y := range pen {
			if int32(h) == near || bound+y >= least {
				continue
			}
			if c := w*r.gauge(i, h) + y; c < least {
				to, least = int32(h), c
			}
		}
	}
	if now < 0 || to == now || to == near && pen[near] <= pen[now] {
		return to
	}
	stay := w*r.gauge(i, int(now)) + pen[now]
	if least < stay-rounding*math.Abs(stay) {
		return to
	}
	return now
}

// content reports whether point i would violate nothing in cluster h, which is
// quickly seen.
func (r *hmrfRun) content(i int, h int32) bool {
	for _, t := range r.f.of(i) {
		if g := r.labels[t.to]; g >= 0 && t.must != (g == h) {
			return false
		}
	}
	for _, l := range r.f.told(i) {
		if int32(l.Class) != h {
			return false
		}
	}
	if r.f.closed == nil || r.f.listed && r.f.crowd == nil {
		return true
	}
	good := true
	r.f.eachWalked(i, func(j int32, must bool, _ float64) {
		if g := r.labels[j]; g >= 0 && must != (g == h) {
			good = false
		}
	})
	return good && r.crowds.content(i, h, r.labels)
}

// rounding is the part of a price below which a difference is none.
const rounding = 1e-13

// penalties returns what the pairs and labels of point i cost in each cluster,
// as the other points stand. The result is good until the next call.
func (r *hmrfRun) penalties(i int) []float64 {
	pen, everywhere, t := r.pen, 0.0, r.toll
	clear(pen)
	var x data.Vec
	if !t.flat() {
		x = r.row1(int32(i))
	}
	meet := func(j int32, must bool, w float64) {
		h := r.labels[j]
		if h < 0 {
			return
		}
		var y data.Vec
		if !t.flat() {
			y = r.row2(j)
		}
		switch {
		case !must:
			pen[h] += w * t.cannot(h, x, y)
		case t.alike():
			v := w * t.must(0, 0, x, y)
			pen[h] -= v
			everywhere += v
		default:
			for g := range pen {
				if int32(g) != h {
					pen[g] += w * t.must(int32(g), h, x, y)
				}
			}
		}
	}
	r.f.each(i, meet)
	for _, l := range r.f.told(i) {
		v := l.W * t.label(l.Class)
		pen[l.Class] -= v
		everywhere += v
	}
	if t.flat() {
		everywhere += r.crowds.price(i, r.labels, r.f.unit*t.w, pen)
	} else {
		r.f.eachOfCrowds(i, meet)
	}
	for h := range pen {
		pen[h] += everywhere
	}
	return pen
}

// move gives point i the label to, or none, and tells those who are tied to it.
func (r *hmrfRun) move(i int, to int32, n *news) {
	from := r.labels[i]
	r.labels[i] = to
	if r.crowds.move(i, from, to) && n != nil {
		n.loud = true
	}
	r.f.each(i, func(j int32, must bool, _ float64) {
		if n != nil {
			n.tell(j)
		}
		if h := r.labels[j]; h >= 0 {
			change := broken(must, to, h) - broken(must, from, h)
			r.bad[i] += change
			r.bad[j] += change
		}
	})
}

// broken returns 1 if a pair with labels g and h is violated; none is while a
// point has no label.
func broken(must bool, g, h int32) int32 {
	if g >= 0 && must != (g == h) {
		return 1
	}
	return 0
}

// countBad counts the violated ties of every point from nothing.
func (r *hmrfRun) countBad() {
	clear(r.bad)
	for _, i := range r.f.points {
		g, n := r.labels[i], int32(0)
		r.f.each(int(i), func(j int32, together bool, _ float64) {
			if together != (r.labels[j] == g) {
				n++
			}
		})
		r.bad[i] = n
	}
}

// news gathers the points tied to one that moved.
type news struct {
	heard []bool
	list  []int32
	loud  bool // points that meet a crowd have heard something
}

func newNews(n int) *news { return &news{heard: make([]bool, n)} }

func (n *news) tell(i int32) {
	if !n.heard[i] {
		n.heard[i] = true
		n.list = append(n.list, i)
	}
}

// take returns who has heard something, rising, and begins anew.
func (n *news) take(loud []int32) []int32 {
	out := n.list
	for _, i := range out {
		n.heard[i] = false
	}
	slices.Sort(out)
	if n.loud {
		out = union(out, loud)
	}
	n.list, n.loud = nil, false
	return out
}

// union merges two rising lists.
func union(a, b []int32) []int32 {
	if len(b) == 0 {
		return a
	}
	out := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
