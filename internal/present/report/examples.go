package report

import (
	"cmp"
	"slices"
)

// An Example is a point that a card shows.
type Example struct {
	ID    string
	Cells []string // in the columns of its card
	Text  []Span   // of a document: its beginning
	Next  string   // of a borderline point: the next best cluster
	Sure  string   // of a borderline point: its confidence
}

// How a card shows rows.
const (
	exampleColumns = 4    // at most, and at least one of those that set the cluster apart
	surelyPlaced   = 0.95 // the confidence from which on a point is not borderline
)

// ownColumns is how many columns that set a cluster apart fit beside those of the profile.
func (c *Clustering) ownColumns() int { return max(1, exampleColumns-len(c.Profile)) }

// addExamples adds three typical and three borderline points to every card. typical are
// the most typical points of each cluster; cells returns a point in the columns of
// a card.
func (c *Clustering) addExamples(p *Page, typical [][]int, cells func(h, i int) []string) {
	least := c.leastSure()
	for h := range p.Clusters {
		card := &p.Clusters[h]
		for _, i := range typical[h] {
			card.Typical = append(card.Typical, c.example(h, i, cells))
		}
		for _, i := range least[h] {
			e := c.example(h, i, cells)
			e.Next, e.Sure = c.Names[c.Sure.Second[i]], shareOf(c.Sure.Confidence[i])
			card.Borderline = append(card.Borderline, e)
		}
		if c.Sure != nil && len(least[h]) == 0 && card.Size > 0 {
			card.Clear = true
		}
	}
}

func (c *Clustering) example(h, i int, cells func(h, i int) []string) Example {
	e := Example{ID: c.ID(i), Cells: cells(h, i)}
	for at := range c.Profile {
		e.Cells = append(e.Cells, c.Profile[at].cell(i))
	}
	if c.Docs != nil {
		e.Text = excerpt(c.Docs[i], c.telling[h])
	}
	return e
}

// leastSure returns the points of each cluster with the lowest confidence, the lowest
// first, without those that are sure.
func (c *Clustering) leastSure() [][]int {
	out := make([][]int, len(c.Names))
	if c.Sure == nil {
		return out
	}
	for i, h := range c.Labels {
		if c.Sure.Second[i] < 0 || !(c.Sure.Confidence[i] < surelyPlaced) || !c.touches(i, c.Sure.Second[i]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(out[h], i, func(a, b int) int {
			return cmp.Or(cmp.Compare(c.Sure.Confidence[a], c.Sure.Confidence[b]), cmp.Compare(a, b))
		})
		if at < typicalShown {
			out[h] = slices.Insert(out[h], at, i)
			out[h] = out[h][:min(len(out[h]), typicalShown)]
		}
	}
	return out
}

// touches reports whether point i could be in cluster h: a node of a graph has an edge
// to it.
func (c *Clustering) touches(i, h int) bool {
	if c.Problem.Graph == nil {
		return true
	}
	to, _ := c.Problem.Graph.Neighbours(i)
	return slices.ContainsFunc(to, func(j int32) bool { return c.Labels[j] == h })
}
