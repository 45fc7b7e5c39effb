package photo

import (
	"context"
	"image"

	"github.com/inklinghq/inkling/internal/support/raster"
	"github.com/inklinghq/inkling/segment"
)

// A canvas is a photograph that is cut by strokes, ready for it.
type canvas struct {
	image    image.Image
	prepared *segment.Prepared
	scale    float64 // of the strokes: its size over that of the photograph
}

// The small photograph, whose mask is shown while that of the large one is computed.
const (
	smallSide   = 1000      // its longest side
	largePixels = 2_000_000 // photographs with fewer are quick by themselves
)

// smallCanvas returns a canvas of a smaller photograph; nil where that would not be worth it.
func smallCanvas(ctx context.Context, m image.Image, workers int) (*canvas, error) {
	full := m.Bounds().Size()
	if full.X*full.Y < largePixels {
		return nil, nil
	}
	small := raster.Resized(m, raster.Fitted(full, smallSide))
	prepared, err := segment.Prepare(ctx, small, segment.New(), workers)
	if err != nil {
		return nil, err
	}
	return &canvas{small, prepared, float64(small.Bounds().Dx()) / float64(full.X)}, nil
}
