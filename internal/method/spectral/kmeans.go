package spectral

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

// Embedding are the nodes in the space of a few eigenvectors, row after row.
type Embedding struct {
	n, d int
	x    []float64
}

func NewEmbedding(vectors [][]float64) *Embedding {
	p := &Embedding{n: len(vectors[0]), d: len(vectors)}
	p.x = make([]float64, p.n*p.d)
	for f, v := range vectors {
		for i, y := range v {
			p.x[i*p.d+f] = y
		}
	}
	return p
}

func (p *Embedding) row(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// ScaleRowsToUnit scales every row to unit length; zero rows stay.
func (p *Embedding) ScaleRowsToUnit() {
	for i := range p.n {
		row, s := p.row(i), 0.0
		for _, y := range row {
			s += float64(y * y)
		}
		if s = math.Sqrt(s); s > 0 {
			for f := range row {
				row[f] /= s
			}
		}
	}
}

// descendingOrder returns the indices of x from the largest to the smallest, equal
// ones in their order.
func descendingOrder(x []float64) []int {
	at := make([]int, len(x))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
	return at
}

// costlyStep is the number of multiplications of a step of k-means from which on
// three starts have to do.
const costlyStep = 3_000_000

// KMeansStarts returns how often k-means is started at most: as often as costs little,
// four times as often at high effort.
func (p *Embedding) KMeansStarts(k int, effort cluster.Effort) int {
	count := 40
	switch cost := p.n * p.d * k; {
	case cost > costlyStep:
		count = 3
	case cost > costlyStep/100:
		count = 10
	}
	if effort == cluster.EffortHigh {
		count *= 4
	}
	return count
}

// idleStarts returns after how many starts in a row that lower the objective by less
// than a thousandth no more of count are made.
func idleStarts(count int) int { return max(3, count/4) }

// KMeans makes k clusters by k-means from up to count starts and returns those of the
// lowest objective; a nil objective stands for the sum of squared distances. The first
// start takes rows far from each other, the others draw them (k-means++).
//
// Runs end in their first local minimum at any effort. The lowest sum of squared
// distances is not the lowest cut: a search that leaves local minima by swapping
// centres gives up small clusters that are nearly disconnected for halves of large
// ones, and on graphs of images and of handwritten letters it ended with two to three
// times the cut.
func (p *Embedding) KMeans(ctx context.Context, k, count int, e *cluster.Env, objective func([]int) float64) ([]int, error) {
	var best []int
	least, idle := math.Inf(1), 0
	for s := 0; s < count && idle < idleStarts(count); s++ {
		var first *lloyd.Centres
		if s == 0 {
			first = p.farthestRows(ctx, k)
		} else {
			first = starts.KMeansPlusPlus(ctx, p.problem(k), e, nil)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := p.descend(ctx, first, e)
		if err != nil {
			return nil, err
		}
		labels, y := r.Labels(), r.Cost()
		if objective != nil {
			y = objective(labels)
		}
		if idle++; y < least*(1-1e-3) {
			idle = 0
		}
		if y < least {
			best, least = labels, y
		}
	}
	return best, nil
}

// kmeansFrom makes k clusters by k-means from the means of other clusters.
func (p *Embedding) kmeansFrom(ctx context.Context, labels []int, k int, e *cluster.Env) ([]int, error) {
	sums := lloyd.NewSums(k, p.d)
	for i, h := range labels {
		sums.Add(h, data.Vec{Val: p.row(i)}, 1, 1)
	}
	for h, m := range sums.Mass {
		for f := range sums.At(h) {
			sums.At(h)[f] /= max(1, m)
		}
	}
	r, err := p.descend(ctx, lloyd.NewCentres(k, p.d, sums.Sum), e)
	if err != nil {
		return nil, err
	}
	return r.Labels(), nil
}

func (p *Embedding) problem(k int) *cluster.Problem {
	return &cluster.Problem{X: &data.Dense{Cols: p.d, V: p.x}, K: k}
}

// descend moves centres until no row in a thousand changes its cluster, or a hundred
// times.
func (p *Embedding) descend(ctx context.Context, first *lloyd.Centres, e *cluster.Env) (*lloyd.Run, error) {
	r, err := lloyd.Start(ctx, lloyd.Space{Problem: p.problem(first.K)}, e, first, nil)
	for moved, step := p.n, 0; err == nil && 1000*moved >= p.n && step < 100; step++ {
		if _, err = r.Means(ctx); err == nil {
			moved, err = r.Assign(ctx)
		}
	}
	return r, err
}

// farthestRows returns k rows as centres: the first row, and then always the row
// farthest from those before it (Gonzalez 1985). It finds small clusters that
// k-means++ is likely to miss. When ctx ends it is not complete.
func (p *Embedding) farthestRows(ctx context.Context, k int) *lloyd.Centres {
	c, dist := make([]float64, 0, k*p.d), make([]float64, p.n)
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	for at := 0; len(c) < k*p.d && ctx.Err() == nil; {
		centre := p.row(at)
		c = append(c, centre...)
		for i, y := range dist {
			dist[i] = min(y, simd.Dist2(p.row(i), centre))
		}
		at = slices.Index(dist, slices.Max(dist))
	}
	return lloyd.NewCentres(k, p.d, c[:k*p.d])
}
