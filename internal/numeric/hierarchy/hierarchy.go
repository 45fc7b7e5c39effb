// Package hierarchy builds the tree of HDBSCAN* (Campello, Moulavi, Zimek and
// Sander 2015, "Hierarchical density estimates for data clustering, visualization,
// and outlier detection", ACM TKDD 10): the clusters of all densities of a table
// of rows, before anybody chooses among them.
//
// CoreDistances says how dense the surroundings of each point are. Spanning
// finds the minimum spanning tree of the mutual reachability distances
// max(core(a), core(b), d(a, b)) (their definition 4), and Condense turns it into
// the condensed tree (their section 3.2): nodes are clusters of at least minSize
// points, and each point falls out of one of them when the density exceeds its
// own. Tree.Stability weighs the nodes for the choice of clusters.
//
// In comments n is the number of points, d of features, λ a density, 1/distance.
// All results have the same bits on any number of workers.
package hierarchy

// Edge joins two points, A < B, at a mutual reachability distance.
type Edge struct {
	A, B   int32
	Weight float64
}

// Tree is the condensed tree of HDBSCAN* (Campello et al. 2015): node 0 is the
// root, which holds all points, and a parent precedes its children.
type Tree struct {
	Parent []int32   // of each node, -1 for the root
	Birth  []float64 // λ at which the node appears, 0 for the root
	Size   []int32   // points of the node at birth
	Node   []int32   // for each point the node that it falls out of
	Lambda []float64 // for each point the λ at which it falls out
}

// Stability returns the excess of mass of each node (Campello et al. 2015,
// equation 3): the sum over its points of the λ at which they leave it, to fall
// out or into a child, less its birth.
func (t *Tree) Stability() []float64 {
	s := make([]float64, len(t.Parent))
	for p, v := range t.Node {
		s[v] += t.Lambda[p] - t.Birth[v]
	}
	for v := 1; v < len(s); v++ {
		up := t.Parent[v]
		s[up] += float64(float64(t.Size[v]) * (t.Birth[v] - t.Birth[up]))
	}
	return s
}
