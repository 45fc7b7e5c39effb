package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A Trait is a column in which a cluster differs from the others: its mean in the units of the
// data, or the share of a value.
type Trait struct {
	Name   string  `json:"name"`
	Here   string  `json:"here"`
	Others string  `json:"others"`
	Effect float64 `json:"effect"` // how far the cluster is from the mean of all, in standard deviations
}

// A Count is how many labels, or links, name a class or a cluster.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// A Cluster explains what a cluster is.
type Cluster struct {
	Name      string  `json:"name"`
	Size      int     `json:"size"`
	Rows      int     `json:"rows"` // of all clusters
	Sentence  string  `json:"sentence"`
	Traits    []Trait `json:"traits"`    // those that differ most first
	Described []Trait `json:"described"` // of columns that were not clustered on
	// What the constraints say about it. Of links with one row in it, those that hold are
	// cannot-links, and those that are violated must-links; of links within it the
	// other way round.
	Labels          []Count `json:"labels"` // of its rows, the most frequent first
	MustWithin      int     `json:"must_within"`
	CannotWithin    int     `json:"cannot_within"`    // violated
	MustLeaving     int     `json:"must_leaving"`     // violated
	CannotToOthers  []Count `json:"cannot_to_others"` // by cluster, the most first
	constraintsSeen bool
	words           bool // traits are words
}

// An UnknownClusterError names a cluster that there is not.
type UnknownClusterError struct {
	Name  string
	Names []string // that there are
}

func (e *UnknownClusterError) Error() string { return fmt.Sprintf("there is no cluster %q", e.Name) }

// Advice says which there are.
func (e *UnknownClusterError) Advice() hint.Hint {
	if near := suggest.Nearest(e.Name, e.Names); near != "" {
		return hint.Sprintf("did you mean %s?", near)
	}
	return hint.Sprintf("the clusters are %s", strings.Join(e.Names[:min(len(e.Names), 20)], ", "))
}

// Cluster explains the cluster of this name or, where none has it, number.
func (c *Case) Cluster(name string) (*Cluster, error) {
	h := slices.Index(c.Names, name)
	if at, err := strconv.Atoi(name); h < 0 && err == nil && at >= 0 && at < len(c.Names) {
		h, name = at, c.Names[at]
	}
	if h < 0 {
		return nil, &UnknownClusterError{Name: name, Names: c.Names}
	}
	out := &Cluster{Name: name, Rows: len(c.Labels), Traits: []Trait{}, Described: []Trait{}, Labels: []Count{}, CannotToOthers: []Count{}, words: c.Described.Docs != nil}
	for _, l := range c.Labels {
		if l == h {
			out.Size++
		}
	}
	own, described := c.Described.ClusterTraits(h)
	for _, t := range own {
		out.Traits = append(out.Traits, Trait{t.Name, t.Here, t.Others, t.Effect})
	}
	for _, t := range described {
		out.Described = append(out.Described, Trait{t.Name, t.Here, t.Others, t.Effect})
	}
	if c.Known != nil && !c.Known.Empty() {
		out.constraintsSeen = true
		c.countConstraints(out, h)
	}
	out.Sentence = out.sentence()
	return out, nil
}

// countConstraints counts what concerns cluster h.
func (c *Case) countConstraints(out *Cluster, h int) {
	classes, others := map[string]int{}, map[string]int{}
	for _, l := range c.Known.Labels {
		if c.Labels[l.I] == h {
			classes[c.Known.Name(l.Class)]++
		}
	}
	pair := func(p constraint.Pair, must bool) {
		a, b := c.Labels[p.I], c.Labels[p.J]
		switch {
		case a == h && b == h && must:
			out.MustWithin++
		case a == h && b == h:
			out.CannotWithin++
		case a != h && b != h:
		case must:
			out.MustLeaving++
		default:
			others[c.Names[a+b-h]]++
		}
	}
	for _, p := range c.Known.Must {
		pair(p, true)
	}
	for _, p := range c.Known.Cannot {
		pair(p, false)
	}
	for _, p := range c.Known.Beliefs {
		if p.W != 0 {
			pair(p, p.W > 0)
		}
	}
	out.Labels, out.CannotToOthers = sortedCounts(classes), sortedCounts(others)
}

