package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/internal/numeric/blocks"
	"github.com/inklinghq/inkling/internal/numeric/simd"
)

// A kdSearch is the search for the neighbours of one row.
type kdSearch struct {
	*kdTree
	x             []float64
	self          int32
	own           int // its leaf
	best          *nearestList
	work          *scratch
	leavesVisited int
	boxDists      [simd.PanelRows]float64
}

// searchRow offers to best every row that may be among the nearest of the row at
// place p of the order, starting with its own leaf. It returns the number of
// leaves that it visited.
func (t *kdTree) searchRow(p int, best *nearestList, r *scratch) int {
	h := kdSearch{kdTree: t, self: t.order[p], own: p / leafRows, best: best, work: r}
	h.x = t.table.denseRow(int(h.self))
	r.fitPanels(1)
	h.scanLeaf(h.own)
	h.visitNode(treeNode{0, 0, t.numLeafPanels()})
	return h.leavesVisited
}

// scanLeaf compares the row with all rows of leaf l.
func (h *kdSearch) scanLeaf(l int) {
	scanPanels(h.panels, h.x, l, l+1, h.self, h.order, h.best, h.work)
	h.leavesVisited++
}

// visitNode visits the nearer half first.
func (h *kdSearch) visitNode(s treeNode) {
	if s.hi-s.lo == 1 {
		h.scanLeafPanel(s.lo)
		return
	}
	near, far := s.children()
	a, b := h.boxDist2(near.node), h.boxDist2(far.node)
	if b < a || b == a && h.lowestRow[far.node] < h.lowestRow[near.node] {
		near, far, a, b = far, near, b, a
	}
	if h.best.accepts(a, h.lowestRow[near.node]) {
		h.visitNode(near)
	}
	if h.best.accepts(b, h.lowestRow[far.node]) {
		h.visitNode(far)
	}
}

// scanLeafPanel visits the leaves of panel b that are not too far away.
func (h *kdSearch) scanLeafPanel(b int) {
	mask := simd.NearBoxes(h.x, h.low, h.high, b, h.best.cutoff(), &h.boxDists)
	if left := h.numLeaves() - b*simd.PanelRows; left < simd.PanelRows {
		mask &= 1<<left - 1
	}
	for ; mask != 0; mask &= mask - 1 {
		j := bits.TrailingZeros16(mask)
		l := b*simd.PanelRows + j
		if l != h.own && h.best.accepts(h.boxDists[j], h.lowestLeafRow[l]) {
			h.scanLeaf(l)
		}
	}
}

// boxDist2 returns a lower bound of the squared distance to the rows of a node.
// It is added up in the order of distances, and rounding is monotonic, so that it
// is at most the distance as computed: no row is lost to rounding.
func (h *kdSearch) boxDist2(node int) (s float64) {
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

// probeRows is the number of rows that are searched for to estimate the cost of a
// tree.
const probeRows = 64

// visitedShare returns the share of the leaves that the search for a row visits,
// averaged over some rows.
func (t *kdTree) visitedShare(k int) float64 {
	idx, dist, seen := make([]int32, k), make([]float64, k), 0
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	for p := range probeRows {
		best := nearestList{idx: idx, dist: dist}
		seen += t.searchRow(p*len(t.order)/probeRows, &best, r)
	}
	return float64(seen) / probeRows / float64(t.numLeaves())
}

// byTree finds all neighbours by t, one leaf panel after another.
func (nb *Neighbours) byTree(ctx context.Context, t *kdTree, workers int) error {
	nb.Method = "tree"
	return blocks.Tasks(ctx, workers, t.numLeafPanels(), func(b int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		for p := b * leafPanelRows; p < min(nb.N, (b+1)*leafPanelRows); p++ {
			best := nb.emptyList(int(t.order[p]))
			t.searchRow(p, &best, r)
		}
	})
}
