package eigen

import (
	"context"
	"errors"
	"math"
)

// blockProblem is a symmetric problem with a preconditioner, both for blocks of
// vectors, on the complement of one unit vector. When ctx ends dst is not to be used.
type blockProblem interface {
	dim() int
	product(ctx context.Context, dst, x [][]float64)
	precondition(ctx context.Context, dst, r [][]float64)
	null() []float64
}

// errLost reports that vectors were lost to numbers that are not finite.
var errLost = errors.New("the search for eigenvectors broke down; are there weights of wildly different sizes?")

// lobpcg is the locally optimal block preconditioned conjugate gradient method
// (Knyazev 2001): the next vectors are the best in the span of the present
// ones, their preconditioned residuals and the last steps. Vectors that are
// good enough stay in the basis and cause no more work (soft locking).
type lobpcg struct {
	problem          blockProblem
	workers          int
	x, ax            [][]float64 // present vectors
	w, aw            [][]float64 // preconditioned residuals
	d, ad            [][]float64 // last steps
	nd               int         // how many of them
	spare            [4][][]float64
	values           []float64
	residualNorms    []float64
	lastDecrease     []float64 // by which share values fell in the last step
	expectedDecrease []float64 // by which share they may still fall, as it looks

	bound         float64 // of residuals
	roundingBound float64 // residuals below are nothing but rounding
	relativeBound float64 // bound of left

	products int
}

func newLOBPCG(f blockProblem, workers int, x [][]float64) *lobpcg {
	n, p := f.dim(), len(x)
	b := &lobpcg{problem: f, workers: workers, x: x, ax: newVectors(p, n),
		w: newVectors(p, n), aw: newVectors(p, n), d: newVectors(p, n), ad: newVectors(p, n)}
	for i := range b.spare {
		b.spare[i] = newVectors(p, n)
	}
	return b
}

// orthonormaliseStart makes the start vectors orthonormal and off the null vector. Ones that
// depend on others are lost.
func (b *lobpcg) orthonormaliseStart(ctx context.Context) error {
	for _, x := range b.x {
		if err := ctx.Err(); err != nil {
			return err
		}
		projectOut(b.workers, x, [][]float64{b.problem.null()})
	}
	b.problem.product(ctx, b.ax, b.x)
	b.products += len(b.x)
	g, h := grams(ctx, b.workers, b.x, b.ax)
	values, coef, err := rayleighRitz(ctx, len(b.x), g, h, len(b.x))
	if err != nil {
		return err
	}
	b.values = values
	m := len(values)
	if m == 0 {
		return errLost
	}
	mix(ctx, b.workers, b.spare[0][:m], nil, b.x, coef)
	mix(ctx, b.workers, b.spare[1][:m], nil, b.ax, coef)
	b.x, b.spare[0] = b.spare[0][:m], b.x
	b.ax, b.spare[1] = b.spare[1][:m], b.ax
	return ctx.Err()
}

// iterate iterates until the first k vectors are good or limit iterations are over.
func (b *lobpcg) iterate(ctx context.Context, k, limit int, observe func(iteration int)) error {
	if err := b.orthonormaliseStart(ctx); err != nil {
		return err
	}
	b.nd, b.lastDecrease, b.expectedDecrease = 0, nil, nil
	for iteration := 1; ; iteration++ {
		if b.residuals(ctx); ctx.Err() != nil {
			return ctx.Err()
		}
		if observe != nil {
			observe(iteration)
		}
		if b.convergedCount() >= min(k, len(b.x)) || iteration > limit {
			return ctx.Err()
		}
		if err := b.step(ctx, b.unconverged()); err != nil {
			return err
		}
	}
}

// isConverged reports whether vector c needs no more work. The relative bound does
// not apply to eigenvalues close to 0, as of weakly connected graphs: they are
// mostly rounding errors.
func (b *lobpcg) isConverged(c int) bool {
	r := b.residualNorms[c]
	return r <= b.roundingBound || r <= b.bound && (b.relativeBound >= 1 || b.values[c] <= 100*b.roundingBound || b.expectedDecrease != nil && b.expectedDecrease[c] <= b.relativeBound)
}

// convergedCount returns how many of the first vectors are good.
func (b *lobpcg) convergedCount() (c int) {
	for c < len(b.residualNorms) && b.isConverged(c) {
		c++
	}
	return c
}

