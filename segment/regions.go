package segment

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
)

// regions are the nodes of the graph that is cut: superpixels, with the pixels
// under strokes split off as nodes of their own, one for each colour of stroke.
// So no node has two labels, and every pixel under a stroke keeps its label.
type regions struct {
	regionOf []int32      // the region of each pixel
	size     []int        // pixels of each region
	mean     [][3]float64 // its colour
	known    []uint8      // its segment, unknown without a stroke
}

func (r *regions) count() int { return len(r.size) }

// newRegions splits superpixels along strokes; number becomes the regions.
func newRegions(c *canvas, number []int32, count int, s *Strokes) *regions {
	r := &regions{regionOf: number, size: make([]int, count), known: make([]uint8, count)}
	for i := range r.known {
		r.known[i] = unknown
	}
	type piece struct {
		patch int32
		label uint8
	}
	pieces := map[piece]int32{}
	for i, h := range s.Label {
		if h == unknown {
			continue
		}
		p := piece{number[i], h}
		id, ok := pieces[p]
		if !ok {
			id = int32(r.count())
			pieces[p] = id
			r.size, r.known = append(r.size, 0), append(r.known, h)
		}
		number[i] = id
	}
	r.mean = make([][3]float64, r.count())
	for i, id := range number {
		r.size[id]++
		p, m := c.colourAt(i), &r.mean[id]
		m[0] += float64(p[0])
		m[1] += float64(p[1])
		m[2] += float64(p[2])
	}
	for id := range r.mean {
		if r.size[id] > 0 { // none left where strokes took them all
			for f := range 3 {
				r.mean[id][f] /= float64(r.size[id])
			}
		}
	}
	r.dropEmpty()
	return r
}

// dropEmpty removes regions without pixels.
func (r *regions) dropEmpty() {
	to := make([]int32, r.count())
	at := 0
	for id, n := range r.size {
		to[id] = int32(at)
		if n == 0 {
			continue
		}
		r.size[at], r.mean[at], r.known[at] = n, r.mean[id], r.known[id]
		at++
	}
	if at == len(to) {
		return
	}
	r.size, r.mean, r.known = r.size[:at], r.mean[:at], r.known[:at]
	for i, id := range r.regionOf {
		r.regionOf[i] = to[id]
	}
}

// colourDist2 returns the squared distance of two regions' colours.
func (r *regions) colourDist2(i, j int) float64 {
	p, q := &r.mean[i], &r.mean[j]
	dl, da, db := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return float64(dl*dl) + float64(da*da) + float64(db*db)
}

// borderGraph connects adjacent regions. The weight is the length of their common
// border, in pixels, times edgeWeight(d²/σ²) of the distance d of their colours. σ²
// is contrast times the mean of d² along all borders; but at least one step of
// eight bits, so that noise in a flat image is not an edge.
func (r *regions) borderGraph(ctx context.Context, c *canvas, contrast float64) (*data.Graph, error) {
	var edges []data.Edge
	for i := range r.regionOf {
		if i%c.width == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := c.neighbours(i)
		for _, q := range next[2:] {
			if q >= 0 && r.regionOf[q] != r.regionOf[i] {
				edges = append(edges, data.Edge{U: int(min(r.regionOf[i], r.regionOf[q])), V: int(max(r.regionOf[i], r.regionOf[q])), W: 1})
			}
		}
	}
	g, err := data.NewGraph(r.count(), edges)
	if err != nil {
		return nil, err
	}
	length, sum := 0.0, 0.0
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			length += w[p]
			sum += float64(w[p] * r.colourDist2(i, int(j)))
		}
	}
	width := minWidth
	if length > 0 {
		width = max(width, contrast*sum/length)
	}
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			w[p] *= edgeWeight(r.colourDist2(i, int(j)) / width)
		}
	}
	return g, nil
}

// minWidth is about the squared distance of two neighbouring greys.
const minWidth = 0.25

// edgeWeight decreases like exp(−x) from 1, but has a fatter tail, never reaches 0, and
// has the same bits on every processor.
func edgeWeight(x float64) float64 {
	x /= 4
	y := 1 + x + float64(x*x)/2 + float64(float64(x*x)*x)/6
	y *= y
	return max(1/float64(y*y), minEdgeWeight)
}

// minEdgeWeight keeps the graph connected, and its system well-posed.
const minEdgeWeight = 1e-9
