package reproduce

import (
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// scatterPlot draws points in the plane by their clusters: the first firm points
// filled, the others, which are noise, as rings. Must-links are lines,
// cannot-links broken lines.
func scatterPlot(title string, x *data.Dense, labels []int, firm int, known *constraint.Set) *picture.Picture {
	const wide, margin = 640.0, 12.0
	lo, hi := [2]float64{x.V[0], x.V[1]}, [2]float64{x.V[0], x.V[1]}
	for i := range x.Len() {
		for f := range 2 {
			lo[f], hi[f] = min(lo[f], x.V[2*i+f]), max(hi[f], x.V[2*i+f])
		}
	}
	scale := (wide - 2*margin) / max(hi[0]-lo[0], 1e-9)
	high := 2*margin + scale*(hi[1]-lo[1])
	place := func(i int) picture.Point {
		return picture.Point{X: margin + scale*(x.V[2*i]-lo[0]), Y: high - margin - scale*(x.V[2*i+1]-lo[1])}
	}
	p := picture.New(wide, high, title)
	for i := range x.Len() {
		if q := place(i); i < firm {
			p.Disc(q.X, q.Y, 3.5, report.Colour(labels[i]), "")
		} else {
			p.Ring(q.X, q.Y, 3, report.Colour(labels[i]))
		}
	}
	drawPairs(p, known.Must, nil, place)
	drawPairs(p, known.Cannot, []float64{6, 4}, place)
	return p
}

// drawPairs joins the ends of pairs.
func drawPairs(p *picture.Picture, pairs []constraint.Pair, dash []float64, place func(int) picture.Point) {
	for _, pair := range pairs {
		a, b := place(pair.I), place(pair.J)
		p.Line(a.X, a.Y, b.X, b.Y, picture.Stroke{Colour: picture.RGB(0x222222), Width: 1.5, Dash: dash})
	}
}
