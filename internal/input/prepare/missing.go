package prepare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// handleMissing decides what becomes of missing cells, and returns how many rows have some.
func (p *pass) handleMissing(x data.Rows, c *copying) (int, error) {
	holes, err := p.findHoles(x)
	if err != nil {
		return 0, err
	}
	if p.r.Missing == Drop && len(holes) > 0 {
		if len(holes) == x.Len() {
			return 0, fault(p.ds, "every row has a missing cell, so none is left", "use {missing=mean}, or leave out the emptiest columns ({drop})")
		}
		c.keep = without(x.Len(), holes)
		p.addNote("%d of %d rows dropped because they have missing cells", len(holes), x.Len())
	}
	if (p.r.Missing == Mean || p.r.Missing == Fill) && p.r.Text == nil {
		value := "mean"
		if p.r.Missing == Fill {
			value = "median"
		}
		if p.fit && p.r.Missing == Fill {
			p.r.Means = medians(x) // the fitted rows are complete
		} else if p.fit {
			if p.r.Means, err = p.means(x); err != nil {
				return 0, err
			}
		}
		if len(holes) > 0 {
			c.fill = p.r.Means
			p.addNote("missing cells in %d of %d rows replaced by their column's %s", len(holes), x.Len(), value)
		}
	}
	return len(holes), nil
}

// findHoles returns the rows that have a NaN, ascending. An infinity is an error,
// and so is a NaN when missing cells are refused.
func (p *pass) findHoles(x data.Rows) ([]int, error) {
	if c, ok := x.(data.FiniteChecker); ok && p.r.Missing == Refuse {
		var bad *data.NonFiniteError
		err := c.CheckFinite()
		if errors.As(err, &bad) {
			err = p.badCell(bad.Row, bad.Col, bad.Value)
		}
		return nil, err
	}
	switch x.(type) {
	case *data.Dense, *data.Dense32:
		if data.CheckFinite(x) == nil { // fast, and nearly always so
			return nil, nil
		}
	}
	parts := make([][]int, countBlocks(x.Len()))
	err := eachBlock(x.Len(), p.workers, func(b, lo, hi int) error {
		buf := buffer(x)
		for i := lo; i < hi; i++ {
			v := x.Row(i, buf)
			hole := false
			for q, y := range v.Val {
				if y-y == 0 {
					continue
				}
				if math.IsInf(y, 0) || p.r.Missing == Refuse {
					return p.badCell(i, v.Feature(q), y)
				}
				hole = true
			}
			if hole {
				parts[b] = append(parts[b], i)
			}
		}
		return nil
	})
	var holes []int
	for _, part := range parts {
		holes = append(holes, part...)
	}
	return holes, err
}

func (p *pass) badCell(i, f int, y float64) error {
	where := fmt.Sprintf("row %s, column %s", p.ds.ID(i), p.columnName(p.ds.Columns, f))
	if math.IsNaN(y) {
		return fault(p.ds, where+" is missing", "use {missing=drop} or {missing=mean}")
	}
	return fault(p.ds, fmt.Sprintf("%s is %v, every value must be finite", where, y), "correct the cell or leave out the column ({drop})")
}

// means returns the mean of the cells that are there, by column.
func (p *pass) means(x data.Rows) ([]float64, error) {
	s := summarise(x, p.workers)
	for f, n := range s.count {
		if n == 0 {
			return nil, fault(p.ds, fmt.Sprintf("column %s has no value at all", p.columnName(p.ds.Columns, f)), "leave it out ({drop})")
		}
		if !data.Finite(s.mean[f]) {
			return nil, p.tooLarge(f)
		}
	}
	return s.mean, nil
}

// medians returns the medians of columns without missing cells, in an even sample of the rows
// where they are many.
func medians(x data.Rows) []float64 {
	const most = 20_000
	n, d := x.Len(), x.Dim()
	m := min(n, most)
	column := make([][]float64, d)
	for f := range column {
		column[f] = make([]float64, m)
	}
	buf := make([]float64, d)
	for s := range m {
		v := x.Row(s*n/m, buf)
		for q, y := range v.Val {
			column[v.Feature(q)][s] = y
		}
	}
	out := make([]float64, d)
	for f, values := range column {
		out[f] = median(values)
	}
	return out
}

// median sorts values, of which there is one at least, and returns the middle.
func median(values []float64) float64 {
	slices.Sort(values)
	h := len(values) / 2
	if len(values)%2 == 1 {
		return values[h]
	}
	return values[h-1]/2 + values[h]/2
}

// without returns 0…n−1 without the rows in holes, which are ascending.
func without(n int, holes []int) []int {
	keep := make([]int, 0, n-len(holes))
	for i := range n {
		if len(holes) > 0 && holes[0] == i {
			holes = holes[1:]
			continue
		}
		keep = append(keep, i)
	}
	return keep
}
