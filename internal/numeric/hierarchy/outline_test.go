package hierarchy

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// randomTree is a tree of clumps on a line.
func randomTree(t *testing.T, r *rand.Rand, n, minSize int) *Tree {
	t.Helper()
	x := &data.Dense{Cols: 1, V: make([]float64, n)}
	for i := range x.V {
		x.V[i] = 20*float64(r.IntN(12)) + r.NormFloat64()*float64(1+r.IntN(4))
	}
	_, edges, err := Build(context.Background(), x, 2, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Condense(n, edges, minSize)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// What an outline says of its nodes is true of the tree, and nothing is lost: nodes that are folded
// are counted where they hang, and points that fall out of shown nodes or stay make up their size.
func TestOutlineIsTheTree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		n := 20 + r.IntN(300)
		tree := randomTree(t, r, n, 2+r.IntN(4))
		var chosen []int32
		labels := make([]int, n)
		above := make([]int, len(tree.Parent)) // the cluster of each node
		for v := range above {
			switch {
			case v > 0 && above[tree.Parent[v]] >= 0:
				above[v] = above[tree.Parent[v]]
			case v > 0 && r.IntN(3) == 0:
				above[v] = len(chosen)
				chosen = append(chosen, int32(v))
			default:
				above[v] = -1
			}
		}
		for i, v := range tree.Node {
			labels[i] = above[v]
		}
		limit := 1 + r.IntN(2*len(tree.Parent))
		o := tree.Outline(chosen, labels, limit)
		if len(o.Nodes) > limit || len(o.Nodes)+o.Folded != len(tree.Parent) {
			t.Fatalf("%d nodes are shown and %d folded of %d, at most %d", len(o.Nodes), o.Folded, len(tree.Parent), limit)
		}
		folded, named := 0, map[int]bool{}
		childrenOf := make([]int, len(o.Nodes))
		for at, node := range o.Nodes {
			folded += node.Folded
			if node.Size != int(tree.Size[node.Node]) || node.Birth != tree.Birth[node.Node] {
				t.Fatalf("node %+v is not that of the tree", node)
			}
			if at > 0 {
				childrenOf[node.Parent]++
				if node.Parent >= at || o.Nodes[node.Parent].Node != int(tree.Parent[node.Node]) {
					t.Fatalf("node %+v has another parent in the tree", node)
				}
			}
			own := 0
			for i, v := range tree.Node {
				if int(v) == node.Node {
					own++
					if tree.Lambda[i] > node.Death {
						t.Fatalf("a point leaves %+v at %v", node, tree.Lambda[i])
					}
				}
			}
			if node.Size != own+node.Stay || (own > 0) != (len(node.Leave) > 0) || !slices.IsSorted(node.Leave) {
				t.Fatalf("%d points fall out of %+v", own, node)
			}
			for _, h := range node.Clusters {
				named[h] = true
			}
		}
		for at, c := range childrenOf {
			if c != 0 && c != 2 {
				t.Fatalf("node %+v is shown with %d children", o.Nodes[at], c)
			}
		}
		if folded != o.Folded {
			t.Fatalf("%d nodes are folded, of which %d have a place", o.Folded, folded)
		}
		for h := range chosen {
			if named[h] == slices.Contains(o.Hidden, h) {
				t.Fatalf("cluster %d is named: %v; hidden are %v", h, named[h], o.Hidden)
			}
		}
		if len(o.Detached) > 0 {
			t.Fatalf("detached are %v", o.Detached)
		}
		if limit >= len(tree.Parent) && o.Folded > 0 {
			t.Fatalf("%d nodes are folded where there is room for all", o.Folded)
		}
	}
}

// A node whose points were divided names both clusters, and a cluster of noise is detached.
func TestOutlineOfChangedClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	tree := randomTree(t, r, 200, 5)
	labels := make([]int, 200)
	given := 0
	for i, v := range tree.Node {
		under := v
		for under > 1 {
			under = tree.Parent[under]
		}
		switch {
		case under != 1:
			labels[i] = 2 // in none of the chosen nodes
		case given%3 == 0:
			labels[i] = 1
			given++
		default:
			given++
		}
	}
	for v := range tree.Parent { // node 1 has no parent but the root
		if tree.Parent[v] == 0 && v == 1 {
			o := tree.Outline([]int32{1}, labels, 1000)
			if got := o.Nodes[1].Clusters; !slices.Equal(got, []int{0, 1}) {
				t.Errorf("the node holds clusters %v", got)
			}
			if !slices.Equal(o.Detached, []int{2}) || len(o.Hidden) > 0 {
				t.Errorf("detached are %v, hidden %v", o.Detached, o.Hidden)
			}
			return
		}
	}
	t.Fatal("the tree has no branches")
}
