package workspace

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What is known about a point, a pair and a cluster.
type (
	// Point is all about a point.
	Point struct {
		Point      int         `json:"point"`
		ID         string      `json:"id"`
		Cluster    string      `json:"cluster"`
		Confidence *float64    `json:"confidence"`
		Next       *NextBest   `json:"next"`
		Cells      []Cell      `json:"cells"`
		Text       string      `json:"text"`
		Label      string      `json:"label"`
		Why        string      `json:"why"`
		Neighbours []Neighbour `json:"neighbours"`
		Links      []PointLink `json:"links"`
	}
	// NextBest is the cluster that a point would be in otherwise.
	NextBest struct {
		Cluster    string   `json:"cluster"`
		Confidence *float64 `json:"confidence"` // at most what its own cluster leaves
	}
	// Cell is a cell of a row.
	Cell struct {
		Column string `json:"column"`
		Value  string `json:"value"`
	}
	// Neighbour is a point near another, in the space in which they are clustered.
	Neighbour struct {
		Point      int     `json:"point"`
		ID         string  `json:"id"`
		Cluster    string  `json:"cluster"`
		Similarity float64 `json:"similarity"`
	}
	// PointLink is a link of a point.
	PointLink struct {
		Event    int    `json:"event"`
		Kind     string `json:"kind"`
		Point    int    `json:"point"`
		ID       string `json:"id"`
		Violated bool   `json:"violated"`
	}
	// PairOf is why two points are together or apart.
	PairOf struct {
		A        *Point        `json:"a"`
		B        *Point        `json:"b"`
		Pair     contents.Pair `json:"pair"`
		Together bool          `json:"together"`
		Why      []string      `json:"why"`
		Chain    []string      `json:"chain"` // ids of rows that must be together, from one to the other
	}
	// Card is what a cluster is.
	Card struct {
		Index      int           `json:"index"`
		Name       string        `json:"name"`
		Size       int           `json:"size"`
		Silhouette *float64      `json:"silhouette"`
		Traits     []CardTrait   `json:"traits"`
		Terms      []string      `json:"terms"`
		Typical    []CardExample `json:"typical"`
		Borderline []CardExample `json:"borderline"`
		Branch     *CardBranch   `json:"branch,omitempty"` // where clusters are branches of a tree
	}
	// CardBranch is what the tree says of a cluster.
	CardBranch struct {
		Parts   []int  `json:"parts"`   // rows of the parts into which it divides the cluster first; none where it does not
		Nearest string `json:"nearest"` // the cluster that it would join first; "": there is no other
	}
	// CardTrait is a column in which a cluster differs from the others.
	CardTrait struct {
		Column string  `json:"column"`
		Text   string  `json:"text"`
		Effect float64 `json:"effect"` // in standard deviations
	}
	// CardExample is a row of a cluster.
	CardExample struct {
		Point int    `json:"point"`
		ID    string `json:"id"`
		Text  string `json:"text"`
		Next  string `json:"next,omitempty"`
	}
)

// neighboursShown is how many neighbours of a point are listed.
const neighboursShown = 8

// Point returns all about a point.
func (v *view) Point(p int) (*Point, error) {
	row, ok := v.points.row(p)
	if !ok {
		return nil, noPoint(p)
	}
	labels, err := v.record.labels()
	if err != nil {
		return nil, err
	}
	f := v.kept.Latest()
	called := v.names.called(f)
	out := &Point{Point: p, ID: v.points.table.ID(row), Cluster: f.clusterOf(row, called), Label: labels[row], Text: v.points.contents.Text(row), Cells: []Cell{}, Links: []PointLink{}}
	cells := v.points.contents.Cells(row)
	for i, name := range v.points.contents.Columns() {
		out.Cells = append(out.Cells, Cell{name, cells[i]})
	}
	if f != nil {
		out.Confidence = f.confidence(row)
		if h := f.certain.Load().next[row]; h >= 0 {
			out.Next = &NextBest{Cluster: f.nameOf(int(h), called)}
			if out.Confidence != nil {
				rest := math.Round((1-*out.Confidence)*1e4) / 1e4
				out.Next.Confidence = &rest
			}
		}
	}
	out.Neighbours = v.neighbours(row, f, called)
	violated := violatedPairs(f)
	for _, e := range v.record.linksInForce() {
		if e.A != out.ID && e.B != out.ID {
			continue
		}
		other := e.A
		if other == out.ID {
			other = e.B
		}
		out.Links = append(out.Links, PointLink{e.N, string(e.Op), v.points.pointOf(other), other, violated[pairOf(e.A, e.B)]})
	}
	out.Why = whyHere(out)
	return out, nil
}