// sortedCounts lists counts, the largest first and equal ones by name.
func sortedCounts(of map[string]int) []Count {
	list := []Count{}
	for name, n := range of {
		list = append(list, Count{name, n})
	}
	slices.SortFunc(list, func(a, b Count) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}

// traitsSaid is how many columns the sentence names.
const traitsSaid = 3

// sentence says what the cluster is and how it differs.
func (g *Cluster) sentence() string {
	s := fmt.Sprintf("%s is %s of %d (%.0f %%)", g.Name, format.Count(g.Size, "row"), g.Rows, 100*float64(g.Size)/float64(max(1, g.Rows)))
	if g.Size == g.Rows {
		return s + ", all there are"
	}
	var parts []string
	for _, t := range g.Traits[:min(traitsSaid, len(g.Traits))] {
		if g.words {
			parts = append(parts, t.Name)
		} else {
			parts = append(parts, fmt.Sprintf("%s %s (others %s)", t.Name, t.Here, t.Others))
		}
	}
	switch {
	case len(parts) == 0:
		return s + "; no column sets it apart"
	case g.words:
		return s + ", set apart by the words " + strings.Join(parts, ", ")
	}
	return s + ": " + strings.Join(parts, ", ")
}

// String returns the explanation for people.
func (g *Cluster) String() string {
	var b strings.Builder
	b.WriteString(g.Sentence + "\n")
	if s := g.constraints(); s != "" {
		b.WriteString(s + "\n")
	}
	for at, list := range [][]Trait{g.Traits, g.Described} {
		if len(list) == 0 || g.words && at == 0 {
			continue
		}
		head := "column"
		if at == 1 {
			head = "not clustered on"
		}
		fmt.Fprintf(&b, "\n  %-24s %14s %14s   %s\n", head, short(g.Name), "others", "standard deviations")
		for _, t := range list {
			fmt.Fprintf(&b, "  %-24s %14s %14s   %+.1f\n", short24(t.Name), cut(t.Here, 14), cut(t.Others, 14), t.Effect)
		}
	}
	return b.String()
}

// constraints says what the constraints have to do with the cluster.
func (g *Cluster) constraints() string {
	if !g.constraintsSeen {
		return ""
	}
	var parts []string
	labels := 0
	for _, l := range g.Labels {
		labels += l.Count
	}
	switch {
	case len(g.Labels) == 1:
		parts = append(parts, fmt.Sprintf("%s in it, all %s", format.Count(labels, "label"), g.Labels[0].Name))
	case labels > 0:
		parts = append(parts, fmt.Sprintf("%s in it (%s)", format.Count(labels, "label"), joinCounts(g.Labels)))
	}
	if g.MustWithin > 0 {
		parts = append(parts, format.Count(g.MustWithin, "must-link")+" within it")
	}
	if len(g.CannotToOthers) > 0 {
		n := 0
		for _, o := range g.CannotToOthers {
			n += o.Count
		}
		parts = append(parts, fmt.Sprintf("%s to others (%s)", format.Count(n, "cannot-link"), joinCounts(g.CannotToOthers)))
	}
	var broken []string
	if g.MustLeaving > 0 {
		broken = append(broken, format.Count(g.MustLeaving, "must-link")+" to other clusters")
	}
	if g.CannotWithin > 0 {
		broken = append(broken, format.Count(g.CannotWithin, "cannot-link")+" within it")
	}
	if len(parts)+len(broken) == 0 {
		return "none of your constraints concerns it"
	}
	if len(broken) > 0 {
		parts = append(parts, "violated: "+strings.Join(broken, " and "))
	}
	return "your constraints: " + strings.Join(parts, "; ")
}

func joinCounts(list []Count) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s %d", c.Name, c.Count))
	}
	return strings.Join(out, ", ")
}
