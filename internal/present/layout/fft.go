package layout

import (
	"context"
	"math"
	"math/cmplx"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A plane2 transforms squares of side numbers, a power of 2, by the fast Fourier transform of Cooley and Tukey (1965).
type plane2 struct {
	side    int
	turn    [][]complex128 // e^(-2πi·j/m), j < m/2, for m = 2, 4, …, side
	order   []int32        // bits reversed
	other   []complex128   // for the transposed square
	workers int
}

func newPlane2(side, workers int) *plane2 {
	p := &plane2{side: side, workers: workers, order: make([]int32, side), other: make([]complex128, side*side)}
	for m := 2; m <= side; m *= 2 {
		turn := make([]complex128, m/2)
		for j := range turn {
			turn[j] = cmplx.Rect(1, -2*math.Pi*float64(j)/float64(m))
		}
		p.turn = append(p.turn, turn)
	}
	for i, j := 0, 0; i < side; i++ {
		p.order[i] = int32(j)
		bit := side >> 1
		for ; bit > 0 && j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		j |= bit
	}
	return p
}

// parts cuts n lines into a few parts, which are independent of each other.
func (p *plane2) parts(n int, do func(lo, hi int)) {
	const count = 16
	_ = blocks.Tasks(context.Background(), p.workers, count, func(i int) { do(i*n/count, (i+1)*n/count) })
}

// line transforms one row in place.
func (p *plane2) line(a []complex128) {
	for i, j := range p.order {
		if i < int(j) {
			a[i], a[j] = a[j], a[i]
		}
	}
	for i := 0; i < len(a); i += 2 {
		a[i], a[i+1] = a[i]+a[i+1], a[i]-a[i+1]
	}
	for stage, half := 1, 2; half < p.side; stage, half = stage+1, half*2 {
		simd.Butterflies(a, p.turn[stage])
	}
}

// transform replaces a square, row after row, by the transpose of its transform. Of its rows only the first filled are not 0,
// and of the result only the first wanted are needed.
func (p *plane2) transform(a []complex128, filled, wanted int) {
	n := p.side
	p.parts(filled, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			p.line(a[r*n : (r+1)*n])
		}
	})
	p.transpose(p.other, a)
	p.parts(wanted, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			p.line(p.other[r*n : (r+1)*n])
			copy(a[r*n:(r+1)*n], p.other[r*n:(r+1)*n])
		}
	})
}

func (p *plane2) transpose(to, from []complex128) {
	const tile = 16
	n := p.side
	p.parts(n/tile, func(lo, hi int) {
		for r := lo * tile; r < hi*tile; r += tile {
			for c := 0; c < n; c += tile {
				for i := r; i < r+tile; i++ {
					for j := c; j < c+tile; j++ {
						to[i*n+j] = from[j*n+i]
					}
				}
			}
		}
	})
}
