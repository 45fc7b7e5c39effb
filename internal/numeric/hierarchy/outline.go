package hierarchy

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// An Outline is a condensed tree to look at: its largest nodes, with the nodes that are clusters
// and all above them, as far as there is room. A node is shown with its sibling or not at all.
type Outline struct {
	Nodes    []OutlineNode `json:"nodes"`              // a parent precedes its children; the root is first
	Folded   int           `json:"folded"`             // nodes that are left out
	Hidden   []int         `json:"hidden,omitempty"`   // clusters whose nodes are among them, ascending
	Detached []int         `json:"detached,omitempty"` // clusters that are no node of the tree, ascending
}

// An OutlineNode is a node of an Outline. Densities are 1/distance.
type OutlineNode struct {
	Node     int       `json:"node"`               // its number in the tree
	Parent   int       `json:"parent"`             // the place of its parent in the outline, -1 for the root
	Size     int       `json:"size"`               // points at birth
	Stay     int       `json:"stay"`               // points that do not fall out: its children hold them
	Birth    float64   `json:"birth"`              // the density at which it appears
	Death    float64   `json:"death"`              // the density at which it splits, or its last point falls out
	Leave    []float64 `json:"leave,omitempty"`    // densities by which shares of the points that fall out have, equal steps from the first to all
	Clusters []int     `json:"clusters,omitempty"` // where the node was chosen: the clusters of its points, the largest first
	Folded   int       `json:"folded,omitempty"`   // nodes below it that are left out
}

// leaveSteps is how many densities Leave has at most.
const leaveSteps = 8

// Outline returns an outline of at most limit nodes, at least the root. Chosen holds the nodes
// that are clusters, none above another, and labels the cluster of each point, below 0 for none.
func (t *Tree) Outline(chosen []int32, labels []int, limit int) *Outline {
	clusters, home := t.clustersOf(chosen, labels)
	shown := t.shownNodes(chosen, limit)
	out := &Outline{Folded: len(t.Parent)}
	place := make([]int, len(t.Parent))
	for v := range t.Parent {
		if place[v] = -1; !shown[v] {
			continue
		}
		node := OutlineNode{Node: v, Parent: -1, Size: int(t.Size[v]), Stay: 0, Birth: t.Birth[v], Death: t.Birth[v], Clusters: clusters[int32(v)]}
		if v > 0 {
			node.Parent = place[t.Parent[v]]
		}
		place[v] = len(out.Nodes)
		out.Nodes = append(out.Nodes, node)
		out.Folded--
	}
	for v := 1; v < len(t.Parent); v++ {
		if p := place[t.Parent[v]]; p >= 0 {
			up := &out.Nodes[p]
			up.Stay, up.Death = up.Stay+int(t.Size[v]), max(up.Death, t.Birth[v])
		}
		if place[v] < 0 { // in the node above that is shown
			u := t.Parent[v]
			for place[u] < 0 {
				u = t.Parent[u]
			}
			out.Nodes[place[u]].Folded++
		}
	}
	t.fillLeave(out, place)
	out.Detached = missing(home, func(v int32) bool { return v >= 0 })
	out.Hidden = missing(home, func(v int32) bool { return v < 0 || shown[v] })
	return out
}

// clustersOf returns the clusters of the points of each chosen node, the largest first, and for each cluster the chosen node
// that holds most of it, -1 where none does.
func (t *Tree) clustersOf(chosen []int32, labels []int) (of map[int32][]int, home map[int]int32) {
	above := make([]int32, len(t.Parent)) // the chosen node that holds each node
	for v := range above {
		above[v] = -1
	}
	for _, v := range chosen {
		above[v] = v
	}
	for v := 1; v < len(above); v++ {
		if above[v] < 0 {
			above[v] = above[t.Parent[v]]
		}
	}
	type part struct {
		node    int32
		cluster int
	}
	count := map[part]int{}
	home = map[int]int32{}
	for i, h := range labels {
		if h < 0 {
			continue
		}
		if _, seen := home[h]; !seen {
			home[h] = -1
		}
		if v := above[t.Node[i]]; v >= 0 {
			count[part{v, h}]++
		}
	}
	parts := make([]part, 0, len(count))
	for p := range count {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.node, b.node), cmp.Compare(a.cluster, b.cluster))
	})
	of = map[int32][]int{}
	for _, p := range parts {
		of[p.node] = append(of[p.node], p.cluster)
		if home[p.cluster] < 0 {
			home[p.cluster] = p.node
		}
	}
	return of, home
}

