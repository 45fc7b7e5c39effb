package eigen

import (
	"context"
	"math"
	"math/rand/v2"
)

// krylov is the thick-restart Lanczos method (Wu and Simon 2000) for an
// operator that is symmetric in the inner product of mass. All basis vectors
// are kept orthogonal to each other, twice over, so that the projected matrix
// is what it should be and no eigenvalue is found a second time.
type krylov struct {
	n, workers int
	apply      func(dst, x []float64) error
	mass       func(dst, x []float64) // nil: the plain inner product
	start      func(x []float64)      // brings a random vector into the space; nil: nothing to do
	rng        *rand.Rand

	// Pairs found earlier: the search stays orthogonal to them.
	locked, mlocked [][]float64
	away            int // dimensions that start and apply keep out of

	v, mv    [][]float64 // basis, and mass times basis (the same without mass)
	t        []float64   // projected matrix, m by m
	m        int
	beta     float64 // length of what is left after the last step
	size     float64 // largest |Ritz value| so far
	products int
}

// ritz are pairs of the projected matrix, in the order asked for.
type ritz struct {
	values []float64
	resid  []float64   // estimates
	s      [][]float64 // coordinates in the basis
}

// run searches until enough says so, the products run out or the context ends.
// It returns the vectors of the last Ritz pairs, and mass times them.
func (k *krylov) run(ctx context.Context, o Options, enough func(r ritz) bool) (r ritz, x, mx [][]float64, err error) {
	room := k.n - k.away - len(k.locked)
	o.K = min(o.K, room)
	if o.K == 0 {
		return ritz{}, nil, nil, ctx.Err()
	}
	k.m = min(room, max(2*o.K+12, 24))
	k.t = make([]float64, k.m*k.m)
	k.v, k.mv = nil, nil
	if err := k.fresh(); err != nil {
		return ritz{}, nil, nil, err
	}
	for iteration := 1; ; iteration++ {
		if err := k.extend(ctx); err != nil {
			return ritz{}, nil, nil, err
		}
		all, s, err := symmetric(context.Background(), 1, k.m, k.t, Options{K: k.m}.want(k.m))
		if err != nil {
			return ritz{}, nil, nil, err
		}
		k.size = max(k.size, math.Abs(all[0]), math.Abs(all[k.m-1]))
		r = k.pick(all, s, o.want(k.m))
		if o.Observe != nil {
			o.Observe(k.progress(iteration, r, o.Tol))
		}
		if k.m == room || enough(r) || k.products >= o.Max {
			x = combine(k.workers, k.n, k.v[:k.m], r.s)
			mx = x
			if k.mass != nil {
				mx = combine(k.workers, k.n, k.mv[:k.m], r.s)
			}
			return r, x, mx, nil
		}
		keep := Options{K: min(o.K+(k.m-o.K)/2, k.m-3), End: o.End}
		k.restart(k.pick(all, s, keep.want(k.m)))
	}
}

func (k *krylov) pick(all []float64, s [][]float64, want []int) (r ritz) {
	for _, w := range want {
		r.values = append(r.values, all[w])
		r.resid = append(r.resid, math.Abs(k.beta*s[w][k.m-1]))
		r.s = append(r.s, s[w])
	}
	return r
}

func (k *krylov) progress(iteration int, r ritz, tol float64) Progress {
	p := Progress{Iteration: iteration, Products: k.products}
	for _, y := range r.resid {
		p.Worst = max(p.Worst, y)
		if y <= tol*k.size {
			p.Done++
		}
	}
	return p
}

// restart keeps the given Ritz vectors and the vector after the last.
func (k *krylov) restart(r ritz) {
	keep := len(r.values)
	last, mlast := k.v[k.m], k.mv[k.m]
	mv := combine(k.workers, k.n, k.mv[:k.m], r.s)
	if k.mass == nil {
		k.v = mv
	} else {
		k.v = combine(k.workers, k.n, k.v[:k.m], r.s)
	}
	k.v, k.mv = append(k.v, last), append(mv, mlast)
	if k.mass == nil {
		k.mv = k.v
	}
	clear(k.t)
	for i := range keep {
		k.t[i*k.m+i] = r.values[i]
	}
}

// extend makes the basis m + 1 vectors long (m if they span the whole space).
func (k *krylov) extend(ctx context.Context) error {
	for j := len(k.v) - 1; j < k.m; j++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := make([]float64, k.n)
		if err := k.apply(w, k.v[j]); err != nil {
			return err
		}
		k.products++
		h := k.orthogonalise(w, j+1)
		for i := range j + 1 {
			k.t[i*k.m+j], k.t[j*k.m+i] = h[i], h[i]
			k.size = max(k.size, math.Abs(h[i]))
		}
		if err := k.push(w); err != nil {
			return err
		}
	}
	return nil
}

// orthogonalise takes the locked vectors and the first count of the basis off
// w, and returns the coefficients of the latter.
func (k *krylov) orthogonalise(w []float64, count int) []float64 {
	h := make([]float64, count)
	for range 2 {
		if len(k.locked) > 0 {
			subtract(k.workers, w, dots(k.workers, k.mlocked, w), k.locked)
		}
		g := dots(k.workers, k.mv[:count], w)
		subtract(k.workers, w, g, k.v[:count])
		for i := range g {
			h[i] += g[i]
		}
	}
	return h
}

// push appends w, made of unit length, to the basis. If nothing is left of w
// the basis spans an invariant space, and a fresh direction carries on.
func (k *krylov) push(w []float64) error {
	mw := w
	if k.mass != nil {
		mw = make([]float64, k.n)
		k.mass(mw, w)
	}
	k.beta = math.Sqrt(max(0, dot(k.workers, w, mw)))
	if !(k.beta > 1e-13*k.size) {
		k.beta = 0
		if len(k.v) == k.n-k.away-len(k.locked) {
			return nil // the whole space
		}
		return k.fresh()
	}
	scale(w, 1/k.beta)
	if k.mass != nil {
		scale(mw, 1/k.beta)
	}
	k.v = append(k.v, w)
	k.mv = append(k.mv, mw)
	return nil
}

// fresh appends a random direction. One that lies in the space spanned so far
// up to rounding is drawn again.
func (k *krylov) fresh() error {
	for range 5 {
		w := make([]float64, k.n)
		random(w, k.rng)
		if k.start != nil {
			k.start(w)
		}
		before := norm(k.workers, w)
		k.orthogonalise(w, len(k.v))
		after := norm(k.workers, w)
		if !(after > 1e-8*before) {
			continue
		}
		scale(w, 1/after)
		k.orthogonalise(w, len(k.v))
		mw := w
		if k.mass != nil {
			mw = make([]float64, k.n)
			k.mass(mw, w)
		}
		l := math.Sqrt(dot(k.workers, w, mw))
		if !(l > 0) {
			continue
		}
		scale(w, 1/l)
		if k.mass != nil {
			scale(mw, 1/l)
		}
		k.v, k.mv = append(k.v, w), append(k.mv, mw)
		return nil
	}
	return errExhausted
}
