package affinity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// A table holds rows as the kernels of this package want them: dense in panels,
// or sparse with the lists of the rows that hold each feature.
type table struct {
	n, d  int
	norm  []float64 // ‖x_i‖², added up in the order of the features
	dense *simd.Columns
	flat  []float64 // dense rows one after the other, as needed
	once  sync.Once
	*postings
}

// longest is the largest squared length of a row: the squared distance of two
// such rows is still a number.
const longest = math.MaxFloat64 / 8

var errNoRows = errors.New("there are no rows, they are nil")

// newTable copies x. It refuses what is not finite, by row and column.
func newTable(ctx context.Context, x data.Rows, workers int) (*table, error) {
	if x == nil {
		return nil, errNoRows
	}
	n, d := x.Len(), x.Dim()
	if n < 1 || d < 1 {
		return nil, fmt.Errorf("%d rows of %d features, at least 1 of each is needed", n, d)
	}
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("%d rows, at most %d", n, math.MaxInt32)
	}
	t := &table{n: n, d: d, norm: make([]float64, n)}
	err := sound(x)
	if err != nil {
		return nil, err
	}
	if sparseRows(x) {
		err = t.fillSparse(ctx, x)
	} else {
		err = t.fillDense(ctx, x, workers)
	}
	if err != nil {
		return nil, err
	}
	for i, y := range t.norm {
		if y > longest {
			return nil, fmt.Errorf("row %d is too long, its squared length is %.3g, at most %.3g; scale the features", i, y, longest)
		}
	}
	return t, nil
}

// sound refuses rows that do not hold together: sparse ones whose indices are
// none, dense ones of which the last is cut short.
func sound(x data.Rows) error {
	if s, ok := x.(interface{ Check() error }); ok {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%w", err)
		}
	}
	return nil
}

// sparseRows reports whether x is better kept sparse. Up to a few features, or
// where a quarter of the cells is filled, it is not.
func sparseRows(x data.Rows) bool {
	if s, ok := x.(*data.Sparse); ok {
		return s.Cols > 32 && float64(s.Stored()) < float64(s.Cols)*float64(s.Len())/4
	}
	return x.Row(0, make([]float64, x.Dim())).Idx != nil && x.Dim() > 32
}

func (t *table) fillDense(ctx context.Context, x data.Rows, workers int) error {
	t.dense = simd.NewColumns(t.n, t.d)
	if m, ok := x.(*data.Dense); ok { // read-only, so it need not be copied
		t.once.Do(func() { t.flat = m.V })
	}
	type part struct{ err error }
	var first error
	err := blocks.Each(ctx, workers, t.n, func(lo, hi int) part {
		buf, wide := make([]float64, t.d), make([]float64, t.d)
		for i := lo; i < hi; i++ {
			v := x.Row(i, buf)
			row := v.Full(wide)
			t.norm[i] = length2(row)
			if t.norm[i]-t.norm[i] != 0 {
				if err := v.CheckFinite(i); err != nil {
					return part{fmt.Errorf("%w", err)}
				}
			}
			t.dense.Set(i, row)
		}
		return part{}
	}, func(_, _ int, p part) {
		if first == nil {
			first = p.err
		}
	})
	if first != nil {
		return first
	}
	return err
}

// length2 returns Σ y² in the order of the products of two rows, so that
// ‖x‖² + ‖y‖² − 2x·y is 0 for equal rows.
func length2(v []float64) (s float64) {
	for _, y := range v {
		s += float64(y * y)
	}
	return s
}

// row returns row i of a dense table.
func (t *table) row(i int) []float64 {
	t.once.Do(func() {
		t.flat = make([]float64, t.n*t.d)
		for i := range t.n {
			t.dense.Row(i, t.flat[i*t.d:(i+1)*t.d])
		}
	})
	return t.flat[i*t.d : (i+1)*t.d : (i+1)*t.d]
}

// panels returns the panels that hold columns lo to hi, and how far into the
// first of them lo is.
func panels(lo, hi int) (first, end, skip int) {
	first, end = lo/simd.PanelRows, (hi+simd.PanelRows-1)/simd.PanelRows
	return first, end, lo - first*simd.PanelRows
}

// dots returns the products of row i of t with rows lo to hi of o, good until
// r is used again. Both tables are dense or both are sparse.
func (t *table) dots(i int, o *table, lo, hi int, r *room) []float64 {
	if t.dense == nil {
		r.out = grow(r.out, hi-lo)
		o.products(t.postings, i, lo, hi, r.out)
		return r.out
	}
	first, end, skip := panels(lo, hi)
	r.fit(end - first)
	o.dense.Dot(t.row(i), first, end, r.out)
	return r.out[skip : skip+hi-lo]
}

// dists is dots for squared distances.
func (t *table) dists(i int, o *table, lo, hi int, r *room) []float64 {
	if t.dense == nil {
		out := t.dots(i, o, lo, hi, r)
		for j, y := range out {
			out[j] = t.apart(i, o, lo+j, y)
		}
		return out
	}
	first, end, skip := panels(lo, hi)
	r.fit(end - first)
	o.dense.Dist2(t.row(i), first, end, r.out)
	return r.out[skip : skip+hi-lo]
}

// apart returns the squared distance of row i of t and row j of o, both sparse,
// whose product is dot.
func (t *table) apart(i int, o *table, j int, dot float64) float64 {
	a, b := t.norm[i], o.norm[j]
	if d2 := data.SparseDist2(dot, a, b); !data.Cancels(d2, a, b) {
		return d2
	}
	return gap(t.postings, i, o.postings, j)
}

// dist2 returns the squared distance of rows i and j of t, with the bits of
// dists.
func (t *table) dist2(i, j int) (s float64) {
	if t.dense == nil {
		return t.apart(i, t, j, t.product(i, j))
	}
	x, y := t.row(i), t.row(j)
	y = y[:len(x)]
	for f, a := range x {
		a -= y[f]
		s += float64(a * a)
	}
	return s
}

// some returns a table of the given rows of t.
func (t *table) some(rows []int32) *table {
	o := &table{n: len(rows), d: t.d, norm: make([]float64, len(rows))}
	for p, i := range rows {
		o.norm[p] = t.norm[i]
	}
	if t.dense != nil {
		o.dense = simd.NewColumns(o.n, o.d)
		for p, i := range rows {
			o.dense.Set(p, t.row(int(i)))
		}
		return o
	}
	q := &postings{start: make([]int, 1, o.n+1)}
	for _, i := range rows {
		idx, val := t.sparse(int(i))
		q.idx, q.val = append(q.idx, idx...), append(q.val, val...)
		q.start = append(q.start, len(q.val))
	}
	q.turn(o.n, o.d)
	o.postings = q
	return o
}
