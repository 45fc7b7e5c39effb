package hierarchy

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// boruvka finds the tree in rounds (Borůvka 1926): every component of the forest
// found so far adds the best link that leaves it. The best of all links in the
// order of link.before is one link, whoever finds it first, so the result does not
// depend on the order in which points are searched.
//
// For a point the neighbours that are known bound what it can find: links to others
// are no shorter than the last of them. A point is searched for only if that bound
// does not exceed the best link known of its component, and then by tree or rings, whose
// nodes are left out where all points are of the same component or too far, or too
// sparse: a link is no shorter than either core distance (March, Ram and Gray 2010,
// "Fast Euclidean minimum spanning tree", with core distances).
func boruvka(ctx context.Context, index *affinity.Index, near *affinity.Neighbours, core []float64, workers int, progress func(share float64)) ([]Edge, error) {
	f := newForest(index, near, core)
	f.ctx = ctx
	edges := make([]Edge, 0, f.n-1)
	for f.components > 1 {
		f.beginRound()
		if err := f.forPanels(ctx, workers, nil, f.searchLists); err != nil {
			return nil, err
		}
		found := float64(len(edges)) / float64(f.n-1)
		// A round finds at least half of the edges that are left.
		if err := f.forPanels(ctx, workers, partOf(progress, found, (1+found)/2), f.searchPanel); err != nil {
			return nil, err
		}
		for _, l := range f.join() {
			edges = append(edges, edgeOf(l, core))
		}
		progress(float64(len(edges)) / float64(f.n-1))
	}
	return edges, ctx.Err()
}

// A forest is the state of the algorithm. Points are known by their places in the order of
// the leaves, so that points near each other are near in memory.
type forest struct {
	ctx context.Context // ends a search
	*affinity.Leaves
	tree  *affinity.KDTree    // or
	rings *affinity.Rings     //
	nodes []affinity.TreeNode // of the tree, in preorder
	n     int
	core2 []float64 // of each place

	lists [][]neighbour // of each place, those in other components
	least []float64     // what links of each place to others than its list are at least
	best  []candidate   // the best link known of each place
	twin  []int32       // of each place, see twinOf

	components int
	component  []int32         // of each place
	bound      []atomic.Uint64 // of each component: its best link is no longer; see boundOf

	ofLeaf, ofPanel, ofNode []extent
}

// An extent is what is known of the places of a leaf, a leaf panel or a node.
type extent struct {
	core2     float64 // the least core distance squared
	component int32   // of all, -1 if there are several
}

// join returns the extent of two parts.
func (e extent) join(o extent) extent {
	if e.component != o.component {
		e.component = -1
	}
	e.core2 = min(e.core2, o.core2)
	return e
}

// A neighbour is a place, and its squared distance.
type neighbour struct {
	dist2 float64
	to    int32
}

// A candidate is a link of a place. It is final if no better one leaves the
// component.
type candidate struct {
	weight2 float64
	to      int32 // -1 for none
	final   bool
}

func newForest(index *affinity.Index, near *affinity.Neighbours, core []float64) *forest {
	n := len(core)
	f := &forest{tree: index.Tree(), rings: index.Rings(), n: n, components: n, component: make([]int32, n), core2: make([]float64, n),
		lists: make([][]neighbour, n), least: make([]float64, n), best: make([]candidate, n), twin: make([]int32, n), bound: make([]atomic.Uint64, n)}
	if f.tree != nil {
		f.Leaves = &f.tree.Leaves
		f.listNodes()
	} else {
		f.Leaves = &f.rings.Leaves
	}
	f.ofLeaf, f.ofPanel = make([]extent, f.NumLeaves()), make([]extent, f.NumLeafPanels())
	place := make([]int32, n)
	for p, i := range f.Order {
		place[i] = int32(p)
	}
	all := make([]neighbour, n*near.K)
	for p, i := range f.Order {
		f.component[p], f.core2[p], f.best[p].to = int32(p), float64(core[i]*core[i]), -1
		idx, dist2 := near.NeighboursOf(int(i))
		list := all[p*near.K : (p+1)*near.K : (p+1)*near.K]
		for q, j := range idx {
			list[q] = neighbour{dist2[q], place[j]}
		}
		f.lists[p], f.least[p] = list, max(f.core2[p], dist2[near.K-1])
		f.twin[p] = twinOf(i, idx, dist2, core, place)
	}
	return f
}

// twinOf returns the place of an equal row before row i, no sparser, among its
// neighbours, -1 if there is none. Whatever i can be linked to, its twin is linked to
// by a link that precedes: once both are in one component, nobody asks i.
func twinOf(i int32, idx []int32, dist2, core []float64, place []int32) int32 {
	for q, j := range idx {
		if dist2[q] > 0 {
			break
		}
		if j < i && core[j] <= core[i] {
			return place[j]
		}
	}
	return -1
}

// isShadowed reports whether place p is in the component of its twin.
func (f *forest) isShadowed(p int) bool {
	return f.twin[p] >= 0 && f.component[f.twin[p]] == f.component[p]
}

