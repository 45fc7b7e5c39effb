package photo

import (
	"image"
	"image/color"
)

// fitted returns the size of a picture whose longest side is at most most.
func fitted(size image.Point, most int) image.Point {
	long := max(size.X, size.Y)
	if long <= most {
		return size
	}
	return image.Pt(max(1, size.X*most/long), max(1, size.Y*most/long))
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
