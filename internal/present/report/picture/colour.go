package picture

import (
	"fmt"
	"image/color"
	"math"
)

// A Colour is what a shape is filled or stroked with. A themed colour takes its
// value from a CSS variable of the page around the picture, so that it follows
// light and dark; where there is no such page it has its light value.
type Colour struct {
	variable string // name of the CSS variable; "" for a fixed colour
	css      string
	rgb      color.NRGBA
}

// RGB returns a fixed colour from 0xRRGGBB.
func RGB(hex uint32) Colour {
	c := color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
	if c.R%17 == 0 && c.G%17 == 0 && c.B%17 == 0 {
		return Colour{css: fmt.Sprintf("#%x%x%x", c.R/17, c.G/17, c.B/17), rgb: c}
	}
	return Colour{css: fmt.Sprintf("#%06x", hex&0xffffff), rgb: c}
}

// HSL returns a fixed colour from a hue in degrees and a saturation and a
// lightness in percent.
func HSL(hue, saturation, lightness int) Colour {
	h, s, l := float64(hue), float64(saturation)/100, float64(lightness)/100
	channel := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		return uint8(math.Round(255 * (l - s*min(l, 1-l)*max(-1, min(k-3, min(9-k, 1))))))
	}
	return Colour{css: fmt.Sprintf("hsl(%d %d%% %d%%)", hue, saturation, lightness), rgb: color.NRGBA{R: channel(0), G: channel(8), B: channel(4), A: 255}}
}

// themed returns the colour of a CSS variable (its name without the dashes)
// whose light value is 0xRRGGBB.
func themed(variable string, hex uint32) Colour {
	c := RGB(hex)
	c.variable = variable
	return c
}

// CSS returns the colour as a style sheet writes it, a themed one with its
// light value.
func (c Colour) CSS() string { return c.css }

// inPage returns the colour as a style sheet of a page writes it.
func (c Colour) inPage() string {
	if c.variable == "" {
		return c.css
	}
	return "var(--" + c.variable + "," + c.css + ")"
}

// Colours of the page's theme: of text, secondary text, axes, the main curve,
// secondary bars, and the paper.
var (
	InkColour    = themed("ink", 0x1c1f23)
	SoftColour   = themed("soft", 0x5c646d)
	lineColour   = themed("line", 0xdfe2e6)
	AccentColour = themed("accent", 0x2f6fd0)
	PaleColour   = themed("pale", 0xb9c0c8)
	PaperColour  = themed("card", 0xffffff) // behind text
)

var paperColour = RGB(0xffffff)
