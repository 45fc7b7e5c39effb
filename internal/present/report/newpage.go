package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
	"github.com/inklinghq/inkling/internal/present/layout"
	"github.com/inklinghq/inkling/internal/support/format"
)

// violationsShown is how many violations a page lists.
const violationsShown = 20

// A Clustering is what NewPage makes a page of: plain data, as a fit or a saved
// model left it.
type Clustering struct {
	Title   string
	Facts   []Fact
	Command string // the command that makes the page again
	Method  string
	Point   string // what is clustered: row or node

	Problem *cluster.Problem // with its constraints
	Labels  []int            // the cluster of each point
	Model   cluster.Model    // nil where none was learned
	Names   []string         // of the clusters
	Columns []string         // of the features; nil where they have no names
	Values  data.Rows        // the rows of the table in their own units; nil: as in Problem
	Rows    []int            // of Values, by point; nil: all
	Docs    []string         // the text of each point; nil where the rows are not texts
	Terms   [][]string       // of texts: the words that distinguish each cluster
	About   []string         // what else is to be known about the data, in sentences
	Fields  []Column         // the columns that were clustered on, where they are not all numbers; nil: Values
	Profile []Column         // other columns to describe the clusters by
	Sure    *confidence.Rows // how sure each point is of its cluster; nil: unknown
	ID      func(i int) string
	Seed    uint64
	Workers int

	Status     cluster.Status // of the fit
	Trace      []float64      // of the fit
	FittedRows int            // of the saved model that placed the rows; 0: they were fitted

	Satisfied     []Satisfied    // the constraints by kind
	Violations    []Violation    // all of them, most costly first
	Suspects      []Suspect      // constraints that look wrong, the likeliest first
	Unconstrained *Unconstrained // nil: there was no fit without constraints
	Classes       []Classes      // to compare the clusters with

	telling []map[string]bool // of texts: the words to mark, by cluster
}

// Unconstrained compares the clusters with those of a fit without constraints.
type Unconstrained struct {
	Moved int // points in another cluster
	ARI   float64
}

// NewPage makes a page about a clustering. Warnings say what the page lacks.
func NewPage(ctx context.Context, c *Clustering) (p *Page, warnings []string, err error) {
	p = &Page{Title: c.Title, Facts: c.Facts, Points: c.Point + "s", Command: c.Command, Labels: c.Labels, Trace: c.Trace,
		Links: drawn(c.Problem.Constraints, c.Labels), Constraints: c.Satisfied}
	if m, ok := c.Model.(interface{ CondensedTree() *hierarchy.Outline }); ok {
		p.Tree = m.CondensedTree()
	}
	p.Clusters = c.cards()
	p.MoreViolations = max(0, len(c.Violations)-violationsShown)
	p.Violations = c.Violations[:len(c.Violations)-p.MoreViolations]
	p.MoreSuspects = max(0, len(c.Suspects)-violationsShown)
	p.Suspects = c.Suspects[:len(c.Suspects)-p.MoreSuspects]
	if u := c.Unconstrained; u != nil {
		p.Effect = fmt.Sprintf("Your constraints moved %s of %s (ARI %.3f with the fit without them).", Thousands(u.Moved), many(len(c.Labels), c.Point), u.ARI)
	}
	c.compareAll(p)
	warnings, err = c.draw(ctx, p)
	p.Verdict, p.Figures = c.verdict(p), c.figures(p)
	return p, warnings, err
}

// cards are the clusters with what needs no computing.
func (c *Clustering) cards() (list []Cluster) {
	sizes := make([]int, len(c.Names))
	for _, h := range c.Labels {
		sizes[h]++
	}
	for h, name := range c.Names {
		card := Cluster{Name: name, Size: sizes[h]}
		if c.Terms != nil {
			card.Terms = c.Terms[h]
		}
		list = append(list, card)
	}
	return list
}

// Describe returns the clusters of NewPage without what takes longest, pictures and silhouettes.
func Describe(ctx context.Context, c *Clustering) ([]Cluster, error) {
	p := &Page{Clusters: c.cards()}
	switch {
	case c.Problem.X != nil:
		rows, _, err := c.transformed(ctx)
		if err == nil {
			_, err = c.describeRows(ctx, p, rows)
		}
		return p.Clusters, err
	case c.Problem.Graph != nil:
		c.describeGraph(p)
	}
	c.describeOthers(p)
	return p.Clusters, nil
}