// residuals puts A x − λ x into spare[2] and their lengths into resid. When ctx
// ends they are not complete.
func (b *lobpcg) residuals(ctx context.Context) {
	m, n := len(b.x), b.problem.dim()
	part := make([]float64, (n+chunk-1)/chunk*m)
	chunksUntil(ctx, b.workers, n, func(c, lo, hi int) {
		for a := range b.x {
			r := b.spare[2][a][lo:hi]
			copy(r, b.ax[a][lo:hi])
			addTo(r, -b.values[a], b.x[a][lo:hi])
			part[c*m+a] = inner(r, r)
		}
	})
	b.residualNorms = make([]float64, m)
	for at, y := range part {
		b.residualNorms[at%m] += y
	}
	for a := range b.residualNorms {
		b.residualNorms[a] = math.Sqrt(b.residualNorms[a])
	}
}

func (b *lobpcg) unconverged() (at []int) {
	for c := range b.residualNorms {
		if !b.isConverged(c) {
			at = append(at, c)
		}
	}
	return at
}

// step replaces the vectors by the best in the span of [x, w, d].
func (b *lobpcg) step(ctx context.Context, active []int) error {
	p, m := len(b.x), len(active)
	r := make([][]float64, m)
	for c, a := range active {
		r[c] = b.spare[2][a]
	}
	w, aw := b.w[:m], b.aw[:m]
	b.problem.precondition(ctx, w, r)
	z := [][]float64{b.problem.null()}
	for _, v := range w {
		if err := ctx.Err(); err != nil {
			return err
		}
		projectOut(b.workers, v, z)
		projectOut(b.workers, v, b.x) // what products of sums would leave of it has lost its digits
		scale(v, 1/max(norm(b.workers, v), smallestNormal))
	}
	b.problem.product(ctx, aw, w)
	b.products += m
	s := append(append(append([][]float64(nil), b.x...), w...), b.d[:b.nd]...)
	t := append(append(append([][]float64(nil), b.ax...), aw...), b.ad[:b.nd]...)
	g, h := grams(ctx, b.workers, s, t)
	values, coef, err := rayleighRitz(ctx, len(s), g, h, p)
	if err != nil {
		return err
	}
	if len(values) < p {
		return errLost
	}
	b.estimateDecrease(values)
	b.values = values
	front, rest := make([][]float64, p), make([][]float64, p)
	for c := range coef {
		front[c], rest[c] = coef[c][:p], coef[c][p:]
	}
	// The step is what comes from w and d; the new vectors add what comes from x.
	mix(ctx, b.workers, b.spare[0][:p], nil, s[p:], rest)
	mix(ctx, b.workers, b.spare[1][:p], nil, t[p:], rest)
	nx, nax := b.spare[2][:p], b.spare[3][:p]
	mix(ctx, b.workers, nx, b.spare[0], b.x, front)
	mix(ctx, b.workers, nax, b.spare[1], b.ax, front)
	b.x, b.spare[2] = nx, b.x
	b.ax, b.spare[3] = nax, b.ax
	b.d, b.spare[0] = b.spare[0], b.d
	b.ad, b.spare[1] = b.spare[1], b.ad
	// Steps of vectors that were locked carry no news.
	for c, a := range active {
		b.d[c], b.d[a] = b.d[a], b.d[c]
		b.ad[c], b.ad[a] = b.ad[a], b.ad[c]
	}
	b.nd = m
	return ctx.Err()
}

// estimateDecrease estimates how far the values have still to go: falling by the same
// factor from step to step they make a geometric series, whose rest is known.
func (b *lobpcg) estimateDecrease(values []float64) {
	before := b.lastDecrease
	b.lastDecrease, b.expectedDecrease = make([]float64, len(values)), make([]float64, len(values))
	for c, y := range values {
		b.lastDecrease[c] = math.Abs(b.values[c]-y) / math.Abs(y)
		ratio := 0.5
		if before != nil && before[c] > 0 {
			ratio = min(0.98, max(0.5, b.lastDecrease[c]/before[c]))
		}
		b.expectedDecrease[c] = b.lastDecrease[c] * ratio / (1 - ratio)
	}
}
