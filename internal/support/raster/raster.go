// Package raster is what more than one package does with decoded pictures: the colour of a pixel, smaller copies, CIELAB.
package raster

import (
	"image"
	"image/color"
)

// At returns the colour of a pixel in eight bits, over black where it is transparent, with fast paths for
// the kinds of image that the decoders make.
func At(m image.Image, x, y int) (red, green, blue uint8) {
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

// Fitted returns the size of a picture whose longest side is at most most.
func Fitted(size image.Point, most int) image.Point {
	long := max(size.X, size.Y)
	if long <= most {
		return size
	}
	return image.Pt(max(1, size.X*most/long), max(1, size.Y*most/long))
}

// Resized returns a picture at another size, each pixel of which is the mean of those that it covers.
func Resized(m image.Image, size image.Point) image.Image {
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
					r, g, b := At(m, from.Min.X+u, from.Min.Y+v)
					sum[0], sum[1], sum[2], n = sum[0]+uint32(r), sum[1]+uint32(g), sum[2]+uint32(b), n+1
				}
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return out
}
