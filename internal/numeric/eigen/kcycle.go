package eigen

import "context"

// workspaceFor returns scratch memory for p vectors.
func (l *level) workspaceFor(p int) workspace {
	size := l.g.Len() * p
	if l.space.size < size {
		l.space = workspace{size: size, x: make([]float64, size), b: make([]float64, size), r: make([]float64, size), old: make([]float64, size)}
	}
	m := l.space
	return workspace{x: m.x[:size], b: m.b[:size], r: m.r[:size], old: m.old[:size]}
}

// stepWorkspaceFor returns scratch memory for two steps as well, which the finest level does
// without.
func (l *level) stepWorkspaceFor(p int) workspace {
	m := l.workspaceFor(p)
	size := len(m.x)
	if len(l.space.c) < size {
		for _, x := range []*[]float64{&l.space.c, &l.space.v, &l.space.d, &l.space.w, &l.space.s} {
			*x = make([]float64, l.space.size)
		}
	}
	r := l.space
	m.c, m.v, m.d, m.w, m.s = r.c[:size], r.v[:size], r.d[:size], r.w[:size], r.s[:size]
	return m
}

// cycle sets x to roughly the solution for b on a level: smooth, correct by
// the coarser level, smooth again. When ctx ends x is not to be used.
func (a *AMG) cycle(ctx context.Context, at int, x, b []float64, p int) {
	if ctx.Err() != nil {
		return
	}
	l := a.levels[at]
	if at == len(a.levels)-1 {
		a.direct(ctx, x, b, p)
		return
	}
	scratch := l.workspaceFor(p)
	next := a.levels[at+1].workspaceFor(p)
	l.forward(ctx, a.Workers, x, scratch.r, b, p)
	l.restrict(ctx, a.Workers, next.b, scratch.r, p)
	if at+1 == len(a.levels)-1 {
		a.direct(ctx, next.x, next.b, p)
	} else {
		a.twoSteps(ctx, at+1, next.x, next.b, p)
	}
	l.prolong(ctx, a.Workers, x, next.x, p)
	l.backward(ctx, a.Workers, x, b, scratch.old, p)
}

func (a *AMG) direct(ctx context.Context, x, b []float64, p int) {
	l := a.levels[len(a.levels)-1]
	if a.coarsestFactor == nil {
		l.forward(ctx, a.Workers, x, l.workspaceFor(p).r, b, p)
		return
	}
	n := l.g.Len()
	col := make([]float64, n)
	for c := range p {
		if ctx.Err() != nil {
			return
		}
		for i := range n {
			col[i] = b[i*p+c]
		}
		a.coarsestFactor.Solve(col)
		for i := range n {
			x[i*p+c] = col[i]
		}
	}
}

// twoSteps sets x to the best combination of two directions, each a cycle
// away: two steps of flexible conjugate gradients (Notay and Vassilevski
// 2008). The second is spared if the first takes three quarters off b.
func (a *AMG) twoSteps(ctx context.Context, at int, x, b []float64, p int) {
	l, w := a.levels[at], a.Workers
	m := l.stepWorkspaceFor(p)
	a.cycle(ctx, at, m.c, b, p)
	l.product(ctx, w, m.v, m.c, p)
	rho1, alpha1 := columnProducts(ctx, w, m.c, m.v, p), columnProducts(ctx, w, m.c, b, p)
	f := make([]float64, p)
	for c := range f {
		f[c] = ratioOrZero(alpha1[c], rho1[c])
	}
	addColumns(ctx, w, m.s, b, m.v, f, -1, p)
	if nearlyGone(columnProducts(ctx, w, m.s, m.s, p), columnProducts(ctx, w, b, b, p)) {
		addColumns(ctx, w, x, nil, m.c, f, 1, p)
		return
	}
	a.cycle(ctx, at, m.d, m.s, p)
	l.product(ctx, w, m.w, m.d, p)
	gamma, beta, alpha2 := columnProducts(ctx, w, m.d, m.v, p), columnProducts(ctx, w, m.d, m.w, p), columnProducts(ctx, w, m.d, m.s, p)
	h := make([]float64, p)
	for c := range f {
		rho2 := beta[c] - float64(gamma[c]*ratioOrZero(gamma[c], rho1[c]))
		if !(rho2 > 1e-14*beta[c]) {
			continue // the second direction brings nothing
		}
		h[c] = alpha2[c] / rho2
		f[c] -= float64(ratioOrZero(gamma[c], rho1[c]) * h[c])
	}
	addColumns(ctx, w, x, nil, m.c, f, 1, p)
	addColumns(ctx, w, x, x, m.d, h, 1, p)
}

func ratioOrZero(a, b float64) float64 {
	if b > 0 {
		return a / b
	}
	return 0
}

// nearlyGone reports whether every left is at most 1/16 of its before (as squares).
func nearlyGone(left, before []float64) bool {
	for c := range left {
		if left[c] > before[c]/16 {
			return false
		}
	}
	return true
}

// columnProducts returns the p products of vectors held node by node.
func columnProducts(ctx context.Context, workers int, x, y []float64, p int) []float64 {
	if p == 1 {
		return []float64{dot(workers, x, y)}
	}
	n := len(x) / p
	part := make([]float64, (n+chunk-1)/chunk*p)
	chunksUntil(ctx, workers, n, func(c, lo, hi int) {
		s := part[c*p : (c+1)*p]
		for i := lo; i < hi; i++ {
			u, v := x[i*p:(i+1)*p], y[i*p:(i+1)*p]
			for q := range s {
				s[q] += float64(u[q] * v[q])
			}
		}
	})
	out := make([]float64, p)
	for at, y := range part {
		out[at%p] += y
	}
	return out
}

// addColumns sets x to base plus sign·f[c] times vector c of y; a nil base
// stands for zeros, and x may be the base.
func addColumns(ctx context.Context, workers int, x, base, y, f []float64, sign float64, p int) {
	n := len(x) / p
	g := make([]float64, p)
	for c := range g {
		g[c] = sign * f[c]
	}
	chunksUntil(ctx, workers, n, func(_, lo, hi int) {
		if base == nil {
			clear(x[lo*p : hi*p])
		} else {
			copy(x[lo*p:hi*p], base[lo*p:hi*p]) // nothing if they are the same
		}
		if p == 1 {
			addTo(x[lo:hi], g[0], y[lo:hi])
			return
		}
		for i := lo; i < hi; i++ {
			u, v := x[i*p:(i+1)*p], y[i*p:(i+1)*p]
			for q, h := range g {
				u[q] += float64(h * v[q])
			}
		}
	})
}
