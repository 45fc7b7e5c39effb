package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

func pixels(t *testing.T, p *picture.Picture) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := p.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

var (
	black = picture.RGB(0)
	red   = picture.RGB(0xff0000)
)

// Every kind of shape is where it belongs: a unit is two pixels, and the corner
// of the picture is at -12, -12.
func TestPNGByHand(t *testing.T) {
	p := picture.New(100, 50, "t")
	p.Bar(0, 0, 10, 10, picture.RGB(0x2f7ed8), "")
	p.Disc(30, 5, 5, red, "")
	p.Line(50, 0, 50, 10, picture.Stroke{Colour: picture.RGB(0x00ff00), Width: 4})
	p.Area([]picture.Point{{X: 60, Y: 0}, {X: 70, Y: 0}, {X: 70, Y: 10}, {X: 60, Y: 10}}, picture.RGB(0x0000ff), "")
	p.Dots([]picture.Point{{X: 80, Y: 5}}, 4, black, 0.5)
	p.Line(0, 30, 40, 30, picture.Stroke{Colour: black, Width: 4, Dash: []float64{10, 10}})
	p.Cell(60, 30, 10, 10, black, 0.5, "")
	p.Ring(90, 30, 6, red)
	img := pixels(t, p)
	if img.Bounds() != image.Rect(0, 0, 248, 148) {
		t.Fatalf("the picture is %v", img.Bounds())
	}
	white := color.RGBA{255, 255, 255, 255}
	for name, c := range map[string]struct {
		x, y float64
		want color.RGBA
	}{
		"the margin": {-11, -11, white}, "the bar": {5, 5, color.RGBA{0x2f, 0x7e, 0xd8, 255}}, "beside the bar": {12, 5, white},
		"the disc": {30, 5, color.RGBA{255, 0, 0, 255}}, "beside the disc": {30, 11, white}, "the corner of its square": {34.7, 0.5, white},
		"the line": {51, 5, color.RGBA{0, 255, 0, 255}}, "beside the line": {53, 5, white},
		"the area": {65, 5, color.RGBA{0, 0, 255, 255}}, "half a dot": {80, 5, color.RGBA{127, 127, 127, 255}},
		"a dash": {5, 30, color.RGBA{0, 0, 0, 255}}, "a gap": {15, 30, white}, "a second dash": {25, 30, color.RGBA{0, 0, 0, 255}},
		"the cell": {65, 35, color.RGBA{127, 127, 127, 255}}, "inside the ring": {90, 30, white},
	} {
		got := color.RGBAModel.Convert(img.At(int((c.x+12)*2), int((c.y+12)*2))).(color.RGBA)
		for _, d := range []int{int(got.R) - int(c.want.R), int(got.G) - int(c.want.G), int(got.B) - int(c.want.B)} {
			if d < -2 || d > 2 {
				t.Errorf("%s is %v, wanted %v", name, got, c.want)
				break
			}
		}
	}
}

// dark returns the box around all pixels that are not light.
func dark(img image.Image) (box image.Rectangle) {
	size := img.Bounds()
	x0, y0, x1, y1 := size.Max.X, size.Max.Y, 0, 0
	for y := range size.Dy() {
		for x := range size.Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xc000 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}
	return image.Rect(x0, y0, max(x0, x1), max(y0, y1))
}

// Text stands on the side of its place that its anchor says; turned text runs
// upwards.
func TestPNGText(t *testing.T) {
	for name, c := range map[string]struct {
		draw func(p *picture.Picture)
		fits func(image.Rectangle) bool
	}{
		"start":  {func(p *picture.Picture) { p.Text(38, 18, picture.Start, picture.Plain, "HH") }, func(b image.Rectangle) bool { return b.Min.X >= 100 && b.Max.X < 140 }},
		"end":    {func(p *picture.Picture) { p.Text(38, 18, picture.End, picture.Plain, "HH") }, func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Min.X > 60 }},
		"middle": {func(p *picture.Picture) { p.Text(38, 18, picture.Middle, picture.Plain, "HH") }, func(b image.Rectangle) bool { return b.Min.X < 98 && b.Max.X > 102 }},
		"turned": {func(p *picture.Picture) { p.Turned(38, 18, -90, "HH") }, func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Max.Y <= 61 && b.Dy() > b.Dx() }},
		"soft":   {func(p *picture.Picture) { p.Text(38, 18, picture.End, picture.Soft, "HH") }, func(b image.Rectangle) bool { return b.Max.X <= 101 && b.Max.Y <= 61 }},
	} {
		p := picture.New(76, 26, name)
		c.draw(p)
		if b := dark(pixels(t, p)); !c.fits(b) || b.Empty() {
			t.Errorf("%s: the text is in %v", name, b)
		}
	}
}

