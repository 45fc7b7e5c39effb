package simd

import (
	"math"
	"math/bits"
	"sync"
)

// Scores in integers.
//
// With y and e_h as in errorbound.go let T_h = ½‖e_h‖² − y·e_h, half the score S_h.
// Row and centre are rounded to multiples of the units s_x and s_c: y = s_x p + r
// and e_h = s_c g_h + r_h, with p and g_h of int16. With s = s_x s_c the kernel
// computes t_h = round(½‖e_h‖²/s) − p·g_h, without any further rounding, and
// overwrites the lowest bits of t_h with h. Since
//
//	y·e_h − s p·g_h = r·e_h + s_x p·r_h,
//
// T_h differs from s t_h by no more than ‖r‖E + (A + ‖r‖)R + s(2^bits + 1), where
// E is at least every ‖e_h‖, R every ‖r_h‖, and A = ‖y‖. The norms ‖r‖ and ‖r_h‖
// are measured, not bounded: that proves about twice as many labels. As rows
// are rounded from z, which is y in float32, ‖r‖ ≤ ‖z − s_x p‖ + u'A.
//
// No sum overflows: whatever features it holds, |p·g_h| ≤ ‖p‖‖g_h‖. The units
// make ‖p‖ and ‖g_h‖ at most maxInteger + ½√d, and ½‖e_h‖²/s at most half of
// maxInteger², so a sum stays below 1.6·10⁹. Rows too long for the unit prove
// nothing and wait for float32, and so does every row whose N is not finite.
const (
	maxInteger   = 32500
	leastRounded = 4       // features; below, float32 costs as little
	mostPairs    = 512     // features are not taken in blocks: two to a pair, a tile fits the first cache
	mostNumbered = 1 << 14 // centres whose numbers leave enough of a score
	octaves      = 6       // rows may be 2^octaves times as long as the longest centre
	stepsPer     = 4       // units for rows of one octave
)

// intCentres are the centres of a scorer in integers.
type intCentres struct {
	ok         bool
	pan        []int16 // −g in the order of panels, two features at a time
	number     []int32 // 0, 1, ...
	mask       int32   // covers the numbers
	full, half int
	norm       []float64 // ½‖e‖², +Inf in lanes without a centre
	unit       float64   // s_c
	rest       float64   // R
	margin     *margin
	steps      []step
}

// A step is what depends on the unit of the rows.
type step struct {
	limit float32 // N must be below

	once          sync.Once // for what follows
	inverse, unit float32   // s_x
	both          float64   // s
	start         []int32   // ½‖e‖²/s
	a, b, c, r    float32   // the scores must differ by a + b√N + cN + r‖z − s_x p‖
}

// pack packs scale times the shifted centres e, for rows with Σ z² from base on.
func (w *intCentres) pack(p *Centres, e, norm []float64, scale float64, m *margin, base float64) {
	if p.level < VNNI || p.d < leastRounded || p.d > 2*mostPairs || p.k > mostNumbered {
		return
	}
	const lanes = 16
	registers, pairs := (p.k+lanes-1)/lanes, (p.d+1)/2
	w.full, w.half, w.margin = registers/2, registers%2, m
	w.pan, w.number = aligned[int16](registers*lanes*2*pairs), aligned[int32](registers*lanes)
	w.norm = make([]float64, len(w.number))
	w.mask = 1<<bits.Len(uint(len(w.number)-1)) - 1
	w.unit = m.e / maxInteger
	for j := range w.number {
		w.number[j], w.norm[j] = int32(j), math.Inf(1)
		if j >= p.k || p.duplicate != nil && p.duplicate[j] {
			continue
		}
		w.norm[j] = norm[j] * scale * scale / 2
		width := 2 * lanes
		panel := j / width
		at := panel*width*pairs + j%width
		if panel == w.full {
			width = lanes
		}
		rest := 0.0
		for f, y := range e[j*p.d : (j+1)*p.d] {
			g := math.RoundToEven(y * scale / w.unit)
			w.pan[2*(at+f/2*width)+f%2] = int16(-g)
			r := y*scale - g*w.unit
			rest += r * r
		}
		w.rest = max(w.rest, rest)
	}
	w.rest = math.Sqrt(w.rest)*(1+0x1p-20) + 0x1p-48 // beyond rounding, as E is below 4
	w.steps = make([]step, octaves*stepsPer+1)
	for j := range w.steps {
		w.steps[j].limit = limitOf(base, j)
	}
	w.ok = true
}

// limitOf returns the limit of step j.
func limitOf(base float64, j int) float32 { return float32(base * math.Exp2(2*float64(j)/stepsPer)) }

// unitOf returns s_x for rows below limit.
func unitOf(limit float32) float32 { return float32(math.Sqrt(float64(limit)) / maxInteger) }

// stepFor returns the step for rows whose largest Σ z² is n: the last step, if n is
// too large for all.
func (w *intCentres) stepFor(n float32) *step {
	j := 0
	for j < len(w.steps)-1 && !(n < w.steps[j].limit) {
		j++
	}
	return w.stepAt(j)
}

func (w *intCentres) stepAt(j int) *step {
	s := &w.steps[j]
	s.once.Do(func() { w.prepareStep(s) })
	return s
}

func (w *intCentres) prepareStep(s *step) {
	s.unit = unitOf(s.limit)
	s.inverse = 1 / s.unit
	s.both = float64(s.unit) * w.unit
	s.start = aligned[int32](len(w.norm))
	for j, y := range w.norm {
		s.start[j] = math.MaxInt32
		if y < math.Inf(1) {
			s.start[j] = int32(math.RoundToEven(y / s.both))
		}
	}
	const up = 1.001 // more than float32 can err in N, ‖z − s_x p‖ and need
	m, both := w.margin, up*2*(w.margin.e+w.rest)/s.both
	s.r = float32(up * both)
	s.b = float32(up * (both*0x1p-23 + 2*up*w.rest/s.both))
	s.c = float32(up * m.ref / s.both)
	s.a = float32(up * (m.ref*m.e2/s.both + 2*float64(w.mask+1) + 4))
}
