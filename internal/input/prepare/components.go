package prepare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// Components says what becomes of a graph of several connected components; "" is
// AutoComponents.
type Components string

// What becomes of a graph of several components.
const (
	// AutoComponents clusters the components that are large enough; each other one is a group of its
	// own beside the k, and isolated nodes have no cluster.
	AutoComponents   Components = "auto"
	WholeGraph       Components = "as-is"   // it is clustered as a whole
	LargestComponent Components = "largest" // only the largest is clustered, the other nodes are left out
	EachComponent    Components = "each"    // the largest is clustered, each other component is a cluster of its own, isolated nodes are one together
)

// Values returns what can become of a graph of several components.
func (Components) Values() []string {
	return []string{string(AutoComponents), string(WholeGraph), string(LargestComponent), string(EachComponent)}
}

// GraphParts are the connected components of a graph.
type GraphParts struct {
	Count        int     `json:"count"`         // components, isolated nodes among them
	Isolated     int     `json:"isolated"`      // nodes without edges
	Largest      int     `json:"largest"`       // nodes of the largest component, the first of equals
	LargestShare float64 `json:"largest_share"` // of all nodes

	Small      int `json:"small"`       // components of two or more nodes that are too small to hold a cluster: groups beside the k
	SmallNodes int `json:"small_nodes"` // their nodes

	small []bool  // by component; nil where none is left out
	of    []int32 // the component of each node
	order []int   // components by size, the largest first
	size  []int   // by component
}

// FindParts finds the components of g.
func FindParts(g *data.Graph) *GraphParts {
	p := &GraphParts{of: slices.Repeat([]int32{-1}, g.Len())}
	var queue []int32
	for i := range p.of {
		if p.of[i] >= 0 {
			continue
		}
		c := int32(len(p.size))
		p.of[i], queue = c, append(queue[:0], int32(i))
		for at := 0; at < len(queue); at++ {
			to, w := g.Neighbours(int(queue[at]))
			for e, j := range to {
				if w[e] != 0 && p.of[j] < 0 {
					p.of[j], queue = c, append(queue, j)
				}
			}
		}
		p.size, p.order = append(p.size, len(queue)), append(p.order, int(c))
		if len(queue) == 1 {
			p.Isolated++
		}
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.size[b], p.size[a]) })
	if p.Count = len(p.size); p.Count > 0 {
		p.Largest = p.size[p.order[0]]
		p.LargestShare = float64(p.Largest) / float64(g.Len())
	}
	return p
}

// Note says how the graph hangs together, and how else to cluster one of several components; all says that every node gets one of the k clusters.
func (p *GraphParts) Note(how Components, all bool) hint.Hint {
	if p.Count < 2 {
		return "the graph is connected"
	}
	out := fmt.Sprintf("%d components, %s; the largest has %d of %d nodes (%.1f %%)", p.Count, counted(p.Isolated, "isolated node"), p.Largest, len(p.of), 100*p.LargestShare)
	switch how {
	case LargestComponent:
		return hint.Sprintf("%s and is clustered, the others are left out", out)
	case EachComponent:
		return hint.Sprintf("%s and is clustered, the others are clusters of their own", out)
	case AutoComponents:
		return p.noteSmall(out, all)
	}
	return hint.Hint(out)
}

// A component with fewer nodes than smallShare of the mean cluster, or than fewestNodes, cannot hold
// a cluster.
const (
	smallShare  = 0.25
	fewestNodes = 3
)

// FindSmall marks the components that are too small to hold one of k clusters: those with fewer
// nodes than a quarter of the mean cluster, pairs and isolated nodes. The largest is never too small. It
// returns the nodes of the others, ascending; nil where they are all nodes, or fewer than k.
func (p *GraphParts) FindSmall(k int) (nodes []int) {
	p.small = make([]bool, p.Count)
	p.Small, p.SmallNodes = 0, 0
	for at, c := range p.order {
		if at > 0 && (p.size[c] < fewestNodes || float64(p.size[c]) < smallShare*float64(len(p.of))/float64(max(k, 1))) {
			p.small[c] = true
			if p.size[c] > 1 {
				p.Small++
				p.SmallNodes += p.size[c]
			}
		}
	}
	for i, c := range p.of {
		if !p.small[c] {
			nodes = append(nodes, i)
		}
	}
	if len(nodes) == len(p.of) || len(nodes) < k {
		p.small, p.Small, p.SmallNodes = nil, 0, 0
		return nil
	}
	return nodes
}

