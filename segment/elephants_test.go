package segment_test

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/segment"
)

// elephants opens an image of the Berkeley set, which is not part of the
// project.
func elephants(t *testing.T, name string) image.Image {
	t.Helper()
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "bsds_elephants", name))
	if err != nil {
		t.Skip("the photograph of the elephants is not here: ", err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The two tasks of the paper's section 7.1: the elephants against what is
// around them, and one against the other. What a person drew (segments 2 and 3
// of the first annotator) is the truth. The bounds are a little below what was
// measured.
func TestElephants(t *testing.T) {
	photo, drawn := elephants(t, "image.png"), elephants(t, "seg_1.png")
	person := func(i int) uint8 { return drawn.(*image.Gray).Pix[i] }
	for name, task := range map[string]struct {
		dabs  [][4]int // of the first colour, as rectangles
		other [][4]int
		truth map[uint8]uint8 // of a person's segment; others are not counted
		rest  bool            // all other segments are of the first colour
		least float64
	}{
		"both against the rest": {[][4]int{{398, 38, 473, 43}, {378, 248, 473, 253}}, [][4]int{{118, 108, 130, 133}, {328, 88, 352, 123}},
			map[uint8]uint8{2: 1, 3: 1}, true, 0.90},
		"one against the other": {[][4]int{{118, 98, 132, 133}}, [][4]int{{288, 108, 312, 133}}, map[uint8]uint8{2: 0, 3: 1}, false, 0.97},
	} {
		m := image.NewNRGBA(photo.Bounds())
		for _, d := range task.dabs {
			dab(m, red, d[0], d[1], d[2], d[3])
		}
		for _, d := range task.other {
			dab(m, color.NRGBA{0, 0, 0, 255}, d[0], d[1], d[2], d[3])
		}
		s := strokes(t, m)
		for _, method := range []segment.Method{segment.Harmonic, segment.CSP} {
			if testing.Short() && (method == segment.Harmonic || task.rest) {
				continue // one cut goes through all: CSP, and borders by harmonic extension
			}
			o := segment.New()
			o.Method = method
			r := cut(t, photo, s, o)
			right, all := 0, 0
			for i, h := range r.Label {
				want, ok := task.truth[person(i)]
				if !ok && !task.rest {
					continue
				}
				all++
				if s.Colours[h] == red == (want == 0) {
					right++
				}
			}
			t.Logf("%s, %s: %.4f right", name, method, float64(right)/float64(all))
			if float64(right) < task.least*float64(all) {
				t.Errorf("%s, %s: %.4f of the pixels are right, want %.2f", name, method, float64(right)/float64(all), task.least)
			}
		}
	}
}
