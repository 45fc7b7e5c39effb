package example

import (
	"image"
	"image/color"
	"image/png"
	"io"

	"github.com/inklinghq/inkling/cluster/data"
)

// sceneWidth and sceneHeight are the size of the scene, in pixels.
const (
	sceneWidth  = 192
	sceneHeight = 128
)

// loadScene paints a striped balloon over two hills, with noise, as a camera
// would see it in poor light.
func loadScene() (*Set, error) {
	rng := stream(11)
	s := &Set{K: 3, Width: sceneWidth, Columns: []string{"r", "g", "b"}}
	x := &data.Dense{Cols: 3}
	for i := range sceneWidth * sceneHeight {
		class, paint := sceneAt(float64(i%sceneWidth), float64(i/sceneWidth))
		s.Truth = append(s.Truth, class)
		for _, c := range paint {
			x.V = append(x.V, float64(int(min(max(c+float64(9*rng.NormFloat64()), 0), 255))))
		}
	}
	s.X = x
	return s, nil
}

// sceneAt returns what is at a place, and its red, green and blue.
func sceneAt(x, y float64) (class string, paint [3]float64) {
	dx, dy := x-112, y-50
	far := float64(dx*dx) + float64(dy*dy)
	switch {
	case far < 32*32: // lit from the left, with stripes that bend
		light := 1 - (dx+32)/110
		if stripe := int(dx/(9-far/300)+100) % 2; stripe == 0 {
			return "balloon", [3]float64{205 * light, 60 * light, 45 * light}
		}
		return "balloon", [3]float64{225 * light, 165 * light, 60 * light}
	case y > 86 && y < 97 && x > 105 && x < 119: // the basket
		return "balloon", [3]float64{110, 70, 40}
	case y >= 82 && y <= 86 && x > 104+(y-82)/2 && x < 120-(y-82)/2: // its ropes
		return "balloon", [3]float64{120, 60, 45}
	}
	near, behind := (x-40)/150, (x-150)/90
	switch {
	case y > 100+float64(40*float64(near*near)):
		return "hills", [3]float64{70 + float64(0.3*(y-100)), 115, 45}
	case y > 88+float64(30*float64(behind*behind)):
		return "hills", [3]float64{85, 120, 85}
	}
	return "sky", [3]float64{95 + float64(0.8*y), 140 + float64(0.6*y), 205 + float64(0.2*y)}
}

// A stroke is a line of a pencil, from point to point.
type stroke struct {
	ink    color.NRGBA
	points []image.Point
}

var (
	yellow = color.NRGBA{255, 220, 0, 255}
	blue   = color.NRGBA{30, 90, 255, 255}
	green  = color.NRGBA{0, 170, 60, 255}
)

var inSky = []image.Point{{12, 20}, {60, 14}, {68, 60}}
var onBalloon = []image.Point{{88, 48}, {112, 34}, {136, 52}}
var onHills = []image.Point{{20, 112}, {100, 118}, {170, 112}}

// sceneStrokes marks the balloon, the sky and the hills.
func sceneStrokes() []stroke {
	return []stroke{{blue, inSky}, {blue, []image.Point{{160, 20}, {176, 60}}}, {yellow, onBalloon}, {yellow, []image.Point{{112, 90}, {112, 93}}}, {green, onHills}}
}

// sceneObject marks the balloon and everything else.
func sceneObject() []stroke {
	return []stroke{{blue, inSky}, {blue, []image.Point{{160, 20}, {176, 60}}}, {blue, onHills}, {yellow, onBalloon}, {yellow, []image.Point{{112, 90}, {112, 93}}}}
}

func (s *Set) writePixels(w io.Writer) error {
	m := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Len()/s.Width))
	for i := range s.Len() {
		v := data.Copy(s.X, i)
		m.SetNRGBA(i%s.Width, i/s.Width, color.NRGBA{uint8(v[0]), uint8(v[1]), uint8(v[2]), 255})
	}
	return png.Encode(w, m)
}

// strokeWriter returns a function that writes strokes, three pixels wide, on a transparent
// layer.
func (s *Set) strokeWriter(strokes []stroke) func(io.Writer) error {
	return func(w io.Writer) error {
		m := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Len()/s.Width))
		for _, k := range strokes {
			for i, to := range k.points[1:] {
				from := k.points[i]
				steps := max(abs(to.X-from.X), abs(to.Y-from.Y), 1)
				for n := range steps + 1 {
					at := image.Pt(from.X+(to.X-from.X)*n/steps, from.Y+(to.Y-from.Y)*n/steps)
					for d := range 9 {
						m.SetNRGBA(at.X+d%3-1, at.Y+d/3-1, k.ink)
					}
				}
			}
		}
		return png.Encode(w, m)
	}
}

func abs(i int) int { return max(i, -i) }
