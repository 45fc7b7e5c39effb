package spectral

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/blocks"
)

// embedding are the nodes in the space of a few eigenvectors, row after row.
type embedding struct {
	n, d int
	x    []float64
}

func newEmbedding(vectors [][]float64) *embedding {
	p := &embedding{n: len(vectors[0]), d: len(vectors)}
	p.x = make([]float64, p.n*p.d)
	for f, v := range vectors {
		for i, y := range v {
			p.x[i*p.d+f] = y
		}
	}
	return p
}

func (p *embedding) row(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// scaleRowsToUnit scales every row to unit length; zero rows stay.
func (p *embedding) scaleRowsToUnit() {
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

// kmeansStarts returns how often k-means is started: as often as costs little.
func (p *embedding) kmeansStarts(k int) int {
	switch cost := p.n * p.d * k; {
	case cost > costlyStep:
		return 3
	case cost > costlyStep/100:
		return 10
	}
	return 40
}

// kmeans makes k clusters by Lloyd's k-means from so many starts and returns
// that of the lowest objective; a nil objective stands for the sum of squared
// distances. The first start takes rows far from each other, the others draw
// them (k-means++).
func (p *embedding) kmeans(ctx context.Context, k, starts int, e *cluster.Env, objective func([]int) float64) ([]int, error) {
	var best []int
	least := math.Inf(1)
	for s := range starts {
		l := &kmeansRun{embedding: p, k: k, workers: e.Workers, labels: make([]int, p.n)}
		if s == 0 {
			l.chooseCentres(func(d2 []float64, _ float64) int { return slices.Index(d2, slices.Max(d2)) }, 0)
		} else {
			l.chooseCentres(func(d2 []float64, sum float64) int { return drawIndex(e.Rand, d2, sum) }, e.Rand.IntN(p.n))
		}
		scatter, err := l.iterate(ctx)
		if err != nil {
			return nil, err
		}
		worth := scatter
		if objective != nil {
			worth = objective(l.labels)
		}
		if worth < least {
			best, least = l.labels, worth
		}
	}
	return best, nil
}

// drawIndex returns an index with a chance in proportion to d2.
func drawIndex(rng *rand.Rand, d2 []float64, sum float64) int {
	r := rng.Float64() * sum
	for i, y := range d2 {
		if r -= y; r < 0 {
			return i
		}
	}
	return slices.Index(d2, slices.Max(d2))
}

// kmeansRun is one descent of k-means.
type kmeansRun struct {
	*embedding
	k       int
	workers int
	c       []float64
	labels  []int
}

// chooseCentres takes row first as the first centre and then those that next names, by
// the squared distances to the nearest centre so far and their sum.
func (l *kmeansRun) chooseCentres(next func(d2 []float64, sum float64) int, first int) {
	d2 := make([]float64, l.n)
	for i := range d2 {
		d2[i] = math.Inf(1)
	}
	for at := first; len(l.c) < l.k*l.d; {
		centre := l.row(at)
		l.c = append(l.c, centre...)
		sum := 0.0
		for i := range d2 {
			d2[i] = min(d2[i], dist2(l.row(i), centre))
			sum += d2[i]
		}
		at = next(d2, sum)
	}
}

func dist2(a, b []float64) (s float64) {
	for f, y := range a {
		y -= b[f]
		s += float64(y * y)
	}
	return s
}

// blockSums is what a block of rows adds up to.
type blockSums struct {
	sum, mass []float64
	scatter   float64
	moved     int
}

// iterate moves centres until no row in a thousand changes its cluster, or a
// hundred times, and returns the sum of squared distances.
func (l *kmeansRun) iterate(ctx context.Context) (scatter float64, err error) {
	for i := range l.labels {
		l.labels[i] = -1
	}
	for range 100 {
		t := blockSums{sum: make([]float64, l.k*l.d), mass: make([]float64, l.k)}
		err := blocks.Each(ctx, l.workers, l.n, l.assignBlock, func(_, _ int, part blockSums) {
			for f, y := range part.sum {
				t.sum[f] += y
			}
			for c, y := range part.mass {
				t.mass[c] += y
			}
			t.scatter += part.scatter
			t.moved += part.moved
		})
		if err != nil {
			return 0, err
		}
		scatter = t.scatter
		if 1000*t.moved < l.n {
			break
		}
		for c, m := range t.mass {
			for f := c * l.d; m > 0 && f < (c+1)*l.d; f++ {
				l.c[f] = t.sum[f] / m
			}
		}
	}
	return scatter, nil
}

func (l *kmeansRun) assignBlock(lo, hi int) blockSums {
	t := blockSums{sum: make([]float64, l.k*l.d), mass: make([]float64, l.k)}
	for i := lo; i < hi; i++ {
		row, near, least := l.row(i), 0, math.Inf(1)
		for c := range l.k {
			if d := dist2(row, l.c[c*l.d:(c+1)*l.d]); d < least {
				near, least = c, d
			}
		}
		if l.labels[i] != near {
			l.labels[i] = near
			t.moved++
		}
		t.scatter += least
		t.mass[near]++
		for f, y := range row {
			t.sum[near*l.d+f] += y
		}
	}
	return t
}
