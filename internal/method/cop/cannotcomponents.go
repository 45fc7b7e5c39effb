package cop

// chunkletLists holds one list for each chunklet.
type chunkletLists struct{ starts, values []int32 }

func (l chunkletLists) listOf(q int32) []int32 { return l.values[l.starts[q]:l.starts[q+1]] }

// A cannotComponent is a connected component of the graph whose vertices are the
// chunklets without a label and whose edges are the cannot-links between them.
// Components do not constrain each other: given the centres, each is assigned by
// itself.
type cannotComponent struct {
	chunklets []int32 // in breadth-first order
	shape     componentShape
}

// A componentShape says how a component is assigned to fixed centres.
type componentShape int

const (
	shapeGeneral     componentShape = iota // by local search
	shapeTree                              // exactly, by dynamic programming; a single chunklet is a tree
	shapeTwoClusters                       // exactly, k = 2: one chunklet determines all
	shapeClique                            // exactly, as a linear assignment problem
)

// findCannotComponents returns the components among the constrained chunklets,
// cannotLinked being the neighbours of every chunklet.
func findCannotComponents(constrained []int32, cannotLinked chunkletLists, k int) (components []cannotComponent) {
	visited := make([]bool, len(cannotLinked.starts)-1)
	for _, start := range constrained {
		if visited[start] {
			continue
		}
		visited[start] = true
		vertices, edgeEnds := []int32{start}, 0
		for next := 0; next < len(vertices); next++ {
			for _, r := range cannotLinked.listOf(vertices[next]) {
				edgeEnds++
				if !visited[r] {
					visited[r] = true
					vertices = append(vertices, r)
				}
			}
		}
		components = append(components, cannotComponent{vertices, shapeOfGraph(len(vertices), edgeEnds/2, k)})
	}
	return components
}

// shapeOfGraph returns the shape of a connected graph.
func shapeOfGraph(vertices, edges, k int) componentShape {
	switch {
	case edges == vertices-1:
		return shapeTree
	case k == 2:
		return shapeTwoClusters
	case edges == vertices*(vertices-1)/2:
		return shapeClique
	}
	return shapeGeneral
}
