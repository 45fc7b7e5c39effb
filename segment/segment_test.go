package segment_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/segment"
)

var (
	background = context.Background()
	red        = color.NRGBA{255, 0, 0, 255}
	blue       = color.NRGBA{0, 0, 255, 255}
	green      = color.NRGBA{0, 255, 0, 255}
)

// paint makes an image of the colour of each place, with noise.
func paint(w, h int, noise float64, at func(x, y int) color.NRGBA) *image.RGBA {
	rng := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := at(x, y)
			d := func(v uint8) uint8 { return uint8(min(max(float64(v)+noise*rng.NormFloat64(), 0), 255)) }
			m.SetRGBA(x, y, color.RGBA{d(c.R), d(c.G), d(c.B), 255})
		}
	}
	return m
}

// dab fills a small rectangle.
func dab(m *image.NRGBA, c color.NRGBA, x0, y0, x1, y1 int) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			m.SetNRGBA(x, y, c)
		}
	}
}

func strokes(t rapid.TB, m image.Image) *segment.Strokes {
	t.Helper()
	s, err := segment.ReadStrokes(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cut(t rapid.TB, photo image.Image, s *segment.Strokes, o *segment.Options) *segment.Result {
	t.Helper()
	r, err := segment.Image(background, photo, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Satisfied(r.Label); got != sum(s.Pixels) {
		t.Fatalf("%d of %d pixels under strokes keep their segment", got, sum(s.Pixels))
	}
	return r
}

func sum(n []int) (s int) {
	for _, x := range n {
		s += x
	}
	return s
}

// wrong counts the pixels that differ from what they should be.
func wrong(r *segment.Result, want func(x, y int) uint8) (n int) {
	for i, h := range r.Label {
		if h != want(i%r.Width, i/r.Width) {
			n++
		}
	}
	return n
}

// A disc in noise, by both methods: hardly a pixel is wrong, and those lie at
// the border, of which there are about 190.
func TestDisc(t *testing.T) {
	inside := func(x, y int) uint8 {
		if (x-60)*(x-60)+(y-45)*(y-45) < 30*30 {
			return 1
		}
		return 0
	}
	photo := paint(120, 90, 12, func(x, y int) color.NRGBA {
		if inside(x, y) == 1 {
			return color.NRGBA{190, 110, 60, 255}
		}
		return color.NRGBA{90, 130, 170, 255}
	})
	m := image.NewNRGBA(photo.Rect)
	dab(m, blue, 2, 2, 100, 4)
	dab(m, red, 50, 40, 70, 44)
	for _, method := range []segment.Method{segment.Harmonic, segment.CSP} {
		o := segment.New()
		o.Method = method
		r := cut(t, photo, strokes(t, m), o)
		if n := wrong(r, inside); n > 60 {
			t.Errorf("%s: %d pixels are wrong", method, n)
		}
		if (method == segment.CSP) != (r.Cut != nil) {
			t.Errorf("%s: cut %v", method, r.Cut)
		}
		if u := r.Indicator(); u.GrayAt(60, 42).Y != 255 || u.GrayAt(10, 3).Y != 0 {
			t.Errorf("%s: the indicator is %d inside and %d outside", method, u.GrayAt(60, 42).Y, u.GrayAt(10, 3).Y)
		}
	}
}

// Three bands, numbered in the order in which their strokes appear.
func TestBands(t *testing.T) {
	band := func(_, y int) uint8 { return uint8(y / 30) }
	photo := paint(80, 90, 8, func(x, y int) color.NRGBA {
		return []color.NRGBA{{200, 60, 60, 255}, {60, 160, 60, 255}, {80, 80, 200, 255}}[band(x, y)]
	})
	m := image.NewNRGBA(photo.Rect)
	dab(m, green, 10, 5, 20, 8)
	dab(m, blue, 40, 40, 60, 43)
	dab(m, red, 10, 70, 20, 73)
	s := strokes(t, m)
	if !slices.Equal(s.Colours, []color.NRGBA{green, blue, red}) || !slices.Equal(s.Pixels, []int{30, 60, 30}) {
		t.Fatalf("colours %v, pixels %v", s.Colours, s.Pixels)
	}
	r := cut(t, photo, s, segment.New())
	if n := wrong(r, band); n > 25 {
		t.Errorf("%d pixels are wrong, sizes %v", n, r.Sizes())
	}
	o := segment.New()
	o.Method = segment.CSP
	if _, err := segment.Image(background, photo, s, o); err == nil || !strings.Contains(err.Error(), "harmonic takes up to 9") {
		t.Errorf("csp on three segments: %v", err)
	}
}

// Whatever the image and the strokes, the mask has the strokes' labels, shares
// add up to one, and the number of workers changes nothing.
func TestAnyStrokes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(2, 40).Draw(t, "h")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		levels := rapid.SampledFrom([]int{1, 2, 40}).Draw(t, "levels")
		photo := paint(w, h, 0, func(int, int) color.NRGBA { v := uint8(rng.IntN(levels) * 6); return color.NRGBA{v, v, v / 2, 255} })
		k := rapid.IntRange(2, min(9, w*h)).Draw(t, "k")
		m := image.NewNRGBA(photo.Rect)
		for c, i := range rng.Perm(w * h)[:rapid.IntRange(k, min(w*h, 60)).Draw(t, "known")] {
			m.SetNRGBA(i%w, i/w, color.NRGBA{uint8(c % k * 20), 9, 9, 255})
		}
		s := strokes(t, m)
		o := segment.New()
		o.Workers = 1
		if k == 2 && rapid.Bool().Draw(t, "csp") {
			o.Method = segment.CSP
		}
		o.Refine = rapid.IntRange(-1, 5).Draw(t, "refine")
		one := cut(t, photo, s, o)
		for i := range one.Label {
			all := float32(0)
			for g := range one.Share {
				all += one.Share[g][i]
			}
			if all < 0.99 || all > 1.01 {
				t.Fatalf("the shares of pixel %d add up to %v", i, all)
			}
		}
		o.Workers = 3
		if three := cut(t, photo, s, o); !bytes.Equal(one.Label, three.Label) {
			t.Fatal("another mask on three workers")
		}
	})
}

