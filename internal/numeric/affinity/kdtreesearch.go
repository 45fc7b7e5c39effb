package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A kdSearch is the search for the neighbours of one row.
type kdSearch struct {
	*KDTree
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
func (t *KDTree) searchRow(p int, best *nearestList, r *scratch) int {
	h := kdSearch{KDTree: t, self: t.Order[p], own: p / LeafRows, best: best, work: r}
	h.x = t.table.denseRow(int(h.self))
	r.fitPanels(1)
	h.scanLeaf(h.own)
	h.visitNode(t.Root())
	return h.leavesVisited
}

// scanLeaf compares the row with all rows of leaf l.
func (h *kdSearch) scanLeaf(l int) {
	scanPanels(h.Panels, h.x, l, l+1, h.self, h.Order, h.best, h.work)
	h.leavesVisited++
}

// visitNode visits the nearer half first.
func (h *kdSearch) visitNode(s TreeNode) {
	if s.Hi-s.Lo == 1 {
		h.scanLeafPanel(s.Lo)
		return
	}
	near, far := s.Children()
	a, b := h.boxDist2(h.x, near.Node), h.boxDist2(h.x, far.Node)
	if b < a || b == a && h.LowestRow[far.Node] < h.LowestRow[near.Node] {
		near, far, a, b = far, near, b, a
	}
	if h.best.accepts(a, h.LowestRow[near.Node]) {
		h.visitNode(near)
	}
	if h.best.accepts(b, h.LowestRow[far.Node]) {
		h.visitNode(far)
	}
}

// scanLeafPanel visits the leaves of panel b that are not too far away.
func (h *kdSearch) scanLeafPanel(b int) {
	mask := simd.NearBoxes(h.x, h.Low, h.High, b, h.best.cutoff(), &h.boxDists)
	if left := h.NumLeaves() - b*simd.PanelRows; left < simd.PanelRows {
		mask &= 1<<left - 1
	}
	for ; mask != 0; mask &= mask - 1 {
		j := bits.TrailingZeros16(mask)
		l := b*simd.PanelRows + j
		if l != h.own && h.best.accepts(h.boxDists[j], h.LowestLeafRow[l]) {
			h.scanLeaf(l)
		}
	}
}

// boxDist2 returns a lower bound of the squared distance of x to the rows of a node.
// It is added up in the order of distances, and rounding is monotonic, so that it
// is at most the distance as computed: no row is lost to rounding.
func (t *KDTree) boxDist2(x []float64, node int) (s float64) {
	d := len(x)
	box := t.Box[2*d*node : 2*d*(node+1)]
	for f, y := range x {
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
func (t *KDTree) visitedShare(k int) float64 {
	idx, dist, seen := make([]int32, k), make([]float64, k), 0
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	for p := range probeRows {
		best := nearestList{idx: idx, dist: dist}
		seen += t.searchRow(p*len(t.Order)/probeRows, &best, r)
	}
	return float64(seen) / probeRows / float64(t.NumLeaves())
}

// byTree finds all neighbours by t, one leaf panel after another.
func (nb *Neighbours) byTree(ctx context.Context, t *KDTree, workers int, progress func(share float64)) error {
	nb.Method = "tree"
	return blocks.TasksWithProgress(ctx, workers, t.NumLeafPanels(), progress, func(b int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		for p := b * LeafPanelRows; p < min(nb.N, (b+1)*LeafPanelRows); p++ {
			best := nb.emptyList(int(t.Order[p]))
			t.searchRow(p, &best, r)
		}
	})
}
