package picture

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
)

// WritePNG writes the picture as WriteSVG shows it, at twice its size. Letters
// are those of the Go font; letters that it lacks are boxes.
func (p *Picture) WritePNG(out io.Writer) error {
	width, height := tenth(p.Width+2*margin), tenth(p.Height+2*margin)
	painter := newPainter(Point{-margin, -margin}, width, height)
	painter.outlinePolygon([]Point{{-margin, -margin}, {width - margin, -margin}, {width - margin, height - margin}, {-margin, height - margin}})
	painter.fillOutline(paperColour, 1)
	for _, s := range p.shapes {
		if err := painter.paintShape(s); err != nil {
			return fmt.Errorf("picture %q: %w", p.Title, err)
		}
	}
	return png.Encode(out, painter.img)
}

func (p *painter) paintShape(s shape) error {
	switch s := s.(type) {
	case textShape:
		if err := p.outlineText(s); err != nil {
			return err
		}
		p.fillOutline(s.style.colour, 1)
	case rectShape:
		x, y, w, h := s.at.X, s.at.Y, s.width, s.height
		p.outlinePolygon([]Point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}})
		p.fillOutline(s.fill, s.opacity)
	case circleShape:
		p.paintCircle(s)
	case lineShape:
		p.paintLines(s)
	case areaShape:
		p.outlinePolygon(s.corners)
		p.fillOutline(s.fill, 1)
	case dotsShape:
		for _, q := range s.at {
			p.outlineDisc(q, s.diameter/2)
		}
		p.fillOutline(s.fill, s.opacity)
	}
	return nil
}

func (p *painter) paintCircle(s circleShape) {
	if s.fill != nil {
		p.outlineDisc(s.at, s.radius)
		p.fillOutline(*s.fill, 1)
	}
	if s.stroke != nil {
		p.outlineStroke(circlePoints(s.at, s.radius, true), 0.5)
		p.fillOutline(*s.stroke, 1)
	}
}

func (p *painter) paintLines(s lineShape) {
	width, opacity := s.stroke.Width, s.stroke.Opacity
	if width == 0 {
		width = 1
	}
	if opacity == 0 {
		opacity = 1
	}
	for _, line := range s.lines {
		for _, dash := range cutDashes(line, s.stroke.Dash) {
			p.outlineStroke(dash, width/2)
		}
	}
	p.fillOutline(s.stroke.Colour, opacity)
}

// cutDashes cuts a line into dashes; lengths are those of dashes and gaps in
// turn.
func cutDashes(line []Point, lengths []float64) (out [][]Point) {
	sum := 0.0
	for _, x := range lengths {
		sum += x
	}
	if !(sum > 0) || len(lengths)%2 != 0 {
		return [][]Point{line}
	}
	at, left := 0, lengths[0]
	var dash []Point
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.X-a.X, b.Y-a.Y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			from, to := between(a, b, done/length), between(a, b, (done+step)/length)
			if at%2 == 0 {
				if dash == nil {
					dash = []Point{from}
				}
				dash = append(dash, to)
			}
			done += step
			if left -= step; left <= 0 {
				if dash != nil {
					out, dash = append(out, dash), nil
				}
				at = (at + 1) % len(lengths)
				left = max(lengths[at], 1e-3)
			}
		}
	}
	if dash != nil {
		out = append(out, dash)
	}
	return out
}

func between(a, b Point, t float64) Point { return Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)} }

// newPainter returns a painter of an empty image that shows width × height units
// from a corner on.
func newPainter(corner Point, width, height float64) *painter {
	size := image.Rect(0, 0, int(math.Ceil(width*pngScale)), int(math.Ceil(height*pngScale)))
	return &painter{corner: corner, img: image.NewRGBA(size)}
}
