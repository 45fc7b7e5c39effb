package hierarchy

import (
	"math"
	"math/bits"
	"sync"

	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// A foreignSearch looks for the nearest points in other components, for several
// points at a time.
type foreignSearch struct {
	*forest
	points   []int32   // places, of which
	rows     []float64 // these are the rows,
	rows32   []float32 // in single precision for the sieve of rings,
	box      []float64 // the box around them,
	extent             // and what they have in common
	limit    float64   // the greatest bound of their components
	batch    affinity.RingBatch
	boxDists [simd.PanelRows]float64
	dists    [simd.PanelRows]float64
	mask     [1]uint16
}

var searchPool = sync.Pool{New: func() any { return new(foreignSearch) }}

// searchPanel finds the best links of the points of a leaf panel that their lists
// leave open: by the tree leaf by leaf, by rings all at once. What it leaves out is
// after the best link of a component, as known then, and after the best as known at
// the end.
func (f *forest) searchPanel(panel int) {
	h := searchPool.Get().(*foreignSearch)
	defer searchPool.Put(h)
	h.forest = f
	lo, hi := f.LeavesOf(panel)
	if f.tree == nil {
		from, _ := f.PlacesOf(lo)
		_, to := f.PlacesOf(hi - 1)
		h.searchPlaces(from, to, panel)
	} else {
		for l := lo; l < hi; l++ {
			from, to := f.PlacesOf(l)
			h.searchPlaces(from, to, panel)
		}
	}
	h.forest = nil
}

// searchPlaces searches for the places from lo to hi, of a leaf panel, that are open.
func (h *foreignSearch) searchPlaces(lo, hi, panel int) {
	h.points = h.points[:0]
	for p := lo; p < hi; p++ {
		if !h.best[p].final && !h.isShadowed(p) && h.least[p] <= h.boundOf(h.forest.component[p]) {
			h.points = append(h.points, int32(p))
		}
	}
	if len(h.points) == 0 {
		return
	}
	h.readRows()
	if h.tree != nil {
		h.updateLimit()
		h.visitNode(h.tree.Root(), 0)
	} else {
		h.visitRings(panel)
	}
	for _, p := range h.points {
		best, bound := &h.best[p], h.boundOf(h.forest.component[p])
		best.final = best.weight2 <= bound
		h.least[p] = max(h.least[p], min(best.weight2, bound))
	}
}

// readRows copies the rows of the points and finds their box and extent.
func (h *foreignSearch) readRows() {
	d := h.Panels.Dim()
	h.rows, h.box = resized(h.rows, len(h.points)*d), resized(h.box, 2*d)
	for f := range d {
		h.box[2*f], h.box[2*f+1] = math.Inf(1), math.Inf(-1)
	}
	h.rows32 = resized(h.rows32, len(h.points)*d)
	for i, p := range h.points {
		row := h.rows[i*d : (i+1)*d]
		h.Panels.Row(int(p), row)
		if h.rings != nil && h.rings.Sieve != nil {
			h.rings.Sieve.Round(row, h.rows32[i*d:(i+1)*d])
		}
		for f, y := range row {
			h.box[2*f], h.box[2*f+1] = min(h.box[2*f], y), max(h.box[2*f+1], y)
		}
		e := extent{h.forest.core2[p], h.forest.component[p]}
		if i > 0 {
			e = h.extent.join(e)
		}
		h.extent = e
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
	of := h.ofNode[node]
	if of.component >= 0 && of.component == h.extent.component {
		return math.Inf(1)
	}
	box := h.tree.Box[len(h.box)*node : len(h.box)*(node+1)]
	for f := 0; f < len(h.box); f += 2 {
		gap := max(box[f]-h.box[f+1], h.box[f]-box[f+1])
		if gap > 0 {
			s += float64(gap * gap)
		}
	}
	return max(s, of.core2, h.extent.core2)
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
	row := h.Order[p]
	return link{weight2, min(row, lowest), max(row, lowest)}.before(h.bestLink(p))
}

// visitLeafPanel compares the points with the leaves that are not too far.
func (h *foreignSearch) visitLeafPanel(s affinity.TreeNode) {
	d := h.Panels.Dim()
	first, end := h.LeavesOf(s.Lo)
	for i, p := range h.points {
		bound, ok := h.mayLink(p, h.ofPanel[s.Lo])
		if !ok {
			continue
		}
		row := h.rows[i*d : (i+1)*d]
		mask := simd.NearBoxes(row, h.tree.Low, h.tree.High, s.Lo, bound, &h.boxDists)
		if left := end - first; left < simd.PanelRows {
			mask &= 1<<left - 1
		}
		for ; mask != 0; mask &= mask - 1 {
			j := bits.TrailingZeros16(mask)
			h.visitLeaf(p, first+j, row, h.boxDists[j])
		}
	}
}

// visitRings compares the points, of one leaf panel, with all leaf panels, the nearest
// first, where they are not too far.
func (h *foreignSearch) visitRings(panel int) {
	h.batch.Begin(h.rings, panel, h.points)
	for _, b := range h.batch.Panels() {
		if h.ctx.Err() != nil {
			return
		}
		of := h.ofPanel[b]
		if of.component >= 0 && of.component == h.extent.component {
			continue
		}
		h.updateLimit()
		if of.core2 > h.limit || !h.batch.Aim(int(b), math.Sqrt(h.limit)) {
			continue
		}
		for i, p := range h.points {
			bound, ok := h.mayLink(p, of)
			if !ok {
				continue
			}
			if to := h.batch.Reach(i, math.Sqrt(bound)); h.batch.HasPanel(to) {
				h.visitRingLeaves(p, i, int(b), to, bound)
			}
		}
	}
}

// visitRingLeaves compares place p, which is point i, with those leaves of leaf panel b in
// which there is a place that may be the end of its best link.
func (h *foreignSearch) visitRingLeaves(p int32, i, b int, to affinity.Reach, bound float64) {
	c, d := h.forest.component[p], h.Panels.Dim()
	first, end := h.LeavesOf(b)
	for l := first; l < end; l++ {
		if of := h.ofLeaf[l]; of.component == c || of.core2 > bound || !h.batch.HasLeaf(to, l-first) {
			continue
		}
		for q, hi := h.PlacesOf(l); q < hi; q++ {
			if h.forest.component[q] != c && h.forest.core2[q] <= bound && h.batch.HasPlace(to, q) {
				if s := h.rings.Sieve; s == nil || s.Near(h.rows32[i*d:(i+1)*d], l, s.Limit(math.Sqrt(bound))) != 0 {
					h.visitLeaf(p, l, h.rows[i*d:(i+1)*d], 0)
				}
				if y := h.boundOf(c); y < bound {
					bound, to = y, h.batch.Reach(i, math.Sqrt(y))
				}
				break
			}
		}
	}
}

// mayLink reports whether place p may have a link to places of this extent that is no longer
// than the bound of its component, which it returns.
func (h *foreignSearch) mayLink(p int32, of extent) (bound float64, ok bool) {
	c := h.forest.component[p]
	bound = h.boundOf(c)
	return bound, of.component != c && max(of.core2, h.forest.core2[p]) <= bound
}

// visitLeaf offers to place p the points of a leaf whose squared distance is at least
// dist2, unless no link to them can be the best.
func (h *foreignSearch) visitLeaf(p int32, leaf int, row []float64, dist2 float64) {
	of := h.ofLeaf[leaf]
	bound, ok := h.mayLink(p, of)
	least := max(dist2, of.core2, h.forest.core2[p])
	if !ok || least > bound || least == bound && !h.precedes(p, least, h.LowestLeafRow[leaf]) {
		return
	}
	h.Panels.Near(row, leaf, leaf+1, bound, h.dists[:], h.mask[:])
	for m := h.mask[0]; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros16(m)
		q := int32(leaf*affinity.LeafRows + lane)
		if h.forest.component[q] != h.forest.component[p] {
			h.offer(p, q, max(h.dists[lane], h.forest.core2[p], h.forest.core2[q]))
		}
	}
}

func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
