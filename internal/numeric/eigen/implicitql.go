package eigen

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A rotation of rows at and at+1.
type rotation struct {
	at   int32
	c, s float64
}

// implicitQL turns the tridiagonal matrix (diagonal d, e[i] between i−1 and i)
// into its eigenvalues, in d, not ordered. It reports each rotation; z, if not
// nil, are rows to which they are applied: rows of the identity become the
// eigenvectors. It reports whether all eigenvalues were found.
//
// An off-diagonal number is 0 where it is no more than the rounding of its
// neighbours on the diagonal. Where a matrix is almost singular many times over,
// as kernel matrices are, these are themselves rounding, and that can be asked
// for in vain; after some sweeps the rounding of the largest number is enough. When ctx
// ends it gives up.
func implicitQL(ctx context.Context, workers int, d, e []float64, z [][]float64) bool {
	n := len(d)
	var batch []rotation
	flush := func() {
		rotate(ctx, workers, z, batch)
		batch = batch[:0]
	}
	off := make([]float64, n) // off[i] joins i and i+1
	copy(off, e[min(1, n):])
	most := 0.0
	for i, y := range d {
		most = max(most, math.Abs(y), math.Abs(off[i]))
	}
	for l := range n {
		for sweep := 0; ; sweep++ {
			m := l
			for ; m < n-1; m++ {
				size := math.Abs(d[m]) + math.Abs(d[m+1])
				if sweep >= 30 {
					size = max(size, most)
				}
				if math.Abs(off[m]) <= ulp*size || math.Abs(off[m]) < smallestNormal {
					off[m] = 0
					break
				}
			}
			if m == l {
				break
			}
			if sweep == 60 || ctx.Err() != nil {
				return false
			}
			batch = qlSweep(d, off, l, m, batch, z != nil)
			if len(batch) > 16*n {
				flush()
			}
		}
	}
	flush()
	return true
}

const (
	ulp            = 0x1p-53
	smallestNormal = 0x1p-1000
)

// qlSweep does one implicit step on the unreduced part l to m, with the shift
// of Wilkinson.
func qlSweep(d, off []float64, l, m int, batch []rotation, keep bool) []rotation {
	g := (d[l+1] - d[l]) / (2 * off[l])
	r := math.Hypot(g, 1)
	g = d[m] - d[l] + off[l]/(g+math.Copysign(r, g))
	s, c, p := 1.0, 1.0, 0.0
	i := m - 1
	for ; i >= l; i-- {
		f, b := float64(s*off[i]), float64(c*off[i])
		r = math.Hypot(f, g)
		off[i+1] = r
		if r == 0 { // the part falls apart here
			d[i+1] -= p
			off[m] = 0
			break
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
		if keep {
			batch = append(batch, rotation{int32(i), c, s})
		}
	}
	if i < l {
		d[l] -= p
		off[l] = g
		off[m] = 0
	}
	return batch
}

// rotate applies rotations to the rows of z, in parts of columns that fit the
// cache; parts are independent.
func rotate(ctx context.Context, workers int, z [][]float64, batch []rotation) {
	if len(z) == 0 || len(batch) == 0 {
		return
	}
	const width = 64
	n := len(z[0])
	_ = blocks.Tasks(ctx, workers, (n+width-1)/width, func(b int) {
		lo, hi := b*width, min(n, (b+1)*width)
		for _, t := range batch {
			simd.Rotate(z[t.at][lo:hi], z[t.at+1][lo:hi], t.c, t.s)
		}
	})
}

// ascendingOrder returns the order in which the values rise, the first before the
// second on ties.
func ascendingOrder(d []float64) []int {
	at := make([]int, len(d))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int {
		switch {
		case d[a] < d[b]:
			return -1
		case d[a] > d[b]:
			return 1
		}
		return 0
	})
	return at
}
