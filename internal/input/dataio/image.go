package dataio

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // for image.Decode
	_ "image/png"  // for image.Decode
	"io"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// maxPixels bounds the images that are decoded at all.
const maxPixels = 200_000_000

// pixelsPerByte is more than a PNG or JPEG byte can stand for: deflate expands
// at most 1,032 times, and a pixel takes a bit at least.
const pixelsPerByte = 8 * 1040

// readImage reads a PNG or JPEG as one row a pixel, line by line, with the
// columns r, g and b from 0 to 255. Transparency is ignored.
func readImage(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := source.RefuseKind(name, "an image", opt, source.AsImage); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "an image", opt, ""); err != nil {
		return nil, err
	}
	m, err := decodeImage(r, name)
	if err != nil {
		return nil, err
	}
	size := m.Bounds().Size()
	return &Dataset{Name: name, Format: source.Image, Columns: []string{"r", "g", "b"},
		X: &data.Dense32{Cols: 3, V: pixels(m)}, Width: size.X, Height: size.Y}, nil
}

// OpenImage reads the PNG or JPEG image at path, "-" being standard input, as
// it is, transparency included. What it cannot make sense of is an *Error.
func OpenImage(path string) (image.Image, error) {
	return source.OpenWith(path, ReadImage)
}

// ReadImage is OpenImage for a source that is open already.
func ReadImage(r io.Reader, name string) (image.Image, error) {
	s, err := source.NewStream(r, name)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m, err := decodeImage(s, name)
	if err != nil {
		return nil, s.RefusalOf(err)
	}
	return m, nil
}

// decodeImage refuses what is no image, what is empty, and what claims to be
// larger than its bytes can hold or than is read at all.
func decodeImage(r io.Reader, name string) (m image.Image, err error) {
	defer source.RefusePanics(name, "the image is damaged", &err)
	head := make([]byte, 8)
	n, err := io.ReadFull(r, head)
	if err == nil && !isImage(head) { // what never ends need not be read to its end
		return nil, imageFault(name, image.ErrFormat)
	}
	b, err := io.ReadAll(io.MultiReader(bytes.NewReader(head[:n]), r))
	if err != nil {
		return nil, source.Unreadable(name, 0, err)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, imageFault(name, err)
	}
	if c.Width < 1 || c.Height < 1 {
		return nil, &Error{File: name, Msg: fmt.Sprintf("an image of %d by %d pixels is empty", c.Width, c.Height)}
	}
	if c.Width > maxPixels/c.Height {
		return nil, &Error{File: name, Msg: fmt.Sprintf("an image of %d by %d pixels, at most %d pixels are read", c.Width, c.Height, maxPixels),
			Hint: "scale it down first"}
	}
	if c.Width*c.Height/pixelsPerByte > len(b) {
		return nil, &Error{File: name, Msg: fmt.Sprintf("%d bytes cannot hold %d by %d pixels", len(b), c.Width, c.Height),
			Hint: "the file seems cut off or forged"}
	}
	const perPixel = 8 + 3*4 + 4 // the decoded image, red, green and blue of each row, room to work
	if err := source.RefuseMemory(name, fmt.Sprintf("an image of %d by %d pixels", c.Width, c.Height), perPixel*int64(c.Width)*int64(c.Height), "scale it down first"); err != nil {
		return nil, err
	}
	m, _, err = image.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, imageFault(name, err)
	}
	return m, nil
}

// isImage reports whether a file that begins like this may be a PNG or JPEG image.
func isImage(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")) || bytes.HasPrefix(head, []byte("\xff\xd8"))
}

func imageFault(name string, err error) *Error {
	e := &Error{File: name, Msg: "not a readable image: " + err.Error(), Err: err}
	switch {
	case errors.Is(err, image.ErrFormat):
		e.Msg = "neither a PNG nor a JPEG image"
	case strings.HasSuffix(err.Error(), "EOF"): // the decoders do not wrap it
		e.Msg, e.Hint = "the image ends early", "the file seems cut off: fetch it again"
	}
	return e
}

// pixels returns red, green and blue of every pixel, line by line.
func pixels(m image.Image) []float32 {
	box := m.Bounds()
	v := make([]float32, 0, 3*box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		switch m := m.(type) {
		case *image.NRGBA:
			v = appendQuads(v, m.Pix[m.PixOffset(box.Min.X, y):][:4*box.Dx()])
		case *image.RGBA: // from the decoders: without alpha
			v = appendQuads(v, m.Pix[m.PixOffset(box.Min.X, y):][:4*box.Dx()])
		case *image.Gray:
			for _, g := range m.Pix[m.PixOffset(box.Min.X, y):][:box.Dx()] {
				v = append(v, float32(g), float32(g), float32(g))
			}
		case *image.YCbCr:
			for x := box.Min.X; x < box.Max.X; x++ {
				c := m.YCbCrAt(x, y)
				r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
				v = append(v, float32(r), float32(g), float32(b))
			}
		default:
			for x := box.Min.X; x < box.Max.X; x++ {
				v = appendColour(v, m.At(x, y))
			}
		}
	}
	return v
}

func appendQuads(v []float32, pix []uint8) []float32 {
	for ; len(pix) >= 4; pix = pix[4:] {
		v = append(v, float32(pix[0]), float32(pix[1]), float32(pix[2]))
	}
	return v
}

// appendColour takes a colour as it is before its alpha makes it darker.
func appendColour(v []float32, c color.Color) []float32 {
	if c, ok := c.(color.NRGBA); ok {
		return append(v, float32(c.R), float32(c.G), float32(c.B))
	}
	d, ok := c.(color.NRGBA64)
	if !ok {
		d = color.NRGBA64Model.Convert(c).(color.NRGBA64)
	}
	return append(v, eightBit(d.R), eightBit(d.G), eightBit(d.B))
}

// eightBit brings a 16-bit value to 0..255, fractions kept.
func eightBit(c uint16) float32 { return float32(float64(c) / 257) }
