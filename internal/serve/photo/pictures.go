package photo

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"

	"github.com/inklinghq/inkling/internal/serve/workspace"
	"github.com/inklinghq/inkling/internal/support/raster"
)

// Sides of the pictures that are sent.
const (
	defaultSide = 2048
	longestSide = 8192
	quality     = 90
)

// sideOf returns the longest side of a picture that is asked for; 0: the default.
func sideOf(most int) int {
	if most <= 0 {
		most = defaultSide
	}
	return min(most, longestSide)
}

// Picture returns the photograph as JPEG, with a longest side of at most most pixels.
func (p *Photo) Picture(most int) ([]byte, error) {
	most = sideOf(most)
	p.mu.Lock()
	b := p.scaled[most]
	p.mu.Unlock()
	if b != nil {
		return b, nil
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, raster.Resized(p.image, raster.Fitted(p.image.Bounds().Size(), most)), &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.scaled) > 8 {
		clear(p.scaled)
	}
	p.scaled[most] = out.Bytes()
	return out.Bytes(), nil
}

// Mask returns the newest mask as PNG with a palette: the index of a pixel is the label of its
// segment, and the longest side has at most most pixels. n is a number that it has at
// least: one that was asked for a moment ago may have been refined since.
func (p *Photo) Mask(n, most int) ([]byte, error) {
	p.mu.Lock()
	c := p.cut
	p.mu.Unlock()
	if c == nil || n > c.number {
		return nil, workspace.Refuse(workspace.KindNotFound, "there is no such mask")
	}
	full := c.size
	size := raster.Fitted(p.image.Bounds().Size(), sideOf(most))
	palette := color.Palette{color.NRGBA{}}
	for _, own := range Colours {
		palette = append(palette, own)
	}
	m := image.NewPaletted(image.Rectangle{Max: size}, palette)
	for y := range size.Y {
		line := (2*y + 1) * full.Y / (2 * size.Y) * full.X
		for x := range size.X {
			m.Pix[y*m.Stride+x] = c.label[c.pixels[line+(2*x+1)*full.X/(2*size.X)]]
		}
	}
	var out bytes.Buffer
	err := encode(&out, m)
	return out.Bytes(), err
}
