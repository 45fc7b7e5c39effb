package report

import (
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// A Chart is one picture of a page, to be written as a file of its own.
type Chart struct {
	Name    string // of its file, without the ending
	Title   string
	Picture *picture.Picture
}

// WriteSVG writes the chart as SVG.
func (c Chart) WriteSVG(w io.Writer) error { return c.Picture.WriteSVG(w) }

// WritePNG writes the chart as PNG.
func (c Chart) WritePNG(w io.Writer) error { return c.Picture.WritePNG(w) }

// Charts returns the charts of the page.
func (p *Page) Charts() (out []Chart) {
	add := func(name, title string, chart *picture.Picture) {
		if chart != nil {
			out = append(out, Chart{name, title, chart})
		}
	}
	for i, m := range p.Maps {
		add(numberedName("map", i), m.Name, drawMap(p, i, p.shownClusters()))
	}
	add("sizes", "sizes of the clusters", SizeChart(p.Clusters))
	add("tree", "the tree of densities", TreeChart(p.Tree, p.Clusters))
	add("silhouettes", "silhouettes", SilhouetteChart(p.Silhouette, p.Clusters))
	for i, c := range p.Compared {
		add(numberedName("table", i), c.Title, CrosstabChart(c.Table))
	}
	if len(p.Trace) > 1 {
		add("trace", "the objective by iteration", TraceChart(p.Trace))
	}
	add("weights", "feature weights of the learned distance", WeightChart(p.Weights))
	return out
}

// numberedName returns name, name-2, name-3, …
func numberedName(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i+1)
}
