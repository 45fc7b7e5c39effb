package segment

import (
	"image"
	"image/color"
)

// Mask returns the segments as an image: the grey value of a pixel is its
// segment's number.
func (r *Result) Mask() *image.Gray {
	return &image.Gray{Pix: r.Label, Stride: r.Width, Rect: image.Rect(0, 0, r.Width, r.Height)}
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
		red, green, blue := pixelColour(photo, b.Min.X+x, b.Min.Y+y)
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
