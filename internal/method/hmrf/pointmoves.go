package hmrf

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// cheapest returns the cluster in which point i costs least, pairs included:
// where it is if nothing is strictly cheaper, else the nearest of the cheapest,
// else the lowest. Penalties are never negative, so a point need not look beyond
// its nearest centre where that has none, or where a bound on the other distances
// shows that none can compensate for its penalty.
func (r *assignment) cheapest(i int) int32 {
	if r.moveCost != nil {
		return r.moveCost.cheapest(i)
	}
	near, now := r.near[i], r.labels[i]
	if r.satisfiedAt(i, near) {
		return near
	}
	pen, w := r.penalties(i), r.p.W(i)
	low := r.pointCost(i, int(near))
	to, least := near, w*low+pen[near]
	others := math.Inf(1) // the least penalty elsewhere
	for h, y := range pen {
		if int32(h) != near {
			others = min(others, y)
		}
	}
	if bound := w * max(low, r.distortion.boundElsewhere(i)); bound+others < least {
		for h, y := range pen {
			if int32(h) == near || bound+y >= least {
				continue
			}
			if c := w*r.pointCost(i, h) + y; c < least {
				to, least = int32(h), c
			}
		}
	}
	if now < 0 || to == now || to == near && pen[near] <= pen[now] {
		return to
	}
	stay := w*r.pointCost(i, int(now)) + pen[now]
	if least < stay-roundingShare*math.Abs(stay) {
		return to
	}
	return now
}

// penalties returns what the pairs and labels of point i cost in each cluster,
// given the labels of the other points. The result is valid until the next call.
func (r *labelling) penalties(i int) []float64 {
	pen, everywhere, t := r.pen, 0.0, r.penalty
	clear(pen)
	var x data.Vec
	if !t.isConstant() {
		x = r.row1(int32(i))
	}
	meet := func(j int32, must bool, w float64) {
		h := r.labels[j]
		if h < 0 {
			return
		}
		var y data.Vec
		if !t.isConstant() {
			y = r.row2(j)
		}
		switch {
		case !must:
			pen[h] += w * t.cannotCost(h, x, y)
		case t.sameForAllClusters():
			v := w * t.mustCost(0, 0, x, y)
			pen[h] -= v
			everywhere += v
		default:
			for g := range pen {
				if int32(g) != h {
					pen[g] += w * t.mustCost(int32(g), h, x, y)
				}
			}
		}
	}
	r.graph.EachPair(i, meet)
	for _, l := range r.graph.LabelsOf(i) {
		v := l.W * t.labelCost(l.Class)
		pen[l.Class] -= v
		everywhere += v
	}
	if t.isConstant() {
		everywhere += r.counts.AddPenalties(i, r.labels, t.w, pen)
	} else {
		r.graph.EachOfLargeComponents(i, meet)
	}
	for h := range pen {
		pen[h] += everywhere
	}
	return pen
}

// moveTo gives point i the label to, or none, and marks its neighbours dirty.
func (r *labelling) moveTo(i int, to int32, n *dirtySet) {
	from := r.labels[i]
	r.labels[i] = to
	if r.counts.ApplyMove(i, from, to) && n != nil {
		n.visitAlways = true
	}
	r.graph.EachPair(i, func(j int32, must bool, _ float64) {
		if n != nil {
			n.mark(j)
		}
		if h := r.labels[j]; h >= 0 {
			change := violatedCount(must, to, h) - violatedCount(must, from, h)
			r.violationCount[i] += change
			r.violationCount[j] += change
		}
	})
}

// violatedCount returns 1 if a pair with labels g and h is violated; it is not
// while a point has no label.
func violatedCount(must bool, g, h int32) int32 {
	if g >= 0 && must != (g == h) {
		return 1
	}
	return 0
}

// countViolations counts the violated pairs of every point from scratch.
func (r *labelling) countViolations() {
	clear(r.violationCount)
	for _, i := range r.graph.Constrained {
		g, n := r.labels[i], int32(0)
		r.graph.EachPair(int(i), func(j int32, together bool, _ float64) {
			if together != (r.labels[j] == g) {
				n++
			}
		})
		r.violationCount[i] = n
	}
}

// A dirtySet collects the neighbours of points that moved.
type dirtySet struct {
	isDirty     []bool
	list        []int32
	visitAlways bool // a large component changed: visit the points of alwaysVisit too
}

func newDirtySet(n int) *dirtySet { return &dirtySet{isDirty: make([]bool, n)} }

func (n *dirtySet) mark(i int32) {
	if !n.isDirty[i] {
		n.isDirty[i] = true
		n.list = append(n.list, i)
	}
}

// takeSorted returns the dirty points in ascending order, with those of
// alwaysVisit if a large component changed, and empties the set.
func (n *dirtySet) takeSorted(always []int32) []int32 {
	out := n.list
	for _, i := range out {
		n.isDirty[i] = false
	}
	slices.Sort(out)
	if n.visitAlways {
		out = mergeSorted(out, always)
	}
	n.list, n.visitAlways = nil, false
	return out
}

// mergeSorted merges two ascending lists.
func mergeSorted(a, b []int32) []int32 {
	if len(b) == 0 {
		return a
	}
	out := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// costAt returns what point i costs in cluster h, pairs included, given the labels
// of the other points.
func (r *assignment) costAt(i int, h int32) float64 {
	if r.moveCost != nil {
		return r.moveCost.costAt(i, h)
	}
	return r.p.W(i)*r.pointCost(i, int(h)) + r.penalties(i)[h]
}