// whyHere says in a sentence why a point is in its cluster.
func whyHere(p *Point) string {
	if p.Cluster == "" {
		return "it is in no group: it was left out for missing values, or there is no fit yet"
	}
	var reasons []string
	if p.Label != "" {
		reasons = append(reasons, fmt.Sprintf("it is labelled %s", p.Label))
	}
	same := 0
	for _, n := range p.Neighbours {
		if n.Cluster == p.Cluster {
			same++
		}
	}
	if len(p.Neighbours) > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of its %d nearest neighbours are in %s", same, len(p.Neighbours), p.Cluster))
	}
	if n := len(p.Links); n > 0 {
		reasons = append(reasons, fmt.Sprintf("it has %d links", n))
	}
	if p.Next != nil && p.Confidence != nil {
		reasons = append(reasons, fmt.Sprintf("the next best group is %s", p.Next.Cluster))
	}
	return strings.Join(reasons, "; ")
}

// violatedPairs returns the violated links of a fit.
func violatedPairs(f *Fit) map[pair]bool {
	out := map[pair]bool{}
	if f != nil {
		for _, v := range f.Result.Violations {
			out[pairOf(v.A, v.B)] = true
		}
	}
	return out
}

// neighbours returns the nearest rows in the space in which they are clustered, or the nodes
// that a node is joined to.
func (v *view) neighbours(row int, f *Fit, called map[string]string) []Neighbour {
	out := []Neighbour{}
	for _, n := range v.points.contents.Near(row) {
		at := v.points.pointOf(n.ID)
		if at >= 0 && len(out) < neighboursShown {
			out = append(out, Neighbour{at, n.ID, f.clusterOf(int(v.points.order[at]), called), n.Weight})
		}
	}
	for _, n := range v.places.nearest(row, neighboursShown) {
		other := v.points.table.ID(n.row)
		out = append(out, Neighbour{int(v.points.point[n.row]), other, f.clusterOf(n.row, called), math.Round(1e4/(1+math.Sqrt(n.d))) / 1e4})
	}
	return out
}

// Pair returns why two points are together or apart.
func (v *view) Pair(a, b int) (*PairOf, error) {
	x, err := v.Point(a)
	if err != nil {
		return nil, err
	}
	y, err := v.Point(b)
	if err != nil {
		return nil, err
	}
	rowA, rowB := int(v.points.order[a]), int(v.points.order[b])
	out := &PairOf{A: x, B: y, Pair: v.points.contents.Pair(rowA, rowB), Together: x.Cluster != "" && x.Cluster == y.Cluster, Why: []string{}, Chain: []string{}}
	labels, err := v.record.labels()
	if err != nil {
		return nil, err
	}
	if chain := v.chain(x.ID, y.ID, labels); chain != nil {
		out.Chain = chain
		out.Why = append(out.Why, "a chain of must-links and equal labels says that they belong together: "+strings.Join(chain, " – "))
	}
	if e, ok := saidIn(v.record.session.InForce()).links[pairOf(x.ID, y.ID)]; ok {
		out.Why = append(out.Why, "you said: "+e.String())
	}
	if x.Label != "" && y.Label != "" && x.Label != y.Label {
		out.Why = append(out.Why, fmt.Sprintf("their labels differ: %s and %s", x.Label, y.Label))
	}
	if slices.ContainsFunc(x.Neighbours, func(n Neighbour) bool { return n.Point == b }) {
		out.Why = append(out.Why, fmt.Sprintf("%s is among the %d nearest neighbours of %s", y.ID, neighboursShown, x.ID))
	}
	out.Why = append(out.Why, differing(out.Pair)...)
	return out, nil
}

// differing says in which columns two rows differ most, and how many are alike.
func differing(p contents.Pair) (out []string) {
	var apart []contents.Field
	for _, f := range p.Fields {
		if f.Differs {
			apart = append(apart, f)
		}
	}
	if len(p.Fields) > 0 {
		out = append(out, fmt.Sprintf("%d of %d columns are within a standard deviation", len(p.Fields)-len(apart), len(p.Fields)))
	}
	for _, f := range contents.MostDifferent(apart, 3) {
		out = append(out, fmt.Sprintf("%s differs: %s and %s", f.Column, f.A, f.B))
	}
	if n := p.Neighbours; n != nil {
		out = append(out, fmt.Sprintf("they share %d neighbours of %d and %d", n.A.Common, n.A.Count, n.B.Count))
	}
	return out
}

