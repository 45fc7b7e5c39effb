package layout

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// How rows are laid out by their neighbours.
const (
	nearest       = 30   // neighbours that attract a row, the nearest most
	lessNearest   = 10   // of many rows, which begin from a sample's places: all alike
	exaggeration  = 12.0 // of the attraction at first, which gathers clusters
	gatherRounds  = 130  // until nothing is exaggerated
	settleRounds  = 100
	refineRounds  = 40
	sampleRows    = 20_000 // of more than twice as many rows a sample is laid out first
	momentum      = 0.8
	leastGain     = 0.01
	longestStep   = 5.0 // of a point in a round
	roundsBetween = 20  // two pictures
)

// NeighbourOptions say how rows are laid out.
type NeighbourOptions struct {
	Workers int
	// Show, if not nil, is called now and then with the places so far, which it must not keep.
	Show func(*Projection)
}

// Neighbours puts rows on a plane so that near rows are near there: t-SNE of van der Maaten and Hinton (2008) from the principal
// components, with weights that descend with the rank of a neighbour, the repulsion by a grid, and an exaggeration that fades: one that
// ends at once leaves clusters where they happened to gather. Few rows are laid out twice, and the more faithful picture is kept. Of
// many a sample is laid out first, and the others begin among their neighbours. Nothing is random, and the bits do not depend on the
// number of workers.
func Neighbours(ctx context.Context, x data.Rows, o NeighbourOptions) (*Projection, error) {
	first, err := PCA(ctx, x, o.Workers)
	if err != nil || x.Len() < 4 {
		return first, err
	}
	if x.Len() <= fewRows {
		return moreFaithful(ctx, x, first, o)
	}
	share := descending(nearest)
	if x.Len() > 2*sampleRows {
		share = alike(lessNearest)
	}
	nb, err := affinity.KNN(ctx, x, len(share), affinity.KNNOptions{Workers: o.Workers, Recall: 0.9})
	if err != nil {
		return nil, err
	}
	s := newSettling(x.Len(), o)
	rounds := [2]int{gatherRounds, settleRounds}
	if n := x.Len(); n > 2*sampleRows {
		chosen := make([]int, sampleRows)
		for i := range chosen {
			chosen[i] = i * n / sampleRows
		}
		small, err := Neighbours(ctx, data.Pick(x, chosen), NeighbourOptions{Workers: o.Workers})
		if err != nil {
			return nil, err
		}
		s.spreadFrom(nb, chosen, small)
		rounds = [2]int{0, refineRounds}
	} else {
		s.begin(first)
	}
	s.attract(nb, share)
	nb = nil
	return s.settle(ctx, rounds)
}

// A settling is a picture that moves to its places.
type settling struct {
	o              NeighbourOptions
	x, y           []float64
	vx, vy, gx, gy []float64 // speeds and gains
	fx, fy         []float64 // repulsion
	start          []int32   // of the edges of each row
	to             []int32
	weight         []float32
}

func newSettling(n int, o NeighbourOptions) *settling {
	s := &settling{o: o}
	for _, list := range []*[]float64{&s.x, &s.y, &s.vx, &s.vy, &s.gx, &s.gy, &s.fx, &s.fy} {
		*list = make([]float64, n)
	}
	for i := range s.gx {
		s.gx[i], s.gy[i] = 1, 1
	}
	return s
}

// begin begins with the principal components, of which the first has a deviation of 1. Equal rows get places of their own.
func (s *settling) begin(p *Projection) {
	sum := 0.0
	for _, v := range p.X {
		sum += v * v
	}
	scale := math.Sqrt(sum / float64(len(p.X)))
	if !(scale > 0) || math.IsInf(scale, 1) {
		scale = 1
	}
	for i := range s.x {
		dx, dy := jitter(i)
		s.x[i], s.y[i] = p.X[i]/scale+1e-3*dx, p.Y[i]/scale+1e-3*dy
	}
}

// jitter is a small step for a row, the same each time, by the golden ratio.
func jitter(i int) (dx, dy float64) {
	const golden = 0.6180339887498949
	_, u := math.Modf(float64(i+1) * golden)
	_, v := math.Modf(float64(i+1) * golden * golden * 7.31)
	return u - 0.5, v - 0.5
}

// spreadFrom begins with the places of some rows: the others begin in the middle of those of their neighbours that have a place.
func (s *settling) spreadFrom(nb *affinity.Neighbours, chosen []int, small *Projection) {
	n := len(s.x)
	has := make([]bool, n)
	grow := math.Sqrt(float64(n) / float64(len(chosen)))
	for c, i := range chosen {
		s.x[i], s.y[i], has[i] = small.X[c]*grow, small.Y[c]*grow, true
	}
	for range 8 {
		now := slices.Clone(has)
		left := 0
		for i := range has {
			if has[i] {
				continue
			}
			near, _ := nb.NeighboursOf(i)
			sx, sy, m := 0.0, 0.0, 0.0
			for _, j := range near {
				if has[j] {
					sx, sy, m = sx+s.x[j], sy+s.y[j], m+1
				}
				if m == 3 {
					break
				}
			}
			if m == 0 {
				left++
				continue
			}
			dx, dy := jitter(i)
			s.x[i], s.y[i], now[i] = sx/m+dx, sy/m+dy, true
		}
		if has = now; left == 0 {
			return
		}
	}
	for i := range has {
		if !has[i] {
			s.x[i], s.y[i] = jitter(i)
		}
	}
}

