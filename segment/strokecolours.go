package segment

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// strokeColours holds colours found under strokes, by segment.
type strokeColours [][]colourSample

// A colourSample is a colour and how many pixels have about this one.
type colourSample struct {
	lab    [3]float64
	pixels float64
}

// maxSamples bounds the samples of a segment. Of more, every second, every third
// and so on is taken.
const maxSamples = 256

// newStrokeColours collects the colours of labelled regions.
func newStrokeColours(r *regions, k int) strokeColours {
	all := make(strokeColours, k)
	for i, h := range r.known {
		if h != unknown {
			all[h] = append(all[h], colourSample{r.mean[i], float64(r.size[i])})
		}
	}
	for h, s := range all {
		step := (len(s) + maxSamples - 1) / maxSamples
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

// colourWidth is the distance in CIELAB at which colours count as different.
const colourWidth = 8

// likelySegment returns the segment under whose strokes the colour is most
// common, and how certain that is, from 0 to 1: 0 where two segments have it
// equally often, or where no stroke has a similar colour.
func (p strokeColours) likelySegment(lab [3]float64) (h uint8, sure float64) {
	first, second := 0.0, 0.0
	for g, s := range p {
		density := 0.0
		for _, w := range s {
			dl, da, db := lab[0]-w.lab[0], lab[1]-w.lab[1], lab[2]-w.lab[2]
			density += float64(w.pixels * edgeWeight((float64(dl*dl)+float64(da*da)+float64(db*db))/(2*colourWidth*colourWidth)))
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

// setPulls sets the pulls of a problem: regions without a label are pulled to
// the segment whose strokes have their colour, like an edge as long as the side
// of a square of the region's size, times weight and certainty.
func (r *regions) setPulls(ctx context.Context, f *harmonicProblem, weight float64, workers int) error {
	f.pull, f.toward = make([]float64, r.count()), make([]uint8, r.count())
	if weight == 0 {
		return nil
	}
	p := newStrokeColours(r, f.k)
	return blocks.Each(ctx, workers, r.count(), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			if r.known[i] == unknown {
				h, sure := p.likelySegment(r.mean[i])
				f.toward[i], f.pull[i] = h, float64(weight*sure)
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}
