package report_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/report"
)

func pixels(t *testing.T, svg string) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := (report.Chart{Name: "c", SVG: svg}).WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 100 50"><title>t</title><rect x="-10" y="-10" width="100" height="50" fill="#fff"/>`

// Every kind of part lies where it is to lie: a unit is two pixels, and the
// corner of the picture is at -10, -10.
func TestPNGByHand(t *testing.T) {
	img := pixels(t, svgHead+`<rect x="0" y="0" width="10" height="10" fill="#2f7ed8"/><circle cx="30" cy="5" r="5" fill="#f00"/>`+
		`<path stroke="#0f0" stroke-width="4" fill="none" d="M50 0L50 10"/><path fill="#00f" d="M60 0L70 0V10H60Z"/>`+
		`<path stroke="#000" stroke-width="4" stroke-linecap="round" stroke-opacity=".5" fill="none" d="M80 5h0"/>`+
		`<path stroke="#000" stroke-width="4" stroke-dasharray="10 10" fill="none" d="M0 30L40 30"/></svg>`)
	if img.Bounds() != image.Rect(0, 0, 200, 100) {
		t.Fatalf("the picture is %v", img.Bounds())
	}
	for what, c := range map[string]struct {
		x, y float64
		want color.RGBA
	}{
		"the rectangle": {5, 5, color.RGBA{0x2f, 0x7e, 0xd8, 255}}, "beside it": {12, 5, color.RGBA{255, 255, 255, 255}},
		"the circle": {30, 5, color.RGBA{255, 0, 0, 255}}, "its corner": {34.7, 0.5, color.RGBA{255, 255, 255, 255}},
		"the line": {51, 5, color.RGBA{0, 255, 0, 255}}, "beside the line": {53, 5, color.RGBA{255, 255, 255, 255}},
		"the area": {65, 5, color.RGBA{0, 0, 255, 255}}, "half a dot": {80, 5, color.RGBA{127, 127, 127, 255}},
		"a dash": {5, 30, color.RGBA{0, 0, 0, 255}}, "a gap": {15, 30, color.RGBA{255, 255, 255, 255}}, "a dash again": {25, 30, color.RGBA{0, 0, 0, 255}},
	} {
		got := color.RGBAModel.Convert(img.At(int((c.x+10)*2), int((c.y+10)*2))).(color.RGBA)
		for _, d := range []int{int(got.R) - int(c.want.R), int(got.G) - int(c.want.G), int(got.B) - int(c.want.B)} {
			if d < -2 || d > 2 {
				t.Errorf("%s is %v, wanted %v", what, got, c.want)
				break
			}
		}
	}
}

// dark returns the box around what is not white, looking at every step-th pixel.
func dark(img image.Image, step int) (box image.Rectangle) {
	size := img.Bounds()
	x0, y0, x1, y1 := size.Max.X, size.Max.Y, 0, 0
	for y := 0; y < size.Dy(); y += step {
		for x := 0; x < size.Dx(); x += step {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xc000 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}
	return image.Rect(x0, y0, max(x0, x1), max(y0, y1))
}

// Text stands to the side of its place that its anchor says, upwards if turned.
func TestPNGText(t *testing.T) {
	for anchor, fits := range map[string]func(image.Rectangle) bool{
		`text-anchor="start"`:            func(b image.Rectangle) bool { return b.Min.X >= 100 && b.Max.X < 140 },
		`text-anchor="end"`:              func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Min.X > 60 },
		`text-anchor="middle"`:           func(b image.Rectangle) bool { return b.Min.X < 98 && b.Max.X > 102 },
		`transform="rotate(-90 40 20)"`:  func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Max.Y <= 61 && b.Dy() > b.Dx() },
		`class="soft" text-anchor="end"`: func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Max.Y <= 61 },
	} {
		if b := dark(pixels(t, svgHead+`<text x="40" y="20" `+anchor+`>HH</text></svg>`), 1); !fits(b) || b.Empty() {
			t.Errorf("%s: the text is in %v", anchor, b)
		}
	}
}

// All charts can be painted, whatever the names are, and nothing is lost.
func TestAllChartsBecomePNG(t *testing.T) {
	p := full(200, 25) // more clusters than colours with names
	p.Clusters[0].Name = "漢字 \u0301\u202e\U0001f600"
	for _, c := range p.Charts() {
		if testing.Short() && c.Name != "sizes" && c.Name != "table" {
			continue // millions of pixels under the race detector
		}
		if b := dark(pixels(t, c.SVG), 4); b.Dx() < 200 || b.Dy() < 30 {
			t.Errorf("%s has something in %v only", c.Name, b)
		}
	}
}

// What our charts do not have is refused, not left out.
func TestPNGRefuses(t *testing.T) {
	for _, part := range []string{`<ellipse/>`, `<path d="M1 1Q2 2 3 3"/>`, `<path d="M1"/>`, `<rect fill="red"/>`, `<text transform="skewX(3)">a</text>`} {
		err := (report.Chart{Name: "odd", SVG: svgHead + part + "</svg>"}).WritePNG(new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), "chart odd") {
			t.Errorf("%s: %v", part, err)
		}
	}
	for _, svg := range []string{"", "<svg>", `<svg viewBox="1 2"/>`} {
		if err := (report.Chart{SVG: svg}).WritePNG(new(bytes.Buffer)); err == nil {
			t.Errorf("%q was painted", svg)
		}
	}
}
