package eigen

import (
	"context"
	"errors"
	"math"
)

// field is a symmetric problem with a preconditioner, both for blocks of
// vectors, on the complement of one unit vector.
type field interface {
	dim() int
	product(dst, x [][]float64)
	precondition(dst, r [][]float64)
	null() []float64
}

// errLost says that vectors were lost to numbers that are not finite.
var errLost = errors.New("the search for eigenvectors broke down; are there weights of wildly different sizes?")

// lobpcg is the locally optimal block preconditioned conjugate gradient method
// (Knyazev 2001): the next vectors are the best in the span of the present
// ones, their preconditioned residuals and the last steps. Vectors that are
// good enough stay in the basis and cause no more work (soft locking).
type lobpcg struct {
	f       field
	workers int
	x, ax   [][]float64 // present vectors
	w, aw   [][]float64 // preconditioned residuals
	d, ad   [][]float64 // last steps
	nd      int         // how many of them
	spare   [4][][]float64
	values  []float64
	resid   []float64
	fell    []float64 // by which share values fell in the last step
	left    []float64 // by which share they may still fall, as it looks

	bound float64 // of residuals
	dust  float64 // residuals below are nothing but rounding
	rel   float64 // bound of left

	products int
}

func newLOBPCG(f field, workers int, x [][]float64) *lobpcg {
	n, p := f.dim(), len(x)
	b := &lobpcg{f: f, workers: workers, x: x, ax: newVectors(p, n),
		w: newVectors(p, n), aw: newVectors(p, n), d: newVectors(p, n), ad: newVectors(p, n)}
	for i := range b.spare {
		b.spare[i] = newVectors(p, n)
	}
	return b
}

// begin makes the start vectors orthonormal and off the null vector. Ones that
// depend on others are lost.
func (b *lobpcg) begin() error {
	for _, x := range b.x {
		clean(b.workers, x, [][]float64{b.f.null()})
	}
	b.f.product(b.ax, b.x)
	b.products += len(b.x)
	g, h := grams(b.workers, b.x, b.ax)
	values, coef, err := rayleighRitz(len(b.x), g, h, len(b.x))
	if err != nil {
		return err
	}
	b.values = values
	m := len(values)
	if m == 0 {
		return errLost
	}
	mix(b.workers, b.spare[0][:m], nil, b.x, coef)
	mix(b.workers, b.spare[1][:m], nil, b.ax, coef)
	b.x, b.spare[0] = b.spare[0][:m], b.x
	b.ax, b.spare[1] = b.spare[1][:m], b.ax
	return nil
}

// run iterates until the first k vectors are good or limit iterations are over.
func (b *lobpcg) run(ctx context.Context, k, limit int, observe func(iteration int)) error {
	if err := b.begin(); err != nil {
		return err
	}
	b.nd, b.fell, b.left = 0, nil, nil
	for iteration := 1; ; iteration++ {
		b.residuals()
		if observe != nil {
			observe(iteration)
		}
		if b.done() >= min(k, len(b.x)) || iteration > limit {
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.step(b.active()); err != nil {
			return err
		}
	}
}

// good says whether vector c needs no more work. Of a value that is next to 0,
// as graphs have that hang together by next to nothing, no share is asked for:
// it is mostly rounding.
func (b *lobpcg) good(c int) bool {
	r := b.resid[c]
	return r <= b.dust || r <= b.bound && (b.rel >= 1 || b.values[c] <= 100*b.dust || b.left != nil && b.left[c] <= b.rel)
}

// done returns how many of the first vectors are good.
func (b *lobpcg) done() (c int) {
	for c < len(b.resid) && b.good(c) {
		c++
	}
	return c
}

// residuals puts A x − λ x into spare[2] and their lengths into resid.
func (b *lobpcg) residuals() {
	m, n := len(b.x), b.f.dim()
	part := make([]float64, (n+chunk-1)/chunk*m)
	chunks(b.workers, n, func(c, lo, hi int) {
		for a := range b.x {
			r := b.spare[2][a][lo:hi]
			copy(r, b.ax[a][lo:hi])
			addTo(r, -b.values[a], b.x[a][lo:hi])
			part[c*m+a] = inner(r, r)
		}
	})
	b.resid = make([]float64, m)
	for at, y := range part {
		b.resid[at%m] += y
	}
	for a := range b.resid {
		b.resid[a] = math.Sqrt(b.resid[a])
	}
}

func (b *lobpcg) active() (at []int) {
	for c := range b.resid {
		if !b.good(c) {
			at = append(at, c)
		}
	}
	return at
}

// step replaces the vectors by the best in the span of [x, w, d].
func (b *lobpcg) step(active []int) error {
	p, m := len(b.x), len(active)
	r := make([][]float64, m)
	for c, a := range active {
		r[c] = b.spare[2][a]
	}
	w, aw := b.w[:m], b.aw[:m]
	b.f.precondition(w, r)
	z := [][]float64{b.f.null()}
	for _, v := range w {
		clean(b.workers, v, z)
		clean(b.workers, v, b.x) // what products of sums would leave of it has lost its digits
		scale(v, 1/max(norm(b.workers, v), tiny))
	}
	b.f.product(aw, w)
	b.products += m
	s := append(append(append([][]float64(nil), b.x...), w...), b.d[:b.nd]...)
	t := append(append(append([][]float64(nil), b.ax...), aw...), b.ad[:b.nd]...)
	g, h := grams(b.workers, s, t)
	values, coef, err := rayleighRitz(len(s), g, h, p)
	if err != nil {
		return err
	}
	if len(values) < p {
		return errLost
	}
	b.foresee(values)
	b.values = values
	front, rest := make([][]float64, p), make([][]float64, p)
	for c := range coef {
		front[c], rest[c] = coef[c][:p], coef[c][p:]
	}
	// The step is what comes from w and d; the new vectors add what comes from x.
	mix(b.workers, b.spare[0][:p], nil, s[p:], rest)
	mix(b.workers, b.spare[1][:p], nil, t[p:], rest)
	nx, nax := b.spare[2][:p], b.spare[3][:p]
	mix(b.workers, nx, b.spare[0], b.x, front)
	mix(b.workers, nax, b.spare[1], b.ax, front)
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
	return nil
}

// foresee estimates how far the values have still to go: falling by the same
// factor from step to step they make a geometric series, whose rest is known.
func (b *lobpcg) foresee(values []float64) {
	before := b.fell
	b.fell, b.left = make([]float64, len(values)), make([]float64, len(values))
	for c, y := range values {
		b.fell[c] = math.Abs(b.values[c]-y) / math.Abs(y)
		ratio := 0.5
		if before != nil && before[c] > 0 {
			ratio = min(0.98, max(0.5, b.fell[c]/before[c]))
		}
		b.left[c] = b.fell[c] * ratio / (1 - ratio)
	}
}
