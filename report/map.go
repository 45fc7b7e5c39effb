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
	Name  string  // how it was made
	Share float64 // of the variance that the plane shows; 0: not known
}

// mostDrawn is how many rows are drawn: beyond, every so manieth of each
// cluster.
const mostDrawn = 50_000

// mostLinks is how many pairs are drawn; the broken ones come first.
const mostLinks = 500

// MapChart draws the rows, coloured by cluster, and the given pairs: must-links
// as lines, cannot-links dashed, those not honoured in red.
func MapChart(p *Page) string {
	if p.Map == nil || len(p.Labels) == 0 {
		return ""
	}
	const wide, pad = 960.0, 16.0
	high := tall(p.Map, wide)
	d := draw(wide, high, fmt.Sprintf("%d rows on a plane", len(p.Labels)))
	x, y := frame(p.Map, wide, high, pad)
	p.drawLinks(d, x, y)
	p.drawRows(d, x, y)
	return d.done()
}

// tall returns how high a picture of that width is to be: as the plane is, but
// neither a strip nor a tower.
func tall(m *Projection, wide float64) float64 {
	x0, x1 := span(m.X)
	y0, y1 := span(m.Y)
	if !(x1 > x0) {
		return wide * 0.6
	}
	return wide * min(0.6, max(0.3, (y1-y0)/(x1-x0)))
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
func (p *Page) drawRows(d *drawing, x, y scale) {
	paths := make([]strings.Builder, len(p.Clusters))
	seen, step := make([]int, len(p.Clusters)), thinning(len(p.Labels))
	for i, h := range p.Labels {
		if h < 0 || h >= len(paths) {
			continue
		}
		if seen[h]++; (seen[h]-1)%step == 0 {
			fmt.Fprintf(&paths[h], "M%s %sh0", coord(x.at(p.Map.X[i])), coord(y.at(p.Map.Y[i])))
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

func (p *Page) drawLinks(d *drawing, x, y scale) {
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
		style := `stroke="var(--soft,#666)" stroke-opacity=".45"`
		if !l.Kept {
			style = `stroke="#d62839" stroke-width="1.6"`
		}
		if l.Kind == "cannot" {
			style += ` stroke-dasharray="4 3"`
		}
		fmt.Fprintf(&d.b, `<path fill="none" %s d="M%s %sL%s %s"/>`, style,
			coord(x.at(p.Map.X[l.A])), coord(y.at(p.Map.Y[l.A])), coord(x.at(p.Map.X[l.B])), coord(y.at(p.Map.Y[l.B])))
	}
}

func descending(v []float64) []float64 {
	out := slices.Sorted(slices.Values(v))
	slices.Reverse(out)
	return out
}
