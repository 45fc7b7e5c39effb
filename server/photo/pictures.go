package photo

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"

	"github.com/inklinghq/inkling/server/workspace"
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

// fitted returns the size of a picture whose longest side is at most most.
func fitted(size image.Point, most int) image.Point {
	long := max(size.X, size.Y)
	if long <= most {
		return size
	}
	return image.Pt(max(1, size.X*most/long), max(1, size.Y*most/long))
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
	if err := jpeg.Encode(&out, smaller(p.image, fitted(p.image.Bounds().Size(), most)), &jpeg.Options{Quality: quality}); err != nil {
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

// smaller returns a picture at a smaller size: each pixel is the mean of those that it covers.
func smaller(m image.Image, size image.Point) image.Image {
	from := m.Bounds()
	if from.Size() == size {
		return m
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		y0, y1 := y*from.Dy()/size.Y, max((y+1)*from.Dy()/size.Y, y*from.Dy()/size.Y+1)
		for x := range size.X {
			x0, x1 := x*from.Dx()/size.X, max((x+1)*from.Dx()/size.X, x*from.Dx()/size.X+1)
			var sum [3]uint32
			n := uint32(0)
			for v := y0; v < y1; v++ {
				for u := x0; u < x1; u++ {
					r, g, b, _ := m.At(from.Min.X+u, from.Min.Y+v).RGBA()
					sum[0], sum[1], sum[2], n = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8, n+1
				}
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return out
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
	size := fitted(p.image.Bounds().Size(), sideOf(most))
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