// draw adds what can be said of rows or of a graph.
func (c *Clustering) draw(ctx context.Context, p *Page) (warnings []string, err error) {
	switch {
	case c.Problem.X != nil:
		return nil, c.drawRows(ctx, p)
	case c.Problem.Graph != nil:
		return nil, c.drawGraph(ctx, p)
	}
	c.describeOthers(p)
	return nil, nil
}

// drawGraph adds what can be said of a graph: how each cluster hangs together, its most
// central nodes, and a layout with their names.
func (c *Clustering) drawGraph(ctx context.Context, p *Page) error {
	central := c.describeGraph(p)
	c.describeOthers(p)
	m, err := layout.Graph(ctx, c.Problem.Graph, c.Labels, len(c.Names))
	if err != nil || m == nil {
		return err
	}
	m.Names = c.landmarks(p, central)
	p.Maps = append(p.Maps, m)
	return nil
}

// namesDrawn is how many nodes of a graph are named on its map.
const namesDrawn = 28

// landmarks names the most central nodes: of the largest clusters more than of others.
func (c *Clustering) landmarks(p *Page, central [][]int) (out []Landmark) {
	shown := p.shownClusters()
	for round := 0; round < 3 && len(out) < namesDrawn; round++ {
		for _, card := range shown {
			list := central[card.Number]
			if round < len(list) && len(card.Links.Central) > round && len(out) < namesDrawn && card.Size > 4*round*round*round {
				out = append(out, Landmark{Row: list[round], Name: c.ID(list[round])})
			}
		}
	}
	return out
}

// describeOthers describes clusters of points without columns of their own: by the
// columns that were not clustered on, and by borderline points.
func (c *Clustering) describeOthers(p *Page) {
	profile := traitsOf(c.Profile, c.Labels, len(c.Names), profilesShown)
	for h := range p.Clusters {
		p.Clusters[h].Profile, p.Clusters[h].Columns = plainTraits(profile[h]), c.profileNames()
	}
	c.addExamples(p, make([][]int, len(c.Names)), func(int, int) []string { return nil })
}

func (c *Clustering) profileNames() (out []string) {
	for _, column := range c.Profile {
		out = append(out, column.Name)
	}
	return out
}

// givenAndViolated count the constraints.
func (c *Clustering) givenAndViolated() (given, violated int) {
	for _, s := range c.Satisfied {
		given += s.Given
	}
	return given, len(c.Violations)
}

// nonEmpty counts the clusters with points.
func (p *Page) nonEmpty() (n int) {
	for _, c := range p.Clusters {
		if c.Size > 0 {
			n++
		}
	}
	return n
}

// verdict says the most important in plain words.
func (c *Clustering) verdict(p *Page) []string {
	given, broken := c.givenAndViolated()
	n, k := len(c.Labels), p.nonEmpty()
	known := format.Count(given, "constraint")
	out := []string{fmt.Sprintf("%s grouped %s into %s%s.", c.Method, many(n, c.Point), format.Count(k, "cluster"), c.namesAndSizes(p))}
	if c.FittedRows > 0 {
		out = []string{fmt.Sprintf("A model of %s, fitted on %s, placed %s in %s%s.", c.Method, many(c.FittedRows, "row"), many(n, "row"), format.Count(k, "cluster"), c.namesAndSizes(p))}
	}
	out = append(out, c.About...)
	switch {
	case given == 0 && c.FittedRows > 0:
	case given == 0:
		out = append(out, fmt.Sprintf("No constraints were given: the clusters come from the %ss alone.", c.Point))
	case broken == 0 && c.FittedRows > 0:
		out = append(out, fmt.Sprintf("The model places rows by its centres alone; all %s are satisfied.", known))
	case broken == 0:
		out = append(out, fmt.Sprintf("All %s are satisfied.", known))
	default:
		out = append(out, fmt.Sprintf("%d of %s %s violated; the cost of satisfying each is listed below.", broken, known, were(broken)))
	}
	if n := len(c.Suspects); n > 0 {
		out = append(out, fmt.Sprintf("%d of the constraints look wrong; they are listed below with the evidence.", n))
	}
	if sil := p.Silhouette; sil != nil && sil.Note == "" {
		out = append(out, separation(sil.Mean))
	}
	for _, found := range p.Compared {
		if len(found.Agreement) > 0 && !found.Agreement[0].Undefined {
			out = append(out, fmt.Sprintf("%s, %s of %s %s in another cluster (ARI %.3f).",
				found.Title, Thousands(found.MovedAll), many(found.Agreement[0].N, c.Point), were(found.MovedAll), found.Agreement[0].ARI))
		}
	}
	if p.Effect != "" {
		out = append(out, p.Effect)
	}
	if c.FittedRows == 0 && c.Status != cluster.Converged {
		out = append(out, fmt.Sprintf("The run ended early (%s): this is the best so far, and more time may improve it.", c.Status))
	}
	return out
}

