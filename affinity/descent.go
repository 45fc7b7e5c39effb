package affinity

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A descent improves neighbours by the neighbours of neighbours (Dong, Moses
// and Li 2011). The paper lets pairs that meet update each other's lists; here
// each row asks for itself, reading only the lists of the round before, so that
// the outcome does not depend on who comes first.
type descent struct {
	nb    *Neighbours
	order []int32 // rows that are near each other one after the other
	round int

	old   []int32 // the lists of the round before
	fresh []bool  // which of them came in the round before that
	start []int   // who has row i in his list: by[start[i]:start[i+1]]
	by    []int32
	isNew []bool
	next  []int

	// ring[2·K·i:] are the rows around i: news[i] that were not there before,
	// then others, size[i] in all. They are those in its list, and up to K of
	// those that have it in theirs, other ones each round.
	ring       []int32
	news, size []int32
}

// A descent ends when a round changes fewer than this share of all entries, or
// after so many rounds.
const (
	settled = 0.01
	rounds  = 12
)

func (d *descent) run(ctx context.Context, workers int) error {
	nb := d.nb
	if d.fresh == nil { // the first time all is news
		d.fresh = make([]bool, len(nb.Idx))
		for p := range d.fresh {
			d.fresh[p] = true
		}
	} else if err := d.refresh(ctx, workers); err != nil {
		return err
	}
	for range rounds {
		d.round++
		d.old = append(d.old[:0], nb.Idx...)
		d.reverse()
		if err := d.surround(ctx, workers); err != nil {
			return err
		}
		changed := 0
		err := blocks.Each(ctx, workers, nb.N, func(lo, hi int) int {
			r := rooms.Get().(*room)
			defer rooms.Put(r)
			n := 0
			for _, i := range d.order[lo:hi] {
				n += d.improve(int(i), r)
			}
			return n
		}, func(_, _, n int) { changed += n })
		if err != nil {
			return err
		}
		if float64(changed) < settled*float64(len(nb.Idx)) {
			break
		}
		if err := d.refresh(ctx, workers); err != nil {
			return err
		}
	}
	d.old = append(d.old[:0], nb.Idx...)
	return nil
}

// reverse turns the old lists around.
func (d *descent) reverse() {
	nb := d.nb
	if d.start == nil {
		d.start, d.by, d.isNew = make([]int, nb.N+1), make([]int32, len(nb.Idx)), make([]bool, len(nb.Idx))
		d.next, d.ring = make([]int, nb.N), make([]int32, 2*len(nb.Idx))
		d.news, d.size = make([]int32, nb.N), make([]int32, nb.N)
	}
	clear(d.start)
	for _, j := range d.old {
		d.start[j+1]++
	}
	for i := range nb.N {
		d.start[i+1] += d.start[i]
	}
	copy(d.next, d.start)
	for i := range nb.N {
		for p := i * nb.K; p < (i+1)*nb.K; p++ {
			at := &d.next[d.old[p]]
			d.by[*at], d.isNew[*at] = int32(i), d.fresh[p]
			*at++
		}
	}
}

// surround fills the rings.
func (d *descent) surround(ctx context.Context, workers int) error {
	k := d.nb.K
	return blocks.Each(ctx, workers, d.nb.N, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			ring, front, back := d.ring[2*k*i:2*k*(i+1)], 0, 2*k
			put := func(j int32, news bool) {
				if news {
					ring[front] = j
					front++
				} else {
					back--
					ring[back] = j
				}
			}
			for p := i * k; p < (i+1)*k; p++ {
				put(d.old[p], d.fresh[p])
			}
			from, m := d.start[i], d.start[i+1]-d.start[i]
			at := 0
			if m > k {
				at = int((uint64(i)*0x9e3779b97f4a7c15 + uint64(d.round)*0xbf58476d1ce4e5b9) >> 33 % uint64(m))
			}
			for range min(k, m) {
				put(d.by[from+at], d.isNew[from+at])
				if at++; at == m {
					at = 0
				}
			}
			d.news[i] = int32(front)
			d.size[i] = int32(front + copy(ring[front:], ring[back:]))
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// improve offers row i the neighbours of its neighbours, where one of the two
// steps is news, and returns how many it took.
func (d *descent) improve(i int, r *room) (taken int) {
	k := d.nb.K
	r.start(d.nb.N)
	r.mark(int32(i))
	for _, j := range d.old[i*k : (i+1)*k] {
		r.mark(j)
	}
	list, stamp, now := r.list[:0], r.stamp, r.now
	ring, news := d.ring[2*k*i:2*k*i+int(d.size[i])], int(d.news[i])
	for p, j := range ring {
		some := d.size[j]
		if p >= news {
			some = d.news[j]
		} else if stamp[j] != now {
			stamp[j] = now
			list = append(list, j)
		}
		at := 2 * k * int(j)
		for _, w := range d.ring[at : at+int(some)] {
			if stamp[w] != now {
				stamp[w] = now
				list = append(list, w)
			}
		}
	}
	r.list = list
	best := d.nb.found(i)
	d.nb.table.from(i, r.list, r)
	for p, j := range r.list {
		if best.takes(r.out[p], j) {
			best.offer(j, r.out[p])
			taken++
		}
	}
	return taken
}

// refresh notes which entries are new since the old lists.
func (d *descent) refresh(ctx context.Context, workers int) error {
	k := d.nb.K
	return blocks.Each(ctx, workers, d.nb.N, func(lo, hi int) struct{} {
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		for i := lo; i < hi; i++ {
			r.start(d.nb.N)
			for _, j := range d.old[i*k : (i+1)*k] {
				r.mark(j)
			}
			for p := i * k; p < (i+1)*k; p++ {
				d.fresh[p] = r.mark(d.nb.Idx[p])
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}
