package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// pngScale is how many pixels of a PNG a unit of its chart is wide.
const pngScale = 2

// WritePNG writes the chart as PNG, at twice its size. It reads the SVG of our
// own charts, not any other: rectangles, circles, lines and letters of the Go
// font, in which letters that it lacks are boxes.
func (c Chart) WritePNG(w io.Writer) error {
	var svg element
	if err := xml.Unmarshal([]byte(c.SVG), &svg); err != nil {
		return fmt.Errorf("chart %s: %w", c.Name, err)
	}
	box := strings.Fields(svg.get("viewBox"))
	if len(box) != 4 {
		return fmt.Errorf("chart %s has the view %q, not four numbers", c.Name, svg.get("viewBox"))
	}
	var at [4]float64
	for i := range at {
		at[i] = num(box[i])
	}
	p := &painter{x: at[0], y: at[1], img: image.NewRGBA(image.Rect(0, 0, int(math.Ceil(at[2]*pngScale)), int(math.Ceil(at[3]*pngScale))))}
	for i := range svg.Parts {
		if err := p.paint(&svg.Parts[i]); err != nil {
			return fmt.Errorf("chart %s: %w", c.Name, err)
		}
	}
	return png.Encode(w, p.img)
}

// An element is a part of an SVG.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Parts   []element  `xml:",any"`
}

func (e *element) get(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) num(name string) float64 { return num(e.get(name)) }

// num reads a number that we wrote; what is none counts as 0.
func num(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return x
}

// look returns an attribute, or what the class of e says of it.
func (e *element) look(name, usual string) string {
	if v := e.get(name); v != "" {
		return v
	}
	if v := classLooks[e.get("class")][name]; v != "" {
		return v
	}
	return usual
}

// classLooks is what the style of a chart says in light (see draw).
var classLooks = map[string]map[string]string{
	"soft":   {"fill": softLight},
	"onblue": {"fill": "#fff"},
	"axis":   {"fill": "none", "stroke": lineLight},
	"curve":  {"fill": "none", "stroke": accentLight, "stroke-width": "2"},
}

// A painter paints elements on an image; x, y is what its corner shows.
type painter struct {
	img  *image.RGBA
	x, y float64
	ops  []op // what is to be filled next
	pen  vector.Rasterizer
}

// An op is a step of an outline, in pixels: to the last of its points, by way of
// the others.
type op struct {
	kind byte // M, L, Q, C or Z
	at   [3][2]float32
}

func (p *painter) add(kind byte, at ...[2]float32) {
	o := op{kind: kind}
	copy(o.at[:], at)
	p.ops = append(p.ops, o)
}

var errShape = errors.New("a shape that charts do not have")

func (p *painter) paint(e *element) error {
	switch e.XMLName.Local {
	case "title", "style":
		return nil
	case "rect":
		x, y, w, h := e.num("x"), e.num("y"), e.num("width"), e.num("height")
		p.polygon([]spot{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}})
	case "circle":
		p.disc(spot{e.num("cx"), e.num("cy")}, e.num("r"))
	case "text":
		if err := p.letters(e); err != nil {
			return err
		}
		return p.flush(e.look("fill", inkLight), 1)
	case "path":
		return p.path(e)
	default:
		return fmt.Errorf("%w: %s", errShape, e.XMLName.Local)
	}
	return p.flush(e.look("fill", "#000"), opacity(e.get("fill-opacity")))
}

func opacity(s string) float64 {
	if s == "" {
		return 1
	}
	return min(1, max(0, num(s)))
}