// missing returns the clusters whose node is not as has asks, ascending.
func missing(home map[int]int32, has func(node int32) bool) (out []int) {
	for h, v := range home {
		if !has(v) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}

// shownNodes marks the nodes of an outline: the ways to the chosen nodes, the largest of these first, then
// the children of the largest node whose children are not shown, and so on.
func (t *Tree) shownNodes(chosen []int32, limit int) []bool {
	children := make([][]int32, len(t.Parent))
	for v := 1; v < len(t.Parent); v++ {
		children[t.Parent[v]] = append(children[t.Parent[v]], int32(v))
	}
	shown := make([]bool, len(t.Parent))
	shown[0] = true
	room := limit - 1
	open := func(v int32) bool {
		if c := children[v]; len(c) > 0 && len(c) <= room {
			for _, u := range c {
				shown[u] = true
			}
			room -= len(c)
			return true
		}
		return false
	}
	chosen = slices.Clone(chosen)
	slices.SortFunc(chosen, func(a, b int32) int { return cmp.Or(cmp.Compare(t.Size[b], t.Size[a]), cmp.Compare(a, b)) })
	for _, v := range chosen {
		var way []int32 // the nodes to open, from below
		need := 0
		for u := v; !shown[u]; u = t.Parent[u] {
			way = append(way, t.Parent[u])
			need += len(children[t.Parent[u]])
		}
		if need > room {
			continue
		}
		for i := len(way) - 1; i >= 0; i-- {
			open(way[i])
		}
	}
	queue := &largestFirst{size: t.Size}
	for v := range shown {
		if c := children[v]; shown[v] && len(c) > 0 && !shown[c[0]] {
			queue.nodes = append(queue.nodes, int32(v))
		}
	}
	for heap.Init(queue); queue.Len() > 0; {
		v := heap.Pop(queue).(int32)
		if !open(v) {
			break
		}
		for _, u := range children[v] {
			if len(children[u]) > 0 {
				heap.Push(queue, u)
			}
		}
	}
	return shown
}

// largestFirst is a heap of nodes.
type largestFirst struct {
	nodes []int32
	size  []int32
}

func (q *largestFirst) Len() int { return len(q.nodes) }
func (q *largestFirst) Less(i, j int) bool {
	a, b := q.nodes[i], q.nodes[j]
	return q.size[a] > q.size[b] || q.size[a] == q.size[b] && a < b
}
func (q *largestFirst) Swap(i, j int) { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] }
func (q *largestFirst) Push(v any)    { q.nodes = append(q.nodes, v.(int32)) }
func (q *largestFirst) Pop() any {
	last := len(q.nodes) - 1
	v := q.nodes[last]
	q.nodes = q.nodes[:last]
	return v
}

// fillLeave finds when points fall out of the nodes that are shown. Place is the place of each node in the outline,
// -1 where it is left out.
func (t *Tree) fillLeave(out *Outline, place []int) {
	leave := make([][]float64, len(out.Nodes))
	for i, v := range t.Node {
		if p := place[v]; p >= 0 {
			leave[p] = append(leave[p], t.Lambda[i])
		}
	}
	for p, list := range leave {
		slices.Sort(list)
		node := &out.Nodes[p]
		steps := min(leaveSteps, len(list))
		for s := 1; s <= steps; s++ {
			at := int(math.Ceil(float64(s*len(list))/float64(steps))) - 1
			node.Leave = append(node.Leave, list[at])
		}
		if steps > 0 {
			node.Death = max(node.Death, list[len(list)-1])
		}
	}
}
