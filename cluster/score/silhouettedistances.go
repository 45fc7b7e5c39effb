package score

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// denseSilhouette sums distances by the differences of whole rows.
type denseSilhouette struct {
	s *sample
	x data.Rows
}

func (e *denseSilhouette) blockMeasure() func(lo, hi int, out []float64) {
	d, k := e.x.Dim(), len(e.s.sizes)
	buf := make([]float64, d)
	other := make([]float64, d)
	mine := make([]float64, blockRows*d)
	sums := make([]float64, blockRows*k)
	return func(lo, hi int, out []float64) {
		m := hi - lo
		for r := range m {
			e.x.Row(e.s.rows[lo+r], buf).Write(mine[r*d : (r+1)*d])
		}
		// A full group of four rows is measured at once; rows beyond hi are
		// left-overs of an earlier block, whose result is not used.
		groups := (m + 3) / 4
		clear(sums)
		for c := range k {
			for p := e.s.start[c]; p < e.s.start[c+1]; p++ {
				y := e.x.Row(e.s.rows[p], buf).Full(other)
				for g := range groups {
					addDistances(sums[4*g*k+c:], k, mine[4*g*d:4*(g+1)*d], y)
				}
			}
		}
		for r := range m {
			out[r] = e.s.silhouetteOf(e.s.clusterAt(lo+r), sums[r*k:(r+1)*k])
		}
	}
}

// addDistances adds to sums[0], sums[k], sums[2k] and sums[3k] the Euclidean
// distances of y from the four rows in x. Four at once keep the processor's
// adders busy and read y once.
func addDistances(sums []float64, k int, x, y []float64) {
	d := len(y)
	x0, x1, x2, x3 := x[:d], x[d:2*d], x[2*d:3*d], x[3*d:4*d]
	var s0, s1, s2, s3 float64
	for f, v := range y {
		d0, d1, d2, d3 := x0[f]-v, x1[f]-v, x2[f]-v, x3[f]-v
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	sums[0] += math.Sqrt(s0)
	sums[k] += math.Sqrt(s1)
	sums[2*k] += math.Sqrt(s2)
	sums[3*k] += math.Sqrt(s3)
}

// sparseSilhouette finds all dot products of a row from an inverted index: the
// cost of a row is the number of values that share a feature with it.
type sparseSilhouette struct {
	s     *sample
	vecs  []data.Vec // of the sample, in its order
	norm2 []float64
	start []int   // the postings of feature f are start[f] to start[f+1]
	row   []int32 // position in the sample
	val   []float64
}

func newSparseSilhouette(s *sample, x data.Rows) *sparseSilhouette {
	e := &sparseSilhouette{s: s, start: make([]int, x.Dim()+1)}
	buf := make([]float64, x.Dim())
	for _, i := range s.rows {
		v := x.Row(i, buf)
		// Rows may share buf: keep our own copy of what is stored.
		v = data.Vec{Idx: append([]int32{}, v.Idx...), Val: append([]float64{}, v.Val...)}
		e.vecs = append(e.vecs, v)
		e.norm2 = append(e.norm2, data.Norm2(v.Val))
		for _, f := range v.Idx {
			e.start[f+1]++
		}
	}
	for f := range x.Dim() {
		e.start[f+1] += e.start[f]
	}
	total := e.start[x.Dim()]
	e.row, e.val = make([]int32, total), make([]float64, total)
	next := append([]int{}, e.start...)
	for p, v := range e.vecs {
		for q, f := range v.Idx {
			e.row[next[f]], e.val[next[f]] = int32(p), v.Val[q]
			next[f]++
		}
	}
	return e
}

func (e *sparseSilhouette) blockMeasure() func(lo, hi int, out []float64) {
	dot := make([]float64, len(e.vecs))
	sums := make([]float64, len(e.s.sizes))
	return func(lo, hi int, out []float64) {
		for p := lo; p < hi; p++ {
			e.dotProducts(dot, e.vecs[p])
			for c := range sums {
				sums[c] = 0
				for q := e.s.start[c]; q < e.s.start[c+1]; q++ {
					sums[c] += math.Sqrt(e.dist2(p, q, dot[q]))
				}
			}
			out[p-lo] = e.s.silhouetteOf(e.s.clusterAt(p), sums)
		}
	}
}

// dotProducts writes the dot products of v with every row.
func (e *sparseSilhouette) dotProducts(dot []float64, v data.Vec) {
	clear(dot)
	for i, f := range v.Idx {
		y := v.Val[i]
		lo, hi := e.start[f], e.start[f+1]
		val := e.val[lo:hi]
		for q, r := range e.row[lo:hi] {
			dot[r] += y * val[q]
		}
	}
}

// dist2 returns the squared distance of rows p and q from their dot product.
// Where the difference cancels most of the digits it walks both rows instead.
func (e *sparseSilhouette) dist2(p, q int, dot float64) float64 {
	sum := e.norm2[p] + e.norm2[q]
	if s := sum - 2*dot; s > 1e-4*sum {
		return s
	}
	return mergeDist2(e.vecs[p], e.vecs[q])
}

// mergeDist2 returns the squared distance of two sparse rows by differences.
func mergeDist2(a, b data.Vec) (s float64) {
	i, j := 0, 0
	for i < len(a.Idx) || j < len(b.Idx) {
		var d float64
		switch {
		case j == len(b.Idx) || i < len(a.Idx) && a.Idx[i] < b.Idx[j]:
			d = a.Val[i]
			i++
		case i == len(a.Idx) || b.Idx[j] < a.Idx[i]:
			d = b.Val[j]
			j++
		default:
			d = a.Val[i] - b.Val[j]
			i++
			j++
		}
		s += d * d
	}
	return s
}
