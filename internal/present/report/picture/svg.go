package picture

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// margin is the white space around a picture that is a file of its own.
const margin = 12

// fonts are those of the page: the system's own font, or any sans-serif.
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif`

// Inline returns the picture as an SVG element of a page: the page gives it its
// size and the values of themed colours.
func (p *Picture) Inline() string {
	if p == nil {
		return ""
	}
	w := svgWriter{colourOf: Colour.inPage}
	fmt.Fprintf(&w.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img">`, decimal(p.Width), decimal(p.Height))
	w.writeHead(p.Title)
	w.writeShapes(p.shapes)
	w.b.WriteString("</svg>")
	return w.b.String()
}

// WriteSVG writes the picture as a file of its own.
func (p *Picture) WriteSVG(out io.Writer) error {
	_, err := io.WriteString(out, p.SVG())
	return err
}

// SVG returns the picture as a file of its own: with a size, in light colours on
// white paper, with a margin.
func (p *Picture) SVG() string {
	w := svgWriter{colourOf: Colour.CSS}
	width, height := decimal(p.Width+2*margin), decimal(p.Height+2*margin)
	fmt.Fprintf(&w.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%d %d %s %s" role="img">`, width, height, -margin, -margin, width, height)
	w.writeHead(p.Title)
	fmt.Fprintf(&w.b, `<rect x="%d" y="%d" width="%s" height="%s" fill="%s"/>`, -margin, -margin, width, height, paperColour.CSS())
	w.writeShapes(p.shapes)
	w.b.WriteString("</svg>\n")
	return w.b.String()
}

// An svgWriter writes shapes as SVG elements. colourOf says how a colour is
// written.
type svgWriter struct {
	b        strings.Builder
	colourOf func(Colour) string
}

// writeHead writes the title and the style sheet.
func (w *svgWriter) writeHead(title string) {
	fmt.Fprintf(&w.b, `<title>%s</title>`, html.EscapeString(title))
	fmt.Fprintf(&w.b, `<style>text{font:%dpx %s;fill:%s}`, textSize, fonts, w.colourOf(Plain.colour))
	for _, s := range []TextStyle{Soft, OnCell} {
		fmt.Fprintf(&w.b, `.%s{fill:%s}`, s.class, w.colourOf(s.colour))
	}
	for _, s := range []Stroke{Axis, Curve} {
		fmt.Fprintf(&w.b, `.%s{stroke:%s;fill:none`, s.class, w.colourOf(s.Colour))
		if s.Width != 0 {
			fmt.Fprintf(&w.b, `;stroke-width:%s`, decimal(s.Width))
		}
		w.b.WriteString("}")
	}
	w.b.WriteString(`</style>`)
}

func (w *svgWriter) writeShapes(shapes []shape) {
	for _, s := range shapes {
		switch s := s.(type) {
		case textShape:
			w.writeText(s)
		case rectShape:
			w.writeRect(s)
		case circleShape:
			w.writeCircle(s)
		case lineShape:
			w.writeLines(s)
		case areaShape:
			fmt.Fprintf(&w.b, `<path fill="%s" d="`, w.colourOf(s.fill))
			w.writeSteps(s.corners)
			w.b.WriteString(`Z"`)
			w.closeElement("path", s.title)
		case dotsShape:
			w.writeDots(s)
		}
	}
}

func (w *svgWriter) writeText(s textShape) {
	fmt.Fprintf(&w.b, `<text x="%s" y="%s"`, decimal(s.at.X), decimal(s.at.Y))
	if s.turn != 0 {
		fmt.Fprintf(&w.b, ` transform="rotate(%s %s %s)"`, decimal(s.turn), decimal(s.at.X), decimal(s.at.Y))
	}
	fmt.Fprintf(&w.b, ` text-anchor="%s" class="%s">%s</text>`, s.anchor, s.style.class, html.EscapeString(s.text))
}

func (w *svgWriter) writeRect(s rectShape) {
	fmt.Fprintf(&w.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s"`,
		decimal(s.at.X), decimal(s.at.Y), decimal(s.width), decimal(s.height), decimal(s.corner), w.colourOf(s.fill))
	if s.opacity != 1 {
		fmt.Fprintf(&w.b, ` fill-opacity="%.2f"`, s.opacity)
	}
	w.closeElement("rect", s.title)
}

func (w *svgWriter) writeCircle(s circleShape) {
	fill := "none"
	if s.fill != nil {
		fill = w.colourOf(*s.fill)
	}
	fmt.Fprintf(&w.b, `<circle cx="%s" cy="%s" r="%s" fill="%s"`, decimal(s.at.X), decimal(s.at.Y), decimal(s.radius), fill)
	if s.stroke != nil {
		fmt.Fprintf(&w.b, ` stroke="%s"`, w.colourOf(*s.stroke))
	}
	w.closeElement("circle", s.title)
}

func (w *svgWriter) writeLines(s lineShape) {
	w.b.WriteString(`<path`)
	if s.stroke.class != "" {
		fmt.Fprintf(&w.b, ` class="%s"`, s.stroke.class)
	} else {
		fmt.Fprintf(&w.b, ` fill="none" stroke="%s"`, w.colourOf(s.stroke.Colour))
		if s.stroke.Width != 0 {
			fmt.Fprintf(&w.b, ` stroke-width="%s"`, decimal(s.stroke.Width))
		}
	}
	if s.stroke.Opacity != 0 {
		fmt.Fprintf(&w.b, ` stroke-opacity="%s"`, fraction(s.stroke.Opacity))
	}
	if len(s.stroke.Dash) > 0 {
		fmt.Fprintf(&w.b, ` stroke-dasharray="%s"`, decimalList(s.stroke.Dash))
	}
	w.b.WriteString(` d="`)
	for _, line := range s.lines {
		for i, q := range line {
			command := "L"
			if i == 0 {
				command = "M"
			}
			w.b.WriteString(command + decimal(q.X) + " " + decimal(q.Y))
		}
	}
	w.b.WriteString(`"/>`)
}

// writeDots writes lines without length, whose round ends are the dots.
func (w *svgWriter) writeDots(s dotsShape) {
	fmt.Fprintf(&w.b, `<path stroke="%s" stroke-width="%s" stroke-linecap="round" stroke-opacity="%s" fill="none" d="`,
		w.colourOf(s.fill), decimal(s.diameter), fraction(s.opacity))
	for _, q := range s.at {
		w.b.WriteString("M" + decimal(q.X) + " " + decimal(q.Y) + "h0")
	}
	w.b.WriteString(`"/>`)
}

// writeSteps writes the commands of a polygon, level and upright sides in their
// short form.
func (w *svgWriter) writeSteps(corners []Point) {
	for i, q := range corners {
		switch {
		case i == 0:
			w.b.WriteString("M" + decimal(q.X) + " " + decimal(q.Y))
		case q.X == corners[i-1].X:
			w.b.WriteString("V" + decimal(q.Y))
		case q.Y == corners[i-1].Y:
			w.b.WriteString("H" + decimal(q.X))
		default:
			w.b.WriteString("L" + decimal(q.X) + " " + decimal(q.Y))
		}
	}
}

// closeElement ends an element, with a tooltip where there is one.
func (w *svgWriter) closeElement(name, title string) {
	if title == "" {
		w.b.WriteString("/>")
		return
	}
	fmt.Fprintf(&w.b, `><title>%s</title></%s>`, html.EscapeString(title), name)
}

// decimal writes a number with at most one decimal.
func decimal(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// fraction writes a number below 1 without its leading zero.
func fraction(x float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "0")
}

func decimalList(list []float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = decimal(x)
	}
	return strings.Join(out, " ")
}
