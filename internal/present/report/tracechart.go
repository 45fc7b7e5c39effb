package report

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// logRatio is the ratio of the first to the last objective from which on the
// height is logarithmic: otherwise all but the first step would look flat.
const logRatio = 30

// TraceChart draws the objective over the iterations.
func TraceChart(trace []float64) *picture.Picture {
	const wide, high, left, bottom, top, right = 520.0, 250.0, 70.0, 46.0, 14.0, 14.0
	p := picture.New(wide, high, "the objective after every iteration")
	lo, hi := span(trace)
	caption, marks := "iteration", ticks(lo, hi, 5)
	heightOf := func(v float64) float64 { return v }
	if lo > 0 && hi/lo > logRatio {
		caption, marks, heightOf = "iteration (logarithmic height)", logTicks(lo, hi), math.Log10
	}
	x, y := scale{0, math.Max(1, float64(len(trace)-1)), left, wide - right}, scale{heightOf(lo), heightOf(hi), high - bottom, top}
	for _, t := range marks {
		p.Line(left, y.pixel(heightOf(t)), wide-right, y.pixel(heightOf(t)), picture.Axis)
		p.Text(left-8, y.pixel(heightOf(t))+4, picture.End, picture.Soft, axisNumber(t))
	}
	for _, t := range ticks(x.lo, x.hi, 8) {
		if t == math.Trunc(t) {
			p.Text(x.pixel(t), high-28, picture.Middle, picture.Soft, axisNumber(t))
		}
	}
	p.Text((left+wide-right)/2, high-8, picture.Middle, picture.Soft, caption)
	var line []picture.Point
	for i, v := range trace {
		line = append(line, picture.Point{X: x.pixel(float64(i)), Y: y.pixel(heightOf(v))})
	}
	p.Lines([][]picture.Point{line}, picture.Curve)
	if len(trace) <= 40 {
		for i, v := range trace {
			p.Disc(line[i].X, line[i].Y, 3, picture.AccentColour, fmt.Sprintf("%d: %s", i, number(v)))
		}
	}
	return p
}
