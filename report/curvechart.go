package report

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/inklinghq/inkling/experiment"
)

// dashes tell curves apart without colours, as marks do.
var dashes = []string{"", "7 4", "2 3", "9 3 2 3"}

// CurveChart draws the curve of every method with a bar of one standard error
// to both sides at each amount. Amounts without a fit are left out.
func CurveChart(t *experiment.Table) string {
	const wide, left, right, top, high, line = 640.0, 56.0, 16.0, 28.0, 300.0, 18.0
	legend := high + 48
	d := draw(wide, legend+line*float64(len(t.Methods)), fmt.Sprintf("%s against %s, one curve a method", t.Measure, t.Vary))
	lo, hi := bandOf(t)
	first, last := 0.0, 1.0
	if len(t.X) > 0 {
		first, last = span(t.X)
	}
	x, y := scale{first, last, left + 8, wide - right - 8}, scale{lo, hi, high, top}
	for _, v := range ticks(lo, hi, 6) {
		d.line(left, y.at(v), wide-right, y.at(v), "axis")
		d.text(left-8, y.at(v)+4, "end", "soft", number(v))
	}
	for _, v := range ticks(first, last, 8) {
		d.text(x.at(v), high+18, "middle", "soft", number(v))
	}
	d.text((left+wide)/2, high+36, "middle", "soft", t.Vary)
	d.text(left-8, 14, "start", "soft", t.Measure)
	for m, name := range t.Methods {
		at := legend + line*float64(m)
		style := fmt.Sprintf(`stroke="%s" fill="none" stroke-width="2" stroke-dasharray="%s"`, Colour(m), dashes[m%len(dashes)])
		fmt.Fprintf(&d.b, `<path %s d="M%s %sL%s %s"/>`, style, coord(left), coord(at), coord(left+36), coord(at))
		mark(d, m, left+18, at, name)
		d.text(left+44, at+4, "start", "", clip(name, 80))
		d.curve(t, m, x, y, style)
	}
	return d.done()
}

// curve draws one method: the line, then bars and marks upon it.
func (d *drawing) curve(t *experiment.Table, m int, x, y scale, style string) {
	var path strings.Builder
	for a, c := range t.Cells[m] {
		if c.Score.N == 0 {
			continue
		}
		op := "L"
		if path.Len() == 0 {
			op = "M"
		}
		path.WriteString(op + coord(x.at(t.X[a])) + " " + coord(y.at(c.Score.Mean)))
	}
	if path.Len() == 0 {
		return
	}
	fmt.Fprintf(&d.b, `<path %s d="%s"/>`, style, path.String())
	for a, c := range t.Cells[m] {
		if c.Score.N == 0 {
			continue
		}
		at := x.at(t.X[a])
		if !math.IsNaN(c.Score.SE) {
			fmt.Fprintf(&d.b, `<path stroke="%s" fill="none" d="M%s %sL%s %s"/>`, Colour(m),
				coord(at), coord(y.at(c.Score.Mean-c.Score.SE)), coord(at), coord(y.at(c.Score.Mean+c.Score.SE)))
		}
		mark(d, m, at, y.at(c.Score.Mean), fmt.Sprintf("%s at %s %s: %s", t.Methods[m], t.Vary, number(t.X[a]), c))
	}
}

// mark draws the mark of curve m: a disc, a square, a diamond or a triangle.
func mark(d *drawing, m int, x, y float64, title string) {
	shape := []string{
		"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "m-3.5 -3.5h7v7h-7z", "m0 -5l5 5l-5 5l-5 -5z", "m0 -5l5 8h-10z",
	}[m%4]
	fmt.Fprintf(&d.b, `<path fill="%s" d="M%s %s%s"><title>%s</title></path>`, Colour(m), coord(x), coord(y), shape, html.EscapeString(title))
}

// bandOf returns the least and greatest height that is drawn, a little apart.
func bandOf(t *experiment.Table) (lo, hi float64) {
	var all []float64
	for _, row := range t.Cells {
		for _, c := range row {
			if c.Score.N == 0 {
				continue
			}
			bar := c.Score.SE
			if math.IsNaN(bar) {
				bar = 0
			}
			all = append(all, c.Score.Mean-bar, c.Score.Mean+bar)
		}
	}
	if len(all) == 0 {
		return 0, 1
	}
	lo, hi = span(all)
	edge := max((hi-lo)/20, 0.01)
	return lo - edge, hi + edge
}
