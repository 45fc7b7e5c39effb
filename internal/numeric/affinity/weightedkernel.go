package affinity

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A WeightedKernel is the matrix B_ij = w_i w_j K_ij of a kernel. It is kept in memory or computed again each time, with the same values.
type WeightedKernel struct {
	values  Gram
	weight  []float64 // of the points; nil: 1 each
	scratch sync.Pool
}

// tileRows is the number of rows of a kernel that are computed at a time.
const tileRows = 32

// NewWeightedKernel returns the matrix of g with these weights of the rows; nil: 1 each.
func NewWeightedKernel(g Gram, weight []float64) *WeightedKernel {
	n := g.Len()
	return &WeightedKernel{values: g, weight: weight, scratch: sync.Pool{New: func() any { s := make([]float32, tileRows*n); return &s }}}
}

// rowValues returns row i, in memory or computed into buf.
func (g *WeightedKernel) rowValues(i int, buf []float32) []float32 {
	if m, ok := g.values.(*Matrix); ok {
		return m.Row(i)
	}
	buf = buf[:g.values.Len()]
	g.values.Tile(i, i+1, 0, len(buf), buf)
	return buf
}

func (g *WeightedKernel) weightOf(i int) float64 {
	if g.weight == nil {
		return 1
	}
	return g.weight[i]
}

// Diagonal returns B_ii, rounded like every value of the matrix.
func (g *WeightedKernel) Diagonal(i int) float64 {
	w := g.weightOf(i)
	return w * w * float64(float32(g.values.Diagonal(i)))
}

// RowCost returns the multiplications for one row of ClusterSums.
func (g *WeightedKernel) RowCost(int) float64 { return float64(g.values.Len()) }

// ClusterSums adds, for every row i, Σ_j B_ij over j ≠ i in cluster c to sum[c·n + i].
// It works on four rows at a time: four independent chains of additions
// are faster than one.
func (g *WeightedKernel) ClusterSums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
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
func (g *WeightedKernel) eachFourRows(ctx context.Context, workers int, do func(i int, rows [][]float32)) error {
	n := g.values.Len()
	return blocks.Tasks(ctx, workers, (n+tileRows-1)/tileRows, func(t int) {
		lo, hi := t*tileRows, min(n, (t+1)*tileRows)
		m, kept := g.values.(*Matrix)
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

// AddRow adds w·B_ij to dst[j] for every j ≠ i.
func (g *WeightedKernel) AddRow(i int, w float64, dst []float64) {
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

// Multiply writes Σ_j B_ij x_j over j ≠ i to dst[i], for every i.
func (g *WeightedKernel) Multiply(ctx context.Context, workers int, x, dst []float64) error {
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

// SinglePrecision returns a given kernel in single precision. Where a cell
// differs from its mirror image by rounding, which problems may have, the
// cell below the diagonal counts.
func SinglePrecision(k *data.Dense) (*Matrix, error) {
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
	return NewMatrix(n, v)
}

// CentredRows returns dense rows less their mean, which changes no distance, and
// sparse rows as they are. Products of rows far from the origin are so much larger than
// the differences between them that single precision loses these.
func CentredRows(x data.Rows) data.Rows {
	n, d := x.Len(), x.Dim()
	buf, wide, mean := make([]float64, d), make([]float64, d), make([]float64, d)
	if n == 0 || x.Row(0, buf).Idx != nil {
		return x
	}
	out := &data.Dense{Cols: d, V: make([]float64, 0, n*d)}
	for i := range n {
		out.V = append(out.V, x.Row(i, buf).Full(wide)...)
		axpy(mean, out.V[i*d:(i+1)*d], 1/float64(n))
	}
	for i := range n {
		axpy(out.V[i*d:(i+1)*d], mean, -1)
	}
	return out
}
