package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// maxRowsDrawn is how many rows are drawn: of more, one in two, three, … of each
// cluster.
const maxRowsDrawn = 50_000

// maxLinksDrawn is how many links are drawn; violated ones come first.
const maxLinksDrawn = 500

// MapChart draws the rows on map number index, coloured by cluster, and the
// given links: must-links as lines, cannot-links dashed, violated ones in red.
// It returns nil where there is nothing to draw.
func MapChart(p *Page, index int) *picture.Picture { return drawMap(p, index, nil) }

// drawMap draws a map, and above it a legend of some clusters.
func drawMap(page *Page, index int, legend []numberedCluster) *picture.Picture {
	m := page.Maps[index]
	if len(page.Labels) == 0 || len(m.X) != len(page.Labels) {
		return nil
	}
	const wide, pad = 960.0, 16.0
	high := mapHeight(m, wide)
	places, legendHeight := legendPlaces(legend, wide-2*pad)
	p := picture.New(wide, high+legendHeight, fmt.Sprintf("%d %s on a plane: %s", len(page.Labels), page.Noun(), m.Name))
	for i, c := range legend {
		p.Disc(pad+places[i].X, places[i].Y, 5, Colour(c.Number), c.Name)
		p.Text(pad+places[i].X+10, places[i].Y+4, picture.Start, picture.Plain, clipText(displayName(c.Name), 30))
	}
	f := newMapFrame(m, wide, high, pad, legendHeight)
	f.drawEdges(p)
	f.drawLinks(p, page.Links)
	f.drawRows(p, page.Labels, len(page.Clusters))
	f.drawNames(p, wide)
	return p
}

// legendPlaces finds places for the names of a legend, line by line, and the
// height of all lines.
func legendPlaces(legend []numberedCluster, wide float64) (places []picture.Point, high float64) {
	const line = 20.0
	next := picture.Point{Y: line / 2}
	for _, c := range legend {
		width := 34 + textWidth(clipText(displayName(c.Name), 30))
		if next.X > 0 && next.X+width > wide {
			next = picture.Point{Y: next.Y + line}
		}
		places = append(places, next)
		next.X += width
	}
	if len(legend) > 0 {
		high = next.Y + line/2
	}
	return places, high
}

// mapHeight returns the height of a map of that width: that of the plane, within
// limits.
func mapHeight(m *Projection, wide float64) float64 {
	x0, x1 := span(m.X)
	y0, y1 := span(m.Y)
	if !(x1 > x0) {
		return wide * 0.6
	}
	return wide * min(0.6, max(0.18, (y1-y0)/(x1-x0)))
}

// A mapFrame maps a plane onto a picture, with the same unit in both directions.
type mapFrame struct {
	plane *Projection
	x, y  scale
}

func newMapFrame(m *Projection, wide, high, pad, top float64) mapFrame {
	x0, x1 := span(m.X)
	y0, y1 := span(m.Y)
	unit := math.Max((x1-x0)/(wide-2*pad), (y1-y0)/(high-2*pad))
	if unit == 0 {
		unit = 1
	}
	cx, cy, rx, ry := (x0+x1)/2, (y0+y1)/2, unit*(wide/2-pad), unit*(high/2-pad)
	return mapFrame{m, scale{cx - rx, cx + rx, pad, wide - pad}, scale{cy - ry, cy + ry, top + high - pad, top + pad}}
}

func (f mapFrame) placeOf(i int) picture.Point {
	return picture.Point{X: f.x.pixel(f.plane.X[i]), Y: f.y.pixel(f.plane.Y[i])}
}

// drawEdges draws the edges of a graph as one shape of thin lines.
func (f mapFrame) drawEdges(p *picture.Picture) {
	if len(f.plane.Edges) == 0 {
		return
	}
	var lines [][]picture.Point
	for _, e := range f.plane.Edges {
		if a, b := int(e[0]), int(e[1]); f.plane.HasPlace(a) && f.plane.HasPlace(b) {
			lines = append(lines, []picture.Point{f.placeOf(a), f.placeOf(b)})
		}
	}
	stroke := picture.Axis
	stroke.Opacity = 0.55
	p.Lines(lines, stroke)
}

func (f mapFrame) drawLinks(p *picture.Picture, links []Link) {
	links = slices.Clone(links)
	slices.SortStableFunc(links, func(a, b Link) int {
		switch {
		case a.Satisfied == b.Satisfied:
			return 0
		case b.Satisfied:
			return -1
		}
		return 1
	})
	for _, l := range links[:min(maxLinksDrawn, len(links))] {
		if !f.plane.HasPlace(l.A) || !f.plane.HasPlace(l.B) {
			continue
		}
		stroke := picture.Stroke{Colour: picture.SoftColour, Opacity: 0.45}
		if !l.Satisfied {
			stroke = picture.Stroke{Colour: violatedColour, Width: 1.6}
		}
		if l.Kind == "cannot" {
			stroke.Dash = []float64{4, 3}
		}
		a, b := f.placeOf(l.A), f.placeOf(l.B)
		p.Line(a.X, a.Y, b.X, b.Y, stroke)
	}
}

// drawRows draws the rows of each of k clusters as one shape.
func (f mapFrame) drawRows(p *picture.Picture, labels []int, k int) {
	dots := make([][]picture.Point, k)
	count, step := make([]int, k), rowStep(len(labels))
	for i, h := range labels {
		if h < 0 || h >= k || !f.plane.HasPlace(i) {
			continue
		}
		if count[h]++; (count[h]-1)%step == 0 {
			dots[h] = append(dots[h], f.placeOf(i))
		}
	}
	diameter := 6.0
	if len(labels) > 500 {
		diameter = 4
	}
	if len(labels) > 5000 {
		diameter = 2.5
	}
	for h := range dots {
		if len(dots[h]) > 0 {
			p.Dots(dots[h], diameter, Colour(h), 0.8)
		}
	}
}

// drawNames names landmarks beside their dots, the first ones first, where no other name
// is in the way.
func (f mapFrame) drawNames(p *picture.Picture, wide float64) {
	const high = 15.0
	var taken [][4]float64
	for _, l := range f.plane.Names {
		at := f.placeOf(l.Row)
		taken = append(taken, [4]float64{at.X - 3, at.Y - 3, at.X + 3, at.Y + 3})
	}
	for _, l := range f.plane.Names {
		at, name := f.placeOf(l.Row), clipText(l.Name, 24)
		width := textWidth(name) + 6
		for _, corner := range []picture.Point{{X: at.X + 5, Y: at.Y - high/2}, {X: at.X - 5 - width, Y: at.Y - high/2}, {X: at.X - width/2, Y: at.Y - high - 5}, {X: at.X - width/2, Y: at.Y + 5}} {
			box := [4]float64{corner.X, corner.Y, corner.X + width, corner.Y + high}
			if box[0] < 0 || box[2] > wide || slices.ContainsFunc(taken, func(o [4]float64) bool {
				return box[0] < o[2] && o[0] < box[2] && box[1] < o[3] && o[1] < box[3]
			}) {
				continue
			}
			taken = append(taken, box)
			p.Disc(at.X, at.Y, 3.4, picture.InkColour, l.Name)
			p.Cell(box[0], box[1], width, high, picture.PaperColour, 0.78, l.Name)
			p.Text(box[0]+3, box[1]+11, picture.Start, picture.Plain, name)
			break
		}
	}
}

// rowStep says that one row in so many is drawn.
func rowStep(n int) int { return 1 + max(0, n-1)/maxRowsDrawn }
