package reproduce

import (
	"fmt"
	"html"
	"strings"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/report"
)

// scatter draws points in the plane by their clusters: the first firm points
// filled, the others, which belong to none, as rings. Must-links are lines,
// cannot-links broken lines.
func scatter(title string, x *data.Dense, labels []int, firm int, known *constraint.Set) string {
	const wide, margin = 640.0, 12.0
	lo, hi := [2]float64{x.V[0], x.V[1]}, [2]float64{x.V[0], x.V[1]}
	for i := range x.Len() {
		for f := range 2 {
			lo[f], hi[f] = min(lo[f], x.V[2*i+f]), max(hi[f], x.V[2*i+f])
		}
	}
	scale := (wide - 2*margin) / max(hi[0]-lo[0], 1e-9)
	high := 2*margin + scale*(hi[1]-lo[1])
	at := func(i int) (float64, float64) {
		return margin + scale*(x.V[2*i]-lo[0]), high - margin - scale*(x.V[2*i+1]-lo[1])
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img"><title>%s</title>`+"\n", wide, high, html.EscapeString(title))
	for i := range x.Len() {
		cx, cy := at(i)
		colour := report.Colour(labels[i])
		fill := colour
		if i >= firm {
			fill = "none"
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s" stroke="%s"/>`+"\n", cx, cy, fill, colour)
	}
	lines(&b, known.Must, "", at)
	lines(&b, known.Cannot, "6 4", at)
	b.WriteString("</svg>\n")
	return report.Alone(b.String())
}

// lines joins the ends of pairs.
func lines(b *strings.Builder, list []constraint.Pair, dash string, at func(int) (float64, float64)) {
	for _, p := range list {
		x1, y1 := at(p.I)
		x2, y2 := at(p.J)
		fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#222" stroke-width="1.5" stroke-dasharray="%s"/>`+"\n", x1, y1, x2, y2, dash)
	}
}
