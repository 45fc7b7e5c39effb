package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A forest draws random trees over rows: a node is halved at the median of the
// projections onto the line through two of its rows (Dasgupta and Freund 2008,
// with the lines of Annoy), until few enough rows are left. Rows that are near
// each other mostly share a leaf in some tree.
type forest struct {
	flat []float64 // sketches of dimension m
	n, m int
	seed uint64
	leaf int // most rows in a leaf
}

// piece is a node that is to be halved: rows lo to hi of the order.
type piece struct{ node, lo, hi int }

// draw returns the rows in the order of the leaves of random tree number t, and
// the places where leaves begin, n at the end.
func (f *forest) draw(ctx context.Context, t uint64, workers int) (order []int32, starts []int, err error) {
	order = make([]int32, f.n)
	for i := range order {
		order[i] = int32(i)
	}
	level := []piece{{1, 0, f.n}}
	for len(level) > 0 && level[0].hi-level[0].lo > f.leaf { // none is larger than the first
		err := blocks.Tasks(ctx, workers, len(level), func(p int) {
			f.halve(level[p], order[level[p].lo:level[p].hi], t)
		})
		if err != nil {
			return nil, nil, err
		}
		next := make([]piece, 0, 2*len(level))
		for _, p := range level {
			mid := p.lo + (p.hi-p.lo+1)/2
			next = append(next, piece{2 * p.node, p.lo, mid}, piece{2*p.node + 1, mid, p.hi})
		}
		level = next
	}
	for _, p := range level {
		if p.lo < p.hi {
			starts = append(starts, p.lo)
		}
	}
	return order, append(starts, f.n), nil
}

// halve orders the rows of a node so that its halves are apart.
func (f *forest) halve(p piece, rows []int32, t uint64) {
	if len(rows) < 2 {
		return
	}
	rng := rand.New(rand.NewPCG(f.seed+t, uint64(p.node)))
	line := make([]float64, f.m)
	for range 8 { // until two rows differ
		a, b := rows[rng.IntN(len(rows))], rows[rng.IntN(len(rows))]
		differ := false
		for q := range line {
			line[q] = f.flat[int(a)*f.m+q] - f.flat[int(b)*f.m+q]
			differ = differ || line[q] != 0
		}
		if differ {
			break
		}
	}
	keys := make([]key, len(rows))
	for q, i := range rows {
		keys[q] = key{dot(line, f.flat[int(i)*f.m:(int(i)+1)*f.m]), i}
	}
	halve(keys, (len(rows)+1)/2)
	for q, k := range keys {
		rows[q] = k.row
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1 float64
	f := 0
	for ; f+2 <= len(a); f += 2 {
		s0 += float64(a[f] * b[f])
		s1 += float64(a[f+1] * b[f+1])
	}
	if f < len(a) {
		s0 += float64(a[f] * b[f])
	}
	return s0 + s1
}

// meet offers the rows of each leaf to each other.
func (nb *Neighbours) meet(ctx context.Context, order []int32, starts []int, workers int) error {
	return blocks.Tasks(ctx, workers, len(starts)-1, func(l int) {
		rows := order[starts[l]:starts[l+1]]
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		var some *table // panels are worth their making; lists of features are not
		if nb.table.dense != nil {
			some = nb.table.some(rows)
		}
		for p, i := range rows {
			best := nb.found(int(i))
			if some != nil {
				nb.table.dists(int(i), some, 0, some.n, r)
			} else {
				nb.table.from(int(i), rows, r)
			}
			for q, j := range rows {
				if q != p {
					best.offerNew(j, r.out[q])
				}
			}
			nb.count[i] = int32(best.n)
		}
	})
}

// found returns the top of row i as it stands.
func (nb *Neighbours) found(i int) top {
	best := nb.place(i)
	best.n = int(nb.count[i])
	return best
}

// offerNew is offer for a row that may be there already.
func (t *top) offerNew(j int32, y float64) bool {
	if !t.takes(y, j) {
		return false
	}
	for _, i := range t.idx[:t.n] {
		if i == j {
			return false
		}
	}
	t.offer(j, y)
	return true
}
