package hmrf

import (
	"math"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// A bill tells where a point is cheapest, pairs included, as the others stand.
// It asks for the price of a pair only when a cluster is considered that would
// violate it, and considers few clusters: rows of partners are far away in
// memory. It serves where the ties are all there is, crowds left out, and their
// prices do not depend on the clusters; each goroutine needs its own.
type bill struct {
	r      *hmrfRun
	gauge  gauge
	i      int
	ties   []tie
	price  []float64 // of each tie, below 0: not asked for yet
	x      data.Vec  // row i, once a price was asked for
	read   bool
	a1, a2 []float64
	tried  []byte // by cluster: 1 where it was considered for this point
	floors floors
	low    []float64 // what the point costs in each cluster at least
}

// billable reports whether bills serve.
func (r *hmrfRun) billable() bool {
	return r.toll.alike() && r.f.crowd == nil && (r.f.closed == nil || r.f.listed)
}

func (r *hmrfRun) newBill() *bill {
	d := r.p.X.Dim()
	panels := (r.p.K + simd.PanelRows - 1) / simd.PanelRows
	return &bill{r: r, gauge: r.ground.gauge(), a1: make([]float64, d), a2: make([]float64, d), tried: make([]byte, r.p.K),
		floors: r.ground.floors(), low: make([]float64, panels*simd.PanelRows)}
}

// open begins the bill of point i.
func (b *bill) open(i int) {
	f := b.r.f
	b.i, b.read, b.ties = i, false, f.of(i)
	b.price = b.price[:0]
	for range b.ties {
		b.price = append(b.price, -1)
	}
}

// of returns what it costs to violate tie q.
func (b *bill) of(q int) float64 {
	if b.price[q] >= 0 {
		return b.price[q]
	}
	t, toll := b.ties[q], b.r.toll
	var y data.Vec
	if !toll.flat() {
		if !b.read {
			b.x, b.read = b.r.p.X.Row(b.i, b.a1), true
		}
		y = b.r.p.X.Row(int(t.to), b.a2)
	}
	if t.must {
		b.price[q] = t.w * toll.must(0, 0, b.x, y)
	} else {
		b.price[q] = t.w * toll.cannot(0, b.x, y)
	}
	return b.price[q]
}

// at returns what the pairs and labels of the point cost in cluster h, and
// whether cannot-links are among them.
func (b *bill) at(h int32) (sum float64, crossed bool) {
	labels := b.r.labels
	for q := range b.ties {
		t := &b.ties[q]
		if g := labels[t.to]; g >= 0 && t.must != (g == h) {
			sum += b.of(q)
			crossed = crossed || !t.must
		}
	}
	for _, l := range b.r.f.told(b.i) {
		if int32(l.Class) != h {
			sum += l.W * b.r.toll.label(l.Class)
		}
	}
	return sum, crossed
}

// cheapest is hmrfRun.cheapest. Where the nearest cluster crosses no cannot-link
// only those of partners that must be near, or of labels, can be cheaper: in any
// other the point violates at least as much.
func (b *bill) cheapest(i int) int32 {
	r := b.r
	near, now := r.near[i], r.labels[i]
	if r.content(i, near) {
		return near
	}
	b.open(i)
	pay, crossed := b.at(near)
	w := r.p.W(i)
	to, least := near, float64(w*b.gauge(i, int(near)))+pay
	clear(b.tried)
	try := func(h int32) {
		if h == near || b.tried[h] > 0 {
			return
		}
		b.tried[h] = 1
		c := float64(w * b.gauge(i, int(h)))
		if c > least {
			return
		}
		y, _ := b.at(h)
		if c += y; c < least || c == least && to != near && h < to {
			to, least = h, c
		}
	}
	switch {
	case w*r.ground.bound(i) >= least:
	case crossed:
		if b.floors != nil {
			b.floors(i, b.low)
		}
		for h := range r.p.K {
			if w*b.low[h] <= least {
				try(int32(h))
			}
		}
	default:
		for _, t := range b.ties {
			if g := r.labels[t.to]; t.must && g >= 0 {
				try(g)
			}
		}
		for _, l := range r.f.told(i) {
			try(int32(l.Class))
		}
	}
	if now < 0 || to == now {
		return to
	}
	held, _ := b.at(now)
	if to == near && pay <= held {
		return to
	}
	stay := float64(w*b.gauge(i, int(now))) + held
	if least < stay-rounding*math.Abs(stay) {
		return to
	}
	return now
}

// costAt returns what point i costs in cluster h, pairs included.
func (b *bill) costAt(i int, h int32) float64 {
	b.open(i)
	pay, _ := b.at(h)
	return float64(b.r.p.W(i)*b.gauge(i, int(h))) + pay
}

// share returns what point i costs where it is, pairs with earlier points that
// are listed left out: so that over a list every pair counts once.
func (b *bill) share(i int, moods []byte) float64 {
	b.open(i)
	labels, h := b.r.labels, b.r.labels[i]
	sum := float64(b.r.p.W(i) * b.gauge(i, int(h)))
	for q, t := range b.ties {
		if g := labels[t.to]; g >= 0 && t.must != (g == h) && (int(t.to) > i || moods[t.to] != listed) {
			sum += b.of(q)
		}
	}
	for _, l := range b.r.f.told(i) {
		if int32(l.Class) != h {
			sum += l.W * b.r.toll.label(l.Class)
		}
	}
	return sum
}