// flush fills what was outlined with a colour.
func (p *painter) flush(name string, alpha float64) error {
	c, err := parseColour(name)
	if err != nil {
		return err
	}
	c.A = uint8(math.Round(255 * alpha))
	box := p.box()
	if box.Empty() {
		p.ops = p.ops[:0]
		return nil
	}
	p.pen.Reset(box.Dx(), box.Dy())
	dx, dy := float32(box.Min.X), float32(box.Min.Y)
	for _, o := range p.ops {
		for i := range o.at {
			o.at[i][0] -= dx
			o.at[i][1] -= dy
		}
		a, b, e := o.at[0], o.at[1], o.at[2]
		switch o.kind {
		case 'M':
			p.pen.MoveTo(a[0], a[1])
		case 'L':
			p.pen.LineTo(a[0], a[1])
		case 'Q':
			p.pen.QuadTo(a[0], a[1], b[0], b[1])
		case 'C':
			p.pen.CubeTo(a[0], a[1], b[0], b[1], e[0], e[1])
		default:
			p.pen.ClosePath()
		}
	}
	p.pen.Draw(p.img, box, image.NewUniform(c), image.Point{})
	p.ops = p.ops[:0]
	return nil
}

// box returns the pixels that the outlines touch.
func (p *painter) box() image.Rectangle {
	x0, y0, x1, y1 := float32(math.Inf(1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Inf(-1))
	for _, o := range p.ops {
		n := strings.IndexByte("ZLQC", o.kind)
		if o.kind == 'M' {
			n = 1
		}
		for _, q := range o.at[:n] {
			x0, y0, x1, y1 = min(x0, q[0]), min(y0, q[1]), max(x1, q[0]), max(y1, q[1])
		}
	}
	if !(x0 <= x1 && y0 <= y1) {
		return image.Rectangle{}
	}
	limit := func(v float32) int { return int(max(-1e6, min(1e6, v))) }
	return image.Rect(limit(x0)-1, limit(y0)-1, limit(x1)+2, limit(y1)+2).Intersect(p.img.Rect)
}

// A spot is a place on a chart.
type spot struct{ x, y float64 }

func (p *painter) pixel(s spot) [2]float32 {
	return [2]float32{float32((s.x - p.x) * pngScale), float32((s.y - p.y) * pngScale)}
}

// polygon adds a polygon, turned the same way as all others: where they overlap
// they then add up.
func (p *painter) polygon(s []spot) {
	area := 0.0
	for i := range s {
		a, b := s[i], s[(i+1)%len(s)]
		area += a.x*b.y - b.x*a.y
	}
	for i := range s {
		at := s[i]
		if area < 0 {
			at = s[len(s)-1-i]
		}
		kind := byte('L')
		if i == 0 {
			kind = 'M'
		}
		p.add(kind, p.pixel(at))
	}
	p.add('Z')
}

func (p *painter) disc(c spot, r float64) {
	const corners = 16
	s := make([]spot, corners)
	for i := range s {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		s[i] = spot{c.x + r*cos, c.y + r*sin}
	}
	p.polygon(s)
}

// parseColour reads the colours that charts have.
func parseColour(s string) (c color.NRGBA, err error) {
	c.A = 255
	var h, sat, light int
	switch {
	case len(s) == 7 && s[0] == '#':
		_, err = fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	case len(s) == 4 && s[0] == '#':
		_, err = fmt.Sscanf(s, "#%1x%1x%1x", &c.R, &c.G, &c.B)
		c.R, c.G, c.B = 17*c.R, 17*c.G, 17*c.B
	case strings.HasPrefix(s, "hsl("):
		if _, err = fmt.Sscanf(s, "hsl(%d %d%% %d%%)", &h, &sat, &light); err == nil {
			c.R, c.G, c.B = fromHSL(float64(h), float64(sat)/100, float64(light)/100)
		}
	default:
		err = errShape
	}
	if err != nil {
		return c, fmt.Errorf("colour %q: %w", s, err)
	}
	return c, nil
}

func fromHSL(h, s, l float64) (r, g, b uint8) {
	part := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		v := l - s*min(l, 1-l)*max(-1, min(k-3, min(9-k, 1)))
		return uint8(math.Round(255 * v))
	}
	return part(0), part(8), part(4)
}
