// Package pairgraph holds the labels and pairs of a problem by point, with the pairs
// that they entail, for methods in which violated constraints cost something.
package pairgraph

import (
	"cmp"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A Graph holds the constraints by point: the neighbours of each, points that it must
// or cannot be with, and its labels. Where entailed pairs count too they are not
// written out, for their number grows with the square of the given ones. The labels
// of large components are counted by cluster (see Counts), so that a point meets a
// whole component at once; pairs of small components are enumerated when needed. Only
// where all components are so small that the entailed pairs are not many more than
// the points and the given pairs together are they listed as neighbours, which is
// faster.
//
// A given pair weighs what was given for it, an entailed one as much as the weakest
// link of the strongest chain that entails it (see constraint.Strengths). Beliefs
// entail nothing.
type Graph struct {
	Labels      []constraint.Label
	Constrained []int32 // the points with constraints, ascending
	AlwaysVisit []int32 // those with labels or pairs with a large component, ascending: visited in every sweep

	Closed          *constraint.Closure // nil: only given pairs count
	EntailedListed  bool                // neighbours hold the entailed pairs too
	LargeComponents []int32             // components of many points

	start          []int // the neighbours of point i are neighbours[start[i]:start[i+1]], in a fixed order
	neighbours     []Neighbour
	labelStart     []int32 // labels of point i are Labels[labelStart[i]:labelStart[i+1]]; nil: no labels
	largeComponent []int32 // the index of a component among the large ones, -1: it is not large; nil: none is
	sameWeight     float64 // of all entailed pairs, where strengths is nil
	strengths      *constraint.Strengths
	layers         []*componentLayer // of the pairs with and within large components
}

// A Neighbour is a point that another must or cannot be with.
type Neighbour struct {
	Point    int32
	Must     bool
	entailed bool    // the closure has this pair too: Weight is only what it weighs more or less
	Weight   float64 // above 0 unless entailed
}

// A componentLayer is what the links of at least some weight entail among the points
// of large components and those that cannot be with them. Its blocks are the
// components that these links make; each pair that they entail weighs so much more
// than the layers before say. All layers together give an entailed pair the weight of
// the weakest link in its strongest chain, and in each layer the pairs of a block are
// counted, not enumerated. The first layer is made of all links; where these weigh the
// same it is the only one.
type componentLayer struct {
	closed *constraint.Closure
	local  []int32 // the number of a point in closed; nil: its own
	points []int32 // the points that closed numbers; nil: all
	weight float64
	large  []int32 // the index of a block among those of many points, -1: it has few
	blocks []int32 // the blocks of many points
}

func (t Neighbour) compareTo(u Neighbour) int {
	switch {
	case t.Point != u.Point:
		return cmp.Compare(t.Point, u.Point)
	case t.entailed != u.entailed:
		return trueFirst(t.entailed)
	case t.Must != u.Must:
		return trueFirst(t.Must)
	}
	return cmp.Compare(t.Weight, u.Weight)
}

func trueFirst(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

// LabelsOf returns the labels of point i.
func (f *Graph) LabelsOf(i int) []constraint.Label {
	if f.labelStart == nil {
		return nil
	}
	return f.Labels[f.labelStart[i]:f.labelStart[i+1]]
}

// NeighboursOf returns the listed neighbours of point i.
func (f *Graph) NeighboursOf(i int) []Neighbour {
	return f.neighbours[f.start[i]:f.start[i+1]]
}

// HasLarge reports whether there are large components.
func (f *Graph) HasLarge() bool { return f.largeComponent != nil }