// listNodes lists the nodes of the tree.
func (f *forest) listNodes() {
	f.nodes, f.ofNode = make([]affinity.TreeNode, f.tree.NumNodes()), make([]extent, f.tree.NumNodes())
	for stack := []affinity.TreeNode{f.tree.Root()}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f.nodes[s.Node] = s
		if s.Hi-s.Lo > 1 {
			a, b := s.Children()
			stack = append(stack, a, b)
		}
	}
}

// forPanels calls do for the leaf panels.
func (f *forest) forPanels(ctx context.Context, workers int, progress func(share float64), do func(panel int)) error {
	return blocks.TasksWithProgress(ctx, workers, f.NumLeafPanels(), progress, do)
}

// beginRound forgets the bounds, and finds the extents of leaves, panels and nodes.
func (f *forest) beginRound() {
	infinite := math.Float64bits(math.Inf(1))
	for c := range f.components {
		f.bound[c].Store(infinite)
	}
	for b := range f.ofPanel {
		first, end := f.LeavesOf(b)
		for l := first; l < end; l++ {
			lo, hi := f.PlacesOf(l)
			e := extent{f.core2[lo], f.component[lo]}
			for p := lo + 1; p < hi; p++ {
				e = e.join(extent{f.core2[p], f.component[p]})
			}
			f.ofLeaf[l] = e
			if l > first {
				e = f.ofPanel[b].join(e)
			}
			f.ofPanel[b] = e
		}
	}
	for v := len(f.nodes) - 1; v >= 0; v-- {
		if s := f.nodes[v]; s.Hi-s.Lo == 1 {
			f.ofNode[v] = f.ofPanel[s.Lo]
		} else {
			a, b := s.Children()
			f.ofNode[v] = f.ofNode[a.Node].join(f.ofNode[b.Node])
		}
	}
}

// boundOf returns an upper bound of the squared weight of the best link of a
// component, lowerBound lowers it. Floats that are not negative have the order of
// their bits.
func (f *forest) boundOf(c int32) float64 { return math.Float64frombits(f.bound[c].Load()) }

func (f *forest) lowerBound(c int32, weight2 float64) {
	for bits := math.Float64bits(weight2); ; {
		old := f.bound[c].Load()
		if bits >= old || f.bound[c].CompareAndSwap(old, bits) {
			return
		}
	}
}

// linkOf returns the link of two places.
func (f *forest) linkOf(p, q int32, weight2 float64) link {
	a, b := f.Order[p], f.Order[q]
	return link{weight2, min(a, b), max(a, b)}
}

// offer offers place p the link to q, of another component.
func (f *forest) offer(p, q int32, weight2 float64) {
	if best := &f.best[p]; weight2 < best.weight2 || weight2 == best.weight2 && f.linkOf(p, q, weight2).before(f.linkOf(p, best.to, weight2)) {
		best.weight2, best.to = weight2, q
		f.lowerBound(f.component[p], weight2)
		f.lowerBound(f.component[q], weight2)
	}
}

// searchLists finds the best links of the places of a leaf panel by their lists alone.
// What has come into the component of the place is dropped from its list for good.
func (f *forest) searchLists(panel int) {
	for p := panel * affinity.LeafPanelRows; p < min(f.n, (panel+1)*affinity.LeafPanelRows); p++ {
		c, best := f.component[p], &f.best[p]
		if f.isShadowed(p) {
			best.to = -1
			continue
		}
		if best.to >= 0 && f.component[best.to] != c {
			f.lowerBound(c, best.weight2)
			f.lowerBound(f.component[best.to], best.weight2)
			if best.final {
				continue
			}
		} else {
			*best = candidate{math.Inf(1), -1, false}
		}
		left := f.lists[p][:0]
		for _, y := range f.lists[p] {
			if f.component[y.to] != c {
				left = append(left, y)
				f.offer(int32(p), y.to, max(y.dist2, f.core2[p], f.core2[y.to]))
			}
		}
		f.lists[p] = left
	}
}

// join joins every component with another by its best link, and returns the links.
// Components that have the same best link are joined once.
func (f *forest) join() (links []link) {
	from := make([]int32, f.components) // the place of the best link of each component
	for c := range from {
		from[c] = -1
	}
	for p, y := range f.best {
		if y.to < 0 {
			continue
		}
		c := f.component[p]
		if from[c] < 0 || f.bestLink(int32(p)).before(f.bestLink(from[c])) {
			from[c] = int32(p)
		}
	}
	sets := newDisjointSets(f.components)
	for _, p := range from {
		if a, b := sets.find(f.component[p]), sets.find(f.component[f.best[p].to]); a != b {
			sets.join(a, b)
			links = append(links, f.bestLink(p))
		}
	}
	number := from // of each set
	f.components = 0
	for c := range number {
		if sets.find(int32(c)) == int32(c) {
			number[c] = int32(f.components)
			f.components++
		}
	}
	for p, c := range f.component {
		f.component[p] = number[sets.find(c)]
	}
	return links
}

func (f *forest) bestLink(p int32) link { return f.linkOf(p, f.best[p].to, f.best[p].weight2) }
