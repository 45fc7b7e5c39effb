package data

import "github.com/inklinghq/inkling/internal/compute/simd"

// Dist2 returns Σ_f (v_f − c_f)². c2 is Σ_f c_f², which only a sparse v needs:
// its cost is then the number of values of v, not the length of c, unless v
// almost equals c.
func Dist2(v Vec, c []float64, c2 float64) float64 {
	if v.Idx == nil {
		return simd.Dist2(v.Val, c[:len(v.Val)])
	}
	v2 := Norm2(v.Val)
	if d2 := SparseDist2(Dot(v, c), v2, c2); !Cancels(d2, v2, c2) {
		return d2
	}
	return sparseDifference2(v, c)
}

// SparseDist2 returns the squared distance of two points from their product
// and their squared lengths, as Dist2 does for a sparse row where that is
// accurate enough: a kernel that makes products in the order of Dot gives the same bits.
// Where it Cancels, the points have to be compared feature by feature.
func SparseDist2(dot, v2, c2 float64) float64 { return max(0, (c2+v2)-2*dot) }

// Cancels reports whether d2, which SparseDist2 made of two points of squared
// lengths v2 and c2, has lost so many of its sixteen digits to them that it should
// not be used: six or more. Points are then far from the origin and near each
// other, or equal.
func Cancels(d2, v2, c2 float64) bool { return d2 < 1e-6*(v2+c2) }

// sparseDifference2 adds up the squared differences of a sparse v and c, feature by feature.
func sparseDifference2(v Vec, c []float64) (s float64) {
	next := int32(0)
	for p, f := range v.Idx {
		e := v.Val[p] - c[f]
		s += Norm2(c[next:f]) + float64(e*e)
		next = f + 1
	}
	return s + Norm2(c[next:])
}

// Dot returns Σ_f v_f·c_f.
func Dot(v Vec, c []float64) (s float64) {
	if v.Idx == nil {
		for f, y := range v.Val {
			s += float64(y * c[f])
		}
		return s
	}
	for p, f := range v.Idx {
		s += float64(v.Val[p] * c[f])
	}
	return s
}

// Norm2 returns Σ_f c_f², added up in four partial sums.
func Norm2(c []float64) float64 {
	var s0, s1, s2, s3 float64
	f := 0
	for ; f+4 <= len(c); f += 4 {
		s0 += float64(c[f] * c[f])
		s1 += float64(c[f+1] * c[f+1])
		s2 += float64(c[f+2] * c[f+2])
		s3 += float64(c[f+3] * c[f+3])
	}
	for ; f < len(c); f++ {
		s0 += float64(c[f] * c[f])
	}
	return (s0 + s1) + (s2 + s3)
}

// Add adds w·v to dst.
func Add(dst []float64, v Vec, w float64) {
	if v.Idx == nil {
		dst = dst[:len(v.Val)]
		for f, y := range v.Val {
			dst[f] += float64(w * y)
		}
		return
	}
	for p, f := range v.Idx {
		dst[f] += float64(w * v.Val[p])
	}
}
