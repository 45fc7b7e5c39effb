package affinity

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A Gram is a symmetric matrix of kernel values, read by tiles. Lazy and Matrix
// are its two forms; of the same rows they have the same bits.
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

// A Lazy is the kernel matrix of a table of rows, computed on demand: memory grows
// with the rows, not with their square.
type Lazy struct {
	kernel  Kernel
	rows    *rowTable
	lengths []float64 // of the rows, for the cosine
}

// Over prepares k for the rows of x: 8 bytes a cell for dense rows, 12 bytes a
// value for sparse rows. It refuses numbers that are not finite, by row and column,
// and rows so long that a value would leave the range of float32.
func (k Kernel) Over(ctx context.Context, x data.Rows, workers int) (*Lazy, error) {
	if err := k.checkReady(); err != nil {
		return nil, err
	}
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	if err := k.checkRange(t); err != nil {
		return nil, err
	}
	l := &Lazy{kernel: k, rows: t}
	if k.Kind == Cosine {
		l.lengths = rowLengths(t)
	}
	return l, nil
}

func rowLengths(t *rowTable) []float64 {
	r := make([]float64, t.n)
	for i, y := range t.norm {
		r[i] = math.Sqrt(y)
	}
	return r
}

// Len returns the number of rows and columns.
func (l *Lazy) Len() int { return l.rows.n }

// Tile writes rows lo to hi, columns lo2 to hi2, to dst, one row after the other.
// It may be called from several goroutines.
func (l *Lazy) Tile(lo, hi, lo2, hi2 int, dst []float32) { fillTile(l, lo, hi, lo2, hi2, dst) }

// Tile64 is Tile in double precision; Tile holds the same values rounded.
func (l *Lazy) Tile64(lo, hi, lo2, hi2 int, dst []float64) { fillTile(l, lo, hi, lo2, hi2, dst) }

func fillTile[T float32 | float64](l *Lazy, lo, hi, lo2, hi2 int, dst []T) {
	wide := hi2 - lo2
	dst = dst[:(hi-lo)*wide]
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	for from := lo2; from < hi2; {
		to := min(hi2, from-from%simd.PanelRows+l.rows.stripColumns())
		for i := lo; i < hi; i++ {
			at := (i-lo)*wide + from - lo2
			out := dst[at : at+to-from]
			for j, y := range l.kernelValues(i, from, to, r) {
				out[j] = T(y)
			}
		}
		from = to
	}
}

// kernelValues returns row i, columns lo to hi, valid until r is used again.
func (l *Lazy) kernelValues(i, lo, hi int, r *scratch) []float64 {
	var v, lengths []float64
	if l.kernel.Kind == RBF {
		v = l.rows.squaredDistances(i, l.rows, lo, hi, r)
	} else {
		v = l.rows.dotProducts(i, l.rows, lo, hi, r)
	}
	length := 0.0
	if l.lengths != nil {
		length, lengths = l.lengths[i], l.lengths[lo:hi]
	}
	l.kernel.applyTo(v, length, lengths)
	return v
}

// Diagonal returns the value of row i with itself.
func (l *Lazy) Diagonal(i int) float64 {
	v := []float64{l.rows.norm[i]}
	if l.kernel.Kind == RBF {
		v[0] = 0
	}
	if l.lengths == nil {
		l.kernel.applyTo(v, 0, nil)
	} else {
		l.kernel.applyTo(v, l.lengths[i], l.lengths[i:i+1])
	}
	return v[0]
}
