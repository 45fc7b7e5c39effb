package eigen

import (
	"context"
	"math"
	"math/rand/v2"
)

// levelProblem is the eigenproblem of a level: M^{-1/2} L M^{-1/2}, M being what mass
// its nodes have. The preconditioner is the multigrid from here downwards.
type levelProblem struct {
	a        *AMG
	level    int
	sqrtMass []float64 // √mass
	z        []float64 // unit null vector
}

func newLevelProblem(a *AMG, at int) *levelProblem {
	l := a.levels[at]
	f := &levelProblem{a, at, make([]float64, len(l.mass)), make([]float64, len(l.mass))}
	total := 0.0
	for i, m := range l.mass {
		f.sqrtMass[i] = math.Sqrt(m)
		total += m
	}
	for i, r := range f.sqrtMass {
		f.z[i] = r / math.Sqrt(total)
	}
	return f
}

func (f *levelProblem) dim() int        { return len(f.sqrtMass) }
func (f *levelProblem) null() []float64 { return f.z }

// paddedWidth is the number of columns in which p vectors are worked on: the kernels
// prefer multiples of four.
func paddedWidth(p int) int { return (p + 3) &^ 3 }

// massScale is the root of the mass of node i, or its inverse.
func (f *levelProblem) massScale(i int, inverse bool) float64 {
	if inverse {
		return 1 / f.sqrtMass[i]
	}
	return f.sqrtMass[i]
}

// interleave writes vectors node by node, scaled by the root of the mass or its
// inverse, with columns of zeros to the width; deinterleave is the inverse.
func (f *levelProblem) interleave(ctx context.Context, to []float64, x [][]float64, inverse bool) {
	p := paddedWidth(len(x))
	rowTasks(ctx, f.a.Workers, f.dim(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := f.massScale(i, inverse)
			row := to[i*p : (i+1)*p]
			for c, v := range x {
				row[c] = float64(s * v[i])
			}
			clear(row[len(x):])
		}
	})
}

func (f *levelProblem) deinterleave(ctx context.Context, x [][]float64, from []float64, inverse bool) {
	p := paddedWidth(len(x))
	rowTasks(ctx, f.a.Workers, f.dim(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := f.massScale(i, inverse)
			row := from[i*p : (i+1)*p]
			for c, v := range x {
				v[i] = float64(s * row[c])
			}
		}
	})
}

func (f *levelProblem) product(ctx context.Context, dst, x [][]float64) {
	l, p := f.a.levels[f.level], paddedWidth(len(x))
	scratch := l.workspaceFor(p)
	f.interleave(ctx, scratch.x, x, true)
	l.product(ctx, f.a.Workers, scratch.b, scratch.x, p)
	f.deinterleave(ctx, dst, scratch.b, true)
}

func (f *levelProblem) precondition(ctx context.Context, dst, r [][]float64) {
	p := paddedWidth(len(r))
	scratch := f.a.levels[f.level].workspaceFor(p)
	f.interleave(ctx, scratch.b, r, false)
	f.a.cycle(ctx, f.level, scratch.x, scratch.b, p)
	f.deinterleave(ctx, dst, scratch.x, false)
}

// prolongVectors carries vectors of the next coarser level to f: constant on groups in
// the coordinates before scaling. Lengths and products are kept.
func (f *levelProblem) prolongVectors(ctx context.Context, x [][]float64, coarse *levelProblem) [][]float64 {
	first := f.a.levels[f.level].first
	out := newVectors(len(x), f.dim())
	rowTasks(ctx, f.a.Workers, coarse.dim(), func(lo, hi int) {
		for c, v := range x {
			for a := lo; a < hi; a++ {
				y := v[a] / coarse.sqrtMass[a]
				for i := first[a]; i < first[a+1]; i++ {
					out[c][i] = float64(y * f.sqrtMass[i])
				}
			}
		}
	})
	return out
}

// multilevelLOBPCG finds the k smallest pairs but the null one of a connected graph's
// Laplacian: exactly on a coarse level, then level by level, each starting
// from the vectors of the one before.
func multilevelLOBPCG(ctx context.Context, a *AMG, k int, o Options, size float64, observe func(*lobpcg, int)) (*lobpcg, error) {
	p := k + guards(k)
	at := 0
	for at+1 < len(a.levels) && a.levels[at].g.Len() > max(DenseLimit, 4*p) {
		at++
	}
	for a.levels[at].g.Len() < 3*p && at > 0 {
		at--
	}
	f := newLevelProblem(a, at)
	x, err := f.startVectors(ctx, p, o)
	if err != nil {
		return nil, err
	}
	var b *lobpcg
	products := 0
	for {
		b = newLOBPCG(f, o.Workers, x)
		b.bound, b.relativeBound, b.roundingBound = o.Tol*size, o.Rel, 1e-14*size
		limit, observeStep := coarseSteps, func(int) {}
		if at == 0 {
			limit = max(1, (o.Max-products)/p)
			observeStep = func(i int) { observe(b, i) }
		}
		if err := b.iterate(ctx, max(1, k-max(0, o.Loose)), limit, observeStep); err != nil {
			return nil, err
		}
		if at == 0 {
			return b, nil
		}
		at--
		finer := newLevelProblem(a, at)
		x, f = finer.prolongVectors(ctx, b.x, f), finer
	}
}

// coarseSteps is how long the vectors of a coarse level are improved.
const coarseSteps = 3

// guards is how many vectors more than wanted are carried along: the last ones
// converge slowest.
func guards(k int) int { return 2 + k/5 }

// startVectors are those of the dense problem if f is small, else random ones.
func (f *levelProblem) startVectors(ctx context.Context, p int, o Options) ([][]float64, error) {
	n := f.dim()
	if n > 2*DenseLimit {
		x := newVectors(p, n)
		rng := rand.New(rand.NewPCG(o.Seed, 0x10b))
		for c := range x {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			random(x[c], rng)
		}
		return x, nil
	}
	l := f.a.levels[f.level]
	d := NewDense(n)
	for i := range n {
		d.V[i*n+i] = l.diag[i] / f.sqrtMass[i] / f.sqrtMass[i]
		to, w := l.g.Neighbours(i)
		for q, j := range to {
			d.V[i*n+int(j)] -= w[q] / f.sqrtMass[i] / f.sqrtMass[j]
		}
	}
	want := Options{K: min(n, p+1)}.want(n)
	_, x, err := symmetric(ctx, o.Workers, n, d.V, want)
	if err != nil {
		return nil, err
	}
	return x[1:], nil // the first is the null vector
}
