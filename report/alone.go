package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Chart is one picture of a page, by itself.
type Chart struct {
	Name  string // of its file, without the ending
	Title string
	SVG   string
}

// Charts returns the charts of the page, each fit to stand alone.
func (p *Page) Charts() (out []Chart) {
	add := func(name, title, svg string) {
		if svg != "" {
			out = append(out, Chart{name, title, Alone(svg)})
		}
	}
	for at, m := range p.Maps {
		name := "map"
		if at > 0 {
			name = fmt.Sprintf("map-%d", at+1)
		}
		add(name, m.Name, mapChart(p, at, true))
	}
	add("sizes", "sizes of the clusters", SizeChart(p.Clusters))
	add("silhouettes", "silhouettes", SilhouetteChart(p.Silhouette, p.Clusters))
	for at, c := range p.Compared {
		name := "table"
		if at > 0 {
			name = fmt.Sprintf("table-%d", at+1)
		}
		add(name, c.Title, CrosstabChart(c.Table))
	}
	if len(p.Trace) > 1 {
		add("trace", "the objective by iteration", TraceChart(p.Trace))
	}
	add("weights", "what the learned distance weighs", WeightChart(p.Weights))
	return out
}

var (
	themed  = regexp.MustCompile(`var\(--[a-z]+,([^)]*)\)`)
	opening = regexp.MustCompile(`^<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>`)
)

// Alone returns a chart as a file of its own: on white paper, with a size, with
// colours instead of names that only the page knows, and a little air around.
func Alone(svg string) string {
	const air = 12
	m := opening.FindStringSubmatch(svg)
	if m == nil {
		return svg
	}
	var wide, high float64
	if _, err := fmt.Sscan(m[1]+" "+m[2], &wide, &high); err != nil {
		return svg
	}
	wide, high = wide+2*air, high+2*air
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%d %d %s %s" role="img">`,
		coord(wide), coord(high), -air, -air, coord(wide), coord(high))
	body := themed.ReplaceAllString(strings.TrimPrefix(svg, m[0]), "$1")
	paper := fmt.Sprintf(`<rect x="%d" y="%d" width="%s" height="%s" fill="#fff"/>`, -air, -air, coord(wide), coord(high))
	at := strings.Index(body, "</style>")
	if at < 0 {
		return head + paper + body + "\n"
	}
	at += len("</style>")
	return head + body[:at] + paper + body[at:] + "\n"
}

// WriteSVG writes the chart as SVG.
func (c Chart) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, c.SVG)
	return err
}
