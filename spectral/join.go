package spectral

import (
	"slices"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/data"
)

// faint is the weight of an edge that joins parts of a graph, by the lesser of
// the degrees of its ends.
const faint = 1e-3

// connected returns the graph with its parts joined, and how many edges that
// took: the node of largest degree of each part with that of the largest part.
func (f *field) connected() (*data.Graph, int, error) {
	part, count := affinity.Components(f.g)
	if count == 1 {
		return f.g, 0, nil
	}
	hub, vol := make([]int, count), make([]float64, count)
	for i := range hub {
		hub[i] = -1
	}
	for i, c := range part {
		d := f.g.Degree(i)
		vol[c] += d
		if hub[c] < 0 || d > f.g.Degree(hub[c]) {
			hub[c] = i
		}
	}
	largest := slices.Index(vol, slices.Max(vol))
	var edges []data.Edge
	for i := range f.g.Len() {
		to, w := f.g.Neighbours(i)
		for q, j := range to {
			if int(j) >= i {
				edges = append(edges, data.Edge{U: i, V: int(j), W: w[q]})
			}
		}
	}
	for c, h := range hub {
		if c != largest {
			edges = append(edges, data.Edge{U: h, V: hub[largest], W: faint * min(f.g.Degree(h), f.g.Degree(hub[largest]))})
		}
	}
	g, err := data.NewGraph(f.g.Len(), edges)
	return g, count - 1, err
}
