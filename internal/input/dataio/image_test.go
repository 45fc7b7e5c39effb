package dataio

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
)

func pngOf(t testing.TB, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// painted fills an image of 2 by 3 pixels with colours of their own.
func painted(set func(x, y int, c color.NRGBA)) {
	for y := range 3 {
		for x := range 2 {
			set(x, y, color.NRGBA{R: uint8(50*x + 1), G: uint8(60 * y), B: 200, A: 255})
		}
	}
}

var paintedRows = [][]float64{{1, 0, 200}, {51, 0, 200}, {1, 60, 200}, {51, 60, 200}, {1, 120, 200}, {51, 120, 200}}

func TestImage(t *testing.T) {
	box := image.Rect(0, 0, 2, 3)
	rgba, nrgba, wide := image.NewRGBA(box), image.NewNRGBA(box), image.NewNRGBA64(box)
	palette := image.NewPaletted(box, nil)
	painted(func(x, y int, c color.NRGBA) {
		rgba.Set(x, y, c)
		wide.Set(x, y, c)
		palette.Palette = append(palette.Palette, c)
		palette.SetColorIndex(x, y, uint8(len(palette.Palette)-1))
		c.A = uint8(100 * y) // ignored, even where nothing is to be seen
		nrgba.SetNRGBA(x, y, c)
	})
	for name, m := range map[string]image.Image{"rgb": rgba, "alpha": nrgba, "16 bits": wide, "palette": palette} {
		ds := readertest.MustRead(t, readImage, pngOf(t, m), Options{})
		if got := readertest.RowsOf(ds.X); !readertest.SameRows(got, paintedRows) {
			t.Errorf("%s: pixels %v, want %v", name, got, paintedRows)
		}
		if ds.Width != 2 || ds.Height != 3 || !slices.Equal(ds.Columns, []string{"r", "g", "b"}) {
			t.Errorf("%s: %d by %d, columns %v", name, ds.Width, ds.Height, ds.Columns)
		}
	}
}

func TestImageGrey(t *testing.T) {
	grey, deep := image.NewGray(image.Rect(0, 0, 2, 1)), image.NewGray16(image.Rect(0, 0, 2, 1))
	grey.Pix[1] = 77
	deep.SetGray16(1, 0, color.Gray16{Y: 257*77 + 128})
	if got, want := readertest.RowsOf(readertest.MustRead(t, readImage, pngOf(t, grey), Options{}).X), [][]float64{{0, 0, 0}, {77, 77, 77}}; !readertest.SameRows(got, want) {
		t.Errorf("pixels %v, want %v", got, want)
	}
	y := readertest.MustRead(t, readImage, pngOf(t, deep), Options{}).X.(*data.Dense32).V[3]
	if y <= 77.4 || y >= 77.6 {
		t.Errorf("16 bits became %v, want about 77.5", y)
	}
}

func TestImageTransparentPalette(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.NRGBA{R: 10, G: 20, B: 30, A: 0}})
	if got, want := readertest.RowsOf(readertest.MustRead(t, readImage, pngOf(t, m), Options{}).X), [][]float64{{10, 20, 30}}; !readertest.SameRows(got, want) {
		t.Errorf("pixels %v, want %v", got, want)
	}
}

func TestImageJPEG(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for p := range m.Pix {
		m.Pix[p] = []uint8{200, 100, 50, 255}[p%4]
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	ds := readertest.MustRead(t, readImage, b.String(), Options{As: "image"})
	if ds.Len() != 1200 || ds.Width != 40 || ds.Height != 30 {
		t.Fatalf("%d pixels, %d by %d", ds.Len(), ds.Width, ds.Height)
	}
	for i, row := range readertest.RowsOf(ds.X) {
		for f, want := range []float64{200, 100, 50} {
			if d := row[f] - want; d < -4 || d > 4 {
				t.Fatalf("pixel %d is %v", i, row)
			}
		}
	}
}

// forgedPNG claims a size that its data does not have.
func forgedPNG(width, height uint32) string {
	chunk := []byte("IHDR")
	chunk = binary.BigEndian.AppendUint32(chunk, width)
	chunk = binary.BigEndian.AppendUint32(chunk, height)
	chunk = append(chunk, 8, 6, 0, 0, 0)
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	b = append(b, chunk...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(chunk)))
}

func TestImageRefuses(t *testing.T) {
	whole := pngOf(t, image.NewNRGBA(image.Rect(0, 0, 3, 3)))
	const early = "f: the image ends early; the file seems cut off: fetch it again"
	checkRefusals(t, readImage, []refusal{
		{name: "empty", in: "", want: "f: neither a PNG nor a JPEG image"},
		{name: "text", in: "hello", want: "f: neither a PNG nor a JPEG image"},
		{name: "cut in the head", in: whole[:20], want: early},
		{name: "cut in the data", in: whole[:len(whole)-20], want: early},
		{name: "damaged", in: strings.Replace(whole, "IDAT", "IDAX", 1), want: "f: not a readable image: png: invalid format: invalid checksum"},
		{name: "bomb", in: forgedPNG(20001, 10000), want: "f: an image of 20001 by 10000 pixels, at most 200000000 pixels are read; scale it down first"},
		{name: "forged", in: forgedPNG(20000, 10000), want: "f: 33 bytes cannot hold 20000 by 10000 pixels; the file seems cut off or forged"},
		{name: "as graph", in: whole, opt: Options{As: "graph"}, want: "f: an image cannot be read as graph, only as image"},
	})
}

func FuzzImage(f *testing.F) {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 3))
	painted(m.SetNRGBA)
	f.Add([]byte(pngOf(f, m)))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(forgedPNG(100000, 1000)))
	f.Fuzz(func(t *testing.T, b []byte) {
		ds, err := readImage(bytes.NewReader(b), "f", Options{})
		if err != nil {
			return
		}
		readertest.CheckDataset(t, ds)
		if ds.Len() != ds.Width*ds.Height {
			t.Errorf("%d pixels of %d by %d", ds.Len(), ds.Width, ds.Height)
		}
	})
}

func TestImageAndTextPassOnFailures(t *testing.T) {
	readertest.CheckEndsEarly(t, readText, "a\nb\nc", "f:3")
	readertest.CheckEndsEarly(t, readImage, "\x89PNG", "f")
}

// A few bytes that promise much must not cost much.
func TestForgedImageCostsLittle(t *testing.T) {
	readertest.CheckCost(t, readImage, "image", forgedPNG(20000, 10000), Options{})
}
