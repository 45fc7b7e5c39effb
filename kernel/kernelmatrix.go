package kernel

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A kernelMatrix is the affinityMatrix of a kernel: B_ij = w_i w_j K_ij. It is
// kept in memory or computed again each time, with the same values.
type kernelMatrix struct {
	values  affinity.Gram
	weight  []float64 // of the points; nil: 1 each
	scratch sync.Pool
}

// tileRows is the number of rows of a kernel that are computed at a time.
const tileRows = 32

func newKernelMatrix(g affinity.Gram, weight []float64) *kernelMatrix {
	n := g.Len()
	return &kernelMatrix{values: g, weight: weight, scratch: sync.Pool{New: func() any { s := make([]float32, tileRows*n); return &s }}}
}

// rowValues returns row i, in memory or computed into buf.
func (g *kernelMatrix) rowValues(i int, buf []float32) []float32 {
	if m, ok := g.values.(*affinity.Matrix); ok {
		return m.Row(i)
	}
	buf = buf[:g.values.Len()]
	g.values.Tile(i, i+1, 0, len(buf), buf)
	return buf
}

func (g *kernelMatrix) weightOf(i int) float64 {
	if g.weight == nil {
		return 1
	}
	return g.weight[i]
}

// diagonal returns B_ii, rounded like every value of the matrix.
func (g *kernelMatrix) diagonal(i int) float64 {
	w := g.weightOf(i)
	return w * w * float64(float32(g.values.Diagonal(i)))
}

func (g *kernelMatrix) rowCost(int) float64 { return float64(g.values.Len()) }

// clusterSums works on four rows at a time: four independent chains of additions
// are faster than one.
func (g *kernelMatrix) clusterSums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
	n := len(label)
	return g.eachFourRows(ctx, workers, func(i int, rows [][]float32) {
		part := make([][4]float64, k)
		switch {
		case len(rows) == 4 && g.weight == nil:
			addFourRows(rows, label, part)
		case len(rows) == 4:
			addFourWeightedRows(rows, g.weight, label, part)
		default:
			for r, row := range rows {
				for j, y := range row {
					part[label[j]][r] += float64(float64(y) * g.weightOf(j))
				}
			}
		}
		for r, row := range rows {
			part[label[i+r]][r] -= float64(row[i+r]) * g.weightOf(i+r)
			for c := range part {
				sum[c*n+i+r] += part[c][r] * g.weightOf(i+r)
			}
		}
	})
}

func addFourRows(rows [][]float32, label []int32, part [][4]float64) {
	n := len(label)
	r0, r1, r2, r3 := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	for j, c := range label {
		p := &part[c]
		p[0] += float64(r0[j])
		p[1] += float64(r1[j])
		p[2] += float64(r2[j])
		p[3] += float64(r3[j])
	}
}

func addFourWeightedRows(rows [][]float32, weight []float64, label []int32, part [][4]float64) {
	n := len(label)
	r0, r1, r2, r3 := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	weight = weight[:n]
	for j, c := range label {
		p, w := &part[c], weight[j]
		p[0] += float64(float64(r0[j]) * w)
		p[1] += float64(float64(r1[j]) * w)
		p[2] += float64(float64(r2[j]) * w)
		p[3] += float64(float64(r3[j]) * w)
	}
}

// eachFourRows calls do for all rows, up to four from i on at a time, on several
// goroutines.
func (g *kernelMatrix) eachFourRows(ctx context.Context, workers int, do func(i int, rows [][]float32)) error {
	n := g.values.Len()
	return blocks.Tasks(ctx, workers, (n+tileRows-1)/tileRows, func(t int) {
		lo, hi := t*tileRows, min(n, (t+1)*tileRows)
		m, kept := g.values.(*affinity.Matrix)
		var buf []float32
		if !kept {
			links := g.scratch.Get().(*[]float32)
			defer g.scratch.Put(links)
			buf = (*links)[:(hi-lo)*n]
			g.values.Tile(lo, hi, 0, n, buf)
		}
		for i := lo; i < hi; i += 4 {
			var some [4][]float32
			rows := some[:min(4, hi-i)]
			for r := range rows {
				if kept {
					rows[r] = m.Row(i + r)
				} else {
					rows[r] = buf[(i+r-lo)*n : (i+r-lo+1)*n]
				}
			}
			do(i, rows)
		}
	})
}

func (g *kernelMatrix) addRow(i int, w float64, dst []float64) {
	buf := g.scratch.Get().(*[]float32)
	defer g.scratch.Put(buf)
	was, own := dst[i], w*g.weightOf(i)
	for j, y := range g.rowValues(i, *buf) {
		if g.weight == nil {
			dst[j] += float64(own * float64(y))
		} else {
			dst[j] += float64(own * float64(y) * g.weight[j])
		}
	}
	dst[i] = was
}

func (g *kernelMatrix) multiply(ctx context.Context, workers int, x, dst []float64) error {
	return g.eachFourRows(ctx, workers, func(i int, rows [][]float32) {
		for r, row := range rows {
			y := 0.0
			for j, b := range row {
				if j != i+r {
					y += float64(float64(b) * g.weightOf(j) * x[j])
				}
			}
			dst[i+r] = y * g.weightOf(i+r)
		}
	})
}

// singlePrecision returns a given kernel in single precision. Where a cell
// differs from its mirror image by rounding, which Problem.Check accepts, the
// cell below the diagonal counts.
func singlePrecision(k *data.Dense) (*affinity.Matrix, error) {
	n := k.Len()
	v := make([]float32, n*n)
	for i := range n {
		for j := range i + 1 {
			y := float32(k.V[i*n+j])
			if math.IsInf(float64(y), 0) {
				return nil, fmt.Errorf("row %d, column %d is %v, at most %.3g; scale the matrix", i, j, k.V[i*n+j], math.MaxFloat32)
			}
			v[i*n+j], v[j*n+i] = y, y
		}
	}
	return affinity.NewMatrix(n, v)
}
