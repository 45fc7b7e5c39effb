package report

import (
	"cmp"
	"slices"
	"strconv"
)

// Connections say how a cluster of a graph hangs together.
type Connections struct {
	Inside, Out int     // edges within the cluster, and to others
	Conductance float64 // the weight of the edges that leave it, as a share of the smaller of its volume and that of all others
	Central     []Node  // those with the heaviest edges inside it, the heaviest first
}

// A Node is a node of a graph with the weight of its edges inside its cluster.
type Node struct {
	ID     string
	Weight string
}

// describeGraph adds to every card how its cluster hangs together, and returns the
// most central nodes of each cluster.
func (c *Clustering) describeGraph(p *Page) (central [][]int) {
	g, k := c.Problem.Graph, len(c.Names)
	inside := make([]float64, g.Len()) // the weight of the edges of each node inside its cluster
	volume, cut := make([]float64, k), make([]float64, k)
	links := make([]Connections, k)
	for i, h := range c.Labels {
		to, w := g.Neighbours(i)
		for e, j := range to {
			volume[h] += w[e]
			switch other := c.Labels[j]; {
			case other != h:
				cut[h] += w[e]
				links[h].Out++
			case int(j) > i:
				links[h].Inside++
				inside[i] += w[e]
			case int(j) < i:
				inside[i] += w[e]
			}
		}
	}
	total := 0.0
	for _, v := range volume {
		total += v
	}
	central = mostCentral(inside, c.Labels, k)
	for h := range p.Clusters {
		if p.Clusters[h].Size == 0 {
			continue
		}
		if least := min(volume[h], total-volume[h]); least > 0 {
			links[h].Conductance = cut[h] / least
		}
		for _, i := range central[h] {
			if inside[i] > 0 {
				links[h].Central = append(links[h].Central, Node{c.ID(i), strconv.FormatFloat(inside[i], 'g', 4, 64)})
			}
		}
		p.Clusters[h].Links = &links[h]
	}
	return central
}

// centralShown is how many central nodes a card names.
const centralShown = 5

// mostCentral returns the nodes of each cluster with the heaviest edges inside it.
func mostCentral(inside []float64, labels []int, k int) [][]int {
	out := make([][]int, k)
	for i, h := range labels {
		at, _ := slices.BinarySearchFunc(out[h], i, func(a, b int) int {
			return cmp.Or(cmp.Compare(inside[b], inside[a]), cmp.Compare(a, b))
		})
		if at < centralShown {
			out[h] = slices.Insert(out[h], at, i)
			out[h] = out[h][:min(len(out[h]), centralShown)]
		}
	}
	return out
}
