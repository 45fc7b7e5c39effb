package constraint

import "slices"

// twoColours colours with two colours by breadth-first search, exactly. A
// component that would need both closes an odd cycle.
func (p *colouring) twoColours() Verdict {
	c := p.closure
	parent := make([]int32, len(p.colour))
	depth := make([]int32, len(p.colour))
	starts := slices.Clone(c.classed) // so that the first class gets colour 0
	for q := range int32(len(p.colour)) {
		starts = append(starts, q)
	}
	var queue []int32
	for _, start := range starts {
		if p.colour[start] >= 0 {
			continue
		}
		p.colour[start], parent[start] = 0, -1
		queue = append(queue[:0], start)
		for at := 0; at < len(queue); at++ {
			u := queue[at]
			for _, v := range p.linkedOrOtherClass(u) {
				switch p.colour[v] {
				case -1:
					p.colour[v], parent[v], depth[v] = 1-p.colour[u], u, depth[u]+1
					queue = append(queue, v)
				case p.colour[u]:
					return oddCycleVerdict(oddCycle(u, v, parent, depth))
				}
			}
		}
	}
	return Verdict{Answer: Yes, Why: "the components fall into two sides"}
}

// linkedOrOtherClass returns the components that q is kept apart from, by
// classes too: with two colours there are at most two classes.
func (p *colouring) linkedOrOtherClass(q int32) []int32 {
	list := p.closure.CannotLinked(int(q))
	if cl := p.closure.classed; len(cl) == 2 && (q == cl[0] || q == cl[1]) {
		list = append(slices.Clone(list), cl[0]+cl[1]-q)
	}
	return list
}

// oddCycle closes the tree paths of u and v, which have one colour and must
// differ.
func oddCycle(u, v int32, parent, depth []int32) []int {
	left, right := []int{int(u)}, []int{int(v)}
	for u != v {
		if depth[u] >= depth[v] {
			u = parent[u]
			left = append(left, int(u))
		} else {
			v = parent[v]
			right = append(right, int(v))
		}
	}
	right = right[:len(right)-1] // the meeting point is the last of both
	slices.Reverse(right)
	return append(left, right...)
}
