package layout

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// How rows are laid out by their neighbours.
const (
	nearest       = 30   // neighbours that attract a row, the nearest most
	lessNearest   = 10   // of many rows, which begin from a sample's places: all alike
	exaggeration  = 12.0 // of the attraction at first, which gathers clusters
	gatherRounds  = 130  // until nothing is exaggerated
	settleRounds  = 100
	sampleRounds  = 50 // that settle a sample
	refineRounds  = 40
	sampleRows    = 20_000 // of more than twice as many rows a sample is laid out first
	reach         = 0.05   // of the attraction, of up to reachRows rows; less in larger pictures, which are as wide as the root of the rows
	reachRows     = 5000
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
// components, with weights that descend with the rank of a neighbour, the repulsion by a grid, an exaggeration that fades, as one
// that ends at once leaves clusters where they happened to gather, and an attraction that reaches farther, as step says. Few rows
// are laid out twice, and the more faithful picture is kept. Of many a sample is laid out first, and the others begin among their
// neighbours, of which a few are missed. Nothing is random, and the bits do not depend on the number of workers.
func Neighbours(ctx context.Context, x data.Rows, o NeighbourOptions) (*Projection, error) {
	if x != nil && x.Len() > 2*sampleRows {
		return spreadFromSample(ctx, x, o)
	}
	first, err := PCA(ctx, x, o.Workers)
	if err != nil || x.Len() < 4 {
		return first, err
	}
	if x.Len() <= fewRows {
		return moreFaithful(ctx, x, first, o)
	}
	far := reach * min(1, math.Sqrt(reachRows/float64(x.Len())))
	return settleFrom(ctx, x, first, far, [2]int{gatherRounds, settleRounds}, o)
}

// settleFrom lays rows out from their principal components.
func settleFrom(ctx context.Context, x data.Rows, first *Projection, reach float64, rounds [2]int, o NeighbourOptions) (*Projection, error) {
	nb, err := affinity.RoughKNN(ctx, x, nearest, affinity.KNNOptions{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	s := newSettling(x.Len(), o)
	s.begin(first)
	s.reach = reach
	s.attract(s.nearestOf(nb, nearest), descending(nearest))
	nb = nil
	return s.settle(ctx, rounds)
}

// spreadFromSample lays a sample of many rows out, and lets the others begin among their neighbours.
func spreadFromSample(ctx context.Context, x data.Rows, o NeighbourOptions) (*Projection, error) {
	chosen := sampleOf(x.Len())
	sample := data.Pick(x, chosen)
	first, err := PCA(ctx, sample, o.Workers)
	if err != nil {
		return nil, err
	}
	small, err := settleFrom(ctx, sample, first, 0, [2]int{gatherRounds, sampleRounds}, NeighbourOptions{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	nb, err := affinity.RoughKNN(ctx, x, lessNearest, affinity.KNNOptions{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	s := newSettling(x.Len(), o)
	s.spreadFrom(nb, chosen, small)
	s.sortByPlace()
	near := s.nearestOf(nb, lessNearest)
	nb = nil
	s.attract(near, alike(lessNearest))
	return s.settle(ctx, [2]int{0, refineRounds})
}

// sampleOf returns the rows of the sample of n, ascending: one of each part of the table, at another place in each, so that none is left
// out of rows that come in turn.
func sampleOf(n int) []int {
	rows := make([]int, sampleRows)
	for i := range rows {
		u, _ := jitter(i)
		rows[i] = int((float64(i) + u + 0.5) * float64(n) / sampleRows)
	}
	return rows
}

// A settling is a picture that moves to its places.
type settling struct {
	o              NeighbourOptions
	x, y           []float64
	vx, vy, gx, gy []float64 // speeds and gains
	fx, fy         []float64 // repulsion
	place, pull    []float64 // of each point, and how it is drawn: two numbers each
	springs        *simd.Springs
	row            []int32 // of each point
	reach          float64 // of the attraction beyond that of t-SNE
}

func newSettling(n int, o NeighbourOptions) *settling {
	s := &settling{o: o, place: make([]float64, 2*n), pull: make([]float64, 2*n), row: make([]int32, n)}
	for _, list := range []*[]float64{&s.x, &s.y, &s.vx, &s.vy, &s.gx, &s.gy, &s.fx, &s.fy} {
		*list = make([]float64, n)
	}
	for i := range s.gx {
		s.gx[i], s.gy[i], s.row[i] = 1, 1, int32(i)
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

// sortByPlace sorts the points by strips of the plane, so that those near each other are near in memory.
func (s *settling) sortByPlace() {
	const strip = 8
	slices.SortFunc(s.row, func(i, j int32) int {
		return cmp.Or(cmp.Compare(math.Floor(s.y[i]/strip), math.Floor(s.y[j]/strip)), cmp.Compare(s.x[i], s.x[j]), cmp.Compare(i, j))
	})
	x, y := slices.Clone(s.x), slices.Clone(s.y)
	for p, i := range s.row {
		s.x[p], s.y[p] = x[i], y[i]
	}
}

// nearestOf returns the k nearest of each point, as points.
func (s *settling) nearestOf(nb *affinity.Neighbours, k int) []int32 {
	point := make([]int32, nb.N)
	for p, i := range s.row {
		point[i] = int32(p)
	}
	out := make([]int32, 0, nb.N*k)
	for _, i := range s.row {
		near, _ := nb.NeighboursOf(int(i))
		for _, j := range near[:k] {
			out = append(out, point[j])
		}
	}
	return out
}

// attract keeps the graph of the nearest, len(share) of each point: symmetric, p_ij = (p_j|i + p_i|j)/2n with p_j|i = share[q] of the
// neighbour of rank q.
func (s *settling) attract(nearest []int32, share []float64) {
	n, k := len(s.x), len(share)
	in := make([]int32, n+1)
	for _, j := range nearest {
		in[j+1]++
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
	for e, j := range nearest {
		from[at[j]], fromShare[at[j]] = int32(e/k), weight[e%k]
		at[j]++
	}
	start, to, w := make([]int32, n+1), make([]int32, 0, 2*n*k), make([]float32, 0, 2*n*k)
	both := make(map[int32]int, k)
	for i := range n {
		clear(both)
		for q, j := range nearest[i*k : (i+1)*k] {
			both[j] = len(to)
			to, w = append(to, j), append(w, weight[q])
		}
		for p := in[i]; p < in[i+1]; p++ {
			if e, ok := both[from[p]]; ok {
				w[e] += fromShare[p]
			} else {
				to, w = append(to, from[p]), append(w, fromShare[p])
			}
		}
		for len(to)%simd.FourSprings != 0 {
			to, w = append(to, int32(i)), append(w, 0)
		}
		start[i+1] = int32(len(to))
	}
	s.springs = simd.NewSprings(start, to, w)
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

// step moves every point along its gradient, 4·(attraction − repulsion/Z), with momentum and gains. With q = 1/(1+d²), t-SNE
// draws neighbours to each other by q times their difference, which lets go of those that are far apart. With a reach r it is by
// (q+r√q)/(1+r) times their difference, which keeps more of them.
func (s *settling) step(more, inverse, rate float64) {
	n := len(s.x)
	near, far := 1/(1+s.reach), s.reach/(1+s.reach)
	for i := range n {
		s.place[2*i], s.place[2*i+1] = s.x[i], s.y[i]
	}
	blocks.Rows(s.o.Workers, n, func(lo, hi int) {
		s.springs.Pull(s.pull, s.place, near, far, lo, hi)
		for i := lo; i < hi; i++ {
			s.fx[i], s.fy[i] = 4*(more*s.pull[2*i]-s.fx[i]*inverse), 4*(more*s.pull[2*i+1]-s.fy[i]*inverse)
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
	p := &Projection{X: make([]float64, len(s.x)), Y: make([]float64, len(s.y)), Name: "nearest neighbours"}
	for at, i := range s.row {
		p.X[i], p.Y[i] = s.x[at], s.y[at]
	}
	return p
}
