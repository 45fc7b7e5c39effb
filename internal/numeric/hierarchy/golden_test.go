package hierarchy

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// A recording is a fit of hdbscan; bench/density/golden.py makes it.
type recording struct {
	name       string
	rows       [][]float64
	MinSize    int          `json:"min_cluster_size"`
	MinSamples int          `json:"min_samples"`
	Linkage    [][3]float64 `json:"linkage"`   // the nodes that are merged, their distance
	Condensed  [][4]float64 `json:"condensed"` // parent, child, λ, size
	Labels     []int        `json:"labels"`
}

func recordings(t *testing.T) (all []*recording) {
	t.Helper()
	for _, name := range []string{"iris", "wine", "wdbc", "blobs", "moons"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Rows [][]float64
			Fits []*recording
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for _, r := range file.Fits {
			r.rows, r.name = file.Rows, fmt.Sprintf("%s, min_samples %d", name, r.MinSamples)
			all = append(all, r)
		}
	}
	if len(all) != 10 {
		t.Fatalf("%d recordings, want 10", len(all))
	}
	return all
}

// edges returns the merges as edges between a point of each side, in hdbscan's order.
func (r *recording) edges() (edges []Edge) {
	point := make([]int32, len(r.rows)) // of each node
	for i := range point {
		point[i] = int32(i)
	}
	for _, m := range r.Linkage {
		a, b := point[int(m[0])], point[int(m[1])]
		edges, point = append(edges, Edge{min(a, b), max(a, b), m[2]}), append(point, a)
	}
	return edges
}

// tree returns hdbscan's condensed tree, its nodes in the order of their births.
func (r *recording) tree() *Tree {
	n := len(r.rows)
	t := &Tree{Parent: []int32{-1}, Birth: []float64{0}, Size: []int32{int32(n)}, Node: make([]int32, n), Lambda: make([]float64, n)}
	node := map[int]int32{n: 0}
	rows := slices.Clone(r.Condensed)
	slices.SortStableFunc(rows, func(a, b [4]float64) int { return int(a[1]) - int(b[1]) }) // a parent has a lower number
	for _, e := range rows {
		if child := int(e[1]); child >= n {
			node[child] = int32(len(t.Parent))
			t.Parent, t.Birth, t.Size = append(t.Parent, node[int(e[0])]), append(t.Birth, e[2]), append(t.Size, int32(e[3]))
		}
	}
	for _, e := range rows {
		if child := int(e[1]); child < n {
			t.Node[child], t.Lambda[child] = node[int(e[0])], e[2]
		}
	}
	return t
}

