package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Cholesky is the lower triangle C of M = C Cᵀ, at i·n + j for j ≤ i.
type Cholesky struct {
	n int
	c []float64
}

// NotDefiniteError is the error that a matrix is not positive definite.
type NotDefiniteError struct {
	Row   int     // of the first pivot that is not positive
	Pivot float64 // what it is
}

func (e *NotDefiniteError) Error() string {
	return fmt.Sprintf("the matrix is not positive definite, pivot %d is %v", e.Row, e.Pivot)
}

// NewCholesky factors a dense positive definite matrix, of which only the
// lower triangle is looked at. Others give a NotDefiniteError error; so do those
// whose pivots vanish in rounding.
func NewCholesky(ctx context.Context, m *Dense) (*Cholesky, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	n := m.N
	f := &Cholesky{n, make([]float64, n*n)}
	for i := range n {
		copy(f.c[i*n:i*n+i+1], m.V[i*n:])
	}
	const panel = 48
	for lo := 0; lo < n; lo += panel {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(n, lo+panel)
		if err := f.panel(m, lo, hi); err != nil {
			return nil, err
		}
		const group = 8 // rows of a task: they do not share sums
		_ = blocks.Tasks(context.Background(), 0, (n-hi+group-1)/group, func(g int) {
			for i := hi + g*group; i < min(n, hi+(g+1)*group); i++ {
				f.row(i, lo, hi)
			}
		})
	}
	return f, nil
}

// panel finishes the rows of columns lo to hi that end in them.
func (f *Cholesky) panel(m *Dense, lo, hi int) error {
	n := f.n
	for i := lo; i < hi; i++ {
		f.row(i, lo, i)
		row := f.c[i*n : i*n+i+1]
		pivot := row[i] - inner(row[:i], row[:i])
		if !(pivot > 4*ulp*math.Abs(m.V[i*n+i])) {
			return &NotDefiniteError{i, pivot}
		}
		row[i] = math.Sqrt(pivot)
	}
	return nil
}

// row finishes columns lo to hi of row i; the columns before are finished.
func (f *Cholesky) row(i, lo, hi int) {
	n := f.n
	row := f.c[i*n : i*n+i+1]
	for j := lo; j < hi; j++ {
		row[j] = (row[j] - inner(row[:j], f.c[j*n:j*n+j])) / f.c[j*n+j]
	}
}

// Solve sets x, which holds b, to the solution of M x = b.
func (f *Cholesky) Solve(x []float64) {
	f.forward(x)
	f.backward(x)
}

// forward solves C y = x.
func (f *Cholesky) forward(x []float64) {
	for i := range f.n {
		row := f.c[i*f.n : i*f.n+i+1]
		x[i] = (x[i] - inner(row[:i], x[:i])) / row[i]
	}
}

// backward solves Cᵀ y = x.
func (f *Cholesky) backward(x []float64) {
	for i := f.n - 1; i >= 0; i-- {
		row := f.c[i*f.n : i*f.n+i+1]
		x[i] /= row[i]
		addTo(x[:i], -x[i], row[:i])
	}
}

// InverseAt returns number i, i of M⁻¹, with the bits that Solve has for it; scratch has a number for each row.
func (f *Cholesky) InverseAt(i int, scratch []float64) float64 {
	x, first := scratch, i&^15 // sums are kept in sixteen parts
	clear(x[first:])
	x[i] = 1
	for j := i; j < f.n; j++ {
		row := f.c[j*f.n : j*f.n+j+1]
		x[j] = (x[j] - inner(row[first:j], x[first:j])) / row[j]
	}
	for j := f.n - 1; j > i; j-- {
		row := f.c[j*f.n : j*f.n+j+1]
		x[j] /= row[j]
		addTo(x[i:j], -x[j], row[i:j])
	}
	return x[i] / f.c[i*f.n+i]
}

