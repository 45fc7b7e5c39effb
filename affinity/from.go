package affinity

// from writes the squared distances of row i to the listed rows to r.out, with
// the bits of dists.
func (t *table) from(i int, list []int32, r *room) {
	r.out = grow(r.out, len(list))
	if t.dense == nil {
		t.fromSparse(i, list, r)
		return
	}
	x, p := t.row(i), 0
	for ; p+4 <= len(list); p += 4 {
		l, o := list[p:p+4:p+4], r.out[p:p+4:p+4]
		o[0], o[1], o[2], o[3] = dist4(x, t.row(int(l[0])), t.row(int(l[1])), t.row(int(l[2])), t.row(int(l[3])))
	}
	for ; p < len(list); p++ {
		r.out[p] = t.dist2(i, int(list[p]))
	}
}

// dist4 measures x to four rows side by side, as one chain of additions alone
// would wait for itself.
func dist4(x, a, b, c, d []float64) (s0, s1, s2, s3 float64) {
	a, b, c, d = a[:len(x)], b[:len(x)], c[:len(x)], d[:len(x)]
	for f, y := range x {
		e0, e1, e2, e3 := y-a[f], y-b[f], y-c[f], y-d[f]
		s0 += float64(e0 * e0)
		s1 += float64(e1 * e1)
		s2 += float64(e2 * e2)
		s3 += float64(e3 * e3)
	}
	return s0, s1, s2, s3
}

// fromSparse spreads row i out, so that the others need not be merged with it.
func (t *table) fromSparse(i int, list []int32, r *room) {
	if len(r.wide) < t.d {
		r.wide = make([]float64, t.d)
	}
	idx, val := t.sparse(i)
	for p, f := range idx {
		r.wide[f] = val[p]
	}
	for p, j := range list {
		s := 0.0
		to, y := t.sparse(int(j))
		for q, f := range to {
			s += float64(r.wide[f] * y[q])
		}
		r.out[p] = t.apart(i, t, int(j), s)
	}
	for _, f := range idx {
		r.wide[f] = 0
	}
}
