package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// A hunt is the search for the neighbours of one row.
type hunt struct {
	*tree
	x    []float64
	self int32
	own  int // its leaf
	best *top
	r    *room
	seen int // leaves looked at
	gaps [simd.PanelRows]float64
}

// find offers to best every row that may be among the nearest of the row at
// place p of the order, starting with its own leaf. It returns the number of
// leaves that it looked at.
func (t *tree) find(p int, best *top, r *room) int {
	h := hunt{tree: t, self: t.order[p], own: p / leafRows, best: best, r: r}
	h.x = t.table.row(int(h.self))
	r.fit(1)
	h.leaf(h.own)
	h.visit(span{0, 0, t.bunches()})
	return h.seen
}

func (h *hunt) leaf(l int) {
	scanPanels(h.cols, h.x, l, l+1, h.self, h.order, h.best, h.r)
	h.seen++
}

// visit looks at the nearer half first.
func (h *hunt) visit(s span) {
	if s.hi-s.lo == 1 {
		h.bunch(s.lo)
		return
	}
	near, far := s.children()
	a, b := h.apart(near.node), h.apart(far.node)
	if b < a || b == a && h.first[far.node] < h.first[near.node] {
		near, far, a, b = far, near, b, a
	}
	if h.best.takes(a, h.first[near.node]) {
		h.visit(near)
	}
	if h.best.takes(b, h.first[far.node]) {
		h.visit(far)
	}
}

// bunch looks at the leaves of bunch b that are not too far.
func (h *hunt) bunch(b int) {
	mask := simd.NearBoxes(h.x, h.low, h.high, b, h.best.limit(), &h.gaps)
	if left := h.leaves() - b*simd.PanelRows; left < simd.PanelRows {
		mask &= 1<<left - 1
	}
	for ; mask != 0; mask &= mask - 1 {
		j := bits.TrailingZeros16(mask)
		l := b*simd.PanelRows + j
		if l != h.own && h.best.takes(h.gaps[j], h.firstLeaf[l]) {
			h.leaf(l)
		}
	}
}

// apart returns a lower bound of the squared distance to the rows of a node. It
// is added up as distances are, and rounding keeps order, so that it is at most
// the distance as computed: no row is lost to rounding.
func (h *hunt) apart(node int) (s float64) {
	d := len(h.x)
	box := h.box[2*d*node : 2*d*(node+1)]
	for f, y := range h.x {
		gap := box[2*f] - y
		if over := y - box[2*f+1]; over > gap {
			gap = over
		}
		if gap > 0 {
			s += float64(gap * gap)
		}
	}
	return s
}

// probes is how many rows are searched for to see what a tree is worth.
const probes = 64

// share returns which part of the leaves the search for a row looks at, on the
// average of some rows.
func (t *tree) share(k int) float64 {
	idx, dist, seen := make([]int32, k), make([]float64, k), 0
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	for p := range probes {
		best := top{idx: idx, dist: dist}
		seen += t.find(p*len(t.order)/probes, &best, r)
	}
	return float64(seen) / probes / float64(t.leaves())
}

// byTree finds all neighbours by t, bunch by bunch.
func (nb *Neighbours) byTree(ctx context.Context, t *tree, workers int) error {
	nb.Method = "tree"
	return blocks.Tasks(ctx, workers, t.bunches(), func(b int) {
		r := rooms.Get().(*room)
		defer rooms.Put(r)
		for p := b * bunchRows; p < min(nb.N, (b+1)*bunchRows); p++ {
			best := nb.place(int(t.order[p]))
			t.find(p, &best, r)
		}
	})
}
