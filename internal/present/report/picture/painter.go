package picture

import (
	"image"
	"math"
	"strings"

	"golang.org/x/image/vector"
)

// pngScale is the number of pixels of a PNG for one unit of its picture.
const pngScale = 2

// A painter fills outlines on an image, whose upper left corner is at corner.
type painter struct {
	img      *image.RGBA
	corner   Point
	segments []segment // of the outlines that are filled next
	raster   vector.Rasterizer
}

// A segment is a step of an outline, in pixels: to the last of its points, by
// way of the others.
type segment struct {
	kind byte // M, L, Q, C or Z
	to   [3][2]float32
}

func (p *painter) addSegment(kind byte, to ...[2]float32) {
	s := segment{kind: kind}
	copy(s.to[:], to)
	p.segments = append(p.segments, s)
}

// fillOutline fills all that was outlined since the last call.
func (p *painter) fillOutline(colour Colour, opacity float64) {
	c := colour.rgb
	c.A = uint8(math.Round(255 * min(1, max(0, opacity))))
	box := p.outlineBox()
	if box.Empty() {
		p.segments = p.segments[:0]
		return
	}
	p.raster.Reset(box.Dx(), box.Dy())
	dx, dy := float32(box.Min.X), float32(box.Min.Y)
	for _, s := range p.segments {
		for i := range s.to {
			s.to[i][0] -= dx
			s.to[i][1] -= dy
		}
		a, b, e := s.to[0], s.to[1], s.to[2]
		switch s.kind {
		case 'M':
			p.raster.MoveTo(a[0], a[1])
		case 'L':
			p.raster.LineTo(a[0], a[1])
		case 'Q':
			p.raster.QuadTo(a[0], a[1], b[0], b[1])
		case 'C':
			p.raster.CubeTo(a[0], a[1], b[0], b[1], e[0], e[1])
		default:
			p.raster.ClosePath()
		}
	}
	p.raster.Draw(p.img, box, image.NewUniform(c), image.Point{})
	p.segments = p.segments[:0]
}

// outlineBox returns the pixels that the outlines touch.
func (p *painter) outlineBox() image.Rectangle {
	x0, y0, x1, y1 := float32(math.Inf(1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Inf(-1))
	for _, s := range p.segments {
		n := strings.IndexByte("ZLQC", s.kind)
		if s.kind == 'M' {
			n = 1
		}
		for _, q := range s.to[:n] {
			x0, y0, x1, y1 = min(x0, q[0]), min(y0, q[1]), max(x1, q[0]), max(y1, q[1])
		}
	}
	if !(x0 <= x1 && y0 <= y1) {
		return image.Rectangle{}
	}
	limit := func(v float32) int { return int(max(-1e6, min(1e6, v))) }
	return image.Rect(limit(x0)-1, limit(y0)-1, limit(x1)+2, limit(y1)+2).Intersect(p.img.Rect)
}

func (p *painter) pixelAt(q Point) [2]float32 {
	return [2]float32{float32((q.X - p.corner.X) * pngScale), float32((q.Y - p.corner.Y) * pngScale)}
}

// outlinePolygon adds a polygon, in the same direction as all others, so that
// they add up where they overlap.
func (p *painter) outlinePolygon(corners []Point) {
	area := 0.0
	for i := range corners {
		a, b := corners[i], corners[(i+1)%len(corners)]
		area += a.X*b.Y - b.X*a.Y
	}
	for i := range corners {
		corner := corners[i]
		if area < 0 {
			corner = corners[len(corners)-1-i]
		}
		kind := byte('L')
		if i == 0 {
			kind = 'M'
		}
		p.addSegment(kind, p.pixelAt(corner))
	}
	p.addSegment('Z')
}

func (p *painter) outlineDisc(centre Point, radius float64) {
	p.outlinePolygon(circlePoints(centre, radius, false))
}

// circlePoints returns the corners of a polygon that looks like a circle; if
// closed, the first is also the last.
func circlePoints(centre Point, radius float64, closed bool) (out []Point) {
	const corners = 16
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		out = append(out, Point{centre.X + radius*cos, centre.Y + radius*sin})
	}
	if closed {
		out = append(out, out[0])
	}
	return out
}

// outlineStroke adds a line of half the width half, with round corners.
func (p *painter) outlineStroke(line []Point, half float64) {
	for i, q := range line {
		if i > 0 && i < len(line)-1 && half > 0.5 {
			p.outlineDisc(q, half)
		}
		if i == 0 {
			continue
		}
		a := line[i-1]
		length := math.Hypot(q.X-a.X, q.Y-a.Y)
		if length == 0 {
			continue
		}
		dx, dy := -(q.Y-a.Y)/length*half, (q.X-a.X)/length*half
		p.outlinePolygon([]Point{{a.X + dx, a.Y + dy}, {q.X + dx, q.Y + dy}, {q.X - dx, q.Y - dy}, {a.X - dx, a.Y - dy}})
	}
}
