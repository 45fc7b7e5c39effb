package simd

import "math"

// Why a label is proven.
//
// Let o be the offset and σ the scale, a power of two, and let, in real
// numbers, y = σ(x − o) and e_h = σ(c_h − o). With S_h = ‖e_h‖² − 2y·e_h the
// squared distance is D_h = (S_h + ‖y‖²)/σ². A kernel works with z and g_h, y
// and e_h rounded to its precision, whose unit is u (2⁻²⁴ or 2⁻⁵³), and
// computes ŝ_h from the rounded norm by d fused multiply-adds. Let E be at
// least every ‖e_h‖ and A = ‖y‖.
//
//  1. |z_f − y_f| ≤ u'|y_f| + η with u' = u(1 + 2⁻²⁸): the difference is rounded
//     once or twice, scaling is exact, and η, 2⁻¹⁴⁹ at most, is what underflow
//     may cost. The same holds for g. So |z·g − y·e| ≤ (2u' + u'²)AE + η-terms.
//  2. The norm, added up in float64, differs from ‖e‖² by u'E² in single
//     precision and by (d+3)uE² in double precision.
//  3. No partial sum exceeds (1+u)^d (E² + 2AE) much, and each step rounds
//     once: the d steps err by γ(E² + 2AE), γ = du/(1 − du) ≤ 1.02du while
//     d ≤ 2¹⁸.
//
// Together |ŝ_h − S_h| ≤ τ = 1.03(d+2)u(E² + 2AE), in double precision at most
// twice that. The kernel's N = Σ z², too, is A² but for 1.02(d+4)u of it, so
// A ≤ 1.01√N. Since leastE ≤ E, the η-terms, below 2⁻⁶⁰ while N is finite, vanish
// in the difference between these constants and the 1.1 of the code.
//
//  4. Dist2 errs by no more than εD_h, ε = (d+16)2⁻⁵³: one difference, one
//     square, fewer than d/8 additions, three more. It cannot overflow where N
//     is finite.
//
// So if ŝ_b − ŝ_a > 2τ + 4ε(E² + A²) for every b ≠ a, then D_b − D_a exceeds
// 2ε(E + A)² ≥ 2εσ²D_a in units of 1/σ², and Dist2 puts a first. The kernel adds
// the margin to ŝ_a in its own precision, which may lose another u(E² + 2AE):
// hence d+4 in the code. Where a number leaves the range of float32, N is
// infinite or not a number and nothing is proven.
type margin struct {
	e, e2 float64
	score float64 // 2τ is at most score·(E² + 2E√N)
	ref   float64 // 4ε, generously
}

// leastE is what E is at least; the scale of a search makes it ½ or more, but
// that of rows rounded before may have been chosen for centres further out.
const leastE = 0x1p-8

// maxFeatures is the d up to which the proof holds in single precision.
const maxFeatures = 1 << 18

func newMargin(d int, double bool, e2 float64) margin {
	unit := 0x1p-24
	if double {
		unit = 2 * 0x1p-53
	}
	e2 *= 1 + 0x1p-30
	return margin{e: math.Sqrt(e2), e2: e2,
		score: 2 * 1.1 * unit * float64(d+4), ref: 0x1p-50 * float64(d+16)}
}

// need is how far apart the two best scores of a row with Σ z² = n must be.
func (m *margin) need(n float64) float64 {
	return m.score*(m.e2+2*m.e*math.Sqrt(n)) + m.ref*(m.e2+n)
}

// single returns need as a + b·√n + c·n, a little more than it, for a kernel
// that works it out in float32.
func (m *margin) single() (a, b, c float32) {
	const up = 1 + 0x1p-20
	return float32(up * (m.score + m.ref) * m.e2), float32(up * 2 * m.score * m.e), float32(up * m.ref)
}

// least returns a number that σ²·Dist2 reaches for every centre whose score is
// at least s, given the row's Σ z² and need.
func (m *margin) least(s, n, need float64) float64 {
	low := (s + n - need - m.score*n) * (1 - m.ref)
	if low > 0 {
		return low
	}
	return 0 // also for a NaN
}

// sides returns what σ²·Dist2 is at least and at most to the centre with score s.
func (m *margin) sides(s, n, need float64) (least, most float64) {
	switch high := (s + n + need + m.score*n) * (1 + m.ref); {
	case high > 0:
		return m.least(s, n, need), high
	case high <= 0:
		return 0, 0
	}
	return 0, math.Inf(1) // for a NaN
}