// noteSmall says what becomes of components that are too small to hold a cluster.
func (p *GraphParts) noteSmall(out string, all bool) hint.Hint {
	if p.small == nil {
		return hint.Sprintf("%s; all are clustered together", out)
	}
	if p.Small == 0 {
		return hint.Hint(out)
	}
	if all {
		return hint.Sprintf("%s; %s too small to hold a cluster, whose nodes join those of the others", out, counted(p.Small, "component"))
	}
	what := fmt.Sprintf("%s of %s in all, too small to hold a cluster, are groups of their own", counted(p.Small, "component"), counted(p.SmallNodes, "node"))
	if p.Small == 1 {
		what = fmt.Sprintf("a component of %s, too small to hold a cluster, is a group of its own", counted(p.SmallNodes, "node"))
	}
	return hint.Sprintf("%s; %s beside the k ({components=as-is} clusters all nodes together)", out, what)
}

// SmallGroups returns for each node the small component that it is in, from 0 by size, -1 for
// nodes of the others, -2 for isolated nodes; and the names of the groups.
func (p *GraphParts) SmallGroups() (group []int, names []string) {
	number := make([]int, p.Count)
	for at, c := range p.order {
		switch {
		case p.small == nil || !p.small[c]:
			number[c] = -1
		case p.size[c] == 1:
			number[c] = -2
		default:
			number[c] = len(names)
			names = append(names, fmt.Sprintf("component-%d", at+1))
		}
	}
	group = make([]int, len(p.of))
	for i, c := range p.of {
		group[i] = number[c]
	}
	return group, names
}

// Sentences say how the graph hangs together, where it has several components, and whether
// clusters of all its nodes divide any.
func (p *GraphParts) Sentences(labels []int) (out []string) {
	if p.Count < 2 {
		return nil
	}
	out = append(out, fmt.Sprintf("The graph has %d components and %s; the largest has %d of %d nodes (%.1f %%).",
		p.Count, counted(p.Isolated, "isolated node"), p.Largest, len(p.of), 100*p.LargestShare))
	if len(labels) == len(p.of) && p.SeparatesOnly(labels) {
		out = append(out, "The clusters only separate components and divide none: a cut of 0 says nothing about what is inside them.")
	}
	return out
}

// LargestNodes returns the nodes of the largest component, ascending.
func (p *GraphParts) LargestNodes() (nodes []int) {
	for i, c := range p.of {
		if int(c) == p.order[0] {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

// Extend turns clusters of the largest component into clusters of all nodes: every other
// component is a cluster after the first k, by size, and all isolated nodes are the last
// one. It returns the names of the additional clusters.
func (p *GraphParts) Extend(labels []int, k int) (all []int, names []string) {
	number := make([]int, p.Count)
	for at, c := range p.order[1:] {
		if p.size[c] == 1 {
			number[c] = k + len(names) // the last: isolated nodes come last by size
			continue
		}
		number[c] = k + len(names)
		names = append(names, fmt.Sprintf("component-%d", at+2))
	}
	if p.size[p.order[p.Count-1]] == 1 && p.Count > 1 {
		names = append(names, "isolated")
	}
	all = make([]int, len(p.of))
	next := 0
	for i, c := range p.of {
		if int(c) == p.order[0] {
			all[i] = labels[next]
			next++
		} else {
			all[i] = number[c]
		}
	}
	return all, names
}

// SeparatesOnly reports whether clusters are unions of whole components: then their cut
// is 0, and says nothing about how the graph hangs together.
func (p *GraphParts) SeparatesOnly(labels []int) bool {
	first := slices.Repeat([]int{-1}, p.Count)
	for i, c := range p.of {
		if first[c] < 0 {
			first[c] = labels[i]
		}
		if first[c] != labels[i] {
			return false
		}
	}
	return p.Count > 1
}

// Induced returns the graph of these nodes, ascending, and the edges between them.
func Induced(g *data.Graph, nodes []int) (*data.Graph, error) {
	at := make(map[int32]int, len(nodes))
	for place, i := range nodes {
		at[int32(i)] = place
	}
	var edges []data.Edge
	for place, i := range nodes {
		to, w := g.Neighbours(i)
		for e, j := range to {
			if other, ok := at[j]; ok && place <= other {
				edges = append(edges, data.Edge{U: place, V: other, W: w[e]})
			}
		}
	}
	return data.NewGraph(len(nodes), edges)
}