// Both backends draw every kind of shape.
func TestNoShapeIsLeftOut(t *testing.T) {
	square := []picture.Point{{X: 10, Y: 10}, {X: 30, Y: 10}, {X: 30, Y: 30}}
	for name, c := range map[string]struct {
		draw    func(p *picture.Picture)
		element string
	}{
		"text":   {func(p *picture.Picture) { p.Text(20, 20, picture.Middle, picture.Plain, "WW") }, `<text x="20" y="20"`},
		"turned": {func(p *picture.Picture) { p.Turned(20, 20, -45, "WW") }, `rotate(-45 20 20)`},
		"bar":    {func(p *picture.Picture) { p.Bar(10, 10, 20, 20, red, "tip") }, `<rect x="10" y="10" width="20" height="20" rx="2" fill="#f00"><title>tip</title></rect>`},
		"cell":   {func(p *picture.Picture) { p.Cell(10, 10, 20, 20, black, 0.9, "") }, `fill-opacity="0.90"/>`},
		"disc":   {func(p *picture.Picture) { p.Disc(20, 20, 9, red, "a<b") }, `<title>a&lt;b</title></circle>`},
		"ring":   {func(p *picture.Picture) { p.Ring(20, 20, 9, red) }, `fill="none" stroke="#f00"/>`},
		"line": {func(p *picture.Picture) {
			p.Line(10, 10, 30, 30.04, picture.Stroke{Colour: black, Dash: []float64{4, 1}})
		}, `stroke-dasharray="4 1" d="M10 10L30 30"/>`},
		"curve": {func(p *picture.Picture) { p.Lines([][]picture.Point{square}, picture.Curve) }, `<path class="curve" d="M10 10L30 10L30 30"/>`},
		"area":  {func(p *picture.Picture) { p.Area(square, red, "") }, `<path fill="#f00" d="M10 10H30V30Z"/>`},
		"dots":  {func(p *picture.Picture) { p.Dots(square, 6, red, 0.8) }, `stroke-opacity=".8" fill="none" d="M10 10h0M30 10h0M30 30h0"/>`},
	} {
		p := picture.New(40, 40, name)
		c.draw(p)
		if !strings.Contains(p.Inline(), c.element) {
			t.Errorf("%s: %s is not in %s", name, c.element, p.Inline())
		}
		if dark(pixels(t, p)).Empty() {
			t.Errorf("%s is not painted", name)
		}
	}
}

// Colours are the same in both backends, whatever they are written as.
func TestColours(t *testing.T) {
	for css, c := range map[string]picture.Colour{"#2f7ed8": picture.RGB(0x2f7ed8), "#fff": picture.RGB(0xffffff), "hsl(137 55% 50%)": picture.HSL(137, 55, 50)} {
		if c.CSS() != css {
			t.Errorf("%s is written %s", css, c.CSS())
		}
	}
	p := picture.New(10, 10, "")
	p.Bar(0, 0, 10, 10, picture.HSL(120, 100, 25), "")
	if got := color.RGBAModel.Convert(pixels(t, p).At(34, 34)).(color.RGBA); got != (color.RGBA{0, 128, 0, 255}) {
		t.Errorf("dark green is %v", got)
	}
}

// A nil picture is one of nothing.
func TestNilPicture(t *testing.T) {
	var p *picture.Picture
	if p.Inline() != "" {
		t.Errorf("it is %q", p.Inline())
	}
}
