package affinity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Features are rows whose products approximate the values of a kernel: f_i·f_j is
// close to K_ij. They are the Nyström approximation K_nm K_mm⁻¹ K_mn from m rows,
// the landmarks, and its remainder is positive semidefinite.
type Features struct {
	data.Dense
	Landmarks []int // the rows chosen, in that order
	// Residual is the share of the kernel's trace that is missing, from 0 to 1:
	// Σ(K_ii − f_i·f_i) / ΣK_ii. No value of the kernel is wrong by more than
	// the largest K_ii − f_i·f_i.
	Residual float64
}

// Features returns at most m features for the rows of x, fewer if the kernel has
// no higher rank. Landmarks are drawn one after the other, a row with a
// probability proportional to what is still missing of K_ii: the randomly pivoted
// Cholesky decomposition (Chen, Epperly, Tropp and Webber 2022). That takes
// O(nm(m + d)) steps and 8nm bytes.
func (k Kernel) Features(ctx context.Context, x data.Rows, m int, rng *rand.Rand, workers int) (*Features, error) {
	if m < 1 {
		return nil, fmt.Errorf("the number of features must be at least 1, got %d", m)
	}
	l, err := k.Over(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	n := l.Len()
	m = min(m, n)
	f := &Features{Dense: data.Dense{Cols: m, V: make([]float64, n*m)}}
	missing, trace := make([]float64, n), 0.0
	for i := range missing {
		missing[i] = l.Diagonal(i)
		trace += missing[i]
	}
	left := trace
	// Anything below is rounding error.
	for len(f.Landmarks) < m && left > 1e-12*trace {
		if left, err = f.addLandmark(ctx, l, drawPivot(missing, left, rng), missing, workers); err != nil {
			return nil, err
		}
	}
	if trace > 0 {
		f.Residual = max(0, left/trace)
	}
	f.dropColumns(len(f.Landmarks))
	return f, nil
}

// drawPivot draws a row with a probability proportional to what is missing of it.
func drawPivot(missing []float64, left float64, rng *rand.Rand) int {
	at, most := rng.Float64()*left, 0
	for i, y := range missing {
		if at -= y; at < 0 && y > 0 {
			return i
		}
		if y > missing[most] {
			most = i
		}
	}
	return most // rounding: the draw exceeded the sum
}

// addLandmark makes row s a landmark, and returns the sum of what is then
// missing.
func (f *Features) addLandmark(ctx context.Context, l *Lazy, s int, missing []float64, workers int) (left float64, err error) {
	t, m := len(f.Landmarks), f.Cols
	own := append([]float64(nil), f.V[s*m:s*m+t]...)
	root := math.Sqrt(missing[s])
	f.Landmarks = append(f.Landmarks, s)
	err = blocks.Each(ctx, workers, len(missing), func(lo, hi int) (sum float64) {
		column := make([]float64, hi-lo)
		l.Tile64(s, s+1, lo, hi, column)
		for i := lo; i < hi; i++ {
			y := column[i-lo]
			for p, z := range f.V[i*m : i*m+t] {
				y -= float64(z * own[p])
			}
			if i == s {
				y = root * root
			}
			y /= root
			f.V[i*m+t] = y
			missing[i] = max(0, missing[i]-float64(y*y))
			if i == s {
				missing[i] = 0
			}
			sum += missing[i]
		}
		return sum
	}, func(_, _ int, sum float64) { left += sum })
	return left, err
}

// dropColumns drops columns that were not needed; one is left at least.
func (f *Features) dropColumns(m int) {
	m = max(1, m)
	if m == f.Cols {
		return
	}
	for i := range f.Len() {
		copy(f.V[i*m:(i+1)*m], f.V[i*f.Cols:i*f.Cols+m])
	}
	f.V = f.V[:f.Len()*m]
	f.Cols = m
}
