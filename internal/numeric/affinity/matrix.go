package affinity

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A Matrix is a symmetric matrix in memory, 4n² bytes.
type Matrix struct{ rows [][]float32 }

// tileSide is the side of the tiles that fill a matrix.
const tileSide = 256

// Matrix computes every value of l, each pair once.
func (l *Lazy) Matrix(ctx context.Context, workers int) (*Matrix, error) {
	n := l.Len()
	m, err := emptyMatrix(ctx, n)
	if err != nil {
		return nil, err
	}
	side := (n + tileSide - 1) / tileSide
	err = blocks.Tasks(ctx, workers, side*(side+1)/2, func(task int) {
		a, b := tileOfTask(task)
		lo, hi := b*tileSide, min(n, (b+1)*tileSide)
		lo2, hi2 := a*tileSide, min(n, (a+1)*tileSide)
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		r.tile = resized(r.tile, (hi-lo)*(hi2-lo2))
		l.Tile(lo, hi, lo2, hi2, r.tile)
		m.putTile(r.tile, lo, hi, lo2, hi2)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// emptyMatrix returns a matrix of n rows. Memory is taken in parts, since it takes seconds
// to clear gigabytes, and ctx may end meanwhile.
func emptyMatrix(ctx context.Context, n int) (*Matrix, error) {
	m := &Matrix{rows: make([][]float32, 0, n)}
	for lo := 0; lo < n; lo += tileSide {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.appendRows(n, make([]float32, (min(n, lo+tileSide)-lo)*n))
	}
	return m, nil
}

// appendRows adds rows of n numbers each, one after the other in v.
func (m *Matrix) appendRows(n int, v []float32) {
	for ; len(v) >= n; v = v[n:] {
		m.rows = append(m.rows, v[:n:n])
	}
}

// tileOfTask returns the tile of a task: column b ≤ row a, row after row.
func tileOfTask(task int) (a, b int) {
	for task > a {
		a++
		task -= a
	}
	return a, task
}

// putTile writes a tile and its mirror image.
func (m *Matrix) putTile(tile []float32, lo, hi, lo2, hi2 int) {
	wide := hi2 - lo2
	for i := lo; i < hi; i++ {
		copy(m.rows[i][lo2:hi2], tile[(i-lo)*wide:(i-lo+1)*wide])
	}
	if lo == lo2 {
		return
	}
	const step = 16 // the mirror by small squares, which stay in the first cache
	for i0 := lo; i0 < hi; i0 += step {
		for j0 := lo2; j0 < hi2; j0 += step {
			i1, j1 := min(hi, i0+step), min(hi2, j0+step)
			for j := j0; j < j1; j++ {
				row := m.rows[j][i0:i1]
				at := (i0-lo)*wide + j - lo2
				for i := range row {
					row[i] = tile[at]
					at += wide
				}
			}
		}
	}
}

// NewMatrix takes v, n² numbers, as a symmetric matrix, which it keeps without
// copying. It refuses a matrix that is not symmetric or not finite.
func NewMatrix(n int, v []float32) (*Matrix, error) {
	if n < 1 || len(v) != n*n {
		return nil, fmt.Errorf("a matrix of %d rows and columns must have %d numbers, got %d", n, n*n, len(v))
	}
	for i := range n {
		for j := range i + 1 {
			a, b := v[i*n+j], v[j*n+i]
			if a-a != 0 {
				return nil, fmt.Errorf("row %d, column %d is %v; every value must be finite", i, j, a)
			}
			if a != b {
				return nil, fmt.Errorf("row %d, column %d is %v, but row %d, column %d is %v; a kernel is symmetric", i, j, a, j, i, b)
			}
		}
	}
	m := &Matrix{rows: make([][]float32, 0, n)}
	m.appendRows(n, v)
	return m, nil
}

// Len returns the number of rows and columns.
func (m *Matrix) Len() int { return len(m.rows) }

// Row returns row i; the caller must not change it.
func (m *Matrix) Row(i int) []float32 { return m.rows[i] }

// Diagonal returns the value of row i with itself.
func (m *Matrix) Diagonal(i int) float64 { return float64(m.rows[i][i]) }

// Tile copies rows lo to hi, columns lo2 to hi2, to dst.
func (m *Matrix) Tile(lo, hi, lo2, hi2 int, dst []float32) {
	wide := hi2 - lo2
	for i := lo; i < hi; i++ {
		copy(dst[(i-lo)*wide:(i-lo+1)*wide], m.rows[i][lo2:hi2])
	}
}
