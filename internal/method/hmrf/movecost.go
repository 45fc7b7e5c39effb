package hmrf

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
)

// A moveCost finds the cluster in which a point costs least, pairs included,
// given the labels of the other points. It computes the cost of a pair only when
// it considers a cluster that would violate it, and considers few clusters: rows
// of neighbours are far away in memory. It can be used where all pairs are listed
// as neighbours, there are no large components, and the cost of a pair does not
// depend on the clusters. Each goroutine needs its own.
type moveCost struct {
	r           *labelling
	near        []int32 // the cheapest cluster of each point by itself
	pointCost   pointCost
	i           int
	neighbours  []pairgraph.Neighbour
	pairCosts   []float64 // of each neighbour, below 0: not computed yet
	x           data.Vec  // row i, once rowRead
	rowRead     bool
	a1, a2      []float64
	considered  []byte // by cluster: 1 where it was considered for this point
	lowerBounds lowerBounds
	bounds      []float64 // lower bounds on what the point costs in each cluster
}

// canUseMoveCost reports whether moveCost can be used: see there.
func (r *labelling) canUseMoveCost() bool {
	return r.penalty.sameForAllClusters() && !r.graph.HasLarge() && (r.graph.Closed == nil || r.graph.EntailedListed)
}

func (r *assignment) newMoveCost() *moveCost {
	d := r.p.X.Dim()
	panels := (r.p.K + simd.PanelRows - 1) / simd.PanelRows
	return &moveCost{r: r.labelling, near: r.near, pointCost: r.distortion.pointCost(), a1: make([]float64, d), a2: make([]float64, d), considered: make([]byte, r.p.K),
		lowerBounds: r.distortion.lowerBounds(), bounds: make([]float64, panels*simd.PanelRows)}
}

// setPoint makes i the point under consideration.
func (b *moveCost) setPoint(i int) {
	f := b.r.graph
	b.i, b.rowRead, b.neighbours = i, false, f.NeighboursOf(i)
	b.pairCosts = b.pairCosts[:0]
	for range b.neighbours {
		b.pairCosts = append(b.pairCosts, -1)
	}
}

// pairCost returns what it costs to violate the pair with neighbour q.
func (b *moveCost) pairCost(q int) float64 {
	if b.pairCosts[q] >= 0 {
		return b.pairCosts[q]
	}
	t, penalty := b.neighbours[q], b.r.penalty
	var y data.Vec
	if !penalty.isConstant() {
		if !b.rowRead {
			b.x, b.rowRead = b.r.p.X.Row(b.i, b.a1), true
		}
		y = b.r.p.X.Row(int(t.Point), b.a2)
	}
	if t.Must {
		b.pairCosts[q] = t.Weight * penalty.mustCost(0, 0, b.x, y)
	} else {
		b.pairCosts[q] = t.Weight * penalty.cannotCost(0, b.x, y)
	}
	return b.pairCosts[q]
}

// penaltyAt returns what the pairs and labels of the point cost in cluster h, and
// whether cannot-links are among the violated ones.
func (b *moveCost) penaltyAt(h int32) (sum float64, crossed bool) {
	labels := b.r.labels
	for q := range b.neighbours {
		t := &b.neighbours[q]
		if g := labels[t.Point]; g >= 0 && t.Must != (g == h) {
			sum += b.pairCost(q)
			crossed = crossed || !t.Must
		}
	}
	for _, l := range b.r.graph.LabelsOf(b.i) {
		if int32(l.Class) != h {
			sum += l.W * b.r.penalty.labelCost(l.Class)
		}
	}
	return sum, crossed
}

// cheapest is descent.cheapest. Where the nearest cluster violates no cannot-link,
// only the clusters of must-linked neighbours and of labels can be cheaper: in any
// other the point violates at least as much.
func (b *moveCost) cheapest(i int) int32 {
	r := b.r
	near, now := b.near[i], r.labels[i]
	if r.satisfiedAt(i, near) {
		return near
	}
	b.setPoint(i)
	pay, crossed := b.penaltyAt(near)
	w := r.p.W(i)
	to, least := near, float64(w*b.pointCost(i, int(near)))+pay
	clear(b.considered)
	try := func(h int32) {
		if h == near || b.considered[h] > 0 {
			return
		}
		b.considered[h] = 1
		c := float64(w * b.pointCost(i, int(h)))
		if c > least {
			return
		}
		y, _ := b.penaltyAt(h)
		if c += y; c < least || c == least && to != near && h < to {
			to, least = h, c
		}
	}
	switch {
	case w*r.distortion.boundElsewhere(i) >= least:
	case crossed:
		if b.lowerBounds != nil {
			b.lowerBounds(i, b.bounds)
		}
		for h := range r.p.K {
			if w*b.bounds[h] <= least {
				try(int32(h))
			}
		}
	default:
		for _, t := range b.neighbours {
			if g := r.labels[t.Point]; t.Must && g >= 0 {
				try(g)
			}
		}
		for _, l := range r.graph.LabelsOf(i) {
			try(int32(l.Class))
		}
	}
	if now < 0 || to == now {
		return to
	}
	held, _ := b.penaltyAt(now)
	if to == near && pay <= held {
		return to
	}
	stay := float64(w*b.pointCost(i, int(now))) + held
	if least < stay-roundingShare*math.Abs(stay) {
		return to
	}
	return now
}

// costAt returns what point i costs in cluster h, pairs included.
func (b *moveCost) costAt(i int, h int32) float64 {
	b.setPoint(i)
	pay, _ := b.penaltyAt(h)
	return float64(b.r.p.W(i)*b.pointCost(i, int(h))) + pay
}

// shareOfList returns what point i costs where it is, without its pairs with
// earlier points of the list, so that over the list every pair counts once.
func (b *moveCost) shareOfList(i int, marks []byte) float64 {
	b.setPoint(i)
	labels, h := b.r.labels, b.r.labels[i]
	sum := float64(b.r.p.W(i) * b.pointCost(i, int(h)))
	for q, t := range b.neighbours {
		if g := labels[t.Point]; g >= 0 && t.Must != (g == h) && (int(t.Point) > i || marks[t.Point] != onList) {
			sum += b.pairCost(q)
		}
	}
	for _, l := range b.r.graph.LabelsOf(i) {
		if int32(l.Class) != h {
			sum += l.W * b.r.penalty.labelCost(l.Class)
		}
	}
	return sum
}

// satisfiedAt reports whether point i would violate no constraint in cluster h.
func (r *labelling) satisfiedAt(i int, h int32) bool {
	for _, t := range r.graph.NeighboursOf(i) {
		if g := r.labels[t.Point]; g >= 0 && t.Must != (g == h) {
			return false
		}
	}
	for _, l := range r.graph.LabelsOf(i) {
		if int32(l.Class) != h {
			return false
		}
	}
	if r.graph.Closed == nil || r.graph.EntailedListed && !r.graph.HasLarge() {
		return true
	}
	good := true
	r.graph.EachEntailed(i, func(j int32, must bool, _ float64) {
		if g := r.labels[j]; g >= 0 && must != (g == h) {
			good = false
		}
	})
	return good && r.counts.SatisfiedAt(i, h, r.labels)
}

// roundingShare is the relative difference of costs below which they count as
// equal.
const roundingShare = 1e-13
