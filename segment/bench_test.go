package segment_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/inklinghq/inkling/segment"
)

func BenchmarkImage(b *testing.B) {
	for _, size := range []image.Point{{480, 320}, {1600, 1200}} {
		w, h := size.X, size.Y
		photo := paint(w, h, 10, func(x, y int) color.NRGBA {
			if (x-w/2)*(x-w/2)+(y-h/2)*(y-h/2) < h*h/9 {
				return color.NRGBA{190, 110, 60, 255}
			}
			return color.NRGBA{90, 130, 170, 255}
		})
		m := image.NewNRGBA(photo.Rect)
		dab(m, blue, 2, 2, w-2, 6)
		dab(m, red, w/2-20, h/2, w/2+20, h/2+4)
		s := strokes(b, m)
		for _, method := range []segment.Method{segment.Harmonic, segment.CSP} {
			b.Run(fmt.Sprintf("%s/n=%d", method, w*h), func(b *testing.B) {
				o := segment.New()
				o.Method = method
				for b.Loop() {
					cut(b, photo, s, o)
				}
			})
		}
	}
}