// Inverse returns M⁻¹. Below 1 worker there is one per processor; the result does not depend on it.
func (f *Cholesky) Inverse(ctx context.Context, workers int) (*Dense, error) {
	n := f.n
	turned := &Dense{n, slices.Clone(f.c)}
	turned.transpose(ctx)
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	out := &Dense{n, make([]float64, n*n)}
	const wide = 32 // columns that are solved at once
	err := blocks.Tasks(ctx, workers, (n+wide-1)/wide, func(b int) {
		// Columns lo to hi of the inverse, below their diagonal; above it they are 0 until the end.
		lo := b * wide
		p := min(wide, n-lo)
		x, sum := make([]float64, n*p), make([]float64, p)
		take := func(i int, pivot float64) {
			y := x[i*p : (i+1)*p]
			for c := range y {
				y[c] = (y[c] - sum[c]) / pivot
			}
			clear(sum)
		}
		for i := lo; i < n; i++ { // C Y = E
			if i < lo+p {
				x[i*p+i-lo] = 1
			}
			simd.Gather(sum, all[lo:i], f.c[i*n+lo:i*n+i], x)
			take(i, f.c[i*n+i])
		}
		for i := n - 1; i >= lo; i-- { // Cᵀ X = Y
			simd.Gather(sum, all[i+1:], turned.V[i*n+i+1:(i+1)*n], x)
			take(i, f.c[i*n+i])
			for c, v := range x[i*p : i*p+min(p, i-lo+1)] {
				out.V[i*n+lo+c], out.V[(lo+c)*n+i] = v, v
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Definite returns the wanted pairs of S y = θ M y for dense symmetric S and
// positive definite M. Vectors have unit length in the inner product of M, and
// Residuals hold ‖S y − θ M y‖.
func Definite(ctx context.Context, s, m *Dense, o Options) (*Pairs, error) {
	o, err := o.check(s.N)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.N != m.N {
		return nil, fmt.Errorf("the matrices of a pencil have %d and %d rows", s.N, m.N)
	}
	f, err := NewCholesky(ctx, m)
	if err != nil {
		return nil, err
	}
	n := s.N
	whole, mass := s.mirrored(), m.mirrored()
	// C⁻¹ S C⁻ᵀ: solve for the rows of S, turn it round, solve again.
	t := &Dense{n, append([]float64(nil), whole.V...)}
	for range 2 {
		_ = blocks.Tasks(ctx, o.Workers, n, func(i int) { f.forward(t.V[i*n : (i+1)*n]) })
		t.transpose(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	values, vectors, err := symmetric(ctx, o.Workers, n, t.V, o.want(n))
	if err != nil {
		return nil, err
	}
	p := &Pairs{Values: values, Vectors: vectors, Converged: true, Method: "dense"}
	y, my := make([]float64, n), make([]float64, n)
	for c, v := range vectors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.backward(v)
		mass.Apply(my, v)
		l := math.Sqrt(dot(o.Workers, v, my))
		scale(v, 1/l)
		orient(v)
		whole.Apply(y, v)
		mass.Apply(my, v)
		addTo(y, -values[c], my)
		p.Residuals = append(p.Residuals, norm(o.Workers, y))
	}
	return p, ctx.Err()
}

// transpose transposes d. When ctx ends d is not to be used.
func (d *Dense) transpose(ctx context.Context) {
	for i := range d.N {
		if i%64 == 0 && ctx.Err() != nil {
			return
		}
		for j := range i {
			d.V[i*d.N+j], d.V[j*d.N+i] = d.V[j*d.N+i], d.V[i*d.N+j]
		}
	}
}

// NearlyDefinite is Definite for an m that rounding may have left without a
// Cholesky factor: its diagonal is then raised a little.
func NearlyDefinite(ctx context.Context, s, m *Dense, o Options) (pairs *Pairs, err error) {
	most := 0.0
	for i := range m.N {
		most = max(most, m.V[i*m.N+i])
	}
	raised := &Dense{N: m.N, V: slices.Clone(m.V)}
	for lift := 1e-15; lift < 1e-9; lift *= 10 {
		pairs, err = Definite(ctx, s, raised, o)
		var not *NotDefiniteError
		if !errors.As(err, &not) {
			return pairs, err
		}
		for i := range m.N {
			raised.V[i*m.N+i] = m.V[i*m.N+i] + lift*most
		}
	}
	return nil, err
}
