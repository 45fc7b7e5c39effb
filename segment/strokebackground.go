package segment

import (
	"image"
	"image/color"
	"slices"

	"github.com/inklinghq/inkling/internal/support/raster"
)

// When a colour is the background of an opaque image of strokes.
const (
	mostOfImage    = 0.5  // it covers at least this share, where no pixel is black
	nearlyAllImage = 0.8  // and this where some are, which are strokes then
	mostOfEdge     = 0.75 // and this share of the edge of the image
)

// findBackground recognises a background other than black, where at least two colours of
// strokes remain. counts are the colours that are not black.
func (s *Strokes) findBackground(m image.Image, counts []colourCount) {
	coloured := 0
	var most colourCount
	for _, k := range counts {
		coloured += k.pixels
		if k.pixels > most.pixels {
			most = k
		}
	}
	black := len(s.Label) - coloured
	share, others := float64(most.pixels)/float64(max(1, len(s.Label))), len(counts)-1
	if black > 0 {
		others++ // black is a stroke
	}
	if others < MinSegments || share < mostOfImage || black > 0 && share < nearlyAllImage || s.edgeShare(m, most.key) < mostOfEdge {
		return
	}
	s.clear, s.Background = most.key, hex(most.colour())
}

// edgeShare returns the share of the pixels at the edge of m that have a colour.
func (s *Strokes) edgeShare(m image.Image, key uint32) float64 {
	b, have, all := m.Bounds(), 0, 0
	look := func(x, y int) {
		c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
		if all++; uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B) == key {
			have++
		}
	}
	for x := b.Min.X; x < b.Max.X; x++ {
		look(x, b.Min.Y)
		look(x, b.Max.Y-1)
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		look(b.Min.X, y)
		look(b.Max.X-1, y)
	}
	return float64(have) / float64(max(1, all))
}

// How strokes on a copy of the photograph are found.
const (
	sameColour = 20  // a pixel of the copy is unchanged if no channel differs by more
	sameStroke = 40  // colours of strokes are one segment if no channel differs by more
	sameShare  = 0.5 // the share of the pixels that must be unchanged
	fewColours = 3   // a copy has at least so many colours where it is unchanged
)

// ReadStrokesOn finds strokes as ReadStrokes does, or those that are painted on a copy of
// the photograph, which are where the two differ. Of the latter colours that are nearly
// the same are one segment, as a copy saved as JPEG has many.
func ReadStrokesOn(photo, m image.Image) (*Strokes, error) {
	if err := SameSize(photo, m); err != nil {
		return nil, err
	}
	if opaque(m) {
		if s := strokesByDifference(photo, m); s != nil {
			return s, nil
		}
	}
	return ReadStrokes(m)
}

// strokesByDifference returns the strokes on a copy of the photograph, nil if m is
// not one.
func strokesByDifference(photo, m image.Image) *Strokes {
	s := newStrokes(m)
	s.Background = PhotoBackground
	b, at := m.Bounds(), photo.Bounds().Min
	same, kept := 0, map[uint32]bool{}
	changed := make([]colourCount, 0, 64)
	number, of := map[uint32]int{}, make([]int, len(s.Label))
	for i := range of {
		x, y := i%s.Width, i/s.Width
		c := color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
		r, g, bl := raster.At(photo, at.X+x, at.Y+y)
		key := uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)
		if of[i] = -1; near(key, uint32(r)<<16|uint32(g)<<8|uint32(bl), sameColour) {
			if same++; key != 0 && len(kept) < fewColours {
				kept[key] = true
			}
			continue
		}
		place, ok := number[key]
		if !ok {
			place = len(changed)
			number[key], changed = place, append(changed, colourCount{key: key})
		}
		changed[place].pixels++
		of[i] = place
	}
	if float64(same) < sameShare*float64(len(of)) || len(kept) < fewColours {
		return nil
	}
	label := s.groupColours(changed)
	if len(s.Colours) < MinSegments || len(s.Colours) > MaxSegments {
		return nil
	}
	for i, place := range of {
		if s.Label[i] = unknown; place >= 0 {
			s.Label[i] = label[place]
		}
	}
	return s
}

// near reports whether no channel of two colours differs by more than most.
func near(a, b uint32, most int) bool {
	for shift := 0; shift <= 16; shift += 8 {
		d := int(a>>shift&0xff) - int(b>>shift&0xff)
		if d > most || d < -most {
			return false
		}
	}
	return true
}

// groupColours makes segments of the changed colours: the commonest ones, each with what is
// near it. What is near none, as where a stroke meets the photograph, is a blend.
func (s *Strokes) groupColours(changed []colourCount) []uint8 {
	order := make([]int, len(changed))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return changed[b].pixels - changed[a].pixels })
	var centres []uint32
	group := make([]int, len(changed))
	var pixels []int
	for _, place := range order {
		key := changed[place].key
		at := slices.IndexFunc(centres, func(c uint32) bool { return near(c, key, sameStroke) })
		if at < 0 {
			at = len(centres)
			centres, pixels = append(centres, key), append(pixels, 0)
		}
		group[place] = at
		pixels[at] += changed[place].pixels
	}
	label := slices.Repeat([]uint8{unknown}, len(changed))
	number := slices.Repeat([]int{-1}, len(centres))
	most := 0
	if len(pixels) > 0 {
		most = slices.Max(pixels)
	}
	for place, k := range changed { // in the order in which colours first appear
		at := group[place]
		if pixels[at]*rare < most {
			s.Blends += k.pixels
			continue
		}
		if number[at] < 0 {
			number[at] = len(s.Colours)
			s.Colours, s.Pixels = append(s.Colours, colourCount{key: centres[at]}.colour()), append(s.Pixels, pixels[at])
		}
		label[place] = uint8(min(number[at], unknown))
	}
	return label
}
