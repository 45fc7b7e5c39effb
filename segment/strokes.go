package segment

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
)

// unknown is the label of pixels without a stroke.
const unknown = 0xff

// MinSegments and MaxSegments bound the number of segments.
const (
	MinSegments = 2
	MaxSegments = 9
)

// Strokes label some pixels of an image with their segment.
type Strokes struct {
	Width, Height int
	// Label is the segment of each pixel, row by row, 255 without a stroke.
	Label []uint8
	// Colours are those of the segments, numbered in the order in which they
	// first appear, row by row; Pixels is how many each has.
	Colours []color.NRGBA
	Pixels  []int
	// Blends counts the pixels of colours too rare to be a segment, which are
	// ignored. It is 0 if there are at most MaxSegments colours.
	Blends int
	// Faint names the segments that are so much rarer than the commonest that
	// they may be blends too.
	Faint []int
	// Opaque reports that the image had no transparency.
	Opaque bool
	// Background says what counts as unknown: transparent, black, another colour that
	// covers most of the image, as #rrggbb, or photo, where strokes are painted on a copy.
	Background string

	clear uint32 // the colour of the background of an opaque image
}

// What Strokes.Background can be beside a colour.
const (
	TransparentBackground = "transparent"
	BlackBackground       = "black"
	PhotoBackground       = "photo"
)

// A StrokesError is the error for strokes that cannot be used.
type StrokesError struct {
	Msg  string
	Hint string // what to do about it
}

func (e *StrokesError) Error() string { return e.Msg }

// Advice returns the hint of e.
func (e *StrokesError) Advice() string { return e.Hint }

// rare is the share of the commonest colour below which a colour is taken for
// a blend, where there are too many colours.
const rare = 50

var errNoImage = errors.New("the image is nil")

// ReadStrokes finds the strokes of an image. Pixels that are more than half
// transparent, or in an image without transparency those of its background, are
// unknown; each other colour is one segment. The background is black, or a colour that
// covers most of the image and nearly all of its edge.
//
// Brushes with soft edges blend colours. Where there are more than MaxSegments, those
// with less than a fiftieth of the pixels of the most common are ignored; the
// others must be MinSegments to MaxSegments, and have at least half of the
// coloured pixels, so that a photograph is not mistaken for strokes.
func ReadStrokes(m image.Image) (*Strokes, error) {
	if m == nil {
		return nil, errNoImage
	}
	s := newStrokes(m)
	counts, number := s.countColours(m)
	if s.Opaque {
		s.findBackground(m, counts)
		if s.clear != 0 {
			counts, number = s.countColours(m)
		}
	}
	label, err := s.chooseSegments(counts)
	if err != nil {
		return nil, err
	}
	for i := range s.Label {
		s.Label[i] = unknown
	}
	s.eachStrokePixel(m, func(i int, key uint32) { s.Label[i] = label[number[key]] })
	return s, nil
}

func newStrokes(m image.Image) *Strokes {
	b := m.Bounds()
	s := &Strokes{Width: b.Dx(), Height: b.Dy(), Opaque: opaque(m), Background: TransparentBackground}
	if s.Opaque {
		s.Background = BlackBackground
	}
	s.Label = make([]uint8, s.Width*s.Height)
	return s
}

// countColours counts the pixels of each colour of the strokes, in the order in which
// they first appear, and numbers the colours.
func (s *Strokes) countColours(m image.Image) (counts []colourCount, number map[uint32]int) {
	number = map[uint32]int{}
	s.eachStrokePixel(m, func(_ int, key uint32) {
		at, ok := number[key]
		if !ok {
			at = len(counts)
			number[key], counts = at, append(counts, colourCount{key: key})
		}
		counts[at].pixels++
	})
	return counts, number
}

// A colourCount is a colour and how many pixels have it.
type colourCount struct {
	key    uint32
	pixels int
}

func (k colourCount) colour() color.NRGBA {
	return color.NRGBA{uint8(k.key >> 16), uint8(k.key >> 8), uint8(k.key), 0xff}
}

// opaque reports whether no pixel is transparent.
func opaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// eachStrokePixel calls do for every pixel of a stroke, row by row.
func (s *Strokes) eachStrokePixel(m image.Image, do func(i int, key uint32)) {
	b := m.Bounds()
	straight, _ := m.(*image.NRGBA)
	i := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			var c color.NRGBA
			if straight != nil {
				c = straight.NRGBAAt(x, y)
			} else {
				c = color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			}
			key := uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)
			if c.A >= 0x80 && !(s.Opaque && key == s.clear) {
				do(i, key)
			}
			i++
		}
	}
}

// chooseSegments decides which colours are segments and returns the label of
// each.
func (s *Strokes) chooseSegments(counts []colourCount) ([]uint8, error) {
	if len(counts) == 0 {
		return nil, &StrokesError{"there are no strokes", "draw one colour for each segment on " + s.background()}
	}
	most := slices.MaxFunc(counts, func(a, b colourCount) int { return cmp.Compare(a.pixels, b.pixels) }).pixels
	many := len(counts) > MaxSegments
	label := make([]uint8, len(counts))
	kept := 0
	for at, k := range counts {
		label[at] = unknown
		few := k.pixels*rare < most
		if many && few {
			s.Blends += k.pixels
			continue
		}
		if kept < MaxSegments {
			label[at] = uint8(kept)
			s.Colours, s.Pixels = append(s.Colours, k.colour()), append(s.Pixels, k.pixels)
			if few {
				s.Faint = append(s.Faint, kept)
			}
		}
		kept++
	}
	total := 0
	for _, k := range counts {
		total += k.pixels
	}
	switch {
	case many && (kept > MaxSegments || 2*s.Blends > total):
		return nil, &StrokesError{fmt.Sprintf("the strokes have %d colours, %d of them common, at most %d can be segments", len(counts), kept, MaxSegments),
			"draw with a hard pencil, without soft edges, on " + s.background() + ", not on the photo, and save as PNG, not JPEG"}
	case kept < MinSegments:
		return nil, &StrokesError{fmt.Sprintf("all strokes have one colour, %s, at least %d segments are needed", hex(s.Colours[0]), MinSegments),
			"draw what does not belong to it in another colour"}
	}
	return label, nil
}

// background returns where strokes can be drawn.
func (s *Strokes) background() string {
	if s.Opaque {
		return "black or on a transparent layer"
	}
	return "a transparent layer"
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Name returns the colour of a segment as #rrggbb.
func (s *Strokes) Name(h int) string { return hex(s.Colours[h]) }

// Satisfied counts the pixels under strokes that have their label.
func (s *Strokes) Satisfied(label []uint8) (n int) {
	for i, h := range s.Label {
		if h != unknown && label[i] == h {
			n++
		}
	}
	return n
}

// SameSize returns a *StrokesError unless strokes have the size of the
// photograph.
func SameSize(photo, strokes image.Image) error {
	if photo == nil || strokes == nil {
		return errNoImage
	}
	return sameSize(photo.Bounds().Size(), strokes.Bounds().Size())
}

func sameSize(photo, strokes image.Point) error {
	if photo == strokes {
		return nil
	}
	advice := "draw the strokes on a layer over the photo, and neither crop nor scale it"
	if photo.X == strokes.Y && photo.Y == strokes.X {
		advice = "the photo may be rotated by its EXIF data; save it again as it is shown"
	}
	return &StrokesError{fmt.Sprintf("the photo has %d by %d pixels, the strokes %d by %d", photo.X, photo.Y, strokes.X, strokes.Y), advice}
}
