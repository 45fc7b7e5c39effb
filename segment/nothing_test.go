package segment

import (
	"context"
	"image"
	"testing"
)

func TestNothingToCut(t *testing.T) {
	photo := image.NewRGBA(image.Rect(0, 0, 4, 4))
	strokes := &Strokes{Width: 4, Height: 4}
	for _, c := range []struct {
		photo image.Image
		s     *Strokes
		o     *Options
	}{{nil, strokes, New()}, {photo, nil, New()}, {photo, strokes, nil}} {
		if r, err := Image(context.Background(), c.photo, c.s, c.o); err == nil || r != nil {
			t.Errorf("%v of %+v", r, c)
		}
	}
	if s, err := ReadStrokes(nil); err == nil || s != nil {
		t.Errorf("%v are the strokes of no image", s)
	}
	if SameSize(nil, photo) == nil || SameSize(photo, nil) == nil {
		t.Error("no image has the size of one")
	}
}
