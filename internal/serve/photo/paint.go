package photo

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// Colours are those of labels 1 to 9.
var Colours = []color.NRGBA{{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255},
	{213, 94, 0, 255}, {240, 228, 66, 255}, {120, 94, 240, 255}, {150, 75, 30, 255}}

// encode writes a PNG as inkling segment does.
func encode(w io.Writer, m image.Image) error {
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, m)
}

// A painting has the label of every pixel under a stroke, 0 elsewhere.
type painting struct {
	width, height int
	label         []uint8
}

// paint draws the strokes among events, one over the other, with places and sizes times scale.
func paint(size image.Point, events []session.Event, scale float64) *painting {
	p := &painting{size.X, size.Y, make([]uint8, size.X*size.Y)}
	for i := range events {
		e := &events[i]
		if e.Op != session.OpStroke || e.Stroke == nil {
			continue
		}
		label := uint8(e.Stroke.Label)
		if e.Stroke.Erase {
			label = 0
		}
		at := func(j int) [2]float64 {
			return [2]float64{scale * e.Stroke.Points[j][0], scale * e.Stroke.Points[j][1]}
		}
		for j := range e.Stroke.Points {
			p.line(at(max(0, j-1)), at(j), scale*e.Stroke.Size/2, label)
		}
	}
	return p
}

// line labels the pixels whose middle is within a radius of the line from a to b; the pixel under
// a is always one of them.
func (p *painting) line(a, b [2]float64, radius float64, label uint8) {
	radius = max(radius, 0.5)
	left, right := int(math.Floor(min(a[0], b[0])-radius)), int(math.Ceil(max(a[0], b[0])+radius))
	top, bottom := int(math.Floor(min(a[1], b[1])-radius)), int(math.Ceil(max(a[1], b[1])+radius))
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := dx*dx + dy*dy
	for y := max(0, top); y <= min(p.height-1, bottom); y++ {
		for x := max(0, left); x <= min(p.width-1, right); x++ {
			px, py := float64(x)+0.5-a[0], float64(y)+0.5-a[1]
			along := 0.0
			if length > 0 {
				along = max(0, min(1, (px*dx+py*dy)/length))
			}
			ex, ey := px-along*dx, py-along*dy
			if ex*ex+ey*ey <= radius*radius {
				p.label[y*p.width+x] = label
			}
		}
	}
	if x, y := int(a[0]), int(a[1]); x >= 0 && x < p.width && y >= 0 && y < p.height {
		p.label[y*p.width+x] = label
	}
}

// labels counts the labels that some pixel has.
func (p *painting) labels() (n int) {
	var seen [256]bool
	for _, h := range p.label {
		if h > 0 && !seen[h] {
			seen[h] = true
			n++
		}
	}
	return n
}

// picture returns the strokes as an image that inkling segment reads: transparent where there is none.
func (p *painting) picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, p.width, p.height))
	for i, h := range p.label {
		if h > 0 {
			c := colourOf(h)
			copy(m.Pix[4*i:], []uint8{c.R, c.G, c.B, c.A})
		}
	}
	return m
}

func colourOf(label uint8) color.NRGBA { return Colours[(int(label)-1)%len(Colours)] }
