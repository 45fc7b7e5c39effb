package segment_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/segment"
)

// Black is a colour where there is transparency, and unknown where there is
// none.
func TestBlack(t *testing.T) {
	clear := dabs(4, 3)
	clear.SetNRGBA(1, 0, color.NRGBA{0, 0, 0, 255})
	s := strokes(t, clear)
	if s.Opaque || !slices.Equal(s.Colours, []color.NRGBA{red, {0, 0, 0, 255}, blue}) {
		t.Errorf("with transparency: opaque %v, colours %v", s.Opaque, s.Colours)
	}
	solid := image.NewRGBA(image.Rect(0, 0, 4, 3))
	for i := 3; i < len(solid.Pix); i += 4 {
		solid.Pix[i] = 255
	}
	solid.Set(2, 1, blue)
	solid.Set(3, 1, red)
	s = strokes(t, solid)
	if !s.Opaque || !slices.Equal(s.Colours, []color.NRGBA{blue, red}) || s.Label[0] != 255 || s.Label[6] != 0 || s.Label[7] != 1 {
		t.Errorf("without: opaque %v, colours %v, labels %v", s.Opaque, s.Colours, s.Label)
	}
}

// The faint rim of a soft brush is unknown.
func TestHalfTransparentIsUnknown(t *testing.T) {
	m := dabs(4, 3)
	m.SetNRGBA(2, 2, color.NRGBA{255, 0, 0, 127})
	m.SetNRGBA(1, 1, color.NRGBA{255, 0, 0, 128})
	s := strokes(t, m)
	if s.Label[10] != 255 || s.Label[5] != 0 {
		t.Errorf("labels %v", s.Label)
	}
}

// Two colours with many blends between them are two segments; ten common
// colours are too many.
func TestBlends(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 100, 40))
	dab(m, red, 0, 0, 100, 10)
	dab(m, blue, 0, 20, 100, 30)
	for x := range 100 {
		m.SetNRGBA(x, 12, color.NRGBA{uint8(2 * x), 0, uint8(250 - 2*x), 255})
	}
	s := strokes(t, m)
	if len(s.Colours) != 2 || s.Blends != 100 || s.Label[1250] != 255 || len(s.Faint) != 0 {
		t.Errorf("colours %v, %d blended pixels, faint %v", s.Colours, s.Blends, s.Faint)
	}
	few := image.NewNRGBA(m.Rect)
	dab(few, red, 0, 0, 100, 10)
	dab(few, blue, 0, 20, 100, 30)
	few.SetNRGBA(0, 15, green)
	if s := strokes(t, few); len(s.Colours) != 3 || !slices.Equal(s.Faint, []int{1}) || s.Blends != 0 {
		t.Errorf("colours %v, faint %v", s.Colours, s.Faint)
	}
}

func TestStrokesAreRefused(t *testing.T) {
	one := image.NewNRGBA(image.Rect(0, 0, 5, 5))
	one.SetNRGBA(1, 1, red)
	many := image.NewNRGBA(one.Rect)
	for i := range 20 {
		many.SetNRGBA(i%5, i/5, color.NRGBA{uint8(10 * i), 1, 1, 255})
	}
	for want, m := range map[string]image.Image{
		"no strokes":                  image.NewNRGBA(one.Rect),
		"one colour, #ff0000":         one,
		"20 colours, 20 of them comm": many,
	} {
		_, err := segment.ReadStrokes(m)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Any picture is understood or refused, and labels are segments or unknown.
func FuzzStrokes(f *testing.F) {
	for _, m := range []image.Image{dabs(4, 3), image.NewGray(image.Rect(0, 0, 3, 3)), image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Transparent, red, blue})} {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := png.DecodeConfig(bytes.NewReader(b))
		if err != nil || c.Width < 1 || c.Height < 1 || c.Width > 200 || c.Height > 200 {
			return
		}
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			return
		}
		s, err := segment.ReadStrokes(m)
		if err != nil {
			return
		}
		k := len(s.Colours)
		if k < segment.MinSegments || k > segment.MaxSegments || len(s.Label) != c.Width*c.Height {
			t.Fatalf("%d segments, %d labels for %d by %d pixels", k, len(s.Label), c.Width, c.Height)
		}
		got := make([]int, k)
		next := 0
		for _, h := range s.Label {
			if h == 255 {
				continue
			}
			if int(h) > next {
				t.Fatalf("segment %d appears before %d", h, next)
			}
			got[h]++
			next = max(next, int(h)+1)
		}
		if !slices.Equal(got, s.Pixels) {
			t.Fatalf("pixels %v, counted %v", s.Pixels, got)
		}
	})
}
