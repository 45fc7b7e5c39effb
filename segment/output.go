package segment

import (
	"image"
	"image/color"

	"github.com/inklinghq/inkling/internal/support/raster"
)

// Mask returns the segments as an image: the grey value of a pixel is its
// segment's number.
func (r *Result) Mask() *image.Gray {
	return &image.Gray{Pix: r.Label, Stride: r.Width, Rect: image.Rect(0, 0, r.Width, r.Height)}
}

// SpreadMask returns the segments as an image that people can see: grey values from 0 to
// 255, evenly spread, in the order of the segments.
func (r *Result) SpreadMask() *image.Gray {
	m := image.NewGray(image.Rect(0, 0, r.Width, r.Height))
	most := max(1, len(r.Share)-1)
	for i, h := range r.Label {
		m.Pix[i] = uint8((int(h)*255 + most/2) / most)
	}
	return m
}

// Surround returns the segment that has most of the edge of the image, the first of
// equals: what lies behind the others.
func (r *Result) Surround() (segment int) {
	n := make([]int, len(r.Share))
	for i, h := range r.Label {
		if x, y := i%r.Width, i/r.Width; x == 0 || y == 0 || x == r.Width-1 || y == r.Height-1 {
			n[h]++
		}
	}
	for h := range n {
		if n[h] > n[segment] {
			segment = h
		}
	}
	return segment
}

// Cutout returns the photograph with one segment made transparent. The border is
// softened: there a pixel is as opaque as the share of its neighbours that are kept.
func (r *Result) Cutout(photo image.Image, without int) *image.NRGBA {
	b := photo.Bounds()
	m := image.NewNRGBA(image.Rect(0, 0, r.Width, r.Height))
	for i := range r.Label {
		x, y := i%r.Width, i/r.Width
		kept, all := 0, 0
		for v := max(0, y-1); v <= min(r.Height-1, y+1); v++ {
			for u := max(0, x-1); u <= min(r.Width-1, x+1); u++ {
				if all++; int(r.Label[v*r.Width+u]) != without {
					kept++
				}
			}
		}
		red, green, blue := raster.At(photo, b.Min.X+x, b.Min.Y+y)
		m.SetNRGBA(x, y, color.NRGBA{red, green, blue, uint8((255*kept + all/2) / all)})
	}
	return m
}

// Indicator returns the relaxed indicator as an image. With two segments,
// black is certainly the first and white certainly the second; with more, white
// is certain and black could be any segment.
func (r *Result) Indicator() *image.Gray {
	m := image.NewGray(image.Rect(0, 0, r.Width, r.Height))
	k := float32(len(r.Share))
	for i, h := range r.Label {
		x := r.Share[1][i]
		if len(r.Share) > 2 {
			x = (r.Share[h][i] - 1/k) / (1 - 1/k)
		}
		m.Pix[i] = uint8(min(max(x, 0), 1)*255 + 0.5)
	}
	return m
}

// Overlay returns the photograph, tinted by the colours of the strokes, with
// the borders between segments drawn.
func (r *Result) Overlay(photo image.Image, s *Strokes) *image.RGBA {
	b := photo.Bounds()
	m := image.NewRGBA(image.Rect(0, 0, r.Width, r.Height))
	wide := 1 + max(r.Width, r.Height)/1500
	for i, h := range r.Label {
		x, y := i%r.Width, i/r.Width
		red, green, blue := raster.At(photo, b.Min.X+x, b.Min.Y+y)
		tint, parts := s.Colours[h], 1
		if r.nearBorder(x, y, wide) {
			parts = 4
		}
		mix := func(c, t uint8) uint8 { return uint8((int(c)*(4-parts) + int(t)*parts) / 4) }
		m.SetRGBA(x, y, color.RGBA{mix(red, tint.R), mix(green, tint.G), mix(blue, tint.B), 0xff})
	}
	return m
}

// nearBorder reports whether another segment lies within reach to the right or below, or
// to the left or above.
func (r *Result) nearBorder(x, y, reach int) bool {
	h := r.Label[y*r.Width+x]
	for d := 1; d <= reach; d++ {
		if x >= d && r.Label[y*r.Width+x-d] != h || y >= d && r.Label[(y-d)*r.Width+x] != h ||
			x+d < r.Width && r.Label[y*r.Width+x+d] != h || y+d < r.Height && r.Label[(y+d)*r.Width+x] != h {
			return true
		}
	}
	return false
}
