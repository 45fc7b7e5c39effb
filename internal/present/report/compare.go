package report

import (
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
)

// movedShown is how many rows that lie elsewhere a page names.
const movedShown = 10

// Classes are classes of the points that the clusters are compared with.
type Classes struct {
	Title string
	With  string   // the name of the classes, in a few words
	There string   // heading of the column of classes
	Note  string   // what the classes are
	Of    []int    // the class of each point, -1 where it is unknown
	Names []string // of the classes
}

// compareAll compares the clusters with all classes and the given labels.
func (c *Clustering) compareAll(p *Page) {
	for _, of := range c.Classes {
		found := c.compare(of.Of, of.Names)
		found.Title, found.With, found.There, found.Note = of.Title, of.With, of.There, of.Note
		p.Compared = append(p.Compared, found)
	}
	if known := c.Problem.Constraints; known != nil && len(known.Labels) > 0 {
		p.Compared = append(p.Compared, &Comparison{Title: "The labels that were given",
			Note: "Rows are labels, columns clusters.", Table: labelTable(known, c.Labels, c.Names).Tidy()})
	}
}

// compare counts, scores, and names rows that lie elsewhere.
func (c *Clustering) compare(classes []int, names []string) *Comparison {
	out := &Comparison{}
	table := &Crosstab{Rows: names, Columns: c.Names, N: make([][]int, len(names))}
	for r := range table.N {
		table.N[r] = make([]int, len(c.Names))
	}
	known := c.constrained()
	var all, fresh sides
	as := &constraint.Set{}
	for i, class := range classes {
		if class < 0 {
			continue
		}
		table.N[class][c.Labels[i]]++
		as.Labels = append(as.Labels, constraint.Label{I: i, Class: class, W: 1})
		all.addRow(class, c.Labels[i])
		if !known[i] {
			fresh.addRow(class, c.Labels[i])
		}
	}
	out.Table = table.Tidy()
	out.Agreement = append(out.Agreement, all.agreement("all "+c.Point+"s"))
	if n := len(fresh.a); n > 0 && n < len(all.a) {
		out.Agreement = append(out.Agreement, fresh.agreement(c.Point+"s in no constraint"))
	}
	home := c.homes(as, names)
	for i, class := range classes {
		if class < 0 || home[c.Labels[i]] == class {
			continue
		}
		if out.MovedAll++; len(out.Moved) < movedShown {
			out.Moved = append(out.Moved, Move{ID: c.ID(i), Class: names[class], Cluster: c.Names[c.Labels[i]]})
		}
	}
	return out
}

// hasNames reports whether clusters are called after classes, and not by their numbers.
func (c *Clustering) hasNames() bool {
	if known := c.Problem.Constraints; known != nil && len(known.Labels) > 0 {
		return true
	}
	for h, name := range c.Names {
		if name != strconv.Itoa(h) {
			return true
		}
	}
	return false
}

// homes returns the class that each cluster is matched with, -1 for none: a cluster that
// is named after a class with it, the others one to one with the classes that are
// left.
func (c *Clustering) homes(as *constraint.Set, classes []string) []int {
	home, taken := make([]int, len(c.Names)), make([]bool, len(classes))
	for h, name := range c.Names {
		if home[h] = -1; c.hasNames() {
			home[h] = slices.Index(classes, name)
		}
		if home[h] >= 0 {
			taken[home[h]] = true
		}
	}
	left := &constraint.Set{}
	for _, l := range as.Labels {
		if !taken[l.Class] && home[c.Labels[l.I]] < 0 {
			left.Labels = append(left.Labels, l)
		}
	}
	for h, class := range score.NameClusters(c.Labels, len(c.Names), left) {
		if home[h] < 0 {
			home[h] = class
		}
	}
	return home
}

// constrained says of each row whether a constraint involves it.
func (c *Clustering) constrained() []bool {
	out := make([]bool, c.Problem.Len())
	if c.Problem.Constraints == nil {
		return out
	}
	for _, l := range c.Problem.Constraints.Labels {
		out[l.I] = true
	}
	for _, list := range [][]constraint.Pair{c.Problem.Constraints.Must, c.Problem.Constraints.Cannot, c.Problem.Constraints.Beliefs} {
		for _, p := range list {
			out[p.I], out[p.J] = true, true
		}
	}
	return out
}

// sides are the classes and clusters of some rows.
type sides struct{ a, b []int }

func (s *sides) addRow(a, b int) { s.a, s.b = append(s.a, a), append(s.b, b) }

func (s *sides) agreement(over string) Agreement {
	out := Agreement{Over: over, N: len(s.a)}
	table, err := score.NewTable(s.a, s.b)
	if err != nil {
		out.Undefined = true
		return out
	}
	card := table.Card()
	out.ARI, out.NMI, out.F = card.ARI, card.NMI, card.F
	return out
}

// labelTable counts the labelled rows of each class in each cluster.
func labelTable(known *constraint.Set, labels []int, clusters []string) *Crosstab {
	t := &Crosstab{Columns: clusters}
	for c := range known.Classes() {
		t.Rows = append(t.Rows, known.Name(c))
		t.N = append(t.N, make([]int, len(clusters)))
	}
	for _, l := range known.Labels {
		t.N[l.Class][labels[l.I]]++
	}
	return t
}