// chain returns the shortest chain of must-links and equal labels between two rows; nil where
// there is none.
func (v *view) chain(a, b string, labels []string) []string {
	s := saidIn(v.record.session.InForce())
	joined := map[string][]string{}
	for p, e := range s.links {
		if e.Op == session.OpMust {
			joined[p[0]], joined[p[1]] = append(joined[p[0]], p[1]), append(joined[p[1]], p[0])
		}
	}
	for row, label := range labels {
		if label != "" { // the label itself is a node, which no id can be
			class, id := "\x00"+label, v.points.table.ID(row)
			joined[id], joined[class] = append(joined[id], class), append(joined[class], id)
		}
	}
	from := map[string]string{a: ""}
	for queue := []string{a}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == b {
			break
		}
		next := joined[queue[0]]
		slices.Sort(next)
		for _, id := range next {
			if _, seen := from[id]; !seen {
				from[id] = queue[0]
				queue = append(queue, id)
			}
		}
	}
	if _, found := from[b]; !found || a == b {
		return nil
	}
	var out []string
	for at := b; at != ""; at = from[at] {
		out = append(out, strings.TrimPrefix(at, "\x00"))
	}
	slices.Reverse(out)
	return out
}

// Cluster returns what a cluster is.
func (v *view) Cluster(ctx context.Context, name string) (*Card, error) {
	f, h, err := v.names.find(name)
	if err != nil {
		return nil, err
	}
	called := v.names.called(f)
	out := &Card{Index: h, Name: f.nameOf(h, called), Size: f.sizes[h], Traits: []CardTrait{}, Terms: []string{}, Typical: []CardExample{}, Borderline: []CardExample{}}
	out.Branch = f.branchOf(h, called)
	page, err := f.pageOf(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(page.Clusters, func(c report.Cluster) bool { return c.Name == f.names[h] })
	if at < 0 {
		return out, nil
	}
	c := &page.Clusters[at]
	if s := page.Silhouette; s != nil && at < len(s.Values) && len(s.Values[at]) > 0 {
		mean := 0.0
		for _, v := range s.Values[at] {
			mean += v / float64(len(s.Values[at]))
		}
		out.Silhouette = &mean
	}
	for _, t := range slices.Concat(c.Traits, c.Profile) {
		out.Traits = append(out.Traits, CardTrait{t.Name, fmt.Sprintf("%s, others %s", t.Here, t.Others), t.Effect})
	}
	out.Terms = append(out.Terms, c.Terms...)
	for _, e := range c.Typical {
		out.Typical = append(out.Typical, v.example(e, c.Columns, f, called))
	}
	for _, e := range c.Borderline {
		out.Borderline = append(out.Borderline, v.example(e, c.Columns, f, called))
	}
	return out, nil
}

// branches returns what the tree says of the cluster with an index, as door.Result.Branches does.
func (f *Fit) branches(index int) (parts [][]int, nearest int, ok bool) {
	h := slices.Index(f.Result.Clusters, f.names[index])
	if h < 0 {
		return nil, unassigned, false
	}
	parts, nearest, ok = f.Result.Branches(h)
	if nearest >= 0 {
		nearest = slices.Index(f.names, f.Result.Clusters[nearest])
	}
	return parts, nearest, ok
}

// branchOf returns what a card says of it; nil where clusters are not branches of a tree.
func (f *Fit) branchOf(index int, called map[string]string) *CardBranch {
	parts, nearest, ok := f.branches(index)
	if !ok {
		return nil
	}
	out := &CardBranch{Parts: []int{}}
	for _, rows := range parts {
		out.Parts = append(out.Parts, len(rows))
	}
	if nearest >= 0 {
		out.Nearest = f.nameOf(nearest, called)
	}
	return out
}

// example is a row that a card shows, with what it holds in a line.
func (v *view) example(e report.Example, columns []string, f *Fit, called map[string]string) CardExample {
	out := CardExample{Point: v.points.pointOf(e.ID), ID: e.ID, Next: e.Next}
	if given, ok := called[e.Next]; ok {
		out.Next = given
	}
	var b strings.Builder
	for _, s := range e.Text {
		b.WriteString(s.Text)
	}
	for i, cell := range e.Cells {
		if i > 0 || b.Len() > 0 {
			b.WriteString(", ")
		}
		if i < len(columns) {
			b.WriteString(columns[i] + " ")
		}
		b.WriteString(cell)
	}
	out.Text = b.String()
	return out
}
