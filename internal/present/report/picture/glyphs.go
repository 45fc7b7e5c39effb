package picture

import (
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goFont is parsed once, when it is first used.
var goFont = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })

// outlineText adds the letters of a text where it is anchored, turned around its
// place.
func (p *painter) outlineText(s textShape) error {
	f, err := goFont()
	if err != nil {
		return err
	}
	var buf sfnt.Buffer
	em := fixed.I(textSize * 16) // outlines in sixteenths, so that they are not rounded
	unit := 1 / (64.0 * 16)
	var glyphs []sfnt.GlyphIndex
	var steps []float64
	width := 0.0
	for _, r := range s.text {
		g, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return err
		}
		step, err := f.GlyphAdvance(&buf, g, em, font.HintingNone)
		if err != nil {
			return err
		}
		glyphs, steps = append(glyphs, g), append(steps, float64(step)*unit)
		width += float64(step) * unit
	}
	along := map[Anchor]float64{Middle: -width / 2, End: -width}[s.anchor]
	sin, cos := math.Sincos(s.turn * math.Pi / 180)
	for i, g := range glyphs {
		outline, err := f.LoadGlyph(&buf, g, em, nil)
		if err != nil {
			return err
		}
		p.outlineGlyph(outline, func(q fixed.Point26_6) [2]float32 {
			a, b := along+float64(q.X)*unit, float64(q.Y)*unit
			return p.pixelAt(Point{s.at.X + a*cos - b*sin, s.at.Y + a*sin + b*cos})
		})
		along += steps[i]
	}
	return nil
}

// outlineGlyph adds the outline of one letter.
func (p *painter) outlineGlyph(outline sfnt.Segments, pixelOf func(fixed.Point26_6) [2]float32) {
	open := false
	for _, s := range outline {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if open {
				p.addSegment('Z')
			}
			p.addSegment('M', pixelOf(s.Args[0]))
			open = true
		case sfnt.SegmentOpLineTo:
			p.addSegment('L', pixelOf(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.addSegment('Q', pixelOf(s.Args[0]), pixelOf(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.addSegment('C', pixelOf(s.Args[0]), pixelOf(s.Args[1]), pixelOf(s.Args[2]))
		}
	}
	if open {
		p.addSegment('Z')
	}
}
