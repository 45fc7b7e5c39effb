package affinity

import (
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// distancesToList writes the squared distances of row i to the listed rows to
// r.values, with the bits of squaredDistances.
func (t *rowTable) distancesToList(i int, list []int32, r *scratch) {
	r.values = resized(r.values, len(list))
	if t.dense == nil {
		t.sparseDistancesToList(i, list, r)
		return
	}
	x, p := t.denseRow(i), 0
	for ; p+4 <= len(list); p += 4 {
		l, o := list[p:p+4:p+4], r.values[p:p+4:p+4]
		o[0], o[1], o[2], o[3] = dist4(x, t.denseRow(int(l[0])), t.denseRow(int(l[1])), t.denseRow(int(l[2])), t.denseRow(int(l[3])))
	}
	for ; p < len(list); p++ {
		r.values[p] = t.dist2(i, int(list[p]))
	}
}

// dist4 computes the distances of x to four rows in parallel: four independent
// chains of additions are faster than one.
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

// sparseDistancesToList expands row i to a dense row, so that the others need not
// be merged with it.
func (t *rowTable) sparseDistancesToList(i int, list []int32, r *scratch) {
	if len(r.spread) < t.d {
		r.spread = make([]float64, t.d)
	}
	idx, val := t.sparseRow(i)
	for p, f := range idx {
		r.spread[f] = val[p]
	}
	for p, j := range list {
		s := 0.0
		to, y := t.sparseRow(int(j))
		for q, f := range to {
			s += float64(r.spread[f] * y[q])
		}
		r.values[p] = t.sparseDist2(i, t, int(j), s)
	}
	for _, f := range idx {
		r.spread[f] = 0
	}
}

// dotProducts returns the products of row i of t with rows lo to hi of o, valid
// until r is used again. Both tables are dense or both are sparse.
func (t *rowTable) dotProducts(i int, o *rowTable, lo, hi int, r *scratch) []float64 {
	if t.dense == nil {
		r.values = resized(r.values, hi-lo)
		o.rowProducts(t.invertedIndex, i, lo, hi, r.values)
		return r.values
	}
	first, end, skip := panelRange(lo, hi)
	r.fitPanels(end - first)
	o.dense.Dot(t.denseRow(i), first, end, r.values)
	return r.values[skip : skip+hi-lo]
}

// squaredDistances is dotProducts for squared distances.
func (t *rowTable) squaredDistances(i int, o *rowTable, lo, hi int, r *scratch) []float64 {
	if t.dense == nil {
		out := t.dotProducts(i, o, lo, hi, r)
		for j, y := range out {
			out[j] = t.sparseDist2(i, o, lo+j, y)
		}
		return out
	}
	first, end, skip := panelRange(lo, hi)
	r.fitPanels(end - first)
	o.dense.Dist2(t.denseRow(i), first, end, r.values)
	return r.values[skip : skip+hi-lo]
}

// sparseDist2 returns the squared distance of row i of t and row j of o, both sparse,
// whose product is dot.
func (t *rowTable) sparseDist2(i int, o *rowTable, j int, dot float64) float64 {
	a, b := t.norm[i], o.norm[j]
	if d2 := data.SparseDist2(dot, a, b); !data.Cancels(d2, a, b) {
		return d2
	}
	return differenceDist2(t.invertedIndex, i, o.invertedIndex, j)
}

// dist2 returns the squared distance of rows i and j of t, with the bits of
// squaredDistances.
func (t *rowTable) dist2(i, j int) (s float64) {
	if t.dense == nil {
		return t.sparseDist2(i, t, j, t.rowProduct(i, j))
	}
	x, y := t.denseRow(i), t.denseRow(j)
	y = y[:len(x)]
	for f, a := range x {
		a -= y[f]
		s += float64(a * a)
	}
	return s
}

// panelRange returns the panels that hold columns lo to hi, and how far into the
// first of them lo is.
func panelRange(lo, hi int) (first, end, skip int) {
	first, end = lo/simd.PanelRows, (hi+simd.PanelRows-1)/simd.PanelRows
	return first, end, lo - first*simd.PanelRows
}

// differenceDist2 returns the squared distance of row i of p and row j of o by
// the differences of their features, for rows whose squared lengths cancel.
func differenceDist2(p *invertedIndex, i int, o *invertedIndex, j int) (s float64) {
	a, x := p.sparseRow(i)
	b, y := o.sparseRow(j)
	for q, r := 0, 0; q < len(a) || r < len(b); {
		var e float64
		switch {
		case r == len(b) || q < len(a) && a[q] < b[r]:
			e = x[q]
			q++
		case q == len(a) || b[r] < a[q]:
			e = y[r]
			r++
		default:
			e = x[q] - y[r]
			q++
			r++
		}
		s += float64(e * e)
	}
	return s
}
