package pairgraph

import (
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// minLargeComponent is the size from which a component is large, if it has at
// least k points: counts by cluster then take no more room than the points.
const minLargeComponent = 32

// isOfLargeComponent reports whether point i or j is in a large component.
func (f *Graph) isOfLargeComponent(i, j int) bool {
	return f.largeComponentOf(f.Closed.Component(i)) >= 0 || f.largeComponentOf(f.Closed.Component(j)) >= 0
}

// largeComponentOf returns which large component q is, -1 if it is not large.
func (f *Graph) largeComponentOf(q int) int32 {
	if f.largeComponent == nil {
		return -1
	}
	return f.largeComponent[q]
}

// meetsLargeComponent reports whether component q is large or cannot be with a
// large one.
func (f *Graph) meetsLargeComponent(q int) bool {
	if f.largeComponent == nil {
		return false
	}
	return f.largeComponent[q] >= 0 || slices.ContainsFunc(f.Closed.CannotLinked(q), func(c int32) bool { return f.largeComponent[c] >= 0 })
}

// maxLayers bounds the number of layers, so that memory stays in proportion to points
// and constraints. Where the links of large components have more different weights,
// those of their entailed pairs are rounded down to this many of them.
const maxLayers = 16

// findLayers makes the layers of the given links.
func (f *Graph) findLayers(links *constraint.Set, k int) {
	first := &componentLayer{closed: f.Closed, weight: f.sameWeight, large: f.largeComponent, blocks: f.LargeComponents}
	if f.layers = []*componentLayer{first}; f.strengths == nil {
		return
	}
	local, points := make([]int32, 0), []int32{}
	for q := range f.Closed.Components() {
		if f.meetsLargeComponent(q) {
			points = append(points, f.Closed.Members(q)...)
		}
	}
	for at, i := range points {
		local = append(local, make([]int32, max(0, int(i)+1-len(local)))...)
		local[i] = int32(at)
	}
	used := func(list []constraint.Pair, uses func(p constraint.Pair) bool) (out []constraint.Pair) {
		for _, p := range list {
			if uses(p) {
				out = append(out, constraint.Pair{I: int(local[p.I]), J: int(local[p.J]), W: p.W})
			}
		}
		return out
	}
	links = &constraint.Set{
		Must:   used(links.Must, func(p constraint.Pair) bool { return f.meetsLargeComponent(f.Closed.Component(p.I)) }),
		Cannot: used(links.Cannot, func(p constraint.Pair) bool { return f.isOfLargeComponent(p.I, p.J) }),
	}
	levels := constraint.Levels(links, maxLayers)
	first.weight = levels[0]
	for at, level := range levels[1:] {
		weak := func(p constraint.Pair) bool { return p.W < level }
		links.Must, links.Cannot = slices.DeleteFunc(links.Must, weak), slices.DeleteFunc(links.Cannot, weak)
		closed, err := constraint.Close(len(points), links)
		if err != nil {
			return // not possible: all links together do not contradict each other
		}
		y := &componentLayer{closed: closed, local: local, points: points, weight: level - levels[at]}
		y.large, y.blocks = largeComponents(closed, k)
		f.layers = append(f.layers, y)
	}
}

// largeComponents lists the components of many points, and numbers them; nil if there
// are none.
func largeComponents(c *constraint.Closure, k int) (index, list []int32) {
	for q := range c.Components() {
		if c.Size(q) < max(minLargeComponent, k) {
			continue
		}
		if index == nil {
			index = slices.Repeat([]int32{-1}, c.Components())
		}
		index[q] = int32(len(list))
		list = append(list, int32(q))
	}
	return index, list
}

// blockOf returns the block of point i.
func (y *componentLayer) blockOf(i int) int {
	if y.local != nil {
		i = int(y.local[i])
	}
	return y.closed.Component(i)
}

// largeBlock returns which of the blocks of many points b is, -1 if it has few.
func (y *componentLayer) largeBlock(b int) int32 {
	if y.large == nil {
		return -1
	}
	return y.large[b]
}

// eachLabel calls do with the label of every point of a block.
func (y *componentLayer) eachLabel(b int, labels []int32, do func(h int32)) {
	for _, i := range y.closed.Members(b) {
		if y.points != nil {
			i = y.points[i]
		}
		do(labels[i])
	}
}

// weightInLayers returns what the entailed pair of points i and j, one of them in a
// large component, weighs.
func (f *Graph) weightInLayers(i, j int, must bool) (w float64) {
	for _, y := range f.layers {
		a, b := i, j
		if y.local != nil {
			a, b = int(y.local[i]), int(y.local[j])
		}
		if entailed := must && y.closed.MustTogether(a, b) || !must && y.closed.MustApart(a, b); !entailed {
			break
		}
		w += y.weight
	}
	return w
}
