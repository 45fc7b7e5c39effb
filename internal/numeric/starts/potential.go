package starts

import (
	"context"
	"math"
	"sort"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// potentialPass is the pass that keeps the potential of k-means++: for each row the
// squared distance to the nearest centre so far, and for each block their weighted sum.
type potentialPass struct {
	Centres *lloyd.PackedCentres // those added last
	Dist    []float64
	Weight  []float64

	sums  []float64 // running sums, one for each block
	found []float64 // distances to Centres that were found where the rows are stored; nil: none
}

// manyCentres is the number of centres from which their distances to stored rows are
// found where the rows are stored.
const manyCentres = 2

func newPotentialPass(p *cluster.Problem) *potentialPass {
	c := &potentialPass{Weight: p.Weight, Dist: make([]float64, p.X.Len())}
	for i := range c.Dist {
		c.Dist[i] = math.Inf(1)
	}
	return c
}

// addCentres lowers the distances to those to the rows of c.
func (p *potentialPass) addCentres(ctx context.Context, e *cluster.Env, x data.Rows, c []float64) error {
	centres := lloyd.NewCentres(len(c)/x.Dim(), x.Dim(), c)
	p.Centres, p.sums, p.found = lloyd.Pack(centres, x), p.sums[:0], nil
	if rows, ok := x.(lloyd.SearchedRows); ok && centres.K >= manyCentres {
		var err error
		if p.found, err = rows.NearestDistances(ctx, centres); err != nil {
			return err
		}
	}
	return cluster.Sweep(ctx, e, x, p)
}

func (p *potentialPass) Block(x data.Rows, lo, hi int) []float64 {
	out := make([]float64, hi-lo)
	if p.found != nil {
		copy(out, p.found[lo:hi])
	} else {
		rows, first := lloyd.LoadBlock(x, lo, hi)
		p.Centres.NearestDistances(rows, first, first+hi-lo, out)
	}
	for i, y := range out {
		out[i] = min(y, p.Dist[lo+i])
	}
	return out
}

func (p *potentialPass) Merge(lo, hi int, part []float64) {
	copy(p.Dist[lo:hi], part)
	p.sums = append(p.sums, p.total()+p.blockSum(lo, hi))
}

// total returns the sum over the rows so far.
func (p *potentialPass) total() float64 {
	if len(p.sums) == 0 {
		return 0
	}
	return p.sums[len(p.sums)-1]
}

func (p *potentialPass) blockSum(lo, hi int) (s float64) {
	for i := lo; i < hi; i++ {
		s += float64(lloyd.WeightAt(p.Weight, i) * p.Dist[i])
	}
	return s
}

// drawRow picks a row with probability proportional to weight times distance; if
// every row lies on a centre, any row.
func (p *potentialPass) drawRow(u float64) int {
	n := len(p.Dist)
	if p.total() == 0 {
		return min(int(u*float64(n)), n-1)
	}
	b := DrawCumulative(p.sums, u)
	lo, hi := b*blocks.Len, min(n, (b+1)*blocks.Len)
	before := 0.0
	if b > 0 {
		before = p.sums[b-1]
	}
	t, s, last := u*p.total()-before, 0.0, lo
	for i := lo; i < hi; i++ {
		y := lloyd.WeightAt(p.Weight, i) * p.Dist[i]
		if y == 0 {
			continue
		}
		if s, last = s+y, i; s > t {
			break
		}
	}
	return last
}

// runningWeights returns the running sums of w, or of n ones.
func runningWeights(w []float64, n int) []float64 {
	out, s := make([]float64, n), 0.0
	for i := range out {
		s += lloyd.WeightAt(w, i)
		out[i] = s
	}
	return out
}

// DrawCumulative returns the first i whose running sum exceeds the share u of the total.
func DrawCumulative(running []float64, u float64) int {
	t := u * running[len(running)-1]
	i := sort.Search(len(running), func(i int) bool { return running[i] > t })
	return min(i, len(running)-1)
}
