package spectral

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// reorderFrom is the number of nodes from which on their order matters: what a
// walk through the edges looks up no longer fits the nearest memory.
const reorderFrom = 20_000

// reorderNodes numbers the nodes of a large graph so that neighbours stand together. When
// ctx ends f is not to be used.
func (f *NodeGraph) reorderNodes(ctx context.Context, workers int) error {
	n := len(f.Points)
	if n < reorderFrom {
		return ctx.Err()
	}
	node := eigen.Order(ctx, workers, f.Graph)
	if err := ctx.Err(); err != nil {
		return err
	}
	rank, at := make([]int32, n), make([]int, n)
	for r, i := range node {
		rank[i], at[r] = int32(r), f.Points[i]
		f.NodeOf[f.Points[i]] = r
	}
	g := &data.Graph{Start: make([]int, n+1), To: make([]int32, len(f.Graph.To)), W: make([]float64, len(f.Graph.W))}
	for r, i := range node {
		g.Start[r+1] = g.Start[r] + f.Graph.Start[i+1] - f.Graph.Start[i]
	}
	type edge struct {
		to int32
		w  float64
	}
	err := blocks.Tasks(ctx, workers, (n+blocks.Len-1)/blocks.Len, func(t int) {
		var row []edge
		for r := t * blocks.Len; r < min(n, (t+1)*blocks.Len); r++ {
			row = row[:0]
			to, w := f.Graph.Neighbours(int(node[r]))
			for q, j := range to {
				row = append(row, edge{rank[j], w[q]})
			}
			slices.SortFunc(row, func(a, b edge) int { return int(a.to) - int(b.to) })
			for q, e := range row {
				g.To[g.Start[r]+q], g.W[g.Start[r]+q] = e.to, e.w
			}
		}
	})
	f.Graph, f.Points = g, at
	return err
}

// NodeGraph is the graph that is cut.
type NodeGraph struct {
	Input  *data.Graph // of all points, as given
	Graph  *data.Graph // of the nodes that have edges, by the weights of the points
	Points []int       // the point of each node of g
	NodeOf []int       // the node of each point, -1: left out
	Scale  float64     // what weights were divided by, a power of two
}

// NewNodeGraph weighs the edges of g by the points at their ends, brings the
// largest weight to about 1, so that nothing overflows, and leaves out nodes
// that have no edges.
func NewNodeGraph(g *data.Graph, weight []float64) *NodeGraph {
	of := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	most := 0.0
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, j := range to {
			most = max(most, of(i)*w[q]*of(int(j)))
		}
	}
	f := &NodeGraph{Input: g, NodeOf: make([]int, g.Len()), Scale: 1}
	if most > 0 && !math.IsInf(most, 0) {
		_, exp := math.Frexp(most)
		f.Scale = math.Ldexp(1, exp-1)
	}
	// A degree far below the largest weight is nothing but rounding.
	const least = 1e-60
	for i := range g.Len() {
		_, w := g.Neighbours(i)
		s := 0.0
		for q, j := range g.To[g.Start[i]:g.Start[i+1]] {
			s += of(i) * w[q] / f.Scale * of(int(j))
		}
		f.NodeOf[i] = -1
		if s > least {
			f.NodeOf[i] = len(f.Points)
			f.Points = append(f.Points, i)
		}
	}
	f.Graph = &data.Graph{Start: make([]int, 1, len(f.Points)+1), To: make([]int32, 0, len(g.To)), W: make([]float64, 0, len(g.W))}
	for _, i := range f.Points {
		to, w := g.Neighbours(i)
		for q, j := range to {
			if y := of(i) * w[q] / f.Scale * of(int(j)); y > 0 && f.NodeOf[j] >= 0 {
				f.Graph.To, f.Graph.W = append(f.Graph.To, int32(f.NodeOf[j])), append(f.Graph.W, y)
			}
		}
		f.Graph.Start = append(f.Graph.Start, len(f.Graph.To))
	}
	return f
}

