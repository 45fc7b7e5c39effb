// Package report draws a clustering: one HTML page with everything on it, no
// network, light and dark, good on paper; and the charts by themselves as SVG.
//
// A Page is plain data that the caller fills with what there is. A part that
// has nothing to show is left out.
package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var files embed.FS

// A Page is what one report shows. Clusters are numbered as in Clusters; rows
// by their place in Labels.
type Page struct {
	Title   string
	Verdict []string // plain sentences, the most important first
	Facts   []Fact   // what was run: method, parameters, seed, version, …
	Command string   // what makes this page again

	Clusters []Cluster
	Labels   []int // the cluster of each row

	Map          *Projection // the rows on a plane
	Links        []Link      // given pairs, drawn on the map
	Knowledge    []Kept      // how far what is known was honoured, by kind
	Broken       []Broken    // what was not honoured, the dearest first
	BrokenMore   int         // how many more there are
	Trace        []float64   // the objective after every iteration
	Silhouette   *Outline
	Against      *Crosstab // known labels or another clustering
	AgainstTitle string
	Weights      []Feature // of a learned metric, the largest first
	Borderline   []Near    // rows between two clusters
}

// A Fact is one line of how the result came about.
type Fact struct{ Name, Value string }

// A Cluster is a card of the page.
type Cluster struct {
	Name      string
	Size      int
	Words     []string  // of documents: what tells it from the others
	Features  []Feature // of rows of numbers: where it differs most from all rows
	Exemplars []string  // ids of the rows nearest to its centre
}

// A Feature is a named number.
type Feature struct {
	Name  string
	Value float64
}

// A Link is a given pair. Kind is must, cannot or belief.
type Link struct {
	A, B int
	Kind string
	Kept bool
}

// Kept says how many pieces of one kind of knowledge were honoured.
type Kept struct {
	Kind        string
	Kept, Given int
}

// Broken is a piece of knowledge that was not honoured, and what honouring it
// would cost; Cost is "" where that is not known.
type Broken struct{ What, Cost string }

// Near is a row between two clusters: its own and the next.
type Near struct {
	ID, Own, Next string
	Silhouette    float64
}

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"colour": Colour, "number": number, "percent": percent,
	}).ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := t.Execute(w, view{p}); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// view gives the template the charts.
type view struct{ *Page }

func (v view) N() int { return len(v.Labels) }

func (v view) MapPercent() float64 { return 100 * v.Map.Share }

// Thinned says so where not every row is drawn.
func (v view) Thinned() string {
	if step := thinning(len(v.Labels)); step > 1 {
		return fmt.Sprintf("One row in %d of each cluster is drawn.", step)
	}
	return ""
}

// Chart parts are built of numbers and escaped text alone (see svg.go), so that
// the template may take them as they are.

func (v view) MapChart() template.HTML   { return template.HTML(MapChart(v.Page)) }
func (v view) SizeChart() template.HTML  { return template.HTML(SizeChart(v.Clusters)) }
func (v view) TraceChart() template.HTML { return template.HTML(TraceChart(v.Trace)) }
func (v view) SilhouetteChart() template.HTML {
	return template.HTML(SilhouetteChart(v.Silhouette, v.Clusters))
}
func (v view) CrosstabChart() template.HTML { return template.HTML(CrosstabChart(v.Against)) }
func (v view) WeightChart() template.HTML   { return template.HTML(FeatureChart(v.Weights)) }
