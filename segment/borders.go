package segment

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
)

// A band is the pixels near the borders between segments, which are assigned
// again one by one. Around them lies a rim of pixels that keep their label.
type band struct {
	pixel []int32 // of each node, band and rim
	node  []int32 // of each pixel, -1 outside
	known []uint8
}

// refineBorders assigns the pixels within reach of a border by the harmonic
// extension of the labels around them, in the graph of the pixels. It changes
// label, and share where that is not nil, and returns how many pixels it
// assigned.
func refineBorders(ctx context.Context, c *canvas, label []uint8, share [][]float32, s *Strokes, o *Options, reach int, p strokeColours) (int, error) {
	b := newBand(c, label, s, reach)
	if len(b.pixel) == 0 {
		return 0, nil
	}
	f := &harmonicProblem{known: b.known, k: len(s.Colours)}
	f.graph = b.pixelGraph(c, o.Contrast)
	if o.Colour > 0 {
		f.pull, f.toward = make([]float64, len(b.pixel)), make([]uint8, len(b.pixel))
		for v, i := range b.pixel {
			if b.known[v] == unknown {
				lab := c.colourAt(int(i))
				h, sure := p.likelySegment([3]float64{float64(lab[0]), float64(lab[1]), float64(lab[2])})
				f.toward[v], f.pull[v] = h, float64(o.Colour*sure)
			}
		}
	}
	got, _, err := f.solve(ctx, 1e-3, o.Workers)
	if err != nil {
		return 0, err
	}
	assigned := 0
	for v, i := range b.pixel {
		if b.known[v] != unknown {
			continue
		}
		assigned++
		label[i] = largest(got, v)
		for h := range share {
			share[h][i] = float32(got[h][v])
		}
	}
	return assigned, nil
}

// largest returns the segment with the largest share of node v, the first on
// ties.
func largest(share [][]float64, v int) uint8 {
	best := 0
	for h := range share {
		if share[h][v] > share[best][v] {
			best = h
		}
	}
	return uint8(best)
}

func newBand(c *canvas, label []uint8, s *Strokes, reach int) *band {
	b := &band{node: make([]int32, c.pixels())}
	for i := range b.node {
		b.node[i] = -1
	}
	add := func(i int32) {
		b.node[i] = int32(len(b.pixel))
		b.pixel = append(b.pixel, i)
	}
	for i := range label {
		for _, q := range c.neighbours(i) {
			if q >= 0 && label[q] != label[i] {
				add(int32(i))
				break
			}
		}
	}
	from := 0
	inside := len(b.pixel)
	for range reach { // the last step adds the rim
		inside = len(b.pixel)
		for _, i := range b.pixel[from:inside] {
			for _, q := range c.neighbours(int(i)) {
				if q >= 0 && b.node[q] < 0 {
					add(q)
				}
			}
		}
		from = inside
	}
	b.known = make([]uint8, len(b.pixel))
	for v, i := range b.pixel {
		b.known[v] = s.Label[i]
		if v >= inside {
			b.known[v] = label[i]
		}
	}
	return b
}

// pixelGraph connects adjacent pixels, with the weights of regions.borderGraph.
func (b *band) pixelGraph(c *canvas, contrast float64) *data.Graph {
	g := &data.Graph{Start: make([]int, len(b.pixel)+1)}
	sum := 0.0
	for v, i := range b.pixel {
		from := len(g.To)
		for _, q := range c.neighbours(int(i)) {
			if q >= 0 && b.node[q] >= 0 {
				d := float64(c.colourDist2(int(i), int(q)))
				sum += d
				at := len(g.To)
				g.To, g.W = append(g.To, b.node[q]), append(g.W, d)
				for ; at > from && g.To[at] < g.To[at-1]; at-- {
					g.To[at], g.To[at-1] = g.To[at-1], g.To[at]
					g.W[at], g.W[at-1] = g.W[at-1], g.W[at]
				}
			}
		}
		g.Start[v+1] = len(g.To)
	}
	width := max(minWidth, contrast*sum/float64(max(1, len(g.W))))
	for e, d := range g.W {
		g.W[e] = edgeWeight(d / width)
	}
	return g
}
