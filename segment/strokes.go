package segment

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
)

// unknown is the label of pixels of which no stroke says anything.
const unknown = 0xff

// Fewest and Most bound the number of segments.
const (
	Fewest = 2
	Most   = 9
)

// Strokes are what is known of an image: the segment of some of its pixels.
type Strokes struct {
	Width, Height int
	// Label is the segment of each pixel, row by row, 255 where none is known.
	Label []uint8
	// Colours are those of the segments, numbered in the order in which they
	// first appear, row by row; Pixels is how many each has.
	Colours []color.NRGBA
	Pixels  []int
	// Blends counts the pixels of colours too rare to be meant, which are taken
	// as unknown. It is 0 where there are no more than Most colours.
	Blends int
	// Faint names the segments that are so much rarer than the commonest that
	// they may be blends too.
	Faint []int
	// Opaque says that there was no transparency, so black is unknown.
	Opaque bool
}

// StrokesError is the error that strokes cannot be understood, with what to do.
type StrokesError struct{ Msg, Hint string }

func (e *StrokesError) Error() string { return e.Msg + "; " + e.Hint }

// rare is the share of the commonest colour below which a colour is taken for
// a blend, where there are too many colours.
const rare = 50

var errNoImage = errors.New("there is no image, it is nil")

// ReadStrokes takes the strokes of an image. Pixels that are more than half
// transparent are unknown, in an image without transparency those that are
// black; each other colour is one segment.
//
// Brushes with soft edges blend colours. Where there are more than Most, those
// with less than a fiftieth of the pixels of the commonest are unknown; the
// others must be Fewest to Most, and half of the coloured pixels at least, lest
// a photograph is taken for strokes.
func ReadStrokes(m image.Image) (*Strokes, error) {
	if m == nil {
		return nil, errNoImage
	}
	b := m.Bounds()
	s := &Strokes{Width: b.Dx(), Height: b.Dy(), Opaque: opaque(m)}
	s.Label = make([]uint8, s.Width*s.Height)
	number := map[uint32]int{}
	var tally []ink
	s.each(m, func(_ int, key uint32) {
		at, ok := number[key]
		if !ok {
			at = len(tally)
			number[key], tally = at, append(tally, ink{key: key})
		}
		tally[at].pixels++
	})
	label, err := s.choose(tally)
	if err != nil {
		return nil, err
	}
	for i := range s.Label {
		s.Label[i] = unknown
	}
	s.each(m, func(i int, key uint32) { s.Label[i] = label[number[key]] })
	return s, nil
}

// An ink is a colour and how many pixels have it.
type ink struct {
	key    uint32
	pixels int
}

func (k ink) colour() color.NRGBA {
	return color.NRGBA{uint8(k.key >> 16), uint8(k.key >> 8), uint8(k.key), 0xff}
}

// opaque says that no pixel is transparent.
func opaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// each calls do for every pixel that is known, row by row.
func (s *Strokes) each(m image.Image, do func(i int, key uint32)) {
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
			if c.A >= 0x80 && !(s.Opaque && key == 0) {
				do(i, key)
			}
			i++
		}
	}
}

// choose decides which colours are segments and returns the label of each.
func (s *Strokes) choose(tally []ink) ([]uint8, error) {
	if len(tally) == 0 {
		return nil, &StrokesError{"there are no strokes", "draw one colour for each segment on " + s.ground()}
	}
	most := slices.MaxFunc(tally, func(a, b ink) int { return cmp.Compare(a.pixels, b.pixels) }).pixels
	many := len(tally) > Most
	label := make([]uint8, len(tally))
	kept := 0
	for at, k := range tally {
		label[at] = unknown
		few := k.pixels*rare < most
		if many && few {
			s.Blends += k.pixels
			continue
		}
		if kept < Most {
			label[at] = uint8(kept)
			s.Colours, s.Pixels = append(s.Colours, k.colour()), append(s.Pixels, k.pixels)
			if few {
				s.Faint = append(s.Faint, kept)
			}
		}
		kept++
	}
	total := 0
	for _, k := range tally {
		total += k.pixels
	}
	switch {
	case many && (kept > Most || 2*s.Blends > total):
		return nil, &StrokesError{fmt.Sprintf("the strokes have %d colours, %d of them common, at most %d can be segments", len(tally), kept, Most),
			"draw with a hard pencil, without soft edges, on " + s.ground() + ", not on the photo, and save as PNG, not JPEG"}
	case kept < Fewest:
		return nil, &StrokesError{fmt.Sprintf("all strokes have one colour, %s, at least %d segments are needed", hex(s.Colours[0]), Fewest),
			"draw what does not belong to it in another colour"}
	}
	return label, nil
}

func (s *Strokes) ground() string {
	if s.Opaque {
		return "black or on a transparent layer"
	}
	return "a transparent layer"
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Name returns the colour of a segment as #rrggbb.
func (s *Strokes) Name(h int) string { return hex(s.Colours[h]) }

// Honoured counts the pixels under strokes that have their label.
func (s *Strokes) Honoured(label []uint8) (n int) {
	for i, h := range s.Label {
		if h != unknown && label[i] == h {
			n++
		}
	}
	return n
}
