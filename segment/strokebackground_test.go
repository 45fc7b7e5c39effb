package segment_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/segment"
)

// paper returns an opaque image of one colour.
func paper(c color.NRGBA, w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	dab(m, c, 0, 0, w, h)
	return m
}

// White paper, or paper of any colour, is unknown, and black on it is a stroke. Colours
// that only cover much of the image stay segments.
func TestUniformBackground(t *testing.T) {
	black, white, sand := color.NRGBA{0, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}, color.NRGBA{200, 180, 120, 255}
	for _, background := range []color.NRGBA{white, sand} {
		m := paper(background, 40, 30)
		dab(m, red, 5, 5, 15, 8)
		dab(m, black, 20, 20, 30, 23)
		s := strokes(t, m)
		if !slices.Equal(s.Colours, []color.NRGBA{red, black}) || s.Label[0] != 255 || s.Label[5*40+5] != 0 || s.Label[20*40+20] != 1 {
			t.Errorf("on %v: colours %v, background %s", background, s.Colours, s.Background)
		}
		if want := map[color.NRGBA]string{white: "#ffffff", sand: "#c8b478"}[background]; s.Background != want {
			t.Errorf("the background is %q, want %q", s.Background, want)
		}
	}

	// Black is unknown where it is common, whatever covers more.
	m := paper(black, 40, 30)
	dab(m, white, 0, 0, 40, 20)
	dab(m, red, 0, 22, 5, 25)
	if s := strokes(t, m); !slices.Equal(s.Colours, []color.NRGBA{white, red}) || s.Background != segment.BlackBackground {
		t.Errorf("white on black: colours %v, background %s", s.Colours, s.Background)
	}
	// One colour on paper leaves no two segments: the paper is one, as ever.
	m = paper(white, 40, 30)
	dab(m, red, 5, 5, 15, 8)
	if s := strokes(t, m); len(s.Colours) != 2 {
		t.Errorf("red on white: colours %v", s.Colours)
	}
	// A colour in the middle is a stroke, however large.
	m = paper(red, 40, 30)
	dab(m, blue, 1, 1, 39, 29)
	dab(m, white, 5, 5, 9, 9)
	if s := strokes(t, m); len(s.Colours) != 3 {
		t.Errorf("blue inside red: colours %v, background %s", s.Colours, s.Background)
	}
}

// gradient is a photograph of many colours.
func gradient(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		m.SetNRGBA(x, y, color.NRGBA{uint8(40 + 2*x), uint8(60 + y), uint8(100 + x + y), 255})
	}
	return m
}

// Strokes on a copy of the photograph are where the two differ: also where the copy was
// saved with small errors, and the strokes have many colours that are nearly the same.
func TestStrokesByDifference(t *testing.T) {
	photo := gradient(60, 40)
	for _, noise := range []int{0, 9} {
		m := gradient(60, 40)
		dab(m, blue, 30, 30, 50, 34)
		dab(m, red, 5, 5, 25, 9)
		for i := range m.Pix {
			if i%4 != 3 && noise > 0 {
				v := int(m.Pix[i]) + (i*7919)%(2*noise+1) - noise
				m.Pix[i] = uint8(min(255, max(0, v)))
			}
		}
		s, err := segment.ReadStrokesOn(photo, m)
		if err != nil {
			t.Fatalf("noise %d: %v", noise, err)
		}
		if len(s.Colours) != 2 || s.Background != segment.PhotoBackground || !slices.Equal(s.Pixels, []int{80, 80}) {
			t.Fatalf("noise %d: colours %v, pixels %v, background %s", noise, s.Colours, s.Pixels, s.Background)
		}
		if s.Label[6*60+10] != 0 || s.Label[31*60+35] != 1 || s.Label[0] != 255 || s.Label[39*60+59] != 255 {
			t.Errorf("noise %d: the labels are wrong", noise)
		}
	}
	// A layer of its own is read as ever, a copy without strokes and another photograph
	// are refused.
	layer := dabs(60, 40)
	if s, err := segment.ReadStrokesOn(photo, layer); err != nil || s.Background != segment.TransparentBackground {
		t.Errorf("a layer: %v, %v", s, err)
	}
	if _, err := segment.ReadStrokesOn(photo, gradient(60, 40)); err == nil {
		t.Error("a copy without strokes is taken")
	}
	other := gradient(60, 40)
	for i := range other.Pix {
		if i%4 != 3 {
			other.Pix[i] = 255 - other.Pix[i]
		}
	}
	if _, err := segment.ReadStrokesOn(photo, other); err == nil {
		t.Error("another photograph is taken for strokes")
	}
	if _, err := segment.ReadStrokesOn(photo, gradient(61, 40)); err == nil {
		t.Error("strokes of another size are taken")
	}
}

// Masks for people are spread from black to white; a cutout has no pixel of the segment at
// the edge of the image, and the others as they are.
func TestMasksAndCutouts(t *testing.T) {
	r := &segment.Result{Width: 5, Height: 4, Share: make([][]float32, 3), Label: []uint8{
		1, 1, 1, 1, 1,
		1, 0, 0, 0, 1,
		1, 0, 2, 0, 1,
		1, 0, 0, 0, 1,
	}}
	if m := r.SpreadMask(); m.GrayAt(0, 0).Y != 128 || m.GrayAt(1, 1).Y != 0 || m.GrayAt(2, 2).Y != 255 {
		t.Errorf("spread: %v", m.Pix)
	}
	if m := r.Mask(); m.GrayAt(0, 0).Y != 1 || m.GrayAt(2, 2).Y != 2 {
		t.Errorf("index: %v", m.Pix)
	}
	if h := r.Surround(); h != 1 {
		t.Errorf("segment %d has most of the edge, by hand 1", h)
	}
	photo := gradient(5, 4)
	m := r.Cutout(photo, 1)
	if c := m.NRGBAAt(2, 2); c != photo.NRGBAAt(2, 2) {
		t.Errorf("inside %v, want %v", c, photo.NRGBAAt(2, 2))
	}
	// Of the four pixels around the corner one is kept: a quarter of 255.
	if c := m.NRGBAAt(0, 0); c.A != 64 {
		t.Errorf("the corner is opaque by %d, by hand 64", c.A)
	}
	if c := r.Cutout(photo, 0).NRGBAAt(0, 0); c.A != 191 {
		t.Errorf("the corner is opaque by %d, by hand 191", c.A)
	}
}
