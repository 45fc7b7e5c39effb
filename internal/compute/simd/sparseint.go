package simd

import (
	"math"
	"math/bits"
)

// Sparse rows in integers.
//
// A row of m values is rounded to a unit of its own, v = s p + r, and each centre
// to its own, c_h = s_h g_h + r_h, so that ‖p‖ and ‖g_h‖ are at most maxInteger +
// ½√m on the m features of the row, and the sum of their products stays within
// int32. No number of r_h exceeds ½s_h = ½‖c_h‖/maxInteger, therefore
//
//	|v·c_h − s s_h p·g_h| ≤ ‖r‖‖c_h‖ + (‖v‖ + ‖r‖)½s_h√m ≤ ‖c_h‖ κ
//
// with κ = ‖r‖ + (‖v‖ + ‖r‖)½√m/maxInteger. The score ½‖c_h‖² − v·c_h is made of the
// product in float32, whose few roundings, each 2⁻²⁴ of no more than
// ‖c_h‖(E + ‖v‖) if E is the longest centre, are in the 2⁻²¹(E + ‖v‖) that the code
// adds to κ. What float64 may err by in the definition is added to each score.

// An IntRow is a sparse row in integers, as RoundSparse makes it. The zero
// IntRow stands for one that is not.
type IntRow struct {
	Val        []int16 // p
	Unit, Rest float32 // s; ‖r‖ or more
}

const (
	mostValues = 1 << 16 // of a row that is rounded
	// Lengths between which products neither overflow nor vanish in float32.
	shortest, longest = 1e-15, 1e15
)

// RoundsSparse reports whether sparse rows in integers are of use at the
// level in force.
func RoundsSparse() bool { return level >= VNNI }

// RoundSparse rounds the values of a row of squared length v2 and writes them to
// to. The result is zero where that cannot be done.
func RoundSparse(val []float64, v2 float64, to []int16) IntRow {
	long := math.Sqrt(v2)
	if len(val) == 0 || len(val) > mostValues || !(long > shortest && long < longest) {
		return IntRow{}
	}
	unit := float32(long / maxInteger)
	by, rest := 1/float64(unit), 0.0
	for p, y := range val {
		whole := math.RoundToEven(y * by)
		to[p] = int16(whole)
		r := y - whole*float64(unit)
		rest += r * r
	}
	return IntRow{Val: to[:len(val)], Unit: unit, Rest: float32(math.Sqrt(rest)*(1+1e-6) + long*1e-12)}
}

// intByFeature are centres in integers, feature by feature.
type intByFeature struct {
	ok    bool
	width int       // k, filled up to whole registers of 32
	table []int16   // g
	about []float32 // for 32 centres at a time: ½‖c_h‖², s_h, ‖c_h‖
}

// reserve makes room, in the memory of old if it can, and reports whether
// integers are of use.
func (w *intByFeature) reserve(b, old *ByFeature) bool {
	if b.level < VNNI || !(b.length > shortest && b.length < longest) {
		return false
	}
	w.width = (b.k + 31) / 32 * 32
	if old != nil && old.k == b.k && old.d == b.d && old.integers.ok {
		w.table, w.about = old.integers.table, old.integers.about
	} else {
		w.table, w.about = aligned[int16](b.d*w.width), aligned[float32](3*w.width)
	}
	for h := range w.width {
		half, unit, length := &w.about[h/32*96+h%32], &w.about[h/32*96+32+h%32], &w.about[h/32*96+64+h%32]
		*half, *unit, *length = float32(math.Inf(1)), 0, 0
		if h < b.k {
			*half, *unit, *length = float32(b.norm[h]/2), float32(b.unit(h)), float32(math.Sqrt(b.norm[h])*(1+1e-6))
		}
	}
	w.ok = true
	return true
}

// unit is s_h, and 1 for a centre at the origin.
func (b *ByFeature) unit(h int) float64 {
	if l := math.Sqrt(b.norm[h]); l > 0 {
		return float64(float32(l * (1 + 1e-6) / maxInteger))
	}
	return 1
}

// tablePlace is where in a row of the table centre h lies; see sparse16z.
func tablePlace(h int) int {
	in := h % 32
	return h - in + in%16/4*8 + in/16*4 + in%4
}

// transposeInt is Transpose for integers. Adding 1.5·2⁵² leaves the nearest
// integer in the lowest bits.
func (b *ByFeature) transposeInt(lo, hi int) {
	w := &b.integers
	for h := range b.k {
		at, by := lo*w.width+tablePlace(h), 1/b.unit(h)
		for _, y := range b.rows[h*b.d+lo : h*b.d+hi] {
			w.table[at] = int16(math.Float64bits(float64(y*by) + 0x1.8p52))
			at += w.width
		}
	}
}

// wrong says how far the score of a row of m values may be off: by times the
// length of the centre, and past.
func (b *ByFeature) wrong(m int, v2 float64, q IntRow) (by, past float32) {
	v, rest := math.Sqrt(v2), float64(q.Rest)
	by = float32((rest+(v+rest)*math.Sqrt(float64(m))*(0.5/maxInteger))*(1+1e-5) + 0x1p-21*(b.length+v))
	return by, float32(b.rounding(m, v2) + 1e-40)
}

// sketchedInt is sketched in integers.
func (b *ByFeature) sketchedInt(idx []int32, v2 float64, q IntRow, r *SparseScratch) (best int, sure bool) {
	w := &b.integers
	by, past := b.wrong(len(idx), v2, q)
	r.near = grow(r.near, w.width)
	least, near := float32(math.Inf(1)), uint32(0)
	for lo := 0; lo < w.width; lo += 32 {
		var l float32
		l, near = sketchInt(idx, q.Val, w.table[lo:], w.width, w.about[3*lo:], q.Unit, by, past, r.near[lo:])
		least = min(least, l)
	}
	if w.width == 32 {
		if near&(near-1) == 0 {
			return bits.TrailingZeros32(near), near != 0
		}
		for ; near != 0; near &= near - 1 {
			r.candidates = append(r.candidates, int32(bits.TrailingZeros32(near)))
		}
		return 0, false
	}
	for h, low := range r.near[:b.k] {
		if low <= least {
			r.candidates = append(r.candidates, int32(h))
		}
	}
	if len(r.candidates) == 1 {
		return int(r.candidates[0]), true
	}
	return 0, false
}