func TestSizesDiffer(t *testing.T) {
	s := strokes(t, dabs(8, 6))
	_, err := segment.Image(background, image.NewRGBA(image.Rect(0, 0, 6, 8)), s, segment.New())
	var bad *segment.StrokesError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "6 by 8 pixels, the strokes 8 by 6") || !strings.Contains(string(bad.Hint), "rotated") {
		t.Errorf("%v", err)
	}
	_, err = segment.Image(background, image.NewRGBA(image.Rect(0, 0, 7, 8)), s, segment.New())
	if !errors.As(err, &bad) || !strings.Contains(string(bad.Hint), "crop") {
		t.Errorf("%v", err)
	}
}

// dabs returns strokes of two colours.
func dabs(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	m.SetNRGBA(0, 0, red)
	m.SetNRGBA(w-1, h-1, blue)
	return m
}

func TestOptionsAreChecked(t *testing.T) {
	for name, spoil := range map[string]func(*segment.Options){
		"method":   func(o *segment.Options) { o.Method = "magic" },
		"regions":  func(o *segment.Options) { o.Regions = -1 },
		"contrast": func(o *segment.Options) { o.Contrast = 0 },
		"colour":   func(o *segment.Options) { o.Colour = -1 },
		"refine":   func(o *segment.Options) { o.Refine = -2 },
		"beta":     func(o *segment.Options) { o.Beta = "much" },
	} {
		o := segment.New()
		spoil(o)
		if err := o.Check(2); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := segment.New().Check(1); err == nil {
		t.Error("one segment is accepted")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := segment.Image(ctx, image.NewRGBA(image.Rect(0, 0, 8, 6)), strokes(t, dabs(8, 6)), segment.New()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
