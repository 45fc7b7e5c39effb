package affinity_test

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/affinity"
	"pgregory.net/rapid"
)

func TestPixelsByHand(t *testing.T) {
	m := image.NewNRGBA(image.Rect(5, 7, 7, 9)) // 2 by 2, not at the origin
	m.Set(5, 7, color.White)
	m.Set(6, 7, color.White)
	m.Set(5, 8, color.Black)
	m.Set(6, 8, color.NRGBA{255, 0, 0, 255})
	p := affinity.NewPixels(m)
	if want := []float64{1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0}; p.Width != 2 || p.Height != 2 || !slices.Equal(p.Colour, want) {
		t.Fatalf("%+v", p)
	}
	g, err := p.Graph(background, affinity.PixelWeights{Colour: 2, Position: 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, g)
	to, w := g.Neighbours(3)
	// Red to white differs by 2 in squared colour, to black by 1.
	want := []float64{math.Exp(-2./4 - 2./9), math.Exp(-2./4 - 1./9), math.Exp(-1./4 - 1./9)}
	if !slices.Equal(to, []int32{0, 1, 2}) || !slices.EqualFunc(w, want, close) {
		t.Errorf("the red pixel is joined to %v with %v, want %v", to, w, want)
	}
}

func TestPixelGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := affinity.Pixels{Width: rapid.IntRange(1, 12).Draw(t, "width"), Height: rapid.IntRange(1, 12).Draw(t, "height")}
		p.Colour = rapid.SliceOfN(rapid.Float64Range(0, 1), 3*p.Width*p.Height, 3*p.Width*p.Height).Draw(t, "colour")
		radius := rapid.Float64Range(1, 4).Draw(t, "radius")
		g, err := p.Graph(background, affinity.PixelWeights{Radius: radius}, rapid.IntRange(1, 3).Draw(t, "workers"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		checkGraph(t, g)
		if _, parts := affinity.Components(g); parts != 1 {
			t.Fatalf("%d components", parts)
		}
		for i := range g.Len() {
			var want []int32
			for j := range g.Len() {
				dx, dy := i%p.Width-j%p.Width, i/p.Width-j/p.Width
				if i != j && float64(dx*dx+dy*dy) <= radius*radius {
					want = append(want, int32(j))
				}
			}
			if to, _ := g.Neighbours(i); !slices.Equal(to, want) {
				t.Fatalf("pixel %d is joined to %v, it should be %v", i, to, want)
			}
		}
	})
}

func TestPixelsAreChecked(t *testing.T) {
	good := affinity.Pixels{Width: 1, Height: 2, Colour: make([]float64, 6)}
	for _, c := range []struct {
		p    affinity.Pixels
		w    affinity.PixelWeights
		says string
	}{
		{affinity.Pixels{}, affinity.PixelWeights{}, "0 by 0 pixels"},
		{affinity.Pixels{Width: 1, Height: 1}, affinity.PixelWeights{}, "3 a pixel"},
		{affinity.Pixels{Width: 1, Height: 1, Colour: []float64{0, math.NaN(), 0}}, affinity.PixelWeights{}, "pixel (0, 0)"},
		{good, affinity.PixelWeights{Radius: 0.5}, "radius 0.5"},
		{good, affinity.PixelWeights{Radius: 1000}, "radius 1000"},
		{good, affinity.PixelWeights{Colour: -1}, "colour width -1"},
		{good, affinity.PixelWeights{Position: math.NaN()}, "position width NaN"},
	} {
		if _, err := c.p.Graph(background, c.w, 1); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v should say %q", err, c.says)
		}
	}
}
