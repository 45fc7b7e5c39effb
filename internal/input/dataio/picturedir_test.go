package dataio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/raster"
)

// plain is a picture of one colour with a bar, upright or level, of another.
func plain(ground, bar color.RGBA, upright bool) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, 50, 40))
	for y := range 40 {
		for x := range 50 {
			c := ground
			if upright && x > 20 && x < 30 || !upright && y > 15 && y < 25 {
				c = bar
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

var (
	red   = color.RGBA{220, 30, 30, 255}
	blue  = color.RGBA{30, 30, 220, 255}
	black = color.RGBA{A: 255}
)

func put(t *testing.T, path string, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pictureFolder has four pictures, a text, a damaged picture and a link to a picture outside.
func pictureFolder(t *testing.T) (dir, outside string) {
	t.Helper()
	top := t.TempDir()
	dir, outside = filepath.Join(top, "album"), filepath.Join(top, "private.png")
	put(t, filepath.Join(dir, "a", "one.png"), pngOf(t, plain(red, black, true)))
	put(t, filepath.Join(dir, "a", "two.png"), pngOf(t, plain(red, black, true)))
	put(t, filepath.Join(dir, "b", "three.png"), pngOf(t, plain(blue, black, false)))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, plain(blue, black, false), nil); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "four.jpg"), b.String())
	put(t, filepath.Join(dir, "notes.txt"), "words")
	put(t, filepath.Join(dir, "cut.png"), pngOf(t, plain(red, black, true))[:60])
	put(t, outside, pngOf(t, plain(blue, black, true)))
	if err := os.Symlink(outside, filepath.Join(dir, "way-out.png")); err != nil {
		t.Skip("no links here:", err)
	}
	return dir, outside
}

func numbers(d *Dataset, row int) []float64 { return d.X.Row(row, make([]float64, d.X.Dim())).Val }

func TestFolderOfPictures(t *testing.T) {
	dir, _ := pictureFolder(t)
	d, err := Open(dir, Options{Label: "folder"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a/one.png", "a/two.png", "b/three.png", "four.jpg"}; !slices.Equal(d.IDs, want) {
		t.Errorf("rows %v, not %v", d.IDs, want)
	}
	if want := []string{"a", "a", "b", ""}; !slices.Equal(d.Labels, want) {
		t.Errorf("labels %v, not %v", d.Labels, want)
	}
	if d.Pictures == nil || d.X.Dim() != len(d.Columns) {
		t.Errorf("%d features with %d names, pictures %v", d.X.Dim(), len(d.Columns), d.Pictures)
	}
	var said []string
	for _, n := range d.Notes {
		said = append(said, string(n))
	}
	for _, want := range []string{"simple measures of colour and edges", "1 picture left out: damaged, or too large (cut.png)", "1 file left out: neither PNG nor JPEG", "1 entry left out"} {
		if !strings.Contains(strings.Join(said, "; "), want) {
			t.Errorf("nothing says %q: %v", want, said)
		}
	}
	for _, workers := range []int{1, 3} {
		again, err := Open(dir, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.IDs {
			if !slices.Equal(numbers(again, i), numbers(d, i)) {
				t.Errorf("%s has other numbers on %d workers", d.IDs[i], workers)
			}
		}
	}
	apart := func(i, j int) (sum float64) {
		a, b := numbers(d, i), numbers(d, j)
		for f := range a {
			sum += (a[f] - b[f]) * (a[f] - b[f])
		}
		return sum
	}
	if apart(0, 1) != 0 || !(apart(2, 3) < 0.02*apart(0, 2)) {
		t.Errorf("equal pictures are %v apart, alike ones %v, others %v", apart(0, 1), apart(2, 3), apart(0, 2))
	}
}

// Each number is what its name says.
func TestPictureFeatures(t *testing.T) {
	at := func(m image.Image, name string) float32 {
		return describePicture(m, raster.NewLab())[slices.Index(pictureColumns(), name)]
	}
	upright, level := plain(red, black, true), plain(blue, black, false)
	if v := at(upright, "redness left"); v < 0.5 {
		t.Errorf("red is %v", v)
	}
	if v := at(level, "yellowness top"); v > -0.5 {
		t.Errorf("blue is %v", v)
	}
	if v := at(plain(color.RGBA{255, 255, 255, 255}, black, true), "lightness bottom right"); v < 0.99 || v > 1.01 {
		t.Errorf("white is %v", v)
	}
	if a, b := at(upright, "upright edges centre"), at(upright, "level edges centre"); !(a > 0.3 && b < 0.05) {
		t.Errorf("an upright bar has upright edges %v, level ones %v", a, b)
	}
	if a, b := at(level, "level edges centre"), at(level, "upright edges centre"); !(a > 0.3 && b < 0.05) {
		t.Errorf("a level bar has level edges %v, upright ones %v", a, b)
	}
	diagonal := image.NewGray(image.Rect(0, 0, 63, 63))
	for i := range diagonal.Pix {
		if i%63 > i/63 { // above a line that falls
			diagonal.Pix[i] = 255
		}
	}
	if a, b := at(diagonal, "falling edges centre"), at(diagonal, "rising edges centre"); !(a > 0.3 && b < 0.05) {
		t.Errorf("a falling line has falling edges %v, rising ones %v", a, b)
	}
	for _, m := range []image.Image{image.NewGray(image.Rect(0, 0, 1, 1)), image.NewGray(image.Rect(0, 0, 1, 900))} {
		for f, v := range describePicture(m, raster.NewLab()) {
			if v != v {
				t.Errorf("%v of %v is not a number", pictureColumns()[f], m.Bounds())
			}
		}
	}
}

func arrayOf(rows [][]float32) string {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", len(rows), len(rows[0]))
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, r := range rows {
		b, _ = binary.Append(b, binary.LittleEndian, r)
	}
	return string(b)
}

// Embeddings stand in the order of names, or are found by ids; what does not fit is refused.
func TestEmbeddingsOfPictures(t *testing.T) {
	dir, _ := pictureFolder(t)
	names := []string{"a/one.png", "a/two.png", "b/three.png", "cut.png", "four.jpg"} // they need not be decoded
	file, ids := filepath.Join(t.TempDir(), "e.npy"), filepath.Join(t.TempDir(), "ids.txt")
	put(t, file, arrayOf([][]float32{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}))
	first := func(opt Options) []float64 {
		t.Helper()
		opt.Embeddings = file
		d, err := Open(dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(d.IDs, names) {
			t.Fatalf("rows %v", d.IDs)
		}
		var out []float64
		for i := range d.IDs {
			out = append(out, numbers(d, i)[0])
		}
		return out
	}
	if got := first(Options{}); !slices.Equal(got, []float64{0, 1, 2, 3, 4}) {
		t.Errorf("by order: %v", got)
	}
	turned := slices.Clone(names)
	slices.Reverse(turned)
	put(t, ids, strings.Join(turned, "\n")+"\n")
	if got := first(Options{IDs: ids}); !slices.Equal(got, []float64{4, 3, 2, 1, 0}) {
		t.Errorf("by ids: %v", got)
	}
	refused := func(opt Options, want string) {
		t.Helper()
		opt.Embeddings = file
		if _, err := Open(dir, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	put(t, ids, "a/one.png\nx\ny\nz\nfour.jpg\n")
	refused(Options{IDs: ids}, "there is no row for the picture")
	put(t, file, arrayOf([][]float32{{0, 1}, {1, 1}}))
	refused(Options{}, "2 rows for 5 pictures")
	if _, err := Open(file, Options{Embeddings: file}); err == nil || !strings.Contains(err.Error(), "a folder of pictures") {
		t.Errorf("embeddings of a file: %v", err)
	}
}

// Whatever a name says, nothing outside of the folder is opened.
func TestPicturesStayInTheirFolder(t *testing.T) {
	dir, outside := pictureFolder(t)
	p := &source.Pictures{Folder: dir}
	if m, err := OpenPicture(p, "a/one.png"); err != nil || m.Bounds().Dx() != 50 {
		t.Fatalf("%v, %v", m, err)
	}
	if err := os.Symlink(filepath.Join("a", "one.png"), filepath.Join(dir, "inside.png")); err != nil {
		t.Skip("no links here:", err)
	}
	if err := os.Symlink(filepath.Dir(dir), filepath.Join(dir, "up")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPicture(p, "inside.png"); err != nil {
		t.Errorf("a link within the folder: %v", err)
	}
	for _, name := range []string{"../private.png", "a/../../private.png", outside, "way-out.png", "up/private.png", "", ".", "a", "notes.txt", "a/one.png/../../../private.png"} {
		if m, err := OpenPicture(p, name); err == nil {
			t.Errorf("%q opens a picture of %v", name, m.Bounds())
		}
	}
}

// A table whose ids are names of pictures beside it has these pictures; one that names others has none.
func TestTableThatNamesPictures(t *testing.T) {
	dir, _ := pictureFolder(t)
	for _, c := range []struct {
		ids  []string
		want bool
	}{{[]string{"a/one.png", "four.jpg"}, true}, {[]string{"../private.png"}, false}, {[]string{"way-out.png"}, false}, {[]string{"none.png"}, false}, {[]string{"notes.txt"}, false}, {nil, false}} {
		d := &Dataset{Name: filepath.Join(dir, "table.csv"), IDs: c.ids}
		if got := NamesPictures(d) != nil; got != c.want {
			t.Errorf("%v: %v", c.ids, got)
		}
	}
}

// A folder is read as what it holds most of, or as it is asked for.
func TestFolderOfBoth(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "one.png"), pngOf(t, plain(red, black, true)))
	put(t, filepath.Join(dir, "a.txt"), "some words")
	for _, c := range []struct {
		as       As
		pictures bool
	}{{"", false}, {AsText, false}, {AsImage, true}} {
		d, err := Open(dir, Options{As: c.as})
		if err != nil {
			t.Fatal(err)
		}
		if (d.Pictures != nil) != c.pictures || (d.Docs != nil) == c.pictures {
			t.Errorf("as %q: pictures %v, documents %v", c.as, d.Pictures, d.Docs)
		}
	}
	if _, err := Open(dir, Options{As: AsGraph}); err == nil {
		t.Error("a folder is read as a graph")
	}
}