// alike returns the shares of k neighbours that count the same.
func alike(k int) []float64 { return slices.Repeat([]float64{1 / float64(k)}, k) }

// descending returns the shares of k neighbours that count the less the farther they are by rank: k, k−1, …, 1 parts.
func descending(k int) []float64 {
	share := make([]float64, k)
	for q := range share {
		share[q] = 2 * float64(k-q) / float64(k*(k+1))
	}
	return share
}

// attract keeps the graph of neighbours, symmetric: p_ij = (p_j|i + p_i|j)/2n with p_j|i = share[q] of the neighbour of rank q.
func (s *settling) attract(nb *affinity.Neighbours, share []float64) {
	n, k := nb.N, len(share)
	in := make([]int32, n+1)
	for i := range n {
		near, _ := nb.NeighboursOf(i)
		for _, j := range near[:k] {
			in[j+1]++
		}
	}
	for i := range n {
		in[i+1] += in[i]
	}
	from, fromShare := make([]int32, n*k), make([]float32, n*k)
	weight := make([]float32, k)
	for q, v := range share {
		weight[q] = float32(v / (2 * float64(n)))
	}
	at := slices.Clone(in)
	for i := range n {
		near, _ := nb.NeighboursOf(i)
		for q, j := range near[:k] {
			from[at[j]], fromShare[at[j]] = int32(i), weight[q]
			at[j]++
		}
	}
	s.start = make([]int32, n+1)
	s.to, s.weight = make([]int32, 0, 2*n*k), make([]float32, 0, 2*n*k)
	both := make(map[int32]int, k)
	for i := range n {
		clear(both)
		near, _ := nb.NeighboursOf(i)
		for q, j := range near[:k] {
			both[j] = len(s.to)
			s.to, s.weight = append(s.to, j), append(s.weight, weight[q])
		}
		for p := in[i]; p < in[i+1]; p++ {
			if e, ok := both[from[p]]; ok {
				s.weight[e] += fromShare[p]
			} else {
				s.to, s.weight = append(s.to, from[p]), append(s.weight, fromShare[p])
			}
		}
		s.start[i+1] = int32(len(s.to))
	}
}

// settle moves the points, first with the attraction exaggerated, less and less, and returns their places.
func (s *settling) settle(ctx context.Context, rounds [2]int) (*Projection, error) {
	n := len(s.x)
	g := &grid{workers: s.o.Workers}
	repel := g.repel
	if n <= fewRows {
		repel = repelPairs
	}
	for r := range rounds[0] + rounds[1] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more := 1.0
		if r < rounds[0] {
			more = math.Pow(exaggeration, 1-float64(r)/float64(rounds[0]))
		}
		g.coarse = r < rounds[0]+rounds[1]*2/3
		z := repel(s.x, s.y, s.fx, s.fy)
		s.step(more, 1/z, float64(n)/more)
		if s.o.Show != nil && r%roundsBetween == roundsBetween-1 {
			s.o.Show(s.picture())
		}
	}
	return s.picture(), nil
}

// step moves every point along its gradient, 4·(attraction − repulsion/Z), with momentum and gains.
func (s *settling) step(more, inverse, rate float64) {
	n := len(s.x)
	blocks.Rows(s.o.Workers, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			ax, ay, xi, yi := 0.0, 0.0, s.x[i], s.y[i]
			for e := s.start[i]; e < s.start[i+1]; e++ {
				j := s.to[e]
				dx, dy := xi-s.x[j], yi-s.y[j]
				w := float64(s.weight[e]) / (1 + dx*dx + dy*dy)
				ax, ay = ax+w*dx, ay+w*dy
			}
			s.fx[i], s.fy[i] = 4*(more*ax-s.fx[i]*inverse), 4*(more*ay-s.fy[i]*inverse)
		}
	})
	blocks.Rows(s.o.Workers, n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dx, dy := moved(&s.vx[i], &s.gx[i], s.fx[i], rate), moved(&s.vy[i], &s.gy[i], s.fy[i], rate)
			if far := math.Sqrt(dx*dx + dy*dy); far > longestStep { // one that flies off would make the grid coarse for all
				dx, dy = dx*longestStep/far, dy*longestStep/far
				s.vx[i], s.vy[i] = dx, dy
			}
			s.x[i], s.y[i] = s.x[i]+dx, s.y[i]+dy
		}
	})
}

// moved returns a step along one axis: where gradient and speed agree in sign the gain falls, else it grows (Jacobs 1988).
func moved(speed, gain *float64, gradient, rate float64) float64 {
	if (gradient > 0) == (*speed > 0) {
		*gain = max(leastGain, *gain*0.8)
	} else {
		*gain += 0.2
	}
	*speed = momentum**speed - rate**gain*gradient
	return *speed
}

func (s *settling) picture() *Projection {
	return &Projection{X: s.x, Y: s.y, Name: "nearest neighbours"}
}
