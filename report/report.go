// Package report draws a clustering: one HTML page with everything on it, no
// network, light and dark, good on paper; and the charts by themselves as SVG
// and PNG.
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
	Figures []Figure // the few numbers to look at first
	Facts   []Fact   // what was run: method, parameters, seed, version, …
	Command string   // what makes this page again
	Points  string   // what is clustered, in the plural; "" for rows

	Clusters []Cluster
	Labels   []int // the cluster of each row

	Maps       []*Projection // the rows on a plane, in one way or several
	Links      []Link        // given pairs, drawn on the maps
	Knowledge  []Kept        // how far what is known was honoured, by kind
	Broken     []Broken      // what was not honoured, the dearest first
	BrokenMore int           // how many more there are
	Trace      []float64     // the objective after every iteration
	Silhouette *Outline
	Compared   []*Comparison // with known labels, the truth, another clustering
	Weights    *Weights      // of a learned metric
	Borderline []Near        // rows between two clusters
}

// A Fact is one line of how the result came about.
type Fact struct{ Name, Value string }

// A Figure is one number with what it counts. Bad ones are marked.
type Figure struct {
	Value, Name string
	Bad         bool
}

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

// cardsShown is how many clusters have a card; the largest ones are shown.
const cardsShown = 60

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"colour": Colour, "number": number, "percent": percent, "score": score, "signed": signed, "called": called, "thousands": Thousands,
	}).ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	if err := t.Execute(w, view{p}); err != nil {
		return fmt.Errorf("%w", err)
	}
	return nil
}
