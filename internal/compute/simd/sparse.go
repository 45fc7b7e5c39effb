package simd

import (
	"fmt"
	"math"
)

// ByFeature are k centres of d features, held feature by feature, so that a
// sparse row is multiplied with all of them in one pass through its values. They
// serve any number of goroutines.
type ByFeature struct {
	k, d     int
	width    int // k, filled up to whole octets
	level    Level
	rows     []float64 // the centres as they were given
	norm     []float64 // ‖c_h‖²
	length   float64   // the largest ‖c_h‖
	near     []float32 // the centres feature by feature, rounded; nil where Plain or where integers are used
	integers intByFeature
}

// NewByFeature prepares the k rows of c, of d numbers each, whose squared
// lengths are norm. It keeps both. Before the first search Transpose must have been
// called for all features. The memory of old, if there is one of the same shape,
// is taken over: it must not be in use any more.
func NewByFeature(k, d int, c, norm []float64, old *ByFeature) *ByFeature {
	if k < 1 || d < 1 || len(c) != k*d || len(norm) != k {
		panic(fmt.Sprintf("simd: %d values and %d lengths for %d centres of %d", len(c), len(norm), k, d))
	}
	b := &ByFeature{k: k, d: d, width: (k + 7) / 8 * 8, level: level, rows: c, norm: norm}
	for _, y := range norm {
		b.length = max(b.length, math.Sqrt(y))
	}
	switch {
	case b.level == Plain:
	case b.integers.reserve(b, old):
	case old != nil && old.k == k && old.d == d && old.near != nil:
		b.near = old.near
	default:
		b.near = aligned[float32](d * b.width)
	}
	return b
}

// Transpose copies features lo to hi of the centres into the order in which rows
// meet them. Calls for different features may run at the same time.
func (b *ByFeature) Transpose(lo, hi int) {
	const blockLen = 64 // features of all centres at a time
	for ; lo < hi; lo += blockLen {
		end := min(lo+blockLen, hi)
		if b.integers.ok {
			b.transposeInt(lo, end)
			continue
		}
		if b.near == nil {
			return
		}
		for h := range b.k {
			for f, y := range b.rows[h*b.d+lo : h*b.d+end] {
				b.near[(lo+f)*b.width+h] = float32(y)
			}
		}
	}
}

// Nearest returns the centre nearest to a sparse row of squared length v2, the
// lowest on ties: the one with the least (norm + v2) − 2·product. Products
// are added up in the order of the row without fusing. The indices must be
// below d: they are not checked here. q is the row in integers, or empty. r
// is scratch memory.
//
// It first sketches the products, in integers or in float32. With m values,
// u = 2⁻²⁴ and γ = (m+3)u/(1−(m+3)u), rounding the row, the centres and m fused
// additions makes a product in float32 wrong by at most γ Σ|v_p c_hp| ≤
// γ ‖v‖ ‖c_h‖, and by a tiny absolute amount where numbers leave the normal
// range. If the best sketch beats every other by more than twice what two
// products can be wrong by, and by what float64 can, it is the nearest; else
// those that it does not beat by so much are compared exactly.
func (b *ByFeature) Nearest(idx []int32, val []float64, v2 float64, q IntRow, r *SparseScratch) int {
	val = val[:len(idx)]
	r.candidates = r.candidates[:0]
	switch {
	case b.k == 1:
		return 0
	case len(idx) == 0 || len(idx) >= 1<<20:
	case b.integers.ok && q.Unit > 0:
		if h, sure := b.sketchedInt(idx, v2, q, r); sure {
			return h
		}
	case b.near != nil:
		if h, sure := b.sketched(idx, val, v2, r); sure {
			return h
		}
	}
	r.Exact++
	return b.exact(idx, val, v2, r.candidates)
}

// exact returns the nearest of the centres in candidates, or of all if it is empty.
func (b *ByFeature) exact(idx []int32, val []float64, v2 float64, candidates []int32) int {
	best, least := 0, math.Inf(1)
	try := func(h int) {
		row, dot := b.rows[h*b.d:(h+1)*b.d], 0.0
		for p, f := range idx {
			dot += float64(val[p] * row[f])
		}
		if d := max(0, (b.norm[h]+v2)-2*dot); d < least {
			best, least = h, d
		}
	}
	for _, h := range candidates {
		try(int(h))
	}
	for h := 0; len(candidates) == 0 && h < b.k; h++ {
		try(h)
	}
	return best
}

// A SparseScratch is memory that finding the nearest centre of sparse rows needs.
// The zero value is ready; it serves one goroutine at a time.
type SparseScratch struct {
	Exact      int // rows so far that the sketch did not settle
	near       []float32
	score      []float64
	candidates []int32 // centres that may be the nearest
}

func (b *ByFeature) sketched(idx []int32, val []float64, v2 float64, r *SparseScratch) (best int, sure bool) {
	v := math.Sqrt(v2)
	const most = 1e37 // no product, nor any sum of some, leaves the range of float32 below
	if !(v < most && b.length < most && v*b.length < most) {
		return 0, false
	}
	r.near = grow(r.near, b.width)
	sketch(idx, val, b.near, b.width, r.near)
	r.score = grow(r.score, b.k)
	least, second := math.Inf(1), math.Inf(1)
	near := r.near[:len(b.norm)]
	for h, norm := range b.norm {
		s := norm - 2*float64(near[h])
		r.score[h] = s
		second = min(second, max(least, s))
		least = min(least, s)
	}
	for best < b.k-1 && r.score[best] != least {
		best++
	}
	m := float64(len(idx)+3) * 0x1p-24
	wrong := m/(1-m)*v*b.length*(1+1e-9) + m*0x1p-90*(1+v+b.length)
	margin := 4*wrong + b.rounding(len(idx), v2)
	if second-least > margin {
		return best, true
	}
	for h, s := range r.score {
		if s-least <= margin {
			r.candidates = append(r.candidates, int32(h))
		}
	}
	return best, false
}

// rounding is more than distances of a row of m values differ by where exact
// arithmetic has them equal.
func (b *ByFeature) rounding(m int, v2 float64) float64 {
	return 1e-12 * (b.length*b.length + v2 + math.Sqrt(v2)*b.length) * float64(m+8) / 64
}
