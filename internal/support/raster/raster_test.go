package raster

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// White, black and a middle grey have the lightness they must have, and no hue.
func TestLab(t *testing.T) {
	table := NewLab()
	for grey, want := range map[uint8]float64{0: 0, 119: 50.03, 255: 100} {
		lab := make([]float32, 3)
		table.Convert(lab, grey, grey, grey)
		if math.Abs(float64(lab[0])-want) > 0.05 || math.Abs(float64(lab[1])) > 0.05 || math.Abs(float64(lab[2])) > 0.05 {
			t.Errorf("grey %d is %v, want lightness %v", grey, lab, want)
		}
	}
}

// Every pixel of a smaller picture is the mean of those that it covers, and a larger one repeats them.
func TestResized(t *testing.T) {
	m := image.NewGray(image.Rect(3, 5, 7, 7))
	for i := range m.Pix {
		m.Pix[i] = uint8(10 * i)
	}
	small := Resized(m, image.Pt(2, 1))
	if r, g, b := At(small, 0, 0); r != 25 || g != 25 || b != 25 { // 0, 10, 40, 50
		t.Errorf("the left half is %d, %d, %d", r, g, b)
	}
	if r, _, _ := At(small, 1, 0); r != 45 {
		t.Errorf("the right half is %d", r)
	}
	large := Resized(m, image.Pt(8, 2))
	if r, _, _ := At(large, 7, 1); r != 70 {
		t.Errorf("the last pixel is %d", r)
	}
	if got := Fitted(image.Pt(4000, 3000), 100); got != image.Pt(100, 75) {
		t.Errorf("4000 by 3000 fits as %v", got)
	}
	if got := Fitted(image.Pt(100_000, 1), 64); got != image.Pt(64, 1) {
		t.Errorf("a line fits as %v", got)
	}
}

// The fast paths give the colours that every image gives, and what is transparent is over black.
func TestAt(t *testing.T) {
	want := color.NRGBA{200, 100, 50, 255}
	box := image.Rect(0, 0, 1, 1)
	for _, m := range []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{image.NewRGBA(box), image.NewNRGBA(box), image.NewRGBA64(box)} {
		m.Set(0, 0, want)
		if r, g, b := At(m, 0, 0); r != want.R || g != want.G || b != want.B {
			t.Errorf("%T: %d, %d, %d", m, r, g, b)
		}
	}
	clear := image.NewNRGBA(box)
	clear.Set(0, 0, color.NRGBA{200, 100, 50, 0})
	if r, g, b := At(clear, 0, 0); r != 0 || g != 0 || b != 0 {
		t.Errorf("a transparent pixel is %d, %d, %d", r, g, b)
	}
}
