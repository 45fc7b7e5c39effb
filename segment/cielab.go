package segment

import (
	"context"
	"image"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/support/raster"
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
	tables := raster.NewLab()
	err := blocks.Tasks(ctx, workers, c.height, func(y int) {
		for x := range c.width {
			red, green, blue := raster.At(m, b.Min.X+x, b.Min.Y+y)
			tables.Convert(c.colourAt(y*c.width+x), red, green, blue)
		}
	})
	return c, err
}
