package hierarchy

import (
	"math"
	"math/bits"
	"sync"

	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/simd"
)

// A foreignSearch looks for the nearest points in other components, for several
// points of one leaf at a time.
type foreignSearch struct {
	*forest
	points    []int32   // places, of which
	rows      []float64 // these are the rows,
	box       []float64 // the box around them,
	core2     float64   // their least core distance squared,
	component int32     // and the component of all, or -1
	limit     float64   // the greatest bound of their components
	boxDists  [simd.PanelRows]float64
	dists     [simd.PanelRows]float64
	mask      [1]uint16
}

var searchPool = sync.Pool{New: func() any { return new(foreignSearch) }}

// searchPanel finds the best links of the points of a leaf panel that their lists
// leave open.
func (f *forest) searchPanel(panel int) {
	h := searchPool.Get().(*foreignSearch)
	defer searchPool.Put(h)
	h.forest = f
	lo, hi := f.leaves(panel)
	for l := lo; l < hi; l++ {
		h.points = h.points[:0]
		from, to := f.places(l)
		for p := from; p < to; p++ {
			if !f.best[p].final && f.least[p] <= f.boundOf(f.component[p]) {
				h.points = append(h.points, int32(p))
			}
		}
		if len(h.points) > 0 {
			h.searchPoints()
		}
	}
	h.forest = nil
}

// searchPoints searches for h.points. What it leaves out is after the best link of a
// component, as known then, and after the best as known at the end.
func (h *foreignSearch) searchPoints() {
	d := h.tree.Panels.Dim()
	h.rows, h.box = resized(h.rows, len(h.points)*d), resized(h.box, 2*d)
	h.core2, h.component = math.Inf(1), h.forest.component[h.points[0]]
	for f := range d {
		h.box[2*f], h.box[2*f+1] = math.Inf(1), math.Inf(-1)
	}
	for i, p := range h.points {
		row := h.rows[i*d : (i+1)*d]
		h.tree.Panels.Row(int(p), row)
		for f, y := range row {
			h.box[2*f], h.box[2*f+1] = min(h.box[2*f], y), max(h.box[2*f+1], y)
		}
		h.core2 = min(h.core2, h.forest.core2[p])
		if h.forest.component[p] != h.component {
			h.component = -1
		}
	}
	h.updateLimit()
	h.visitNode(h.tree.Root(), 0)
	for _, p := range h.points {
		best, bound := &h.best[p], h.boundOf(h.forest.component[p])
		best.final = best.weight2 <= bound
		h.least[p] = max(h.least[p], min(best.weight2, bound))
	}
}

func (h *foreignSearch) updateLimit() {
	h.limit = 0
	for _, p := range h.points {
		h.limit = max(h.limit, h.boundOf(h.forest.component[p]))
	}
}

// visitNode visits a node, unless no link to it can be the best; none is shorter
// than least. The nearer half comes first.
func (h *foreignSearch) visitNode(s affinity.TreeNode, least float64) {
	if least > h.limit || least == h.limit && !h.mayTie(least, h.tree.LowestRow[s.Node]) {
		return
	}
	if s.Hi-s.Lo == 1 {
		h.visitLeafPanel(s)
		h.updateLimit()
		return
	}
	near, far := s.Children()
	a, b := h.leastTo(near.Node), h.leastTo(far.Node)
	if b < a {
		near, far, a, b = far, near, b, a
	}
	h.visitNode(near, a)
	h.visitNode(far, b)
}

// leastTo returns a lower bound of the links to a node, infinite if there are none. It is
// added up in the order of distances, and rounding is monotonic: no point is lost to it.
func (h *foreignSearch) leastTo(node int) (s float64) {
	if c := h.nodeComponent[node]; c >= 0 && c == h.component {
		return math.Inf(1)
	}
	box := h.tree.Box[len(h.box)*node : len(h.box)*(node+1)]
	for f := 0; f < len(h.box); f += 2 {
		gap := max(box[f]-h.box[f+1], h.box[f]-box[f+1])
		if gap > 0 {
			s += float64(gap * gap)
		}
	}
	return max(s, h.nodeCore2[node], h.core2)
}

// mayTie reports whether a link to rows from lowest on, as long as the best known
// of a component, may precede it.
func (h *foreignSearch) mayTie(weight2 float64, lowest int32) bool {
	for _, p := range h.points {
		if h.precedes(p, weight2, lowest) {
			return true
		}
	}
	return false
}

// precedes reports whether a link of place p to row lowest, or one above, may precede
// its best.
func (h *foreignSearch) precedes(p int32, weight2 float64, lowest int32) bool {
	if y := h.best[p]; weight2 != y.weight2 {
		return weight2 < y.weight2
	}
	row := h.tree.Order[p]
	return link{weight2, min(row, lowest), max(row, lowest)}.before(h.bestLink(p))
}

// visitLeafPanel compares the points with the leaves that are not too far.
func (h *foreignSearch) visitLeafPanel(s affinity.TreeNode) {
	d := h.tree.Panels.Dim()
	first, end := h.leaves(s.Lo)
	for i, p := range h.points {
		c := h.forest.component[p]
		if h.nodeComponent[s.Node] == c {
			continue
		}
		bound := h.boundOf(c)
		if max(h.forest.core2[p], h.nodeCore2[s.Node]) > bound {
			continue
		}
		row := h.rows[i*d : (i+1)*d]
		mask := simd.NearBoxes(row, h.tree.Low, h.tree.High, s.Lo, bound, &h.boxDists)
		if left := end - first; left < simd.PanelRows {
			mask &= 1<<left - 1
		}
		for ; mask != 0; mask &= mask - 1 {
			j := bits.TrailingZeros16(mask)
			l := first + j
			least := max(h.boxDists[j], h.leafCore2[l], h.forest.core2[p])
			if h.leafComponent[l] == c || least > bound || least == bound && !h.precedes(p, least, h.tree.LowestLeafRow[l]) {
				continue
			}
			h.visitLeaf(p, c, l, row, bound)
			bound = h.boundOf(c)
		}
	}
}

// visitLeaf offers to place p, of component c, the points of a leaf.
func (h *foreignSearch) visitLeaf(p, c int32, leaf int, row []float64, bound float64) {
	h.tree.Panels.Near(row, leaf, leaf+1, bound, h.dists[:], h.mask[:])
	for m := h.mask[0]; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros16(m)
		q := int32(leaf*affinity.LeafRows + lane)
		if h.forest.component[q] != c {
			h.offer(p, q, max(h.dists[lane], h.forest.core2[p], h.forest.core2[q]))
		}
	}
}

func resized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}
