package server_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/server"
)

// album makes a folder with pictures of two colours, and a picture beside it that is none of them.
func album(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "album")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(path string, c color.RGBA) {
		m := image.NewRGBA(image.Rect(0, 0, 40, 30))
		for i := range 40 * 30 {
			m.SetRGBA(i%40, i/40, c)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		put(filepath.Join(folder, fmt.Sprintf("%02d.png", i)), color.RGBA{uint8(200 * (i % 2)), uint8(10 * i), 40, 255})
	}
	put(filepath.Join(filepath.Dir(folder), "private.png"), color.RGBA{1, 2, 3, 255})
	return folder
}

// The pictures of rows are sent by the numbers of points, small, and nothing else can be asked for; one that became a link to a
// file elsewhere is not sent.
func TestPicturesOfRows(t *testing.T) {
	folder := album(t)
	s, err := server.New(server.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := serve(t, s)
	if err := s.Open(context.Background(), server.Data{Path: folder, Options: inkling.Options{K: 2}}); err != nil {
		t.Fatal(err)
	}
	if state := c.get("state"); state["pictures"] != true || state["rows"] != 12.0 {
		t.Fatalf("got %v", state)
	}
	if m := c.picture("picture?p=3&max=20"); m.Bounds() != image.Rect(0, 0, 20, 15) {
		t.Errorf("a small picture has %v", m.Bounds())
	}
	if m := c.picture("picture?p=3&max=999999"); m.Bounds() != image.Rect(0, 0, 40, 30) {
		t.Errorf("a large picture has %v", m.Bounds())
	}
	for _, p := range []string{"", "12", "-1", "../private.png", "..%2fprivate.png", "03.png"} {
		if status, _ := c.do("GET", "api/picture?p="+p, nil); status != 400 && status != 404 {
			t.Errorf("point %q: %d", p, status)
		}
	}
	point := 0
	c.until("the first point", func(object) bool { return c.get("point?p=0")["id"] != nil })
	name := filepath.Join(folder, c.get("point?p=0")["id"].(string))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(filepath.Dir(folder), "private.png"), name); err != nil {
		t.Skip("no links here:", err)
	}
	if status, raw := c.do("GET", fmt.Sprintf("api/picture?p=%d&max=33", point), nil); status != 404 {
		t.Errorf("a link out of the folder: %d, %d bytes", status, len(raw))
	}
}

// Rows that are not pictures have none.
func TestNoPicturesOfRows(t *testing.T) {
	c, _ := start(t, "iris")
	if status, _ := c.do("GET", "api/picture?p=0", nil); status != 404 {
		t.Errorf("got %d", status)
	}
}
