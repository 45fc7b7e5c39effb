package metric

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// featureRanges holds the range of each feature, and where its ends are.
type featureRanges struct {
	low, high, sum []float64
	lowAt, highAt  []int
	held           []int // rows that hold a value; the others are 0 there
	bare           []int // the first row that holds none, -1
}

func findRange(ctx context.Context, x data.Rows, workers int) (*featureRanges, error) {
	d := x.Dim()
	r := &featureRanges{low: make([]float64, d), high: make([]float64, d), sum: make([]float64, d),
		lowAt: make([]int, d), highAt: make([]int, d), held: make([]int, d), bare: make([]int, d)}
	for f := range d {
		r.low[f], r.high[f] = math.Inf(1), math.Inf(-1)
	}
	if dense, ok := x.(*data.Dense); ok {
		return r, r.addDense(ctx, dense, workers)
	}
	buf := make([]float64, d)
	for i := range x.Len() {
		if i%blocks.Len == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := x.Row(i, buf)
		for p, y := range v.Val {
			f := v.Feature(p)
			if r.held[f] == r.bare[f] && r.held[f] == i {
				r.bare[f]++ // no row so far lacks the feature
			}
			r.held[f]++
			r.sum[f] += y
			if y < r.low[f] {
				r.low[f], r.lowAt[f] = y, i
			}
			if y > r.high[f] {
				r.high[f], r.highAt[f] = y, i
			}
		}
	}
	for f := range d {
		if r.held[f] == x.Len() {
			continue
		}
		if r.low[f] > 0 {
			r.low[f], r.lowAt[f] = 0, r.bare[f]
		}
		if r.high[f] < 0 {
			r.high[f], r.highAt[f] = 0, r.bare[f]
		}
	}
	return r, nil
}

func (r *featureRanges) mean(n int) []float64 {
	m := make([]float64, len(r.sum))
	for f, s := range r.sum {
		m[f] = s / float64(n)
	}
	return m
}

// widest returns the count features of the largest range, ascending.
func (r *featureRanges) widest(count int) []int {
	order := make([]int, len(r.low))
	for f := range order {
		order[f] = f
	}
	slices.SortStableFunc(order, func(f, g int) int {
		a, b := r.high[f]-r.low[f], r.high[g]-r.low[g]
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	order = order[:min(count, len(order))]
	slices.Sort(order)
	return order
}

// addDense adds dense rows, some features in each task: every sum is added up in the
// order of the rows.
func (r *featureRanges) addDense(ctx context.Context, x *data.Dense, workers int) error {
	const featuresPerTask = 8 // a cache line
	n, d := x.Len(), x.Cols
	return blocks.Tasks(ctx, workers, (d+featuresPerTask-1)/featuresPerTask, func(t int) {
		first, last := t*featuresPerTask, min(d, (t+1)*featuresPerTask)
		for i := 0; i < n && (i%blocks.Len != 0 || ctx.Err() == nil); i++ {
			for f, y := range x.V[i*d+first : i*d+last] {
				f += first
				r.sum[f] += y
				if y < r.low[f] {
					r.low[f], r.lowAt[f] = y, i
				}
				if y > r.high[f] {
					r.high[f], r.highAt[f] = y, i
				}
			}
		}
		for f := first; f < last; f++ {
			r.held[f], r.bare[f] = n, n
		}
	})
}
