package segment_test

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"github.com/inklinghq/inkling/segment"
)

// A white square on black, one stroke in it and one beside it.
func Example() {
	photo := image.NewGray(image.Rect(0, 0, 60, 40))
	for i := range 20 * 20 {
		photo.SetGray(20+i%20, 10+i/20, color.Gray{Y: 255})
	}
	layer := image.NewNRGBA(photo.Rect)
	for d := range 5 {
		layer.Set(5+d, 5, color.NRGBA{B: 255, A: 255})
		layer.Set(28+d, 20, color.NRGBA{R: 255, A: 255})
	}
	strokes, err := segment.ReadStrokes(layer)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := segment.Image(context.Background(), photo, strokes, segment.New())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Sizes())
	// Output: [2000 400]
}
