package eigen

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Dense is a symmetric matrix held as a table: entry (i, j) stands at i·N + j.
// It is an Operator.
type Dense struct {
	N int
	V []float64
}

// NewDense returns the zero matrix with n rows.
func NewDense(n int) *Dense { return &Dense{n, make([]float64, n*n)} }

// ToDense returns the matrix of an operator, by products with unit vectors. When ctx ends it is not complete.
func ToDense(ctx context.Context, a Operator) *Dense {
	n := a.Dim()
	d := NewDense(n)
	e := make([]float64, n)
	for j := 0; j < n && ctx.Err() == nil; j++ {
		e[j] = 1
		a.Apply(d.V[j*n:(j+1)*n], e)
		e[j] = 0
	}
	return d
}

// Dim returns the number of rows.
func (d *Dense) Dim() int { return d.N }

// Apply sets dst to the product with x.
func (d *Dense) Apply(dst, x []float64) {
	const group = 64
	_ = blocks.Tasks(context.Background(), 0, (d.N+group-1)/group, func(g int) {
		for i := g * group; i < min(d.N, (g+1)*group); i++ {
			dst[i] = inner(d.V[i*d.N:(i+1)*d.N], x)
		}
	})
}

func (d *Dense) check() error {
	if d.N < 0 || len(d.V) != d.N*d.N {
		return fmt.Errorf("a table of %d numbers for %d rows", len(d.V), d.N)
	}
	for at, y := range d.V {
		if !data.Finite(y) {
			return fmt.Errorf("entry (%d, %d) is %v; entries must be finite", at/d.N, at%d.N, y)
		}
	}
	return nil
}

// Symmetric returns the wanted pairs of a dense symmetric matrix, to rounding.
// Only the lower triangle of a is looked at; a is not changed. It costs 4n³/3
// operations, and 2n² more per vector; when more than a third of all pairs is
// wanted about 8n³ in all.
func Symmetric(ctx context.Context, a *Dense, o Options) (*Pairs, error) {
	o, err := o.check(a.N)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	values, vectors, err := symmetric(ctx, o.Workers, a.N, a.V, o.want(a.N))
	if err != nil {
		return nil, err
	}
	p := &Pairs{Values: values, Vectors: vectors, Converged: true, Method: "dense"}
	for _, v := range vectors {
		orient(v)
	}
	p.Residuals = a.mirrored().residuals(ctx, o.Workers, values, vectors)
	return p, ctx.Err()
}

// residuals returns ‖A v − λ v‖ of each pair. A group of vectors meets a row
// while it is in the cache. When ctx ends they are not complete.
func (d *Dense) residuals(ctx context.Context, workers int, values []float64, vectors [][]float64) []float64 {
	out := make([]float64, len(values))
	const group = 16
	_ = blocks.Tasks(ctx, workers, (len(values)+group-1)/group, func(g int) {
		for i := range d.N {
			row := d.V[i*d.N : (i+1)*d.N]
			for c := g * group; c < min(len(values), (g+1)*group); c++ {
				y := inner(row, vectors[c]) - float64(values[c]*vectors[c][i])
				out[c] += float64(y * y)
			}
		}
	})
	for c := range out {
		out[c] = math.Sqrt(out[c])
	}
	return out
}

// mirrored returns a if it is symmetric to the bit, otherwise a copy whose
// upper triangle is that of the lower.
func (d *Dense) mirrored() *Dense {
	out := d
	for i := range d.N {
		for j := range i {
			if d.V[j*d.N+i] != d.V[i*d.N+j] {
				if out == d {
					out = &Dense{d.N, append([]float64(nil), d.V...)}
				}
				out.V[j*d.N+i] = d.V[i*d.N+j]
			}
		}
	}
	return out
}

// symmetric returns the eigenpairs whose ranks are wanted, rank 0 being the
// smallest. The matrix is scaled, so that no square overflows or vanishes.
func symmetric(ctx context.Context, workers, n int, a []float64, want []int) ([]float64, [][]float64, error) {
	if n == 0 || len(want) == 0 {
		return nil, nil, ctx.Err()
	}
	most := 0.0
	for i := range n {
		for _, y := range a[i*n : i*n+i+1] {
			most = max(most, math.Abs(y))
		}
	}
	if most == 0 {
		most = 1
	}
	_, power := math.Frexp(most)
	work := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			work[i*n+j] = math.Ldexp(a[i*n+j], -power)
		}
	}
	d, e, q := tridiagonalise(ctx, workers, n, work)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	values, z := tridiagonalPairs(ctx, workers, d, e, want)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if z == nil {
		return nil, nil, fmt.Errorf("the eigenvalues of a dense matrix with %d rows were not found; are its entries of sane size?", n)
	}
	q.apply(ctx, workers, z)
	for c := range values {
		values[c] = math.Ldexp(values[c], power)
	}
	return values, z, ctx.Err()
}

// tridiagonalPairs returns the wanted pairs of a tridiagonal matrix: a few by
// inverse iteration, many by QL with all vectors. d and e are used up. When ctx ends
// they are not to be used.
func tridiagonalPairs(ctx context.Context, workers int, d, e []float64, want []int) (values []float64, z [][]float64) {
	n := len(d)
	if 3*len(want) < n && n > 24 {
		if values, z := fewTridiagonal(ctx, d, e, want); z != nil {
			return values, z
		}
	}
	rows := make([][]float64, n)
	all := make([]float64, n*n)
	for i := range rows {
		rows[i] = all[i*n : (i+1)*n]
		rows[i][i] = 1
	}
	if !implicitQL(ctx, workers, d, e, rows) {
		return nil, nil
	}
	order := ascendingOrder(d)
	for _, w := range want {
		values = append(values, d[order[w]])
		z = append(z, rows[order[w]])
	}
	return values, z
}

func fewTridiagonal(ctx context.Context, d, e []float64, want []int) (values []float64, z [][]float64) {
	all, ok := locatedValues(ctx, d, e)
	if !ok {
		return nil, nil
	}
	// Inverse iteration goes through the eigenvalues in ascending order.
	ranks := make([]float64, len(want))
	for c, w := range want {
		ranks[c] = float64(w)
	}
	order := ascendingOrder(ranks)
	asked := make([]locatedValue, len(want))
	for at, c := range order {
		asked[at] = all[want[c]]
	}
	found, ok := inverseIteration(ctx, d, e, asked)
	if !ok {
		return nil, nil
	}
	values, z = make([]float64, len(want)), make([][]float64, len(want))
	for at, c := range order {
		values[c], z[c] = asked[at].value, found[at]
	}
	return values, z
}
