package report

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A drawing collects the parts of one SVG image. Colours of text and lines are
// left to the page, so that they follow light and dark; see Alone for an image
// that stands by itself.
type drawing struct {
	b             strings.Builder
	width, height float64
}

// draw begins an image. Title is what a screen reader says.
func draw(width, height float64, title string) *drawing {
	d := &drawing{width: width, height: height}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img"><title>%s</title>`,
		coord(width), coord(height), html.EscapeString(title))
	d.b.WriteString(`<style>text{font:12px ` + fonts + `;fill:var(--ink,` + inkLight + `)}.soft{fill:var(--soft,` + softLight + `)}.onblue{fill:#fff}` +
		`.axis{stroke:var(--line,` + lineLight + `);fill:none}.curve{stroke:var(--accent,` + accentLight + `);fill:none;stroke-width:2}</style>`)
	return d
}

// The colours of the page in light, for charts by themselves.
const (
	inkLight    = "#1c1f23"
	softLight   = "#5c646d"
	lineLight   = "#dfe2e6"
	accentLight = "#2f6fd0"
)

// fonts are those of the page: what a system has of its own, or anything plain.
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif`

func (d *drawing) done() string {
	d.b.WriteString("</svg>")
	return d.b.String()
}

// text writes s at a place; anchor is start, middle or end.
func (d *drawing) text(x, y float64, anchor, class, s string) {
	fmt.Fprintf(&d.b, `<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`, coord(x), coord(y), anchor, class, html.EscapeString(s))
}

func (d *drawing) rect(x, y, w, h float64, fill, title string) {
	fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="2" fill="%s"><title>%s</title></rect>`,
		coord(x), coord(y), coord(max(w, 0)), coord(max(h, 0)), fill, html.EscapeString(title))
}

// dot is a filled circle.
func (d *drawing) dot(x, y, r float64, fill, title string) {
	fmt.Fprintf(&d.b, `<circle cx="%s" cy="%s" r="%s" fill="%s"><title>%s</title></circle>`, coord(x), coord(y), coord(r), fill, html.EscapeString(title))
}

// cell is a rectangle of a heat map.
func (d *drawing) cell(x, y, w, h, share float64, title string) {
	fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="3" fill="%s" fill-opacity="%.2f"><title>%s</title></rect>`,
		coord(x), coord(y), coord(w), coord(h), palette[0], 0.06+0.94*share, html.EscapeString(title))
}

// slanted writes s upwards from a place.
func (d *drawing) slanted(x, y float64, s string) {
	fmt.Fprintf(&d.b, `<text x="%s" y="%s" transform="rotate(-45 %s %s)">%s</text>`, coord(x), coord(y), coord(x), coord(y), html.EscapeString(s))
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&d.b, `<path class="%s" d="M%s %sL%s %s"/>`, class, coord(x1), coord(y1), coord(x2), coord(y2))
}

// coord writes a coordinate with one decimal, which is a tenth of a pixel.
func coord(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// number writes a figure for people.
func number(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", "−", 1)
}

// tick writes a figure on an axis: short, and without powers where it can be.
func tick(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e12 || a < 1e4:
		return number(x)
	case a >= 1e9:
		return number(x/1e9) + "G"
	case a >= 1e6:
		return number(x/1e6) + "M"
	}
	return number(x/1e3) + "k"
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// clip shortens s to at most n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// textWidth is about as wide as s is written, in pixels.
func textWidth(s string) float64 { return 6.8 * float64(utf8.RuneCountInString(s)) }

// nameRoom is the room that names to the left of a chart need.
func nameRoom(names []string) float64 {
	most := 0.0
	for _, s := range names {
		most = max(most, textWidth(clip(s, 20)))
	}
	return 16 + most
}

// A scale maps numbers from lo to hi onto pixels from a to b.
type scale struct{ lo, hi, a, b float64 }

func (s scale) at(x float64) float64 {
	if s.hi == s.lo {
		return (s.a + s.b) / 2
	}
	return s.a + (x-s.lo)/(s.hi-s.lo)*(s.b-s.a)
}

// ticks returns about count round numbers from lo to hi.
func ticks(lo, hi float64, count int) (out []float64) {
	if !(hi > lo) {
		return []float64{lo}
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(count))))
	for _, f := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(step*f) <= float64(count) {
			step *= f
			break
		}
	}
	for i := math.Ceil(lo / step); i*step <= hi+step*1e-9; i++ {
		out = append(out, i*step+0) // never −0
	}
	return out
}

// span returns the least and the greatest number of x.
func span(x []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// palette are ten colours that people who see few colours can tell apart, light
// enough for dark paper and dark enough for light paper.
var palette = []string{
	"#2f7ed8", "#e8743b", "#1aa179", "#bf4aa8", "#c79b00", "#6a5acd", "#d64550", "#4aa3b8", "#7a9a2f", "#8c6d5a",
}

// Colour returns the colour of cluster h: ten by name, the next by turning the
// hue by the golden angle.
func Colour(h int) string {
	if h >= 0 && h < len(palette) {
		return palette[h]
	}
	return fmt.Sprintf("hsl(%d 55%% 50%%)", (137*h%360+360)%360)
}
