package affinity

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// An nnDescent improves neighbours by the neighbours of neighbours (Dong, Moses
// and Li 2011). The paper lets pairs that meet update each other's lists; here
// each row updates its own, reading only the lists of the round before, so that
// the result does not depend on the order.
type nnDescent struct {
	nb    *Neighbours
	order []int32 // all rows, close ones next to each other
	round int

	previous     []int32 // the lists of the round before
	fresh        []bool  // which of them came in the round before that
	reverseStart []int   // rows with i in their list: reverse[reverseStart[i]:reverseStart[i+1]]
	reverse      []int32
	reverseFresh []bool
	reverseNext  []int

	// ring[2·K·i:] are the rows around i: newCount[i] that were not there before,
	// then others, ringSize[i] in all. They are the rows in its list, and up to K
	// of those that have it in theirs, others each round.
	ring               []int32
	newCount, ringSize []int32
}

// An nnDescent ends when a round changes fewer than this share of all entries, or
// after this many rounds.
const (
	convergedShare = 0.01
	maxRounds      = 12
)

// improveLists makes rounds until few entries change.
func (d *nnDescent) improveLists(ctx context.Context, workers int) error {
	nb := d.nb
	if d.fresh == nil { // the first time all entries are new
		d.fresh = make([]bool, len(nb.Idx))
		for p := range d.fresh {
			d.fresh[p] = true
		}
	} else if err := d.markFresh(ctx, workers); err != nil {
		return err
	}
	for range maxRounds {
		d.round++
		d.previous = append(d.previous[:0], nb.Idx...)
		d.reverseLists()
		if err := d.fillRings(ctx, workers); err != nil {
			return err
		}
		changed := 0
		err := blocks.Each(ctx, workers, nb.N, func(lo, hi int) int {
			r := scratchPool.Get().(*scratch)
			defer scratchPool.Put(r)
			n := 0
			for _, i := range d.order[lo:hi] {
				n += d.improveRow(int(i), r)
			}
			return n
		}, func(_, _, n int) { changed += n })
		if err != nil {
			return err
		}
		if float64(changed) < convergedShare*float64(len(nb.Idx)) {
			break
		}
		if err := d.markFresh(ctx, workers); err != nil {
			return err
		}
	}
	d.previous = append(d.previous[:0], nb.Idx...)
	return nil
}

// reverseLists lists, for each row, the rows that had it as a neighbour.
func (d *nnDescent) reverseLists() {
	nb := d.nb
	if d.reverseStart == nil {
		d.reverseStart, d.reverse, d.reverseFresh = make([]int, nb.N+1), make([]int32, len(nb.Idx)), make([]bool, len(nb.Idx))
		d.reverseNext, d.ring = make([]int, nb.N), make([]int32, 2*len(nb.Idx))
		d.newCount, d.ringSize = make([]int32, nb.N), make([]int32, nb.N)
	}
	clear(d.reverseStart)
	for _, j := range d.previous {
		d.reverseStart[j+1]++
	}
	for i := range nb.N {
		d.reverseStart[i+1] += d.reverseStart[i]
	}
	copy(d.reverseNext, d.reverseStart)
	for i := range nb.N {
		for p := i * nb.K; p < (i+1)*nb.K; p++ {
			at := &d.reverseNext[d.previous[p]]
			d.reverse[*at], d.reverseFresh[*at] = int32(i), d.fresh[p]
			*at++
		}
	}
}

// fillRings fills the rings.
func (d *nnDescent) fillRings(ctx context.Context, workers int) error {
	k := d.nb.K
	return blocks.Each(ctx, workers, d.nb.N, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			ring, front, back := d.ring[2*k*i:2*k*(i+1)], 0, 2*k
			put := func(j int32, isNew bool) {
				if isNew {
					ring[front] = j
					front++
				} else {
					back--
					ring[back] = j
				}
			}
			for p := i * k; p < (i+1)*k; p++ {
				put(d.previous[p], d.fresh[p])
			}
			from, m := d.reverseStart[i], d.reverseStart[i+1]-d.reverseStart[i]
			at := 0
			if m > k {
				at = int((uint64(i)*0x9e3779b97f4a7c15 + uint64(d.round)*0xbf58476d1ce4e5b9) >> 33 % uint64(m))
			}
			for range min(k, m) {
				put(d.reverse[from+at], d.reverseFresh[from+at])
				if at++; at == m {
					at = 0
				}
			}
			d.newCount[i] = int32(front)
			d.ringSize[i] = int32(front + copy(ring[front:], ring[back:]))
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// improveRow offers row i the neighbours of its neighbours, if one of the two
// steps is new, and returns how many it took.
func (d *nnDescent) improveRow(i int, r *scratch) (taken int) {
	k := d.nb.K
	r.clearMarks(d.nb.N)
	r.markRow(int32(i))
	for _, j := range d.previous[i*k : (i+1)*k] {
		r.markRow(j)
	}
	list, stamp, now := r.candidates[:0], r.marks, r.generation
	ring, newCount := d.ring[2*k*i:2*k*i+int(d.ringSize[i])], int(d.newCount[i])
	for p, j := range ring {
		count := d.ringSize[j]
		if p >= newCount {
			count = d.newCount[j]
		} else if stamp[j] != now {
			stamp[j] = now
			list = append(list, j)
		}
		at := 2 * k * int(j)
		for _, w := range d.ring[at : at+int(count)] {
			if stamp[w] != now {
				stamp[w] = now
				list = append(list, w)
			}
		}
	}
	r.candidates = list
	best := d.nb.currentList(i)
	d.nb.table.distancesToList(i, r.candidates, r)
	for p, j := range r.candidates {
		if best.accepts(r.values[p], j) {
			best.insert(j, r.values[p])
			taken++
		}
	}
	return taken
}

// markFresh marks the entries that are not in the previous lists.
func (d *nnDescent) markFresh(ctx context.Context, workers int) error {
	k := d.nb.K
	return blocks.Each(ctx, workers, d.nb.N, func(lo, hi int) struct{} {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		for i := lo; i < hi; i++ {
			r.clearMarks(d.nb.N)
			for _, j := range d.previous[i*k : (i+1)*k] {
				r.markRow(j)
			}
			for p := i * k; p < (i+1)*k; p++ {
				d.fresh[p] = r.markRow(d.nb.Idx[p])
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}
