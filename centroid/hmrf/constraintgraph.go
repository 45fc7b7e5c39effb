package hmrf

import (
	"cmp"

	"github.com/inklinghq/inkling/constraint"
)

// A constraintGraph holds the constraints by point: the neighbours of each,
// points that it must or cannot be with, and its labels. Where entailed pairs
// count too they are not written out, for their number grows with the square of
// the given ones. The labels of large components are counted by cluster (see
// componentCounts), so that a point meets a whole component at once; pairs of
// small components are enumerated when needed. Only where all components are so
// small that the entailed pairs are not many more than the points and the given
// pairs together are they listed as neighbours, which is faster.
type constraintGraph struct {
	start      []int // the neighbours of point i are neighbours[start[i]:start[i+1]], in a fixed order
	neighbours []neighbour

	closed          *constraint.Closure // nil: only given pairs count
	entailedListed  bool                // neighbours hold the entailed pairs too
	entailedWeight  float64             // the weight of an entailed pair
	largeComponent  []int32             // the index of a component among the large ones, -1: it is not large; nil: none is
	largeComponents []int32             // the large components

	labelStart []int32 // labels of point i are labels[first[i]:first[i+1]]; nil: no labels
	labels     []constraint.Label

	constrained []int32 // the points with constraints, ascending
	alwaysVisit []int32 // those with labels or pairs with a large component, ascending: visited in every sweep
}

// A neighbour is a point that another must or cannot be with.
type neighbour struct {
	point    int32
	must     bool
	entailed bool    // the closure has this pair too: w is only what it weighs more or less
	weight   float64 // above 0 unless entailed
}

func (t neighbour) compareTo(u neighbour) int {
	switch {
	case t.point != u.point:
		return cmp.Compare(t.point, u.point)
	case t.entailed != u.entailed:
		return trueFirst(t.entailed)
	case t.must != u.must:
		return trueFirst(t.must)
	}
	return cmp.Compare(t.weight, u.weight)
}

func trueFirst(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// labelsOf returns the labels of point i.
func (f *constraintGraph) labelsOf(i int) []constraint.Label {
	if f.labelStart == nil {
		return nil
	}
	return f.labels[f.labelStart[i]:f.labelStart[i+1]]
}

// neighboursOf returns the listed neighbours of point i.
func (f *constraintGraph) neighboursOf(i int) []neighbour {
	return f.neighbours[f.start[i]:f.start[i+1]]
}
