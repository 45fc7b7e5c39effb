package report

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// curveDashes distinguish curves without colours, as marks do.
var curveDashes = [][]float64{nil, {7, 4}, {2, 3}, {9, 3, 2, 3}}

// CurveChart draws the curve of every method with a bar of one standard error
// to both sides at each amount. Amounts without a fit are left out.
func CurveChart(t *experiment.Table) *picture.Picture {
	const wide, left, right, top, high, line = 640.0, 56.0, 16.0, 28.0, 300.0, 18.0
	legend := high + 48
	p := picture.New(wide, legend+line*float64(len(t.Methods)), fmt.Sprintf("%s against %s, one curve for each method", t.Measure, t.Vary))
	lo, hi := scoreSpan(t)
	first, last := 0.0, 1.0
	if len(t.X) > 0 {
		first, last = span(t.X)
	}
	x, y := scale{first, last, left + 8, wide - right - 8}, scale{lo, hi, high, top}
	for _, v := range ticks(lo, hi, 6) {
		p.Line(left, y.pixel(v), wide-right, y.pixel(v), picture.Axis)
		p.Text(left-8, y.pixel(v)+4, picture.End, picture.Soft, number(v))
	}
	for _, v := range ticks(first, last, 8) {
		p.Text(x.pixel(v), high+18, picture.Middle, picture.Soft, number(v))
	}
	p.Text((left+wide)/2, high+36, picture.Middle, picture.Soft, t.Vary)
	p.Text(left-8, 14, picture.Start, picture.Soft, t.Measure)
	for m, name := range t.Methods {
		y0 := legend + line*float64(m)
		p.Line(left, y0, left+36, y0, curveStroke(m))
		drawMark(p, m, left+18, y0, name)
		p.Text(left+44, y0+4, picture.Start, picture.Plain, clipText(name, 80))
		drawCurve(p, t, m, x, y)
	}
	return p
}

func curveStroke(m int) picture.Stroke {
	return picture.Stroke{Colour: Colour(m), Width: 2, Dash: curveDashes[m%len(curveDashes)]}
}

// drawCurve draws one method: the line, then bars and marks upon it.
func drawCurve(p *picture.Picture, t *experiment.Table, m int, x, y scale) {
	var line []picture.Point
	for a, c := range t.Cells[m] {
		if c.Score.N > 0 {
			line = append(line, picture.Point{X: x.pixel(t.X[a]), Y: y.pixel(c.Score.Mean)})
		}
	}
	if len(line) == 0 {
		return
	}
	p.Lines([][]picture.Point{line}, curveStroke(m))
	for a, c := range t.Cells[m] {
		if c.Score.N == 0 {
			continue
		}
		px := x.pixel(t.X[a])
		if !math.IsNaN(c.Score.SE) {
			p.Line(px, y.pixel(c.Score.Mean-c.Score.SE), px, y.pixel(c.Score.Mean+c.Score.SE), picture.Stroke{Colour: Colour(m)})
		}
		drawMark(p, m, px, y.pixel(c.Score.Mean), fmt.Sprintf("%s at %s %s: %s", t.Methods[m], t.Vary, number(t.X[a]), c))
	}
}

// drawMark draws the mark of curve m: a disc, a square, a diamond or a triangle.
func drawMark(p *picture.Picture, m int, x, y float64, title string) {
	switch m % 4 {
	case 0:
		p.Disc(x, y, 4, Colour(m), title)
	case 1:
		p.Area([]picture.Point{{X: x - 3.5, Y: y - 3.5}, {X: x + 3.5, Y: y - 3.5}, {X: x + 3.5, Y: y + 3.5}, {X: x - 3.5, Y: y + 3.5}}, Colour(m), title)
	case 2:
		p.Area([]picture.Point{{X: x, Y: y - 5}, {X: x + 5, Y: y}, {X: x, Y: y + 5}, {X: x - 5, Y: y}}, Colour(m), title)
	default:
		p.Area([]picture.Point{{X: x, Y: y - 5}, {X: x + 5, Y: y + 3}, {X: x - 5, Y: y + 3}}, Colour(m), title)
	}
}

// scoreSpan returns the least and greatest height that is drawn, with a small
// margin.
func scoreSpan(t *experiment.Table) (lo, hi float64) {
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
