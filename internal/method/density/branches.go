package density

import (
	"cmp"
	"slices"
)

// Parts returns the two parts into which the tree divides the points of cluster h first, the densest points of each first, and the cluster that is nearest to it in the tree;
// no parts where the tree has no branches for them, and -1 where there is no other cluster.
func (m *Model) Parts(h int) (parts [][]int, nearest int) {
	count, least := m.countPoints(h)
	children := make([][]int32, len(m.Parent))
	for v := 1; v < len(m.Parent); v++ {
		children[m.Parent[v]] = append(children[m.Parent[v]], int32(v))
	}
	at := int32(0)
	for parts == nil && len(children[at]) == 2 {
		a, b := children[at][0], children[at][1]
		if count[a] < count[b] {
			a, b = b, a
		}
		if count[b] >= least {
			parts = [][]int{m.pointsBelow(a, h), m.pointsBelow(b, h)}
		}
		at = a
	}
	return parts, m.nearestInTree(h, count)
}

// countPoints counts the points of cluster h in each node, and returns how many a part must have: half as many as the smallest node.
func (m *Model) countPoints(h int) (count []int, least int) {
	count = make([]int, len(m.Parent))
	size := make([]int, len(m.Parent))
	for i, v := range m.Node {
		size[v]++
		if m.Labels[i] == h {
			count[v]++
		}
	}
	for v := len(m.Parent) - 1; v > 0; v-- {
		count[m.Parent[v]] += count[v]
		size[m.Parent[v]] += size[v]
	}
	return count, max(1, slices.Min(size)/2)
}

// pointsBelow returns the points of cluster h in the subtree of a node, the densest first.
func (m *Model) pointsBelow(node int32, h int) (points []int) {
	inside := m.below(node)
	for i, v := range m.Node {
		if inside[v] && m.Labels[i] == h {
			points = append(points, i)
		}
	}
	slices.SortStableFunc(points, func(a, b int) int { return cmp.Compare(m.Lambda[b], m.Lambda[a]) })
	return points
}

// nearestInTree returns the cluster that most points are of in the smallest node with most of the points of cluster h and with another cluster; -1 where there is none.
func (m *Model) nearestInTree(h int, count []int) int {
	at := int32(0) // the lowest node with most points of the cluster
	for v := range count {
		if 2*count[v] > count[0] {
			at = int32(v)
		}
	}
	for ; at >= 0; at = m.Parent[at] {
		inside := m.below(at)
		times := map[int]int{}
		best := noCluster
		for i, v := range m.Node {
			if g := m.Labels[i]; inside[v] && g >= 0 && g != h {
				if times[g]++; best < 0 || times[g] > times[best] || times[g] == times[best] && g < best {
					best = g
				}
			}
		}
		if best >= 0 {
			return best
		}
	}
	return noCluster
}

// below marks a node and all nodes below it.
func (m *Model) below(node int32) []bool {
	inside := make([]bool, len(m.Parent))
	inside[node] = true
	for v := int(node) + 1; v < len(inside); v++ {
		inside[v] = inside[m.Parent[v]]
	}
	return inside
}