// ours returns our spanning tree of the recorded rows.
func (r *recording) ours(t *testing.T) []Edge {
	t.Helper()
	x, err := data.FromRows(r.rows)
	if err != nil {
		t.Fatal(err)
	}
	core, err := CoreDistances(context.Background(), x, r.MinSamples+1, 0)
	if err != nil {
		t.Fatal(err)
	}
	edges, err := Spanning(context.Background(), x, core, 0)
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// near reports whether two distances or densities are the same but for rounding:
// hdbscan adds up squares in another order.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// Spanning trees of the same points differ where distances are equal, and they often
// are: a core distance may be that of several edges. What does not depend on the choice
// is at which distance two points are joined, the heaviest edge on the way between
// them. If both ends of every edge of one tree are joined at its weight in the other,
// the hierarchies are the same.
func TestHierarchyIsThatOfHdbscan(t *testing.T) {
	for _, r := range recordings(t) {
		ours, theirs := r.ours(t), r.edges()
		for i := range ours {
			if !near(ours[i].Weight, theirs[i].Weight) {
				t.Errorf("%s: edge %d has weight %v, want %v", r.name, i, ours[i].Weight, theirs[i].Weight)
			}
		}
		checkJoined(t, r.name+", our edges in the other tree", ours, theirs)
		checkJoined(t, r.name+", the other edges in our tree", theirs, ours)
	}
}

func checkJoined(t *testing.T, name string, edges, tree []Edge) {
	t.Helper()
	to := make([][]Edge, len(tree)+1)
	for _, e := range tree {
		to[e.A] = append(to[e.A], e)
		to[e.B] = append(to[e.B], Edge{e.B, e.A, e.Weight})
	}
	for _, e := range edges {
		type step struct {
			at, from int32
			heaviest float64
		}
		for list := []step{{e.A, -1, 0}}; len(list) > 0; list = list[1:] {
			s := list[0]
			if s.at == e.B && !near(s.heaviest, e.Weight) {
				t.Errorf("%s: points %d and %d are joined at %v, want %v", name, e.A, e.B, s.heaviest, e.Weight)
			}
			for _, o := range to[s.at] {
				if o.B != s.from {
					list = append(list, step{o.B, s.at, max(s.heaviest, o.Weight)})
				}
			}
		}
	}
}

// Where more than two parts separate at one distance, the condensed tree depends on the
// order in which they do. So Condense gets hdbscan's edges in hdbscan's order, and has
// to arrive at hdbscan's tree, node by node and point by point.
func TestCondensedTreeIsThatOfHdbscan(t *testing.T) {
	for _, r := range recordings(t) {
		got, err := Condense(len(r.rows), r.edges(), r.MinSize)
		if err != nil {
			t.Fatal(err)
		}
		checkTree(t, got, len(r.rows), r.MinSize)
		if diff := differentTrees(got, r.tree()); diff != "" {
			t.Errorf("%s: %s", r.name, diff)
		}
	}
}

// differentTrees says in which node two trees differ, however their nodes are
// numbered; "" if they do not. A node is known by its points.
func differentTrees(a, b *Tree) string {
	if len(a.Parent) != len(b.Parent) {
		return "different numbers of nodes"
	}
	other := map[int32]int32{} // node of a, node of b
	for p := range a.Node {
		for v, w := a.Node[p], b.Node[p]; v >= 0 || w >= 0; v, w = a.Parent[v], b.Parent[w] {
			if v < 0 || w < 0 {
				return "a point is at different depths"
			}
			if have, ok := other[v]; ok && have != w {
				return "a node holds other points"
			}
			other[v] = w
			if !near(a.Birth[v], b.Birth[w]) || a.Size[v] != b.Size[w] {
				return "a node has another birth or size"
			}
		}
		if !near(a.Lambda[p], b.Lambda[p]) {
			return "a point falls out at another λ"
		}
	}
	return ""
}

// excessOfMass returns the clusters of greatest stability (Campello et al. 2015,
// section 3.3), the root aside: for each point a node, or -1.
func excessOfMass(t *Tree) []int {
	s := t.Stability()
	chosen, below := make([]bool, len(s)), make([]float64, len(s))
	for v := len(s) - 1; v > 0; v-- {
		chosen[v] = s[v] >= below[v]
		below[t.Parent[v]] += max(s[v], below[v])
	}
	labels := make([]int, len(t.Node))
	for p, v := range t.Node {
		labels[p] = -1
		for ; v > 0; v = t.Parent[v] {
			if chosen[v] {
				labels[p] = int(v)
			}
		}
	}
	return labels
}

func samePartition(a, b []int) bool {
	to, from := map[int]int{-1: -1}, map[int]int{-1: -1}
	for i := range a {
		x, known := to[a[i]]
		y, back := from[b[i]]
		if known != back || known && (x != b[i] || y != a[i]) {
			return false
		}
		to[a[i]], from[b[i]] = b[i], a[i]
	}
	return true
}

// hdbscan's clusters are the most stable nodes of its tree. Without smoothing, where
// hardly two distances are equal, our own way from rows to clusters comes to the same
// tree and the same clusters. (Iris and blobs have some that are equal, but not where
// a node splits.)
func TestClustersAreThoseOfHdbscan(t *testing.T) {
	for _, r := range recordings(t) {
		want := r.tree()
		if got := excessOfMass(want); !samePartition(got, r.Labels) {
			t.Errorf("%s: clusters %v, want %v", r.name, got, r.Labels)
		}
		if r.MinSamples > 1 {
			continue
		}
		tree, err := Condense(len(r.rows), r.ours(t), r.MinSize)
		if err != nil {
			t.Fatal(err)
		}
		if diff := differentTrees(tree, want); diff != "" {
			t.Errorf("%s: %s", r.name, diff)
		}
		if got := excessOfMass(tree); !samePartition(got, r.Labels) {
			t.Errorf("%s: our clusters %v, want %v", r.name, got, r.Labels)
		}
	}
}
