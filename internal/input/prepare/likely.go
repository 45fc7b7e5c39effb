package prepare

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
)

// Likely says what a missing number is filled with: the mean of the nearest of some rows that have it, by what both rows have, times
// what such means are worth in the column. That is the slope, from 0 to 1, with which they predict the numbers that are there, each
// from the other rows: where the other columns say nothing a missing number stays average.
type Likely struct {
	Rows  []float64 `json:"rows"`            // prepared rows, one after the other
	Holes []int     `json:"holes,omitempty"` // the places in Rows where a number is missing
	Worth []float64 `json:"worth"`           // by feature
}

// At most likelyRows rows are taken, of at most likelyCells cells, and none where there are fewer than likelyFewest.
const (
	likelyRows    = 500
	likelyCells   = 20_000
	likelyFewest  = 30
	likelyNearest = 10
)

// check returns what is wrong with what rows of d features are filled with.
func (l *Likely) check(d int) error {
	switch {
	case l == nil:
		return nil
	case len(l.Worth) != d, len(l.Rows)%max(d, 1) != 0:
		return fmt.Errorf("recipe of %d features fills missing numbers from rows of %d features", d, len(l.Worth))
	case slices.ContainsFunc(l.Holes, func(at int) bool { return at < 0 || at >= len(l.Rows) }):
		return fmt.Errorf("recipe with a missing number outside of its %d", len(l.Rows))
	}
	for _, y := range slices.Concat(l.Rows, l.Worth) {
		if !data.Finite(y) {
			return fmt.Errorf("recipe with the number %v in its rows", y)
		}
	}
	return nil
}

// fillLikely fills missing numbers of rows that are standardised, in which they are 0.
func (p *pass) fillLikely(x *data.Dense) error {
	if p.r.Missing != Fill || p.r.Scale != Standard || !slices.ContainsFunc(p.present, (*series).hasHoles) {
		return nil
	}
	if p.fit {
		p.r.Encoding.Likely = p.findLikely(x)
	}
	l := p.r.Encoding.Likely
	if l == nil {
		return nil
	}
	known := slices.Clone(l.Rows)
	for _, at := range l.Holes {
		known[at] = math.NaN()
	}
	return eachBlock(x.Len(), p.workers, func(_, lo, hi int) error {
		near := newNearest(known, x.Cols)
		var holes []int
		for i := lo; i < hi; i++ {
			if holes = p.holes(i, holes[:0]); len(holes) == 0 {
				continue
			}
			row := x.V[i*x.Cols:][:x.Cols]
			for _, f := range holes {
				row[f] = math.NaN()
			}
			near.measure(row, -1)
			for _, f := range holes {
				row[f] = l.Worth[f] * near.mean(f, math.NaN())
			}
		}
		return nil
	})
}

// hasHoles reports whether a number or a date is missing somewhere in the column.
func (s *series) hasHoles() bool { return s.e.Role != columns.Category && s.missing > 0 }

// holes appends the features of row i that are numbers or dates without a value.
func (p *pass) holes(i int, out []int) []int {
	first := 0
	for _, s := range p.present {
		if s.hasHoles() && s.isMissing(i) {
			out = append(out, first)
		}
		first += s.width
	}
	return out
}

// findLikely takes an even sample of the rows, and finds what their means are worth; nil where they are too few.
func (p *pass) findLikely(x *data.Dense) *Likely {
	n, d := x.Len(), x.Cols
	m := min(n, likelyRows, likelyCells/d)
	if m < likelyFewest {
		return nil
	}
	l := &Likely{Rows: make([]float64, 0, m*d), Worth: make([]float64, d)}
	for s := range m {
		i := s * n / m
		for _, f := range p.holes(i, nil) {
			l.Holes = append(l.Holes, s*d+f)
		}
		l.Rows = append(l.Rows, x.V[i*d:][:d]...)
	}
	known := slices.Clone(l.Rows)
	for _, at := range l.Holes {
		known[at] = math.NaN()
	}
	above, below := make([]float64, d), make([]float64, d)
	near := newNearest(known, d)
	for s := range m {
		row := known[s*d:][:d]
		near.measure(row, s)
		first := 0
		for _, c := range p.present {
			if y := row[first]; c.hasHoles() && y == y {
				mean := near.mean(first, y)
				above[first] += float64(mean * y)
				below[first] += float64(mean * mean)
			}
			first += c.width
		}
	}
	for f := range d {
		if below[f] > 0 {
			l.Worth[f] = min(max(above[f]/below[f], 0), 1)
		}
	}
	if slices.Max(l.Worth) == 0 {
		return nil
	}
	return l
}

// A nearest finds the rows that are nearest to one, by the features that both have.
type nearest struct {
	rows   []float64 // NaN is missing
	d      int
	square []float64 // by row: the sum of squared differences
	shared []float64 // by row: of so many features
	best   []int
	dist   []float64
}

func newNearest(rows []float64, d int) *nearest {
	n := len(rows) / d
	return &nearest{rows: rows, d: d, square: make([]float64, n), shared: make([]float64, n)}
}

// measure compares a row with all, but for number self.
func (o *nearest) measure(row []float64, self int) {
	for r := range o.square {
		sum, shared := 0.0, 0.0
		for f, y := range o.rows[r*o.d:][:o.d] {
			if e := row[f] - y; e == e {
				sum += float64(e * e)
				shared++
			}
		}
		if r == self {
			shared = 0
		}
		o.square[r], o.shared[r] = sum, shared
	}
}

// mean returns the mean of feature f over the nearest rows that have it; the measured row has there y, which does not count.
func (o *nearest) mean(f int, y float64) (mean float64) {
	o.best, o.dist = o.best[:0], o.dist[:0]
	for r, sum := range o.square {
		z, shared := o.rows[r*o.d+f], o.shared[r]
		if z != z {
			continue
		}
		if e := y - z; e == e {
			sum, shared = sum-float64(e*e), shared-1
		}
		if shared <= 0 {
			continue
		}
		by := sum / shared
		at := len(o.dist)
		for at > 0 && by < o.dist[at-1] {
			at--
		}
		if at >= likelyNearest {
			continue
		}
		if len(o.dist) == likelyNearest {
			o.best, o.dist = o.best[:likelyNearest-1], o.dist[:likelyNearest-1]
		}
		o.best, o.dist = slices.Insert(o.best, at, r), slices.Insert(o.dist, at, by)
	}
	for _, r := range o.best {
		mean += o.rows[r*o.d+f] / float64(len(o.best))
	}
	return mean
}
