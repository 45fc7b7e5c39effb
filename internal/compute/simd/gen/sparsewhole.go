package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sparseWhole writes the kernel that scores a sparse row against 32 centres in
// integers. It takes two features at a time and interleaves their numbers, so that
// the two of each centre are adjacent, as the products need them. That leaves
// centres 0 to 15 in one accumulator and 16 to 31 in the other, if they lie in the
// table as tablePlace in package simd says.
func sparseWhole() {
	TEXT("sparse16z", NOSPLIT, "func(idx *int32, val *int16, n int, c *int16, stride int, about *float32, unit float32, by float32, past float32, low *float32) (least float32, near uint32)")
	Pragma("noescape")
	Doc("sparse16z multiplies a row of n > 0 values with 32 centres, the rows at c + idx[p]·stride. With half[g],",
		"units[g] and lengths[g], the three parts of about, score g is half[g] − unit·units[g]·product, and errs by",
		"no more than e = by·lengths[g] + past. It writes the scores less e to low, and returns the least score plus",
		"e, and which of low are not above it.")
	idx, val := Load(Param("idx"), GP64()), Load(Param("val"), GP64())
	n, c, stride := Load(Param("n"), GP64()), Load(Param("c"), GP64()), Load(Param("stride"), GP64())
	// Two strands, so that one addition need not wait for the last.
	acc := [2][2]VecVirtual{{ZMM(), ZMM()}, {ZMM(), ZMM()}}
	zero := ZMM()
	VPXORD(zero, zero, zero)
	for _, a := range acc {
		for _, v := range a {
			VPXORD(v, v, v)
		}
	}
	at := func(p int) Mem {
		row := GP64()
		MOVLQSX(Mem{Base: idx, Disp: 4 * p}, row)
		IMULQ(stride, row)
		return Mem{Base: c, Index: row, Scale: 1}
	}
	even, odd, x := ZMM(), ZMM(), ZMM()
	two := func(p int) {
		a, b := ZMM(), ZMM()
		VMOVDQU32(at(p), a)
		VMOVDQU32(at(p+1), b)
		VPBROADCASTD(Mem{Base: val, Disp: 2 * p}, x)
		VPUNPCKLWD(b, a, even)
		VPUNPCKHWD(b, a, odd)
		pairs(even, x, acc[p/2][0])
		pairs(odd, x, acc[p/2][1])
	}
	SUBQ(Imm(4), n)
	JL(jump("few"))
	Label("four")
	two(0)
	two(2)
	ADDQ(Imm(16), idx)
	ADDQ(Imm(8), val)
	SUBQ(Imm(4), n)
	JGE(jump("four"))
	Label("few")
	ADDQ(Imm(2), n)
	JL(jump("one"))
	two(0)
	ADDQ(Imm(8), idx)
	ADDQ(Imm(4), val)
	SUBQ(Imm(2), n)
	Label("one")
	CMPQ(n, I32(-1))
	JNE(jump("done"))
	a, last := ZMM(), GP32()
	VMOVDQU32(at(0), a)
	MOVWLZX(Mem{Base: val}, last)
	VPBROADCASTD(last, x)
	VPUNPCKLWD(zero, a, even)
	VPUNPCKHWD(zero, a, odd)
	pairs(even, x, acc[0][0])
	pairs(odd, x, acc[0][1])
	Label("done")
	about, low := Load(Param("about"), GP64()), Load(Param("low"), GP64())
	unit, by, past := ZMM(), ZMM(), ZMM()
	VBROADCASTSS(param("unit"), unit)
	VBROADCASTSS(param("by"), by)
	VBROADCASTSS(param("past"), past)
	var up, down [2]VecVirtual
	for v := range 2 {
		part := func(which int) Mem { return Mem{Base: about, Disp: 128*which + 64*v} }
		s, e := acc[0][v], ZMM()
		VPADDD(acc[1][v], s, s)
		VCVTDQ2PS(s, s)
		VMULPS(unit, s, s)
		units := ZMM()
		VMOVUPS(part(1), units)
		VFNMADD213PS(part(0), units, s)
		VMOVAPS(past, e)
		VFMADD231PS(part(2), by, e)
		up[v], down[v] = ZMM(), ZMM()
		VADDPS(e, s, up[v])
		VSUBPS(e, s, down[v])
		VMOVUPS(down[v], Mem{Base: low, Disp: 64 * v})
	}
	least, other := up[0], ZMM()
	VMINPS(up[1], up[0], least)
	for step := range 4 {
		isa{wide: true}.fold(step, least, other)
		VMINPS(other, least, least)
	}
	Store(least.AsX(), ReturnIndex(0))
	bits := [2]GPVirtual{GP32(), GP32()}
	for v := range 2 {
		k := K()
		VCMPPS(Imm(0x12), least, down[v], k) // at most it
		KMOVW(k, bits[v])
	}
	SHLL(Imm(16), bits[1])
	ORL(bits[0], bits[1])
	Store(bits[1], ReturnIndex(1))
	VZEROUPPER()
	RET()
}