// namesSaid is how many clusters the first sentence names.
const namesSaid = 8

// namesAndSizes lists clusters that have names, the largest first.
func (c *Clustering) namesAndSizes(p *Page) string {
	if !c.hasNames() || len(p.Clusters) > namesSaid {
		return ""
	}
	list := slices.Clone(p.Clusters)
	slices.SortStableFunc(list, func(a, b Cluster) int { return b.Size - a.Size })
	var parts []string
	for _, card := range list {
		if card.Size > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", card.Name, Thousands(card.Size)))
		}
	}
	return ": " + strings.Join(parts, ", ")
}

// many is count with commas in large numbers.
func many(n int, noun string) string {
	return strings.Replace(format.Count(n, noun), strconv.Itoa(n), Thousands(n), 1)
}

func were(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// separation describes a mean silhouette in words.
func separation(mean float64) string {
	word := "The clusters overlap"
	switch {
	case mean > 0.7:
		word = "The clusters are well separated"
	case mean > 0.5:
		word = "The clusters are fairly distinct"
	case mean > 0.25:
		word = "The clusters overlap in part"
	}
	return fmt.Sprintf("%s: the mean silhouette is %.2f (at most 1).", word, mean)
}

// figures are the numbers to look at first.
func (c *Clustering) figures(p *Page) []Figure {
	out := []Figure{{Value: Thousands(len(c.Labels)), Name: c.Point + "s"}, {Value: strconv.Itoa(p.nonEmpty()), Name: "clusters"}}
	if given, violated := c.givenAndViolated(); given > 0 {
		out = append(out, Figure{Value: fmt.Sprintf("%d / %d", given-violated, given), Name: "constraints satisfied", Bad: violated > 0})
	}
	if p.Silhouette != nil {
		out = append(out, Figure{Value: fmt.Sprintf("%.2f", p.Silhouette.Mean), Name: "mean silhouette"})
	}
	for _, found := range p.Compared {
		if len(found.Agreement) > 0 && !found.Agreement[0].Undefined {
			out = append(out, Figure{Value: fmt.Sprintf("%.3f", found.Agreement[0].ARI), Name: "ARI with " + found.With})
		}
	}
	return out
}

// drawn returns the given pairs as a report draws them.
func drawn(known *constraint.Set, labels []int) (out []Link) {
	if known == nil {
		return nil
	}
	for kind, pairs := range map[string][]constraint.Pair{"must": known.Must, "cannot": known.Cannot, "belief": known.Beliefs} {
		for _, p := range pairs {
			kind := kind
			if kind == "belief" && p.W > 0 {
				kind = "must"
			} else if kind == "belief" {
				kind = "cannot"
			}
			out = append(out, Link{A: p.I, B: p.J, Kind: kind, Satisfied: (labels[p.I] == labels[p.J]) == (kind == "must")})
		}
	}
	slices.SortFunc(out, func(a, b Link) int {
		if c := strings.Compare(a.Kind, b.Kind); c != 0 {
			return c
		}
		if a.A != b.A {
			return a.A - b.A
		}
		return a.B - b.B
	})
	return out
}
