package dedupe

import (
	"cmp"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// Bounds of the weights of pairs, in log-odds.
const (
	maxWeight     = 8.0
	uncompared    = -2.0 // weight of a pair that was not compared
	manyNodes     = 64   // of one distinct record that edges are drawn to
	noConstraints = -1
)

// A graph is what is clustered: nodes of rows that are together, the sum of the weights
// of the compared pairs between two nodes, and which nodes must be apart.
type graph struct {
	node  []int32 // of each row
	size  []int32 // rows of each node
	part  []int32 // of each node, the component of constraints that it is; noConstraints where no other must be apart from it
	edges []edge  // ascending by nodes, each pair of nodes once
	known *constraint.Closure
	must  []bool    // of each node: a must-link holds it together
	self  []float64 // of each node, the weight of two of its rows

	positive float64 // sum of the weights above 0 of pairs between nodes
}

// An edge is between nodes a < b: the sum of the weights of their pairs, and how many
// were compared.
type edge struct {
	a, b  int32
	sum   float64
	pairs int32
}

// gain returns what the objective falls by if the nodes of e, of these sizes, are
// together: pairs that were not compared count too.
func gain(sum float64, pairs int32, sizeA, sizeB int32) float64 {
	return sum + (float64(sizeA)*float64(sizeB)-float64(pairs))*uncompared
}

// newGraph makes a graph of the weighted pairs of distinct records. self returns the
// weight of two equal records.
func newGraph(d *distinct, closed *constraint.Closure, pairs []pair, weight []float64, self func(u int32) float64) *graph {
	g := &graph{node: make([]int32, d.rows), known: closed}
	g.joinRows(d, self)
	for _, u := range g.node {
		g.size[u]++
	}
	var left, right []share
	for i, p := range pairs {
		left, right = g.shares(d, p.A, left[:0]), g.shares(d, p.B, right[:0])
		for _, x := range left {
			for _, y := range right {
				g.connect(x, y, weight[i])
			}
		}
	}
	for u := range d.copies {
		if len(d.copies[u]) < 2 {
			continue
		}
		left = g.shares(d, int32(u), left[:0])
		w := self(int32(u))
		for i, x := range left {
			for _, y := range left[:i] {
				g.connect(x, y, w)
			}
		}
	}
	g.merge()
	return g
}

// joinRows makes the nodes: rows that must be together, and equal records whose weight
// is above 0, unless one of them must be apart from others.
func (g *graph) joinRows(d *distinct, self func(u int32) float64) {
	joined := make([]int32, g.known.Components()) // the node of a component
	for q := range joined {
		joined[q] = -1
	}
	newNode := func(q int, w float64) int32 {
		u := int32(len(g.size))
		g.size, g.part, g.must, g.self = append(g.size, 0), append(g.part, noConstraints), append(g.must, g.known.Size(q) > 1), append(g.self, w)
		if len(g.known.CannotLinked(q)) > 0 || g.known.Class(q) >= 0 {
			g.part[u] = int32(q)
		}
		return u
	}
	parent := []int32{} // of nodes, as equal records join them
	find := func(u int32) int32 {
		for parent[u] != u {
			parent[u] = parent[parent[u]]
			u = parent[u]
		}
		return u
	}
	for q := range joined {
		joined[q] = newNode(q, 0)
		parent = append(parent, joined[q])
	}
	for u, rows := range d.copies {
		if len(rows) < 2 {
			continue
		}
		w := self(int32(u))
		if w <= 0 {
			continue
		}
		first := int32(-1)
		for _, i := range rows {
			v := find(joined[g.known.Component(int(i))])
			switch {
			case g.part[v] != noConstraints:
			case first < 0:
				first = v
				g.self[v] = max(g.self[v], w)
			case v != first:
				parent[v] = first
				g.must[first] = g.must[first] || g.must[v]
			}
		}
	}
	number := make([]int32, len(g.size))
	for u := range number {
		number[u] = -1
	}
	old := *g
	g.size, g.part, g.must, g.self = nil, nil, nil, nil
	for i := range g.node {
		u := find(joined[g.known.Component(i)])
		if number[u] < 0 {
			number[u] = int32(len(g.size))
			g.size, g.part, g.must, g.self = append(g.size, 0), append(g.part, old.part[u]), append(g.must, old.must[u]), append(g.self, old.self[u])
		}
		g.node[i] = number[u]
	}
}

// A share is how many rows of a distinct record are in a node.
type share struct {
	node int32
	rows int32
}

func (g *graph) shares(d *distinct, u int32, out []share) []share {
	if len(d.copies[u]) == 1 {
		return append(out, share{g.node[d.copies[u][0]], 1})
	}
	for _, i := range d.copies[u] {
		node := g.node[i]
		at := slices.IndexFunc(out, func(s share) bool { return s.node == node })
		switch {
		case at >= 0:
			out[at].rows++
		case len(out) < manyNodes:
			out = append(out, share{node, 1})
		}
	}
	return out
}

func (g *graph) connect(x, y share, w float64) {
	if x.node == y.node {
		return
	}
	rows := x.rows * y.rows
	g.positive += max(w, 0) * float64(rows)
	g.edges = append(g.edges, edge{min(x.node, y.node), max(x.node, y.node), w * float64(rows), rows})
}

// merge sorts the edges and adds up those between the same nodes.
func (g *graph) merge() {
	slices.SortStableFunc(g.edges, func(x, y edge) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	out := g.edges[:0]
	for _, e := range g.edges {
		if n := len(out); n > 0 && out[n-1].a == e.a && out[n-1].b == e.b {
			out[n-1].sum += e.sum
			out[n-1].pairs += e.pairs
			continue
		}
		out = append(out, e)
	}
	g.edges = out
}

// apart reports whether two nodes must be apart.
func (g *graph) apart(a, b int32) bool {
	p, q := g.part[a], g.part[b]
	if p == noConstraints || q == noConstraints {
		return false
	}
	return g.known.MustApart(int(g.known.Members(int(p))[0]), int(g.known.Members(int(q))[0]))
}

// objective returns the objective of clusters of the nodes: pairs of rows between nodes
// count, pairs within a node do not depend on the clusters.
func (g *graph) objective(cluster []int32) float64 {
	inside := 0.0
	rows := map[int32]float64{}
	for u, c := range cluster {
		rows[c] += float64(g.size[u])
	}
	pairs := 0.0 // of rows within clusters, in different nodes, that were not compared
	for _, s := range sortedValues(rows) {
		pairs += s * s / 2
	}
	for _, s := range g.size {
		pairs -= float64(s) * float64(s) / 2
	}
	for _, e := range g.edges {
		if cluster[e.a] == cluster[e.b] {
			inside += e.sum
			pairs -= float64(e.pairs)
		}
	}
	return g.positive - inside - pairs*uncompared
}

func sortedValues(m map[int32]float64) []float64 {
	out := make([]float64, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
