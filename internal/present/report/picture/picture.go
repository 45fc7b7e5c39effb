// Package picture is a display list for charts with two backends. A Picture
// collects shapes: text, rectangles, circles, lines, areas and clouds of dots.
// Inline and WriteSVG write the list as SVG, for a page or as a file of its own;
// WritePNG paints the same list.
package picture

import "strconv"

// A Picture is a list of shapes, drawn in order, in an area of Width × Height
// units; x runs to the right and y downwards from the upper left corner. A nil
// Picture is one of nothing: Inline returns "" for it.
type Picture struct {
	Width, Height float64
	Title         string // read aloud by screen readers
	shapes        []shape
}

// New returns an empty picture.
func New(width, height float64, title string) *Picture {
	return &Picture{Width: width, Height: height, Title: title}
}

// A Point is a place in a picture.
type Point struct{ X, Y float64 }

// A shape is a textShape, rectShape, circleShape, lineShape, areaShape or
// dotsShape. The backends know these six.
type shape any

type textShape struct {
	at     Point
	turn   float64 // degrees, clockwise
	anchor Anchor
	style  TextStyle
	text   string
}

type rectShape struct {
	at            Point
	width, height float64
	corner        float64 // radius of the corners, in SVG alone
	fill          Colour
	opacity       float64
	title         string
}

type circleShape struct {
	at     Point
	radius float64
	fill   *Colour // nil: not filled
	stroke *Colour // nil: no outline
	title  string
}

type lineShape struct {
	lines  [][]Point
	stroke Stroke
}

type areaShape struct {
	corners []Point
	fill    Colour
	title   string
}

type dotsShape struct {
	at       []Point
	diameter float64
	fill     Colour
	opacity  float64
}

// An Anchor says which part of a text stands at its place.
type Anchor string

// The anchors of a text.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// textSize is the size of letters, in units.
const textSize = 12

// A TextStyle is a class of the style sheet of a picture, with its colour.
type TextStyle struct {
	class  string
	colour Colour
}

// The styles of text: usual text, secondary text, and text on cells that are
// filled with a strong colour.
var (
	Plain  = TextStyle{"", InkColour}
	Soft   = TextStyle{"soft", SoftColour}
	OnCell = TextStyle{"onblue", paperColour}
)

// A Stroke says how a line is drawn. Opacity 0 and 1 are both opaque, Width 0 is
// 1; Dash holds the lengths of dashes and gaps in turn, an even number of them.
type Stroke struct {
	class   string
	Colour  Colour
	Width   float64
	Opacity float64
	Dash    []float64
}

// The strokes that have a class in the style sheet: axes, and the main curve of
// a chart.
var (
	Axis  = Stroke{class: "axis", Colour: lineColour}
	Curve = Stroke{class: "curve", Colour: AccentColour, Width: 2}
)

// Text adds s at a place.
func (p *Picture) Text(x, y float64, anchor Anchor, style TextStyle, s string) {
	p.append(textShape{at: rounded(x, y), anchor: anchor, style: style, text: s})
}

// Turned adds s, which starts at a place and is turned clockwise around it.
func (p *Picture) Turned(x, y, degrees float64, s string) {
	p.append(textShape{at: rounded(x, y), turn: degrees, anchor: Start, style: Plain, text: s})
}

// Bar adds a rectangle. A negative width or height counts as 0. The title is a
// tooltip.
func (p *Picture) Bar(x, y, width, height float64, fill Colour, title string) {
	p.append(rectShape{at: rounded(x, y), width: tenth(max(width, 0)), height: tenth(max(height, 0)), corner: 2, fill: fill, opacity: 1, title: title})
}

// Cell adds a rectangle of a heat map, filled with that opacity.
func (p *Picture) Cell(x, y, width, height float64, fill Colour, opacity float64, title string) {
	p.append(rectShape{at: rounded(x, y), width: tenth(width), height: tenth(height), corner: 3, fill: fill, opacity: decimals(opacity, 2), title: title})
}

// Disc adds a filled circle with a tooltip.
func (p *Picture) Disc(x, y, radius float64, fill Colour, title string) {
	p.append(circleShape{at: rounded(x, y), radius: tenth(radius), fill: &fill, title: title})
}

// Ring adds a circle that is not filled, drawn with a line of width 1.
func (p *Picture) Ring(x, y, radius float64, stroke Colour) {
	p.append(circleShape{at: rounded(x, y), radius: tenth(radius), stroke: &stroke})
}

// Line adds a straight line.
func (p *Picture) Line(x1, y1, x2, y2 float64, stroke Stroke) {
	p.Lines([][]Point{{{x1, y1}, {x2, y2}}}, stroke)
}

// Lines adds lines, each through its points in turn, as one shape.
func (p *Picture) Lines(lines [][]Point, stroke Stroke) {
	shape := lineShape{stroke: stroke}
	for _, line := range lines {
		shape.lines = append(shape.lines, roundedAll(line))
	}
	p.append(shape)
}

// Area adds a filled polygon; title, which may be "", is a tooltip.
func (p *Picture) Area(corners []Point, fill Colour, title string) {
	p.append(areaShape{roundedAll(corners), fill, title})
}

// Dots adds many dots of one colour as one shape: about ten bytes a dot in SVG.
func (p *Picture) Dots(at []Point, diameter float64, fill Colour, opacity float64) {
	p.append(dotsShape{roundedAll(at), tenth(diameter), fill, opacity})
}

func (p *Picture) append(s shape) { p.shapes = append(p.shapes, s) }

// Coordinates have one decimal, a tenth of a unit: that keeps SVG short, and
// both backends draw at the same places.
func tenth(x float64) float64 { return decimals(x, 1) }

// decimals rounds x to n decimals as printing it does.
func decimals(x float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', n, 64), 64)
	if err != nil {
		return x
	}
	return r
}

func rounded(x, y float64) Point { return Point{tenth(x), tenth(y)} }

func roundedAll(points []Point) []Point {
	out := make([]Point, len(points))
	for i, q := range points {
		out[i] = rounded(q.X, q.Y)
	}
	return out
}
