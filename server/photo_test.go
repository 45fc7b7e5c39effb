package server_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/segment"
)

// masked waits until the newest mask follows all strokes.
func (c *client) masked() object {
	c.t.Helper()
	return c.until("a mask", func(s object) bool {
		return s["running"] == nil && s["image"].(object)["through"] == s["events"]
	})
}

func (c *client) picture(path string) image.Image {
	c.t.Helper()
	status, raw := c.do("GET", "api/"+path, nil)
	m, _, err := image.Decode(bytes.NewReader(raw))
	if status != 200 || err != nil {
		c.t.Fatalf("%s: %d %v", path, status, err)
	}
	return m
}

// Strokes are events, undone one by one, and make the mask that inkling segment makes of the
// exported strokes.
func TestStrokes(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "scene")
	s := c.get("state")
	if s["kind"] != "image" || s["image"].(object)["width"] != 192.0 {
		t.Fatalf("got %v", s)
	}
	if status, _ := c.do("GET", "api/mask", nil); status != 404 {
		t.Errorf("a mask without strokes: %d", status)
	}
	c.post("stroke", object{"label": 1, "size": 6, "points": [][2]int{{90, 30}, {100, 40}}})
	c.post("stroke", object{"label": 2, "size": 6, "points": [][2]int{{10, 10}, {10, 100}, {180, 110}}})
	c.masked()
	first := c.picture("mask?max=96").(*image.Paletted)
	if first.Rect.Dx() != 96 || first.ColorIndexAt(47, 17) != 1 || first.ColorIndexAt(5, 20) != 2 {
		t.Errorf("the mask has %v, %d and %d", first.Rect, first.ColorIndexAt(47, 17), first.ColorIndexAt(5, 20))
	}
	if m := c.picture("image?max=50"); m.Bounds().Dx() != 50 {
		t.Errorf("the photograph has %v", m.Bounds())
	}
	c.post("stroke", object{"label": 3, "size": 10, "points": [][2]int{{100, 120}}})
	c.masked()
	c.post("undo", object{})
	if s := c.until("a mask", func(s object) bool { return s["running"] == nil && s["image"].(object)["through"] == s["events"] }); s["image"].(object)["strokes"] != 2.0 {
		t.Errorf("after undo: %v", s)
	}
	if again := c.picture("mask?max=96").(*image.Paletted); !bytes.Equal(again.Pix, first.Pix) {
		t.Error("undo does not give the mask before")
	}
	// the same strokes by the package that inkling segment uses
	b, _, err := example.Content("scene.png")
	if err != nil {
		t.Fatal(err)
	}
	photo, err := dataio.ReadImage(bytes.NewReader(b), "scene.png")
	if err != nil {
		t.Fatal(err)
	}
	strokes, err := segment.ReadStrokesOn(photo, c.picture("export/strokes.png"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := segment.Image(context.Background(), photo, strokes, segment.New())
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&want, r.SpreadMask()); err != nil {
		t.Fatal(err)
	}
	if _, got := c.do("GET", "api/export/mask.png", nil); !bytes.Equal(got, want.Bytes()) {
		t.Error("inkling segment makes another mask of the exported strokes")
	}
	c.picture("export/overlay.png")
	for _, bad := range []object{{"label": 0, "size": 3, "points": [][2]int{{1, 1}}}, {"label": 10, "size": 3, "points": [][2]int{{1, 1}}}, {"label": 1, "size": 0, "points": [][2]int{{1, 1}}},
		{"label": 1, "size": 3, "points": [][2]int{}}, {"label": 1, "size": 3, "points": [][2]float64{{1e300, 1}}}} {
		c.call(400, "POST", "api/stroke", bad)
	}
	if status, _ := c.do("GET", "api/points", nil); status != 409 {
		t.Errorf("the points of a photograph: %d", status)
	}
}
