package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Projection puts rows on a plane.
type Projection struct {
	X, Y  []float64
	Name  string     // how it was made
	Share float64    // of the variance that the plane shows; 0: not known
	Edges [][2]int32 // of a graph, some of them
}

// on reports whether row i has a place on the plane.
func (m *Projection) on(i int) bool { return !math.IsNaN(m.X[i]) && !math.IsNaN(m.Y[i]) }

// mostDrawn is how many rows are drawn: beyond, every so manieth of each
// cluster.
const mostDrawn = 50_000

// mostLinks is how many pairs are drawn; the broken ones come first.
const mostLinks = 500

// MapChart draws the rows on map number at, coloured by cluster, and the given
// pairs: must-links as lines, cannot-links dashed, those not honoured in red.
func MapChart(p *Page, at int) string { return mapChart(p, at, false) }

// mapChart draws a map; with a legend where the page's own is not at hand.
func mapChart(p *Page, at int, legend bool) string {
	m := p.Maps[at]
	if len(p.Labels) == 0 || len(m.X) != len(p.Labels) {
		return ""
	}
	const wide, pad = 960.0, 16.0
	high := tall(m, wide)
	var names []card
	if legend {
		names = view{p}.Cards()
	}
	places, more := spread(names, wide-2*pad)
	d := draw(wide, high+more, fmt.Sprintf("%d %s on a plane: %s", len(p.Labels), view{p}.Noun(), m.Name))
	for i, c := range names {
		d.dot(pad+places[i].x, high+places[i].y, 5, Colour(c.At), c.Name)
		d.text(pad+places[i].x+10, high+places[i].y+4, "start", "", clip(called(c.Name), 30))
	}
	x, y := frame(m, wide, high, pad)
	m.drawEdges(d, x, y)
	p.drawLinks(d, m, x, y)
	p.drawRows(d, m, x, y)
	return d.done()
}

// spread finds places for the names of a legend, line by line, and how high the
// lines are together.
func spread(names []card, wide float64) (places []spot, high float64) {
	const line = 20.0
	at := spot{0, line / 2}
	for _, c := range names {
		room := 34 + textWidth(clip(called(c.Name), 30))
		if at.x > 0 && at.x+room > wide {
			at = spot{0, at.y + line}
		}
		places = append(places, at)
		at.x += room
	}
	if len(names) > 0 {
		high = at.y + line/2
	}
	return places, high
}

// drawEdges draws the edges of a graph as one fine path.
func (m *Projection) drawEdges(d *drawing, x, y scale) {
	if len(m.Edges) == 0 {
		return
	}
	d.b.WriteString(`<path class="axis" stroke-opacity=".55" d="`)
	for _, e := range m.Edges {
		if a, b := int(e[0]), int(e[1]); m.on(a) && m.on(b) {
			fmt.Fprintf(&d.b, "M%s %sL%s %s", coord(x.at(m.X[a])), coord(y.at(m.Y[a])), coord(x.at(m.X[b])), coord(y.at(m.Y[b])))
		}
	}
	d.b.WriteString(`"/>`)
}

// tall returns how high a picture of that width is to be: as the plane is, but
// neither a strip nor a tower.
func tall(m *Projection, wide float64) float64 {
	x0, x1 := span(m.X)
	y0, y1 := span(m.Y)
	if !(x1 > x0) {
		return wide * 0.6
	}
	return wide * min(0.6, max(0.18, (y1-y0)/(x1-x0)))
}

// frame maps the plane onto the picture, the same scale both ways.
func frame(m *Projection, wide, high, pad float64) (x, y scale) {
	x0, x1 := span(m.X)
	y0, y1 := span(m.Y)
	unit := math.Max((x1-x0)/(wide-2*pad), (y1-y0)/(high-2*pad))
	if unit == 0 {
		unit = 1
	}
	cx, cy, rx, ry := (x0+x1)/2, (y0+y1)/2, unit*(wide/2-pad), unit*(high/2-pad)
	return scale{cx - rx, cx + rx, pad, wide - pad}, scale{cy - ry, cy + ry, high - pad, pad}
}

// thinning says that one row in so many is drawn.
func thinning(n int) int { return 1 + max(0, n-1)/mostDrawn }

// drawRows draws the points of a cluster as one path of lines without length,
// whose round ends are the dots: some ten bytes a row.
func (p *Page) drawRows(d *drawing, m *Projection, x, y scale) {
	paths := make([]strings.Builder, len(p.Clusters))
	seen, step := make([]int, len(p.Clusters)), thinning(len(p.Labels))
	for i, h := range p.Labels {
		if h < 0 || h >= len(paths) || !m.on(i) {
			continue
		}
		if seen[h]++; (seen[h]-1)%step == 0 {
			fmt.Fprintf(&paths[h], "M%s %sh0", coord(x.at(m.X[i])), coord(y.at(m.Y[i])))
		}
	}
	size := 6.0
	if len(p.Labels) > 500 {
		size = 4
	}
	if len(p.Labels) > 5000 {
		size = 2.5
	}
	for h := range paths {
		if paths[h].Len() > 0 {
			fmt.Fprintf(&d.b, `<path stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-opacity=".8" fill="none" d="%s"/>`,
				Colour(h), coord(size), paths[h].String())
		}
	}
}

func (p *Page) drawLinks(d *drawing, m *Projection, x, y scale) {
	links := slices.Clone(p.Links)
	slices.SortStableFunc(links, func(a, b Link) int {
		switch {
		case a.Kept == b.Kept:
			return 0
		case b.Kept:
			return -1
		}
		return 1
	})
	for _, l := range links[:min(mostLinks, len(links))] {
		if !m.on(l.A) || !m.on(l.B) {
			continue
		}
		style := `stroke="var(--soft,#5c646d)" stroke-opacity=".45"`
		if !l.Kept {
			style = `stroke="#d62839" stroke-width="1.6"`
		}
		if l.Kind == "cannot" {
			style += ` stroke-dasharray="4 3"`
		}
		fmt.Fprintf(&d.b, `<path fill="none" %s d="M%s %sL%s %s"/>`, style,
			coord(x.at(m.X[l.A])), coord(y.at(m.Y[l.A])), coord(x.at(m.X[l.B])), coord(y.at(m.Y[l.B])))
	}
}

func descending(v []float64) []float64 {
	out := slices.Sorted(slices.Values(v))
	slices.Reverse(out)
	return out
}
