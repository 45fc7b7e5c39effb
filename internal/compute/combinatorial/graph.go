// Package combinatorial holds the combinatorial searches that constrained
// clustering needs: colouring a graph with k colours (greedy, exact, by tabu
// search), cliques that prove that k colours are too few, and the assignment
// problem.
//
// Cannot-links make a graph of the must-link components, and a division into k
// clusters that satisfies them is a colouring with k colours; k components that
// all exclude each other are a clique, and giving them clusters at the least
// cost is an assignment.
package combinatorial

// A Graph is a graph whose vertices are to get one of K colours each, so that
// neighbours differ. The colours below Fixed already belong to somebody outside
// the graph, all different; the colours from Fixed on are interchangeable.
type Graph struct {
	K      int
	Fixed  int
	Adj    [][]int32 // neighbours of each vertex, each once, no vertex its own
	Banned [][]int32 // fixed colours that each vertex cannot have, each once
	// Stop, if not nil, ends a search as an exhausted budget does once it returns true.
	Stop func() bool
}

// isSpent reports whether a search has to end.
func isSpent(budget *int, stop func() bool) bool { return *budget < 0 || stop != nil && stop() }

// Len returns the number of vertices.
func (g *Graph) Len() int { return len(g.Adj) }

// Degree returns how many neighbours and banned colours v has.
func (g *Graph) Degree(v int) int { return len(g.Adj[v]) + len(g.Banned[v]) }

// degeneracyOrder returns the vertices in the order of removing one of smallest
// degree each time.
func (g *Graph) degeneracyOrder() []int32 {
	degree := make([]int, g.Len())
	buckets := make([][]int32, g.Len()+g.Fixed)
	for v := range degree {
		degree[v] = g.Degree(v)
		buckets[degree[v]] = append(buckets[degree[v]], int32(v))
	}
	removed := make([]bool, len(degree))
	order := make([]int32, 0, len(degree))
	for low := 0; low < len(buckets); {
		last := len(buckets[low]) - 1
		if last < 0 {
			low++
			continue
		}
		v := buckets[low][last]
		buckets[low] = buckets[low][:last]
		if removed[v] || degree[v] != low {
			continue
		}
		removed[v] = true
		order = append(order, v)
		for _, u := range g.Adj[v] {
			if !removed[u] {
				degree[u]--
				buckets[degree[u]] = append(buckets[degree[u]], u)
				low = min(low, degree[u])
			}
		}
	}
	return order
}
