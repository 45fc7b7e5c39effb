package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
)

//go:embed page.html
var files embed.FS

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"colour": func(h int) template.CSS { return template.CSS(Colour(h).CSS()) },
		"number": number, "percent": percentOf, "score": threeDecimals, "signed": signedNumber, "called": displayName, "thousands": Thousands, "lift": liftWidth, "breakable": breakable,
		"pair": func(columns []string, list []Example) exampleTable { return exampleTable{columns, list} },
	}).ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("%w", err)
	}
	if err := t.Execute(w, pageView{p}); err != nil {
		return fmt.Errorf("%w", err)
	}
	return nil
}

// A pageView has what the template uses beside the page itself. Charts consist
// of numbers and escaped text (see package picture), so the template takes them
// as they are.
type pageView struct{ *Page }

func (v pageView) N() int { return len(v.Labels) }

// A drawnMap is a map with its caption.
type drawnMap struct {
	Chart template.HTML
	Note  string
}

func (v pageView) DrawnMaps() (out []drawnMap) {
	for i, m := range v.Maps {
		if chart := MapChart(v.Page, i); chart != nil {
			out = append(out, drawnMap{template.HTML(chart.Inline()), mapCaption(m)})
		}
	}
	return out
}

func mapCaption(m *Projection) string {
	caption := m.Name
	if m.Share > 0 {
		caption += fmt.Sprintf(", which show %.0f %% of the variance", 100*m.Share)
	}
	if m.Edges != nil {
		caption += "; thin lines are edges"
	}
	return caption + "."
}

// MapNote is a note below all maps.
func (v pageView) MapNote() string {
	var notes []string
	if len(v.Links) > 0 {
		notes = append(notes, "Lines are must-links, dashed lines cannot-links; red ones are violated.")
	}
	if len(v.Links) > maxLinksDrawn {
		notes = append(notes, fmt.Sprintf("%d of %s links are drawn.", maxLinksDrawn, Thousands(len(v.Links))))
	}
	if step := rowStep(len(v.Labels)); step > 1 {
		notes = append(notes, fmt.Sprintf("One in %d %s of each cluster is drawn.", step, v.Noun()))
	}
	return strings.Join(notes, " ")
}

// Cards are the clusters that are shown, in their order.
func (v pageView) Cards() []numberedCluster { return v.shownClusters() }

// TwoColumns says that cards look best two by two.
func (v pageView) TwoColumns() bool { return len(v.Clusters) == 2 || len(v.Clusters) == 4 }

// MoreClusters is how many clusters have no card.
func (v pageView) MoreClusters() int { return max(0, len(v.Clusters)-maxCards) }

func (v pageView) SizeChart() template.HTML { return template.HTML(SizeChart(v.Clusters).Inline()) }

func (v pageView) TraceChart() template.HTML { return template.HTML(TraceChart(v.Trace).Inline()) }

func (v pageView) SilhouetteChart() template.HTML {
	return template.HTML(SilhouetteChart(v.Silhouette, v.Clusters).Inline())
}

func (v pageView) TreeChart() template.HTML {
	return template.HTML(TreeChart(v.Tree, v.Clusters).Inline())
}

// TreeNote is the caption of the tree.
func (v pageView) TreeNote() string { return treeNote(v.Tree, v.Noun()) }

func (v pageView) WeightChart() template.HTML { return template.HTML(WeightChart(v.Weights).Inline()) }

func (v pageView) CrosstabChart(t *Crosstab) template.HTML {
	return template.HTML(CrosstabChart(t).Inline())
}

// HasTraits says whether cards list columns.
func (v pageView) HasTraits() bool {
	return slices.ContainsFunc(v.Clusters, func(c Cluster) bool { return len(c.Traits)+len(c.Profile) > 0 })
}

// HasLinks says whether cards are about a graph.
func (v pageView) HasLinks() bool {
	return slices.ContainsFunc(v.Clusters, func(c Cluster) bool { return c.Links != nil })
}

// breakable returns a name that may be broken after a line or a dot in it: by a space
// without width.
func breakable(name string) string {
	return strings.NewReplacer("_", "_\u200b", ".", ".\u200b", "-", "-\u200b").Replace(name)
}

// An exampleTable is what the template shows examples with.
type exampleTable struct {
	Columns  []string
	Examples []Example
}

// liftWidth is the length of a bar for a difference in standard deviations, in percent of
// half a bar.
func liftWidth(effect float64) template.CSS {
	return template.CSS(fmt.Sprintf("%.0f%%", 50*min(1, math.Abs(effect)/2)))
}
