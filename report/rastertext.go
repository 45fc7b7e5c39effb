package report

import (
	"fmt"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// textSize is the size of letters, in units of the chart (see draw).
const textSize = 12

// goFont is read once, when it is first asked for.
var goFont = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })

// letters draws the text of e where it is anchored, turned if it is to be.
func (p *painter) letters(e *element) error {
	f, err := goFont()
	if err != nil {
		return err
	}
	var buf sfnt.Buffer
	em := fixed.I(textSize * 16) // outlines in sixteenths, so that they are not rounded
	unit := 1 / (64.0 * 16)
	var glyphs []sfnt.GlyphIndex
	var steps []float64
	wide := 0.0
	for _, r := range e.Text {
		g, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return err
		}
		step, err := f.GlyphAdvance(&buf, g, em, font.HintingNone)
		if err != nil {
			return err
		}
		glyphs, steps = append(glyphs, g), append(steps, float64(step)*unit)
		wide += float64(step) * unit
	}
	x, y := e.num("x"), e.num("y")
	along := map[string]float64{"middle": -wide / 2, "end": -wide}[e.get("text-anchor")]
	var turn float64
	if t := e.get("transform"); t != "" {
		if _, err := fmt.Sscanf(t, "rotate(%g ", &turn); err != nil {
			return fmt.Errorf("%w: the transform %q", errShape, t)
		}
	}
	sin, cos := math.Sincos(turn * math.Pi / 180)
	for i, g := range glyphs {
		outline, err := f.LoadGlyph(&buf, g, em, nil)
		if err != nil {
			return err
		}
		p.glyph(outline, func(q fixed.Point26_6) [2]float32 {
			a, b := along+float64(q.X)*unit, float64(q.Y)*unit
			return p.pixel(spot{x + a*cos - b*sin, y + a*sin + b*cos})
		})
		along += steps[i]
	}
	return nil
}

// glyph adds the outline of one letter.
func (p *painter) glyph(outline sfnt.Segments, at func(fixed.Point26_6) [2]float32) {
	open := false
	for _, s := range outline {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if open {
				p.add('Z')
			}
			p.add('M', at(s.Args[0]))
			open = true
		case sfnt.SegmentOpLineTo:
			p.add('L', at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.add('Q', at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.add('C', at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if open {
		p.add('Z')
	}
}
