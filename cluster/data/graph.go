package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Graph is undirected and weighted, stored by rows (CSR): the neighbours of
// node i are To[Start[i]:Start[i+1]], ascending, with weights in the same part of
// W. An edge between two nodes is in both their rows, a loop once.
type Graph struct {
	Start []int
	To    []int32
	W     []float64
}

// An Edge joins nodes U and V with weight W.
type Edge struct {
	U, V int
	W    float64
}

// NewGraph builds the graph of n nodes with the given edges, in any order and
// direction; edges between the same two nodes add up. Weights must be finite,
// and remain so when they are added up.
func NewGraph(n int, edges []Edge) (*Graph, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("the number of nodes of a graph must be 0 to %d, got %d", math.MaxInt32, n)
	}
	for p, e := range edges {
		if e.U < 0 || e.U >= n || e.V < 0 || e.V >= n {
			return nil, fmt.Errorf("edge %d joins %d and %d, nodes are 0 to %d", p, e.U, e.V, n-1)
		}
		if !Finite(e.W) {
			return nil, fmt.Errorf("edge %d (%d, %d) has weight %v; weights must be finite", p, e.U, e.V, e.W)
		}
	}
	g := BuildGraph(n, edges)
	for i := range n {
		to, w := g.Neighbours(i)
		for p, y := range w {
			if !Finite(y) {
				return nil, fmt.Errorf("the edges between %d and %d add up to %v; weights must be finite", i, to[p], y)
			}
		}
	}
	return g, nil
}

// BuildGraph is NewGraph without its checks: the caller promises that both ends of
// every edge are from 0 to n−1, and weights may be any numbers.
func BuildGraph(n int, edges []Edge) *Graph {
	start := make([]int, n+1)
	for _, e := range edges {
		start[e.U+1]++
		if e.U != e.V {
			start[e.V+1]++
		}
	}
	for i := range n {
		start[i+1] += start[i]
	}
	g := &Graph{Start: start, To: make([]int32, start[n]), W: make([]float64, start[n])}
	next := slices.Clone(start[:n])
	put := func(u, v int, w float64) {
		g.To[next[u]], g.W[next[u]] = int32(v), w
		next[u]++
	}
	for _, e := range edges {
		put(e.U, e.V, e.W)
		if e.U != e.V {
			put(e.V, e.U, e.W)
		}
	}
	g.mergeParallelEdges()
	return g
}

// mergeParallelEdges sorts each row and adds up edges that it has twice.
func (g *Graph) mergeParallelEdges() {
	type half struct {
		to int32
		w  float64
	}
	var row []half
	out, lo := 0, 0
	for i := range g.Len() {
		hi := g.Start[i+1]
		row = row[:0]
		for p := lo; p < hi; p++ {
			row = append(row, half{g.To[p], g.W[p]})
		}
		slices.SortStableFunc(row, func(a, b half) int { return int(a.to) - int(b.to) })
		first := out
		for _, h := range row {
			if out > first && g.To[out-1] == h.to {
				g.W[out-1] += h.w
				continue
			}
			g.To[out], g.W[out] = h.to, h.w
			out++
		}
		lo = hi
		g.Start[i+1] = out
	}
	g.To, g.W = g.To[:out:out], g.W[:out:out]
}

// Check returns an error for slices that do not describe an undirected graph
// with finite weights. Every graph of NewGraph passes; use it for graphs built by
// hand.
func (g *Graph) Check() error {
	if g == nil {
		return errors.New("the graph is nil")
	}
	n := g.Len()
	if len(g.To) != len(g.W) || len(g.Start) > 0 && (g.Start[0] != 0 || g.Start[n] != len(g.To)) || len(g.Start) == 0 && len(g.To) > 0 {
		return fmt.Errorf("the starts of %d nodes, %d neighbours and %d weights do not fit together", n, len(g.To), len(g.W))
	}
	for i := range n {
		lo, hi := g.Start[i], g.Start[i+1]
		if lo > hi || hi > len(g.To) {
			return fmt.Errorf("node %d has neighbours %d to %d of %d", i, lo, hi, len(g.To))
		}
		last := int32(-1)
		for p := lo; p < hi; p++ {
			if j := g.To[p]; j <= last || int(j) >= n {
				return fmt.Errorf("node %d has neighbour %d after %d; neighbours must ascend and stay below %d", i, j, last, n)
			}
			if !Finite(g.W[p]) {
				return fmt.Errorf("the edge %d-%d has weight %v; weights must be finite", i, g.To[p], g.W[p])
			}
			last = g.To[p]
		}
	}
	return g.checkBothWays()
}

