package segment

import (
	"context"
	"image"
	"image/color"
	"math"

	"github.com/inklinghq/inkling/internal/numeric/blocks"
)

// A canvas is a photograph in CIELAB: distances between colours are about as
// large as they look. Pixel (x, y) is number y·width + x, and its three numbers
// stand in lab from three times that on. L goes from 0 to 100.
type canvas struct {
	width, height int
	lab           []float32
}

func (c *canvas) pixels() int { return c.width * c.height }

func (c *canvas) colourAt(i int) []float32 { return c.lab[3*i : 3*i+3 : 3*i+3] }

// newCanvas converts a photograph, taken over black where it is transparent.
func newCanvas(ctx context.Context, m image.Image, workers int) (*canvas, error) {
	b := m.Bounds()
	c := &canvas{width: b.Dx(), height: b.Dy()}
	c.lab = make([]float32, 3*c.pixels())
	tables := newTables()
	err := blocks.Tasks(ctx, workers, c.height, func(y int) {
		for x := range c.width {
			red, green, blue := pixelColour(m, b.Min.X+x, b.Min.Y+y)
			tables.convert(c.colourAt(y*c.width+x), red, green, blue)
		}
	})
	return c, err
}

// pixelColour returns the colour of a pixel in eight bits, with fast paths for
// the kinds of image that the decoders make.
func pixelColour(m image.Image, x, y int) (red, green, blue uint8) {
	switch m := m.(type) {
	case *image.RGBA:
		p := m.Pix[m.PixOffset(x, y):]
		return p[0], p[1], p[2]
	case *image.YCbCr:
		c := m.YCbCrAt(x, y)
		return color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
	case *image.Gray:
		g := m.Pix[m.PixOffset(x, y)]
		return g, g, g
	}
	r, g, b, _ := m.At(x, y).RGBA()
	return uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)
}

// tables spare the powers: linear light of an sRGB value, and the cube root of
// CIELAB on a fine grid.
type tables struct {
	light [256]float64
	root  [rootSteps + 1]float64
}

const rootSteps = 1 << 13

func newTables() *tables {
	t := &tables{}
	for i := range t.light {
		v := float64(i) / 255
		if v <= 0.04045 {
			t.light[i] = v / 12.92
		} else {
			t.light[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range t.root {
		v := float64(i) / rootSteps
		if v > 216.0/24389 {
			t.root[i] = math.Cbrt(v)
		} else {
			t.root[i] = (float64(24389.0/27*v) + 16) / 116
		}
	}
	return t
}

func (t *tables) rootOf(v float64) float64 {
	at := min(max(v, 0), 1) * rootSteps
	i := min(int(at), rootSteps-1)
	return t.root[i] + float64((at-float64(i))*(t.root[i+1]-t.root[i]))
}

// convert writes the CIELAB values (white D65) of an sRGB colour to dst.
func (t *tables) convert(dst []float32, red, green, blue uint8) {
	r, g, b := t.light[red], t.light[green], t.light[blue]
	x := t.rootOf((float64(0.4124564*r) + float64(0.3575761*g) + float64(0.1804375*b)) / 0.95047)
	y := t.rootOf(float64(0.2126729*r) + float64(0.7151522*g) + float64(0.0721750*b))
	z := t.rootOf((float64(0.0193339*r) + float64(0.1191920*g) + float64(0.9503041*b)) / 1.08883)
	dst[0], dst[1], dst[2] = float32(float64(116*y)-16), float32(500*(x-y)), float32(200*(y-z))
}
