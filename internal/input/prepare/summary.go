package prepare

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// A summary holds, by column, how many cells are there (not NaN), their mean
// and their bounds. The mean of equal cells is that very value.
type summary struct {
	n            int
	seen         []int // cells that stand in the rows, NaN or not
	count        []int
	mean, lo, hi []float64
}

// summarise sums in blocks that are merged in row order. Sparse rows are
// summed in one go: blocks of few values in many columns would cost more.
func summarise(x data.Rows, workers int) *summary {
	n, d := x.Len(), x.Dim()
	var s *summary
	if kindOf(x) == sparse {
		s = newSummary(d)
		s.add(x, 0, n)
		for f := range d {
			if zeros := n - s.seen[f]; zeros > 0 { // cells that are not stored
				s.count[f] += zeros
				s.lo[f], s.hi[f] = min(s.lo[f], 0), max(s.hi[f], 0)
			}
		}
	} else {
		parts := make([]*summary, countBlocks(n))
		_ = eachBlock(n, workers, func(b, lo, hi int) error {
			parts[b] = newSummary(d)
			parts[b].add(x, lo, hi)
			return nil
		})
		s = newSummary(d)
		for _, t := range parts {
			s.merge(t)
		}
	}
	s.n = n
	for f := range d {
		m := s.mean[f] / float64(s.count[f])
		if data.Finite(m) {
			m = min(max(m, s.lo[f]), s.hi[f]) // rounding must not leave the bounds
		}
		s.mean[f] = m
	}
	return s
}

func newSummary(d int) *summary {
	s := &summary{seen: make([]int, d), count: make([]int, d), mean: make([]float64, d), lo: make([]float64, d), hi: make([]float64, d)}
	for f := range d {
		s.lo[f], s.hi[f] = math.Inf(1), math.Inf(-1)
	}
	return s
}

// add takes in rows lo ≤ i < hi; mean holds the sum until the end.
func (s *summary) add(x data.Rows, lo, hi int) {
	buf := buffer(x)
	for i := lo; i < hi; i++ {
		v := x.Row(i, buf)
		for q, y := range v.Val {
			f := v.Feature(q)
			s.seen[f]++
			if y != y {
				continue
			}
			s.count[f]++
			s.mean[f] += y
			s.lo[f], s.hi[f] = min(s.lo[f], y), max(s.hi[f], y)
		}
	}
}

func (s *summary) merge(t *summary) {
	for f := range s.count {
		s.count[f] += t.count[f]
		s.mean[f] += t.mean[f]
		s.lo[f], s.hi[f] = min(s.lo[f], t.lo[f]), max(s.hi[f], t.hi[f])
	}
}

// deviations returns √(Σ (x − mean)² / n) by column of x, which has no NaN.
func (s *summary) deviations(x *data.Dense, workers int) []float64 {
	d := x.Cols
	one := make([]float64, d)
	for f := range one {
		one[f] = 1
	}
	sd := s.squares(x, one, workers)
	lost := false
	for f, y := range sd {
		sd[f] = math.Sqrt(y / float64(s.n))
		if (y < 1e-290 || y > 1e290) && s.lo[f] < s.hi[f] {
			one[f], lost = max(s.hi[f]-s.mean[f], s.mean[f]-s.lo[f]), true
		}
	}
	if lost { // squares left the range of float64: again, with the largest deviation at 1
		again := s.squares(x, one, workers)
		for f, m := range one {
			if m != 1 {
				sd[f] = m * math.Sqrt(again[f]/float64(s.n))
			}
		}
	}
	return sd
}

// squares returns Σ ((x − mean) / unit)² by column.
func (s *summary) squares(x *data.Dense, unit []float64, workers int) []float64 {
	d := x.Cols
	parts := make([][]float64, countBlocks(x.Len()))
	_ = eachBlock(x.Len(), workers, func(b, lo, hi int) error {
		sum := make([]float64, d)
		for i := lo; i < hi; i++ {
			for f, y := range x.V[i*d : (i+1)*d] {
				y = (y - s.mean[f]) / unit[f]
				sum[f] += y * y
			}
		}
		parts[b] = sum
		return nil
	})
	total := make([]float64, d)
	for _, part := range parts {
		for f, y := range part {
			total[f] += y
		}
	}
	return total
}
