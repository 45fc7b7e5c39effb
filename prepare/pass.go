package prepare

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
)

// maxDense bounds n·d where sparse rows are filled up to be scaled by column:
// 5e7 numbers are 400 MB.
const maxDense = 50_000_000

// A pass takes one dataset through a recipe. When fit is set it also finds the
// recipe's numbers.
type pass struct {
	r       *Recipe
	ds      *dataio.Dataset
	fit     bool
	workers int
	notes   []hint.Hint
}

func (p *pass) note(format string, a ...any) { p.notes = append(p.notes, hint.Sprintf(format, a...)) }

func (p *pass) run() (*Prepared, error) {
	x, c := p.ds.X, copying{workers: p.workers}
	if p.r.Text != nil {
		x = p.textRows()
	} else if !p.fit {
		to, err := p.matchColumns()
		if err != nil {
			return nil, err
		}
		c.to = to
	}
	if err := p.mend(x, &c); err != nil {
		return nil, err
	}
	kind, err := p.kind(x, c.keep)
	if err != nil {
		return nil, err
	}
	done := &Prepared{X: x, Rows: c.keep}
	// Rows made from documents are ours: they need no copy to be changed.
	own := p.r.Text != nil && kind == sparse
	if p.r.Scale != None && !own || c.needed() || x.Dim() != p.r.Dim {
		done.X = c.rows(x, p.r.Dim, kind)
	}
	if err := p.scale(done); err != nil {
		return nil, err
	}
	done.Notes = p.notes
	return done, nil
}

// mend decides what becomes of missing cells.
func (p *pass) mend(x data.Rows, c *copying) error {
	holes, err := p.findHoles(x)
	if err != nil {
		return err
	}
	if p.r.Missing == Drop && len(holes) > 0 {
		if len(holes) == x.Len() {
			return fault(p.ds, "every row has a missing cell, so none is left", "use {missing=mean}, or leave out the emptiest columns ({drop})")
		}
		c.keep = without(x.Len(), holes)
		p.note("%d of %d rows dropped because they have missing cells", len(holes), x.Len())
	}
	if p.r.Missing == Mean && p.r.Text == nil {
		if p.fit {
			if p.r.Means, err = p.means(x); err != nil {
				return err
			}
		}
		if len(holes) > 0 {
			c.fill = p.r.Means
			p.note("missing cells in %d of %d rows replaced by their column's mean", len(holes), x.Len())
		}
	}
	return nil
}

// findHoles returns the rows that have a NaN, rising. An infinity is an error,
// and so is a NaN when missing cells are refused.
func (p *pass) findHoles(x data.Rows) ([]int, error) {
	parts := make([][]int, blocks(x.Len()))
	err := each(x.Len(), p.workers, func(b, lo, hi int) error {
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

func (p *pass) columnName(names []string, f int) string {
	if f < len(names) {
		return fmt.Sprintf("%q", names[f])
	}
	return fmt.Sprint(f)
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

func (p *pass) tooLarge(f int) error {
	return fault(p.ds, fmt.Sprintf("the values of column %s are too large to scale or average", p.columnName(p.r.Columns, f)), "divide them by a power of ten, or leave out the column ({drop})")
}

// kind says how the prepared rows are to be held.
func (p *pass) kind(x data.Rows, keep []int) (kind, error) {
	k := kindOf(x)
	switch {
	case p.r.Scale == None:
		return k, nil
	case p.r.Scale == L2 && k == sparse:
		return sparse, nil
	case k != sparse:
		return dense, nil
	}
	n := x.Len()
	if keep != nil {
		n = len(keep)
	}
	if float64(n)*float64(p.r.Dim) > maxDense {
		return k, fault(p.ds, fmt.Sprintf("scaling by %s would fill up %d×%d sparse rows, the bound is %d numbers", p.r.Scale, n, p.r.Dim, maxDense), "use {scale=l2}, which keeps them sparse, or {scale=none}")
	}
	p.note("sparse rows filled up (%d×%d numbers) to scale them by column", n, p.r.Dim)
	return dense, nil
}

// without returns 0…n−1 without the rows in holes, which rise.
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
