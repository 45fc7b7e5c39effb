package report

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// A drawing collects the parts of one SVG image. Colours of text and lines are
// left to the page, so that they follow light and dark; by itself the image has
// the light ones.
type drawing struct {
	b             strings.Builder
	width, height float64
}

// draw begins an image. Title is what a screen reader says.
func draw(width, height float64, title string) *drawing {
	d := &drawing{width: width, height: height}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img"><title>%s</title>`,
		coord(width), coord(height), html.EscapeString(title))
	d.b.WriteString(`<style>text{font:12px system-ui,sans-serif;fill:var(--ink,#222)}.soft{fill:var(--soft,#666)}` +
		`.axis{stroke:var(--line,#ccc);fill:none}.curve{stroke:var(--accent,#2563eb);fill:none;stroke-width:2}</style>`)
	return d
}

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

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(&d.b, `<path class="%s" d="M%s %sL%s %s"/>`, class, coord(x1), coord(y1), coord(x2), coord(y2))
}

// coord writes a coordinate with one decimal, which is a tenth of a pixel.
func coord(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// number writes a figure for people.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

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
		out = append(out, i*step)
	}
	return out
}

// span returns the least and the greatest of x.
func span(x []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
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