func (t GraphOptions) BuildNodeGraph(ctx context.Context, p *cluster.Problem, e *cluster.Env) (*NodeGraph, error) {
	g, err := t.PointGraph(ctx, p, e)
	if err != nil {
		return nil, err
	}
	f := NewNodeGraph(g, p.Weight)
	if err := f.reorderNodes(ctx, e.Workers); err != nil {
		return nil, err
	}
	return f, nil
}

// ClustersOfPoints gives every point the cluster of its node. A point that was left out
// goes where say sends it, if it is not below 0, else where most of its
// neighbours are by weight, else into the largest cluster.
func (f *NodeGraph) ClustersOfPoints(of []int, k int, say func(of []int, point int) int) []int {
	out, size := make([]int, len(f.NodeOf)), make([]int, k)
	for i := range out {
		if out[i] = -1; f.NodeOf[i] >= 0 {
			out[i] = of[f.NodeOf[i]]
			size[out[i]]++
		}
	}
	largest := slices.Index(size, slices.Max(size))
	for i, at := range f.NodeOf {
		if at >= 0 {
			continue
		}
		if say != nil {
			out[i] = say(of, i)
		}
		pull := make([]float64, k)
		to, w := f.Input.Neighbours(i)
		for q, j := range to {
			if at := f.NodeOf[j]; at >= 0 {
				pull[of[at]] += w[q]
			}
		}
		if most := slices.Max(pull); out[i] < 0 && most > 0 {
			out[i] = slices.Index(pull, most)
		}
		if out[i] < 0 {
			out[i] = largest
		}
	}
	return out
}

// faintWeight is the weight of an edge that joins parts of a graph, by the lesser of
// the degrees of its ends.
const faintWeight = 1e-3

// JoinComponents returns the graph with its parts joined, and how many edges that
// took: the node of largest degree of each part with that of the largest part.
func (f *NodeGraph) JoinComponents() (*data.Graph, int, error) {
	part, count := affinity.Components(f.Graph)
	if count == 1 {
		return f.Graph, 0, nil
	}
	hub, vol := make([]int, count), make([]float64, count)
	for i := range hub {
		hub[i] = -1
	}
	for i, c := range part {
		d := f.Graph.Degree(i)
		vol[c] += d
		if hub[c] < 0 || d > f.Graph.Degree(hub[c]) {
			hub[c] = i
		}
	}
	largest := slices.Index(vol, slices.Max(vol))
	edges := EdgesOf(f.Graph)
	for c, h := range hub {
		if c != largest {
			edges = append(edges, data.Edge{U: h, V: hub[largest], W: faintWeight * min(f.Graph.Degree(h), f.Graph.Degree(hub[largest]))})
		}
	}
	g, err := data.NewGraph(f.Graph.Len(), edges)
	return g, count - 1, err
}

// EdgesOf returns the edges of g, each once.
func EdgesOf(g *data.Graph) (edges []data.Edge) {
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, j := range to {
			if int(j) >= i {
				edges = append(edges, data.Edge{U: i, V: int(j), W: w[q]})
			}
		}
	}
	return edges
}

// NormalizedCut returns the normalized cut, an empty cluster counted as in Objective.
func (f *NodeGraph) NormalizedCut(labels []int, k int) float64 {
	cut, empty := NCut(f, labels, k)
	return cut + float64(empty)
}

// NCut returns Σ_c cut(c)/vol(c) and the number of empty clusters, each of
// which counts as 1 in the sum. A nil field stands for any graph and is for
// clusterings of one cluster.
func NCut(f *NodeGraph, labels []int, k int) (cut float64, empty int) {
	size, vol, in := make([]int, k), make([]float64, k), make([]float64, k)
	for _, c := range labels {
		size[c]++
	}
	if f != nil {
		of := make([]int32, len(f.Points))
		for at, i := range f.Points {
			of[at] = int32(labels[i])
		}
		for at, c := range of {
			to, w := f.Graph.Neighbours(at)
			all, inside := vol[c], in[c]
			for q, j := range to {
				all += w[q]
				if of[j] == c {
					inside += w[q]
				}
			}
			vol[c], in[c] = all, inside
		}
	}
	for c := range k {
		switch {
		case vol[c] > 0:
			cut += (vol[c] - in[c]) / vol[c]
		case size[c] == 0:
			cut++
			empty++
		}
	}
	return cut, empty
}
