package affinity

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// A Gram is a symmetric matrix of kernel values, asked for by tiles. Lazy and
// Matrix are the two kinds; made of the same rows they have the same bits.
type Gram interface {
	// Len returns the number of rows and columns.
	Len() int
	// Tile writes rows lo to hi, columns lo2 to hi2, to dst, one row of
	// hi2−lo2 numbers after the other. It may be called from several
	// goroutines.
	Tile(lo, hi, lo2, hi2 int, dst []float32)
	// Diagonal returns the value of row i with itself.
	Diagonal(i int) float64
}

// Pairs are the kernel values of the rows of one table with those of another,
// computed when they are asked for.
type Pairs struct {
	kernel     Kernel
	rows, cols *table
	rowRoot    []float64 // lengths, for the cosine
	colRoot    []float64
}

// Between prepares k for the rows of x with those of y: 8 bytes a cell for dense
// rows, 12 bytes a value for sparse ones. See Over for what is refused.
func (k Kernel) Between(ctx context.Context, x, y data.Rows, workers int) (*Pairs, error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	if x.Dim() != y.Dim() {
		return nil, fmt.Errorf("rows of %d and of %d features have no kernel", x.Dim(), y.Dim())
	}
	rows, err := newTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	cols, err := newTable(ctx, y, workers)
	if err != nil {
		return nil, err
	}
	p, err := k.pairs(rows, cols)
	if err != nil {
		return nil, err
	}
	return p, p.alike(ctx, x, y)
}

func (k Kernel) pairs(rows, cols *table) (*Pairs, error) {
	p := &Pairs{kernel: k, rows: rows, cols: cols}
	if err := k.reach(rows, cols); err != nil {
		return nil, err
	}
	if k.Kind == Cosine {
		p.rowRoot, p.colRoot = lengths(rows), lengths(cols)
	}
	return p, nil
}

// alike makes both tables sparse if one of them is.
func (p *Pairs) alike(ctx context.Context, x, y data.Rows) error {
	switch {
	case (p.rows.dense == nil) == (p.cols.dense == nil):
		return nil
	case p.rows.dense != nil:
		p.rows.dense = nil
		return p.rows.fillSparse(ctx, x)
	default:
		p.cols.dense = nil
		return p.cols.fillSparse(ctx, y)
	}
}

func lengths(t *table) []float64 {
	r := make([]float64, t.n)
	for i, y := range t.norm {
		r[i] = math.Sqrt(y)
	}
	return r
}

// Tile writes the values of rows lo to hi of x with rows lo2 to hi2 of y to
// dst, one row after the other. It may be called from several goroutines.
func (p *Pairs) Tile(lo, hi, lo2, hi2 int, dst []float32) { fillTile(p, lo, hi, lo2, hi2, dst) }

// Tile64 is Tile in double precision; Tile holds the same values rounded.
func (p *Pairs) Tile64(lo, hi, lo2, hi2 int, dst []float64) { fillTile(p, lo, hi, lo2, hi2, dst) }

// strip is how many columns are met by all rows of a tile before the next ones,
// so that they stay in the first cache.
func (t *table) strip() int {
	if t.dense == nil {
		return t.n // each strip would search the lists anew
	}
	return max(1, 1<<12/(simd.PanelRows*t.d)) * simd.PanelRows
}

func fillTile[T float32 | float64](p *Pairs, lo, hi, lo2, hi2 int, dst []T) {
	wide := hi2 - lo2
	dst = dst[:(hi-lo)*wide]
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	for from := lo2; from < hi2; {
		to := min(hi2, from-from%simd.PanelRows+p.cols.strip())
		for i := lo; i < hi; i++ {
			at := (i-lo)*wide + from - lo2
			out := dst[at : at+to-from]
			for j, y := range p.values(i, from, to, r) {
				out[j] = T(y)
			}
		}
		from = to
	}
}

// values returns row i, columns lo to hi, good until r is used again.
func (p *Pairs) values(i, lo, hi int, r *room) []float64 {
	var v, cols []float64
	if p.kernel.Kind == RBF {
		v = p.rows.dists(i, p.cols, lo, hi, r)
	} else {
		v = p.rows.dots(i, p.cols, lo, hi, r)
	}
	root := 0.0
	if p.rowRoot != nil {
		root, cols = p.rowRoot[i], p.colRoot[lo:hi]
	}
	p.kernel.apply(v, root, cols)
	return v
}

// A Lazy is the kernel matrix of a table of rows, computed when it is asked for:
// memory grows with the rows, not with their square.
type Lazy struct{ Pairs }

// Over prepares k for the rows of x. It refuses numbers that are not finite, by
// row and column, and rows so long that a value would leave the range of
// float32.
func (k Kernel) Over(ctx context.Context, x data.Rows, workers int) (*Lazy, error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	t, err := newTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	p, err := k.pairs(t, t)
	if err != nil {
		return nil, err
	}
	return &Lazy{*p}, nil
}

// Len returns the number of rows and columns.
func (l *Lazy) Len() int { return l.rows.n }

// Diagonal returns the value of row i with itself.
func (l *Lazy) Diagonal(i int) float64 {
	v := []float64{l.rows.norm[i]}
	if l.kernel.Kind == RBF {
		v[0] = 0
	}
	if l.rowRoot == nil {
		l.kernel.apply(v, 0, nil)
	} else {
		l.kernel.apply(v, l.rowRoot[i], l.colRoot[i:i+1])
	}
	return v[0]
}
