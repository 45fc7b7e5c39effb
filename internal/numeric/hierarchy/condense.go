package hierarchy

import (
	"errors"
	"fmt"
	"math"
)

// leastDistance is the distance up to which two points count as equal: the λ of
// shorter ones could not be added up.
const leastDistance = 1e-290

// Condense returns the condensed tree of a minimum spanning tree of n points,
// edges ascending by weight, where a cluster has at least minSize points. Taking
// away the edges from the heaviest on, a part of a node with fewer points falls
// out of it; where both parts have minSize points or more, they are its children,
// otherwise the larger part is still the node (Campello et al. 2015, algorithm 2,
// as hdbscan 0.8 does it).
//
// Edges of equal weight are taken away one after the other, the last first. Thus
// no node has more than two children; where more than two parts separate at one
// distance, a node may be born at the λ at which it splits, with stability 0.
//
// The λ of distance 0 is finite: it is that of half the shortest other edge, or 1
// if there is no other. A tree of fewer than two points has a root alone, which
// they leave at λ 0.
func Condense(n int, edges []Edge, minSize int) (*Tree, error) {
	if n < 0 || len(edges) != max(0, n-1) {
		return nil, fmt.Errorf("a spanning tree of %d points must have %d edges, got %d", n, max(0, n-1), len(edges))
	}
	if minSize < 2 {
		return nil, fmt.Errorf("the size of a cluster must be at least 2, got %d", minSize)
	}
	d, err := newDendrogram(n, edges)
	if err != nil {
		return nil, err
	}
	return d.condense(edges, minSize), nil
}

// A dendrogram is the tree of single linkage: node i < n is point i, node n+m joins
// the two nodes child[m] by edge m.
type dendrogram struct {
	n     int
	child [][2]int32
	size  []int32 // of the nodes from n on
}

func newDendrogram(n int, edges []Edge) (*dendrogram, error) {
	if n > math.MaxInt32/2 {
		return nil, fmt.Errorf("%d points, at most %d", n, math.MaxInt32/2)
	}
	d := &dendrogram{n: n, child: make([][2]int32, len(edges)), size: make([]int32, len(edges))}
	sets := newDisjointSets(n)
	top := make([]int32, n) // the node of the set with this root
	for i := range top {
		top[i] = int32(i)
	}
	last := 0.0
	for m, e := range edges {
		if e.A < 0 || e.B < 0 || int(e.A) >= n || int(e.B) >= n {
			return nil, fmt.Errorf("edge %d joins points %d and %d of %d", m, e.A, e.B, n)
		}
		if !(e.Weight >= last) || math.IsInf(e.Weight, 1) {
			return nil, fmt.Errorf("edge %d has weight %v after %v; weights must be finite and ascend", m, e.Weight, last)
		}
		last = e.Weight
		a, b := sets.find(e.A), sets.find(e.B)
		if a == b {
			return nil, errors.New("the edges of a spanning tree must not form a cycle")
		}
		d.child[m] = [2]int32{top[a], top[b]}
		d.size[m] = d.sizeOf(top[a]) + d.sizeOf(top[b])
		top[sets.join(a, b)] = int32(n + m)
	}
	return d, nil
}

func (d *dendrogram) sizeOf(v int32) int32 {
	if int(v) < d.n {
		return 1
	}
	return d.size[int(v)-d.n]
}

// A branch is where a node of the dendrogram belongs: in a condensed node, or,
// if it has fallen out of it, at which λ.
type branch struct {
	node   int32
	fallen bool
	lambda float64
}

// condense goes through the joins from the last to the first: a join comes before
// what it has joined.
func (d *dendrogram) condense(edges []Edge, minSize int) *Tree {
	t := &Tree{Parent: []int32{-1}, Birth: []float64{0}, Size: []int32{int32(d.n)},
		Node: make([]int32, d.n), Lambda: make([]float64, d.n)}
	at := make([]branch, len(edges))
	put := func(v int32, b branch) {
		if int(v) < d.n {
			t.Node[v], t.Lambda[v] = b.node, b.lambda
		} else {
			at[int(v)-d.n] = b
		}
	}
	lambda := lambdaOf(edges)
	for m := len(edges) - 1; m >= 0; m-- {
		here, pair := at[m], d.child[m]
		if here.fallen {
			put(pair[0], here)
			put(pair[1], here)
			continue
		}
		l := lambda(edges[m].Weight)
		split := min(d.sizeOf(pair[0]), d.sizeOf(pair[1])) >= int32(min(minSize, math.MaxInt32))
		for _, v := range pair {
			size := d.sizeOf(v)
			switch {
			case split:
				t.Parent, t.Birth, t.Size = append(t.Parent, here.node), append(t.Birth, l), append(t.Size, size)
				put(v, branch{node: int32(len(t.Parent) - 1)})
			case int(size) >= minSize:
				put(v, here)
			default:
				put(v, branch{here.node, true, l})
			}
		}
	}
	return t
}

// lambdaOf returns the function from a weight to its λ.
func lambdaOf(edges []Edge) func(w float64) float64 {
	most := 1.0
	for _, e := range edges { // ascending
		if e.Weight > leastDistance {
			most = 2 / e.Weight
			break
		}
	}
	return func(w float64) float64 {
		if w > leastDistance {
			return 1 / w
		}
		return most
	}
}
