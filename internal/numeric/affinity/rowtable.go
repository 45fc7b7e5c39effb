package affinity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/device"
)

// A rowTable holds rows in the form that the functions of this package need:
// dense rows in panels, or sparse rows with the lists of the rows that hold each
// feature.
type rowTable struct {
	n, d        int
	norm        []float64 // ‖x_i‖², added up in the order of the features
	dense       *simd.Columns
	denseValues []float64 // dense rows one after the other, as needed
	denseOnce   sync.Once
	rows        device.Numbers // dense rows as they came; empty: they are not in memory
	*invertedIndex
}

// maxNorm is the largest squared length of a row for which the squared distance
// of two rows is finite.
const maxNorm = math.MaxFloat64 / 8

var errNoRows = errors.New("rows must not be nil")

// newRowTable copies x. It refuses what is not finite, by row and column.
func newRowTable(ctx context.Context, x data.Rows, workers int) (*rowTable, error) {
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
	t := &rowTable{n: n, d: d, norm: make([]float64, n)}
	switch x := x.(type) {
	case *data.Dense:
		t.rows.F64 = x.V
	case *data.Dense32:
		t.rows.F32 = x.V
	}
	err := checkRows(x)
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
		if y > maxNorm {
			return nil, fmt.Errorf("row %d is too long, its squared length is %.3g, at most %.3g; scale the features", i, y, maxNorm)
		}
	}
	return t, nil
}

// checkRows refuses inconsistent rows: sparse rows with invalid indices, dense
// rows of which the last is incomplete.
func checkRows(x data.Rows) error {
	if s, ok := x.(interface{ Check() error }); ok {
		if err := s.Check(); err != nil {
			return fmt.Errorf("%w", err)
		}
	}
	return nil
}

// sparseRows reports whether x is better kept sparse. With few features, or a
// quarter of the cells filled, it is not.
func sparseRows(x data.Rows) bool {
	if s, ok := x.(*data.Sparse); ok {
		return s.Cols > 32 && float64(s.Stored()) < float64(s.Cols)*float64(s.Len())/4
	}
	return x.Row(0, make([]float64, x.Dim())).Idx != nil && x.Dim() > 32
}

func (t *rowTable) fillDense(ctx context.Context, x data.Rows, workers int) error {
	t.dense = simd.NewColumns(t.n, t.d)
	if m, ok := x.(*data.Dense); ok { // read-only, so it need not be copied
		t.denseOnce.Do(func() { t.denseValues = m.V })
	}
	type part struct{ err error }
	var first error
	err := blocks.Each(ctx, workers, t.n, func(lo, hi int) part {
		buf, wide := make([]float64, t.d), make([]float64, t.d)
		for i := lo; i < hi; i++ {
			v := x.Row(i, buf)
			row := v.Full(wide)
			t.norm[i] = squaredLength(row)
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

// squaredLength returns Σ y² in the order of the products of two rows, so that
// ‖x‖² + ‖y‖² − 2x·y is 0 for equal rows.
func squaredLength(v []float64) (s float64) {
	for _, y := range v {
		s += float64(y * y)
	}
	return s
}

// denseRow returns row i of a dense table.
func (t *rowTable) denseRow(i int) []float64 {
	t.denseOnce.Do(func() {
		t.denseValues = make([]float64, t.n*t.d)
		for i := range t.n {
			t.dense.Row(i, t.denseValues[i*t.d:(i+1)*t.d])
		}
	})
	return t.denseValues[i*t.d : (i+1)*t.d : (i+1)*t.d]
}

// subTable returns a table of the given rows of t.
func (t *rowTable) subTable(rows []int32) *rowTable {
	o := &rowTable{n: len(rows), d: t.d, norm: make([]float64, len(rows))}
	for p, i := range rows {
		o.norm[p] = t.norm[i]
	}
	if t.dense != nil {
		o.dense = simd.NewColumns(o.n, o.d)
		for p, i := range rows {
			o.dense.Set(p, t.denseRow(int(i)))
		}
		return o
	}
	q := &invertedIndex{rowStart: make([]int, 1, o.n+1)}
	for _, i := range rows {
		idx, val := t.sparseRow(int(i))
		q.rowFeatures, q.rowValues = append(q.rowFeatures, idx...), append(q.rowValues, val...)
		q.rowStart = append(q.rowStart, len(q.rowValues))
	}
	q.invert(o.n, o.d)
	o.invertedIndex = q
	return o
}

// fillSparse copies the rows of x and inverts them.
func (t *rowTable) fillSparse(ctx context.Context, x data.Rows) error {
	p := &invertedIndex{rowStart: make([]int, t.n+1)}
	t.invertedIndex = p
	if s, ok := x.(*data.Sparse); ok { // read-only, so it need not be copied
		p.rowStart, p.rowFeatures, p.rowValues = s.Start, s.Idx, s.Val
	} else {
		p.copyRows(x)
	}
	for i := range t.n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		idx, val := p.sparseRow(i)
		t.norm[i] = squaredLength(val)
		if t.norm[i]-t.norm[i] != 0 {
			if err := (data.Vec{Idx: idx, Val: val}).CheckFinite(i); err != nil {
				return fmt.Errorf("%w", err)
			}
		}
	}
	p.invert(t.n, t.d)
	return nil
}

// keepEmptyRowsFar gives sparse rows without any value a length that they do not have,
// where all others are of one length. Such rows are compared by their directions, and a
// row without one is like no other; by its distance it would be nearer to every row than
// almost all the others, and so the neighbour of all.
func (t *rowTable) keepEmptyRowsFar() {
	if t.dense != nil {
		return
	}
	low, high := math.Inf(1), 0.0
	for _, y := range t.norm {
		if y > 0 {
			low, high = min(low, y), max(high, y)
		}
	}
	if high > low*(1+1e-6) || 3*high > maxNorm { // of several lengths
		return
	}
	for i, y := range t.norm {
		if y == 0 {
			t.norm[i] = 3 * high // 4·high from every row, as far as opposite rows are apart
		}
	}
}

// stripColumns is the number of columns that all rows of a tile read before the
// next ones, so that these columns stay in the first cache.
func (t *rowTable) stripColumns() int {
	if t.dense == nil {
		return t.n // each strip would search the lists of the features again
	}
	return max(1, 1<<12/(simd.PanelRows*t.d)) * simd.PanelRows
}

// sparseStep is how many cells of dense rows are compared in the time of one step of
// sparse ones.
const sparseStep = 10

// workCells is the number of cells of a table, which is the work of comparing a row with
// all others, or an equivalent amount of work if it is sparse: on average a row reads the
// lists of its features, Σ_f (rows with f)² / n, and all n products.
func (t *rowTable) workCells() float64 {
	if t.dense != nil {
		return float64(t.n) * float64(t.d)
	}
	read := 0.0
	for f := range t.d {
		rows := float64(t.featureStart[f+1] - t.featureStart[f])
		read += rows * rows
	}
	return sparseStep * (read/float64(t.n) + float64(t.n))
}
