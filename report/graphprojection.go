package report

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/eigen"
)

// maxEdgesDrawn is how many edges of a graph are drawn, evenly spread over it.
const maxEdgesDrawn = 4000

// GraphProjection places the nodes of a graph by the two smoothest ways to number
// them: the eigenvectors of its normalised Laplacian that follow the constant
// one, each divided by √degree. Nodes that share many edges lie close together.
// Of a disconnected graph the largest component is drawn; the nodes of the others
// have no place. It returns nil where there is nothing to draw.
func GraphProjection(ctx context.Context, g *data.Graph, workers int) (*Projection, error) {
	nodes, components, err := largestComponent(g)
	if err != nil || len(nodes) < 3 {
		return nil, err
	}
	m := &Projection{Name: "The graph, by two eigenvectors of its Laplacian", X: make([]float64, g.Len()), Y: make([]float64, g.Len())}
	for i := range m.X {
		m.X[i], m.Y[i] = math.NaN(), math.NaN()
	}
	if components > 1 {
		m.Name += fmt.Sprintf("; the largest of its %d components, %d of %d nodes", components, len(nodes), g.Len())
	}
	part, err := induced(g, nodes)
	if err != nil {
		return nil, err
	}
	l, err := eigen.NewLaplacian(part, eigen.Normalised)
	if err != nil {
		return nil, err
	}
	pairs, err := eigen.Smallest(ctx, l, eigen.Options{K: 3, Tol: 1e-4, Seed: 1, Workers: workers})
	if err != nil {
		return nil, err
	}
	for at, i := range nodes {
		root := math.Sqrt(l.Degree[at])
		m.X[i], m.Y[i] = pairs.Vectors[1][at]/root, pairs.Vectors[2][at]/root
	}
	m.Edges = someEdges(g)
	return m, nil
}

// largestComponent returns the nodes of the largest connected component, and how
// many components there are.
func largestComponent(g *data.Graph) (nodes []int, components int, err error) {
	l, err := eigen.NewLaplacian(g, eigen.Plain)
	if err != nil {
		return nil, 0, err
	}
	size, most := make([]int, l.Components), 0
	for _, c := range l.Component {
		size[c]++
		if size[c] > size[most] {
			most = int(c)
		}
	}
	for i, c := range l.Component {
		if int(c) == most {
			nodes = append(nodes, i)
		}
	}
	return nodes, l.Components, nil
}

// induced returns the graph of these nodes, in their order, and the edges
// between them.
func induced(g *data.Graph, nodes []int) (*data.Graph, error) {
	if len(nodes) == g.Len() {
		return g, nil
	}
	at := make(map[int]int, len(nodes))
	for new, old := range nodes {
		at[old] = new
	}
	var edges []data.Edge
	for new, old := range nodes {
		to, w := g.Neighbours(old)
		for e, other := range to {
			if b, ok := at[int(other)]; ok && new <= b {
				edges = append(edges, data.Edge{U: new, V: b, W: w[e]})
			}
		}
	}
	return data.NewGraph(len(nodes), edges)
}

// someEdges returns one edge in so many, evenly spread.
func someEdges(g *data.Graph) (out [][2]int32) {
	step, count := 1+g.Edges()/maxEdgesDrawn, 0
	for i := range g.Len() {
		to, _ := g.Neighbours(i)
		for _, b := range to {
			if int(b) > i {
				if count%step == 0 {
					out = append(out, [2]int32{int32(i), b})
				}
				count++
			}
		}
	}
	return out
}
