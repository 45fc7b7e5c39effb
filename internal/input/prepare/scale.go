package prepare

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// scaleRows changes the rows of done, which are ours, in place.
func (p *pass) scaleRows(done *Prepared) error {
	switch p.r.Scale {
	case L2:
		if p.r.Text == nil { // rows of documents have length 1 already
			p.scaleToUnit(done.X)
		}
		return nil
	case Rows, Detrend, Shares:
		return p.shapeRows(done.X.(*data.Dense), done.Rows)
	case Standard, MinMax:
		x := done.X.(*data.Dense)
		if p.fit {
			if err := p.findScale(x); err != nil {
				return err
			}
		}
		return p.shiftAndDivide(x, done.Rows)
	}
	return nil
}

// scaleToUnit gives every row of x length 1.
func (p *pass) scaleToUnit(x data.Rows) {
	zero := make([]int, countBlocks(x.Len()))
	_ = eachBlock(x.Len(), p.workers, func(b, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if !toUnit(x.Row(i, nil).Val) {
				zero[b]++
			}
		}
		return nil
	})
	n := 0
	for _, z := range zero {
		n += z
	}
	if n > 0 {
		p.addNote("%d of %d rows are all zero and stay so: they have no direction", n, x.Len())
	}
}

// toUnit divides v by its length and reports whether it has one. It is the
// same sum for dense and sparse rows, since a zero adds nothing.
func toUnit(v []float64) bool {
	s := norm2(v)
	if s < 1e-290 || s > 1e290 { // squares may be lost: bring the largest to 1 first
		m := 0.0
		for _, y := range v {
			m = max(m, math.Abs(y))
		}
		if m == 0 {
			return false
		}
		_, e := math.Frexp(m)
		for q, y := range v {
			v[q] = math.Ldexp(y, -e)
		}
		s = norm2(v)
	}
	s = math.Sqrt(s)
	for q := range v {
		v[q] /= s
	}
	return true
}

// norm2 adds the squares one after the other: in lanes, as data.Norm2 does, the
// last bit would depend on where the zeros stand.
func norm2(v []float64) (s float64) {
	for _, y := range v {
		s += float64(y * y)
	}
	return s
}

// findScale fills in Shift and Factor. A column of one value gets factor 1 and
// so becomes 0.
func (p *pass) findScale(x *data.Dense) error {
	s := summarise(x, p.workers)
	p.r.Shift = s.lo
	p.r.Factor = make([]float64, x.Cols)
	if p.r.Scale == Standard {
		p.r.Shift = s.mean
		p.r.Factor = s.deviations(x, p.workers)
	}
	var constant []string
	for f := range p.r.Factor {
		if p.r.Scale == MinMax {
			p.r.Factor[f] = s.hi[f] - s.lo[f]
		}
		if s.lo[f] == s.hi[f] || p.r.Factor[f] == 0 {
			p.r.Shift[f], p.r.Factor[f] = s.lo[f], 1
			constant = append(constant, p.featureName(f))
		}
		if !data.Finite(p.r.Shift[f]) || !data.Finite(p.r.Factor[f]) {
			return p.tooLarge(f)
		}
	}
	if len(constant) == 1 {
		p.addNote("column %s has only one value and becomes 0", quoteNames(constant))
	} else if len(constant) > 1 {
		p.addNote("columns %s have only one value each and become 0", quoteNames(constant))
	}
	return nil
}

func (p *pass) shiftAndDivide(x *data.Dense, rows []int) error {
	d, shift, factor := x.Cols, p.r.Shift, p.r.Factor
	return eachBlock(x.Len(), p.workers, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := x.V[i*d : (i+1)*d]
			for f, y := range row {
				z := (y - shift[f]) / factor[f]
				if z-z != 0 {
					if rows != nil {
						i = rows[i]
					}
					return fault(p.ds, fmt.Sprintf("row %s, column %s: %v is too far from the fitted data to be scaled", p.ds.ID(i), p.columnName(p.r.Columns, f), y), "check the cell")
				}
				row[f] = z
			}
		}
		return nil
	})
}
