package segment

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A palette holds colours met under strokes, by segment.
type palette [][]swatch

// A swatch is a colour and how many pixels have about this one.
type swatch struct {
	lab    [3]float64
	pixels float64
}

// mostSwatches bounds the swatches of a segment. Beyond, every other, every
// third and so on is taken.
const mostSwatches = 256

// newPalette gathers the colours of known regions.
func newPalette(r *regions, k int) palette {
	all := make(palette, k)
	for i, h := range r.known {
		if h != unknown {
			all[h] = append(all[h], swatch{r.mean[i], float64(r.size[i])})
		}
	}
	for h, s := range all {
		step := (len(s) + mostSwatches - 1) / mostSwatches
		kept, sum := s[:0], 0.0
		for i := 0; i < len(s); i += step {
			kept = append(kept, s[i])
			sum += s[i].pixels
		}
		for i := range kept {
			kept[i].pixels /= sum
		}
		all[h] = kept
	}
	return all
}

// colourWidth is the distance in CIELAB at which colours begin to be others.
const colourWidth = 8

// likely returns the segment under whose strokes the colour is met most, and
// how sure that is, from 0 to 1: 0 where two segments have it alike, or where
// no stroke has anything like it.
func (p palette) likely(lab [3]float64) (h uint8, sure float64) {
	first, second := 0.0, 0.0
	for g, s := range p {
		density := 0.0
		for _, w := range s {
			dl, da, db := lab[0]-w.lab[0], lab[1]-w.lab[1], lab[2]-w.lab[2]
			density += float64(w.pixels * fade((float64(dl*dl)+float64(da*da)+float64(db*db))/(2*colourWidth*colourWidth)))
		}
		if density > first {
			h, first, second = uint8(g), density, first
		} else if density > second {
			second = density
		}
	}
	sure = (first - second) / (first + second + 0.02)
	return h, float64(sure * sure)
}

// draw makes the pulls of a field: unknown regions are drawn to the segment
// whose strokes have their colour, like an edge as long as the side of a
// square of the region's size, times weight and certainty.
func (r *regions) draw(ctx context.Context, f *field, weight float64, workers int) error {
	f.pull, f.toward = make([]float64, r.len()), make([]uint8, r.len())
	if weight == 0 {
		return nil
	}
	p := newPalette(r, f.k)
	return blocks.Each(ctx, workers, r.len(), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			if r.known[i] == unknown {
				h, sure := p.likely(r.mean[i])
				f.toward[i], f.pull[i] = h, float64(weight*sure)
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}
