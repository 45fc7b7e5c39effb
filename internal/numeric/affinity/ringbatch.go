package affinity

import (
	"cmp"
	"math"
	"slices"
)

// A RingBatch rules out leaves and rows that are too far from some rows of one leaf
// panel. Aimed at another panel it looks at the plane of the two centres: x is at
//
//	t = (d(x,A)² − d(x,B)² + D²) / 2D  along the line from A to B, D apart, and at
//	h = √(d(x,A)² − t²)                from the line,
//
// and the distance of two rows is at least that of their points (t, h): along the line
// they differ by exactly that, and across it by no less. What is compared with the rows
// of the batch stays in the cache for all of them. Rows are known by their number in
// the batch.
type RingBatch struct {
	rings  *Rings
	own    int     // the centre of the rows
	places []int32 // of the rows
	outer  float64 // the distance of the farthest to this centre

	panel int // aimed at
	plane
	points [LeafPanelRows]planePoint // of the panel
	leaf   [LeafPanelRows / LeafRows]planeBox
	box    planeBox

	order []int32
	key   []float64
}

// A plane is that of two centres.
type plane struct {
	fromA, fromB []float64 // of each place
	apart        float64   // 0 if they are too close for a line: then t is 0, and h the distance from A
}

type planePoint struct{ t, h float64 }

// A planeBox holds points, none of them farther than far from either centre.
type planeBox struct{ t0, t1, h0, h1, far float64 }

// Begin takes places of a leaf panel.
func (b *RingBatch) Begin(r *Rings, panel int, places []int32) {
	b.rings, b.own, b.places, b.outer = r, int(r.centre[panel]), places, 0
	b.fromA = r.away[b.own]
	for _, p := range places {
		b.outer = max(b.outer, b.fromA[p])
	}
}

// Panels returns the leaf panels, the nearest first; the caller must not change them.
func (b *RingBatch) Panels() []int32 {
	r := b.rings
	b.order, b.key = resized(b.order, r.NumLeafPanels()), resized(b.key, r.NumLeafPanels())
	for p := range b.order {
		b.order[p], b.key[p] = int32(p), r.nearby[b.own][p]+r.apart[b.own*len(r.away)+int(r.centre[p])]
	}
	slices.SortFunc(b.order, func(x, y int32) int { return cmp.Or(cmp.Compare(b.key[x], b.key[y]), cmp.Compare(x, y)) })
	return b.order
}

// lineRounding bounds the rounding errors of t and h, as a part of the distances to the
// centres, where these are no more than 1/leastLine times as far as the centres are
// apart. Distances err by less than 10⁻¹¹ of themselves, up to ringFeatures features; so t
// errs by less than 10⁻¹¹/leastLine, and h, the root of a difference of squares, by the
// root of twice that.
const lineRounding, leastLine, ringFeatures = 1e-4, 1e-2, 1 << 16

// Aim prepares for the rows of a leaf panel, unless they are farther than radius from all
// rows of the batch.
func (b *RingBatch) Aim(panel int, radius float64) bool {
	r := b.rings
	if r.nearby[b.own][panel]-b.outer > radius+lineRounding*(b.outer+r.nearby[b.own][panel]) {
		return false
	}
	b.panel, b.fromB = panel, r.away[r.centre[panel]]
	b.apart = r.apart[b.own*len(r.away)+int(r.centre[panel])]
	lo, hi := r.LeavesOf(panel)
	from, _ := r.PlacesOf(lo)
	_, to := r.PlacesOf(hi - 1)
	far := max(b.outer+b.apart, slices.Max(b.fromA[from:to]), slices.Max(b.fromB[from:to]))
	if !(b.apart > leastLine*far) {
		b.apart = 0
	}
	b.box = emptyBox
	for l := lo; l < hi; l++ {
		box := emptyBox
		from, to := r.PlacesOf(l)
		for p := from; p < to; p++ {
			at := b.pointOf(p)
			b.points[p-panel*LeafPanelRows] = at
			box.add(planeBox{at.t, at.t, at.h, at.h, max(b.fromA[p], b.fromB[p])})
		}
		b.leaf[l-lo] = box
		b.box.add(box)
	}
	return true
}

var emptyBox = planeBox{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1), 0}

func (b *planeBox) add(o planeBox) {
	*b = planeBox{min(b.t0, o.t0), max(b.t1, o.t1), min(b.h0, o.h0), max(b.h1, o.h1), max(b.far, o.far)}
}

// pointOf returns the point of a place.
func (b *plane) pointOf(p int) planePoint {
	x, y := b.fromA[p], b.fromB[p]
	if b.apart == 0 {
		return planePoint{0, x}
	}
	t := ((x-y)*(x+y)/b.apart + b.apart) / 2
	return planePoint{t, math.Sqrt(max(0, (x-t)*(x+t)))}
}

// A Reach is where a row is in the plane, and how far it looks; far is the sum of its
// distances to the centres.
type Reach struct {
	planePoint
	radius, far float64
}

// Reach returns how far row q looks for rows of the panel, with the given radius.
func (b *RingBatch) Reach(q int, radius float64) Reach {
	p := int(b.places[q])
	return Reach{b.pointOf(p), radius, b.fromA[p] + b.fromB[p]}
}

// HasPanel reports whether a row of the panel may be within reach, HasLeaf one of its
// j-th leaf, HasPlace the row at a place.
func (b *RingBatch) HasPanel(to Reach) bool { return b.meets(to, &b.box) }

func (b *RingBatch) HasLeaf(to Reach, j int) bool { return b.meets(to, &b.leaf[j]) }

func (b *RingBatch) HasPlace(to Reach, place int) bool {
	j := place - b.panel*LeafPanelRows
	t, h := b.points[j].t-to.t, b.points[j].h-to.h
	radius := to.radius + lineRounding*(to.far+2*b.leaf[j/LeafRows].far)
	return t*t+h*h <= radius*radius
}

func (b *RingBatch) meets(to Reach, box *planeBox) bool {
	t, h := max(0, box.t0-to.t, to.t-box.t1), max(0, box.h0-to.h, to.h-box.h1)
	radius := to.radius + lineRounding*(to.far+2*box.far)
	return t*t+h*h <= radius*radius
}