// checkBothWays returns an error for an edge that is not in the rows of both its
// ends. Nodes are visited in order, and rows ascend, so the first entry of j's
// row that has not been met is that of the node visited; and when j itself is
// visited, all its lower neighbours have been met.
func (g *Graph) checkBothWays() error {
	n := g.Len()
	oneWay := func(i int, p int) error {
		return fmt.Errorf("node %d has neighbour %d with weight %v, but not the other way round; an edge has the same weight in the rows of both its ends", i, g.To[p], g.W[p])
	}
	next := slices.Clone(g.Start[:n])
	for i := range n {
		p, hi := next[i], g.Start[i+1]
		if p < hi && int(g.To[p]) < i {
			return oneWay(i, p)
		}
		if p < hi && int(g.To[p]) == i { // a loop is there once
			p++
		}
		for ; p < hi; p++ {
			j := g.To[p]
			q := next[j]
			if q == g.Start[j+1] || int(g.To[q]) != i || g.W[q] != g.W[p] {
				return oneWay(i, p)
			}
			next[j]++
		}
	}
	return nil
}

// Len returns the number of nodes; a nil graph has none.
func (g *Graph) Len() int {
	if g == nil {
		return 0
	}
	return max(len(g.Start)-1, 0)
}

// Edges returns the number of edges, each counted once.
func (g *Graph) Edges() int {
	m := 0
	for i := range g.Len() {
		to, _ := g.Neighbours(i)
		for _, j := range to {
			if int(j) >= i {
				m++
			}
		}
	}
	return m
}

// Neighbours returns the nodes next to i and the weights of the edges there;
// the caller must not change them.
func (g *Graph) Neighbours(i int) (to []int32, w []float64) {
	lo, hi := g.Start[i], g.Start[i+1]
	return g.To[lo:hi:hi], g.W[lo:hi:hi]
}

// Degree returns the sum of the weights of the edges at i.
func (g *Graph) Degree(i int) (s float64) {
	_, w := g.Neighbours(i)
	for _, y := range w {
		s += y
	}
	return s
}

// Arranged returns a graph whose node i is node order[i] of g, one without edges where
// that is negative.
func (g *Graph) Arranged(order []int) (*Graph, error) {
	row := make([]int, g.Len())
	for i := range row {
		row[i] = -1
	}
	for i, p := range order {
		if p >= 0 {
			row[p] = i
		}
	}
	var edges []Edge
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, k := range to {
			if int(k) >= i && row[i] >= 0 && row[k] >= 0 {
				edges = append(edges, Edge{U: row[i], V: row[k], W: w[q]})
			}
		}
	}
	return NewGraph(len(order), edges)
}

// Edited returns g with other weights and further edges: weight returns what the edge from
// i to j, of weight w, weighs now, the same both ways, and 0 takes it away. An edge of more
// is added to the one that there is between the same nodes.
func (g *Graph) Edited(weight func(i, j int, w float64) float64, more []Edge) (*Graph, error) {
	added, err := NewGraph(g.Len(), more)
	if err != nil {
		return nil, err
	}
	room := len(g.To) + len(added.To)
	out := &Graph{Start: make([]int, g.Len()+1), To: make([]int32, 0, room), W: make([]float64, 0, room)}
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		further, by := added.Neighbours(i)
		for len(to) > 0 || len(further) > 0 {
			var j int32
			y := 0.0
			if len(further) == 0 || len(to) > 0 && to[0] <= further[0] {
				j, y = to[0], weight(i, int(to[0]), w[0])
				to, w = to[1:], w[1:]
			} else {
				j = further[0]
			}
			kept := y != 0
			if len(further) > 0 && further[0] == j {
				y, kept = y+by[0], true
				further, by = further[1:], by[1:]
			}
			if !Finite(y) {
				return nil, fmt.Errorf("the edges between %d and %d add up to %v; weights must be finite", i, j, y)
			}
			if kept {
				out.To, out.W = append(out.To, j), append(out.W, y)
			}
		}
		out.Start[i+1] = len(out.To)
	}
	return out, nil
}
