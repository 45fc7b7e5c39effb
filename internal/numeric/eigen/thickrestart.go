package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
)

// krylov is the thick-restart Lanczos method (Wu and Simon 2000). All basis vectors
// are kept orthogonal to each other, twice over, so that the projected matrix
// is what it should be and no eigenvalue is found a second time.
type krylov struct {
	n, workers int
	apply      func(dst, x []float64)
	rng        *rand.Rand

	// Pairs found earlier: the search stays orthogonal to them.
	locked [][]float64

	v        [][]float64 // basis
	t        []float64   // projected matrix, m by m
	m        int
	beta     float64 // length of what is left after the last step
	size     float64 // largest |Ritz value| so far
	products int
}

// ritzPairs are pairs of the projected matrix, in the order asked for.
type ritzPairs struct {
	values []float64
	resid  []float64   // estimates
	s      [][]float64 // coordinates in the basis
}

// findRitzPairs searches until enough says so, the products run out or the context ends.
// It returns the last Ritz pairs and their vectors.
func (k *krylov) findRitzPairs(ctx context.Context, o Options, enough func(r ritzPairs) bool) (r ritzPairs, x [][]float64, err error) {
	free := k.n - len(k.locked)
	o.K = min(o.K, free)
	if o.K == 0 {
		return ritzPairs{}, nil, ctx.Err()
	}
	k.m = min(free, max(2*o.K+12, 24))
	k.t = make([]float64, k.m*k.m)
	k.v = nil
	if err := k.addRandomVector(); err != nil {
		return ritzPairs{}, nil, err
	}
	for iteration := 1; ; iteration++ {
		if err := k.extendBasis(ctx); err != nil {
			return ritzPairs{}, nil, err
		}
		all, s, err := symmetric(ctx, 1, k.m, k.t, Options{K: k.m}.want(k.m))
		if err != nil {
			return ritzPairs{}, nil, err
		}
		k.size = max(k.size, math.Abs(all[0]), math.Abs(all[k.m-1]))
		r = k.selectRitz(all, s, o.want(k.m))
		if o.Observe != nil {
			o.Observe(k.progress(iteration, r, o.Tol))
		}
		if k.m == free || enough(r) || k.products >= o.Max {
			return r, combine(k.workers, k.n, k.v[:k.m], r.s), nil
		}
		keep := Options{K: min(o.K+(k.m-o.K)/2, k.m-3), End: o.End}
		k.restart(k.selectRitz(all, s, keep.want(k.m)))
	}
}

func (k *krylov) selectRitz(all []float64, s [][]float64, want []int) (r ritzPairs) {
	for _, w := range want {
		r.values = append(r.values, all[w])
		r.resid = append(r.resid, math.Abs(k.beta*s[w][k.m-1]))
		r.s = append(r.s, s[w])
	}
	return r
}

func (k *krylov) progress(iteration int, r ritzPairs, tol float64) Progress {
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
func (k *krylov) restart(r ritzPairs) {
	keep := len(r.values)
	last := k.v[k.m]
	k.v = append(combine(k.workers, k.n, k.v[:k.m], r.s), last)
	clear(k.t)
	for i := range keep {
		k.t[i*k.m+i] = r.values[i]
	}
}

// extendBasis makes the basis m + 1 vectors long (m if they span the whole space).
func (k *krylov) extendBasis(ctx context.Context) error {
	for j := len(k.v) - 1; j < k.m; j++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := make([]float64, k.n)
		k.apply(w, k.v[j])
		k.products++
		h := k.orthogonalise(w, j+1)
		for i := range j + 1 {
			k.t[i*k.m+j], k.t[j*k.m+i] = h[i], h[i]
			k.size = max(k.size, math.Abs(h[i]))
		}
		if err := k.appendVector(w); err != nil {
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
			subtract(k.workers, w, dots(k.workers, k.locked, w), k.locked)
		}
		g := dots(k.workers, k.v[:count], w)
		subtract(k.workers, w, g, k.v[:count])
		for i := range g {
			h[i] += g[i]
		}
	}
	return h
}

// appendVector appends w, made of unit length, to the basis. If nothing is left of w
// the basis spans an invariant space, and a fresh direction carries on.
func (k *krylov) appendVector(w []float64) error {
	k.beta = math.Sqrt(max(0, dot(k.workers, w, w)))
	if !(k.beta > 1e-13*k.size) {
		k.beta = 0
		if len(k.v) == k.n-len(k.locked) {
			return nil // the whole space
		}
		return k.addRandomVector()
	}
	scale(w, 1/k.beta)
	k.v = append(k.v, w)
	return nil
}

// addRandomVector appends a random direction. One that lies in the space spanned so far
// up to rounding is drawn again.
func (k *krylov) addRandomVector() error {
	for range 5 {
		w := make([]float64, k.n)
		random(w, k.rng)
		before := norm(k.workers, w)
		k.orthogonalise(w, len(k.v))
		after := norm(k.workers, w)
		if !(after > 1e-8*before) {
			continue
		}
		scale(w, 1/after)
		k.orthogonalise(w, len(k.v))
		l := math.Sqrt(dot(k.workers, w, w))
		if !(l > 0) {
			continue
		}
		scale(w, 1/l)
		k.v = append(k.v, w)
		return nil
	}
	return errExhausted
}

// errExhausted reports that no direction is left to search in.
var errExhausted = errors.New("the search space is exhausted")
