package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A randomTrees draws random trees over rows: a node is halved at the median of
// the projections onto the line through two of its rows (Dasgupta and Freund
// 2008, with the lines of Annoy), until few enough rows are left. Rows that are
// close mostly share a leaf in some tree.
type randomTrees struct {
	points   []float64 // rows of m features
	n, m     int
	seed     uint64
	leafSize int // maximum number of rows in a leaf
}

// A treeSegment is a node that is to be halved: rows lo to hi of the order.
type treeSegment struct{ node, lo, hi int }

// drawTree returns the rows in the order of the leaves of random tree number t,
// and the places where leaves begin, with n at the end.
func (f *randomTrees) drawTree(ctx context.Context, t uint64, workers int) (order []int32, starts []int, err error) {
	order = make([]int32, f.n)
	for i := range order {
		order[i] = int32(i)
	}
	level := []treeSegment{{1, 0, f.n}}
	for len(level) > 0 && level[0].hi-level[0].lo > f.leafSize { // none is larger than the first
		err := blocks.Tasks(ctx, workers, len(level), func(p int) {
			f.splitSegment(level[p], order[level[p].lo:level[p].hi], t)
		})
		if err != nil {
			return nil, nil, err
		}
		next := make([]treeSegment, 0, 2*len(level))
		for _, p := range level {
			mid := p.lo + (p.hi-p.lo+1)/2
			next = append(next, treeSegment{2 * p.node, p.lo, mid}, treeSegment{2*p.node + 1, mid, p.hi})
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

// splitSegment orders the rows of a node so that its halves are separate.
func (f *randomTrees) splitSegment(p treeSegment, rows []int32, t uint64) {
	if len(rows) < 2 {
		return
	}
	rng := rand.New(rand.NewPCG(f.seed+t, uint64(p.node)))
	line := make([]float64, f.m)
	for range 8 { // until two rows differ
		a, b := rows[rng.IntN(len(rows))], rows[rng.IntN(len(rows))]
		differ := false
		for q := range line {
			line[q] = f.points[int(a)*f.m+q] - f.points[int(b)*f.m+q]
			differ = differ || line[q] != 0
		}
		if differ {
			break
		}
	}
	keys := make([]rowKey, len(rows))
	for q, i := range rows {
		keys[q] = rowKey{dot(line, f.points[int(i)*f.m:(int(i)+1)*f.m]), i}
	}
	selectFirst(keys, (len(rows)+1)/2)
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

// compareLeaves compares the rows of each leaf with each other.
func (nb *Neighbours) compareLeaves(ctx context.Context, order []int32, starts []int, workers int) error {
	return blocks.Tasks(ctx, workers, len(starts)-1, func(l int) {
		rows := order[starts[l]:starts[l+1]]
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		var subTable *rowTable // of dense rows only: building lists of features does not pay
		if nb.table.dense != nil {
			subTable = nb.table.subTable(rows)
		}
		for p, i := range rows {
			best := nb.currentList(int(i))
			if subTable != nil {
				nb.table.squaredDistances(int(i), subTable, 0, subTable.n, r)
			} else {
				nb.table.distancesToList(int(i), rows, r)
			}
			for q, j := range rows {
				if q != p {
					best.insertNew(j, r.values[q])
				}
			}
			nb.count[i] = int32(best.count)
		}
	})
}

// leafSize is the number of rows in a leaf of a random tree, fewer if distances
// are expensive. By measurement on 100,000 rows of 16 features: large leaves save
// rounds of the descent, whose memory accesses are random.
func (t *rowTable) leafSize() int {
	if t.dense == nil {
		return 64
	}
	return max(64, min(256, 4096/t.d))
}
