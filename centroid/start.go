package centroid

import (
	"context"
	"math"
	"sort"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// randomRows makes centres of k different rows, each set equally likely.
func randomRows(p *cluster.Problem, e *cluster.Env) *Centres {
	c := make([]float64, 0, p.K*p.X.Dim())
	for _, i := range sample(p.X.Len(), p.K, e.Rand.IntN) {
		c = append(c, data.Copy(p.X, i)...)
	}
	return NewCentres(p.K, p.X.Dim(), c)
}

// sample draws k different numbers below n in O(k) memory (Floyd's way).
func sample(n, k int, intN func(int) int) []int {
	chosen, out := make(map[int]bool, k), make([]int, 0, k)
	for top := n - k; top < n; top++ {
		i := intN(top + 1)
		if chosen[i] {
			i = top
		}
		chosen[i] = true
		out = append(out, i)
	}
	return out
}

// plusPlus adds rows to the centres in first, which may be empty, until there
// are k, each drawn with probability proportional to its weight times the
// squared distance to the nearest centre before it (k-means++, Arthur and
// Vassilvitskii 2007).
func plusPlus(ctx context.Context, p *cluster.Problem, e *cluster.Env, first []float64) (*Centres, error) {
	n, d := p.X.Len(), p.X.Dim()
	pass := &closest{Weight: p.Weight, Dist: make([]float64, n)}
	for i := range pass.Dist {
		pass.Dist[i] = math.Inf(1)
	}
	c := append(make([]float64, 0, p.K*d), first...)
	if len(c) == 0 {
		c = append(c, data.Copy(p.X, draw(prefix(p.Weight, n), e.Rand.Float64()))...)
	}
	for seen := 0; len(c) < p.K*d; {
		for ; seen < len(c); seen += d {
			pass.Centre, pass.sums = NewCentres(1, d, c[seen:seen+d]), pass.sums[:0]
			if err := cluster.Sweep(ctx, e, p.X, pass); err != nil {
				return nil, err
			}
		}
		c = append(c, data.Copy(p.X, pass.draw(e.Rand.Float64()))...)
	}
	return NewCentres(p.K, d, c), nil
}

// prefix returns the running sums of w, or of n ones.
func prefix(w []float64, n int) []float64 {
	out, s := make([]float64, n), 0.0
	for i := range out {
		s += weight(w, i)
		out[i] = s
	}
	return out
}

// draw returns the first i whose running sum exceeds the share u of the total.
func draw(running []float64, u float64) int {
	t := u * running[len(running)-1]
	i := sort.Search(len(running), func(i int) bool { return running[i] > t })
	return min(i, len(running)-1)
}

// closest keeps for each row the squared distance to the nearest centre so far,
// and for each block the weighted sum of these.
type closest struct {
	Centre *Centres // the newest
	Dist   []float64
	Weight []float64

	sums []float64 // running sums, one a block
}

func (p *closest) Block(x data.Rows, lo, hi int) []float64 {
	out, buf := make([]float64, hi-lo), make([]float64, x.Dim())
	for i := lo; i < hi; i++ {
		out[i-lo] = min(p.Dist[i], p.Centre.dist2(x.Row(i, buf), 0))
	}
	return out
}

func (p *closest) Merge(lo, hi int, part []float64) {
	copy(p.Dist[lo:hi], part)
	s := 0.0
	if len(p.sums) > 0 {
		s = p.sums[len(p.sums)-1]
	}
	p.sums = append(p.sums, s+p.blockSum(lo, hi))
}

func (p *closest) blockSum(lo, hi int) (s float64) {
	for i := lo; i < hi; i++ {
		s += weight(p.Weight, i) * p.Dist[i]
	}
	return s
}

// draw picks a row with probability proportional to weight times distance; if
// every row lies on a centre, any row.
func (p *closest) draw(u float64) int {
	n := len(p.Dist)
	if p.sums[len(p.sums)-1] == 0 {
		return min(int(u*float64(n)), n-1)
	}
	b := draw(p.sums, u)
	lo, hi := b*cluster.BlockLen, min(n, (b+1)*cluster.BlockLen)
	before := 0.0
	if b > 0 {
		before = p.sums[b-1]
	}
	t, s, last := u*p.sums[len(p.sums)-1]-before, 0.0, lo
	for i := lo; i < hi; i++ {
		y := weight(p.Weight, i) * p.Dist[i]
		if y == 0 {
			continue
		}
		if s, last = s+y, i; s > t {
			break
		}
	}
	return last
}
