package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// wholeRound writes the kernel that rounds rows to int16: q, the whole number
// nearest to z·inverse, and Σ (z − q·unit)², what rounding took away.
func wholeRound() {
	TEXT("round16z", NOSPLIT, "func(z *float32, d int, n int, inverse float32, unit float32, q *int16, stride int, rest *float32)")
	Pragma("noescape")
	Doc("round16z rounds n rows of d numbers to multiples of unit and adds up the squares of what is left.",
		"Rows of q are stride bytes apart, a multiple of 32, and filled up with zeros.")
	z, d, n := Load(Param("z"), GP64()), Load(Param("d"), GP64()), Load(Param("n"), GP64())
	q, stride, rest := Load(Param("q"), GP64()), Load(Param("stride"), GP64()), Load(Param("rest"), GP64())
	inverse, unit, acc := ZMM(), ZMM(), ZMM()
	VBROADCASTSS(param("inverse"), inverse)
	VBROADCASTSS(param("unit"), unit)
	r, bits, k := GP64(), GP32(), K()
	MOVQ(d, r)
	ANDQ(Imm(15), r)
	MOVL(U32(1<<16-1), bits)
	BZHIL(r.As32(), bits, bits)
	KMOVW(bits, k)

	some := func(f Register, left bool) {
		v, whole, near := ZMM(), ZMM(), ZMM()
		from := Mem{Base: z, Index: f, Scale: 4}
		if left {
			VMOVUPS_Z(from, k, v)
		} else {
			VMOVUPS(from, v)
		}
		VMULPS(inverse, v, near)
		VCVTPS2DQ(near, whole)
		VCVTDQ2PS(whole, near)
		VPMOVDW(whole, Mem{Base: q, Index: f, Scale: 2})
		VFNMADD231PS(near, unit, v)
		VFMADD231PS(v, v, acc)
	}
	Label("row")
	VXORPS(acc.AsY(), acc.AsY(), acc.AsY())
	f, end := GP64(), GP64()
	XORL(f.As32(), f.As32())
	MOVQ(d, end)
	SUBQ(Imm(16), end)
	JL(jump("tail"))
	Label("full")
	some(f, false)
	ADDQ(Imm(16), f)
	CMPQ(f, end)
	JLE(jump("full"))
	Label("tail")
	CMPQ(f, d)
	JGE(jump("done"))
	some(f, true)
	Label("done")
	isa{wide: true}.addLanes(acc)
	VMOVSS(acc.AsX(), Mem{Base: rest})
	ADDQ(Imm(4), rest)
	LEAQ(Mem{Base: z, Index: d, Scale: 4}, z)
	ADDQ(stride, q)
	DECQ(n)
	JNZ(jump("row"))
	VZEROUPPER()
	RET()
}

// wholeProve writes the kernel that says which labels are proven: those of rows
// with N < limit whose two best scores differ by more than
// a + b·√N + c·N + r·√rest.
func wholeProve() {
	TEXT("prove16z", NOSPLIT, "func(n int, best *int32, second *int32, norm *float32, rest *float32, mask int32, limit float32, a float32, b float32, c float32, r float32, label *int32, need *float32)")
	Pragma("noescape")
	Doc("prove16z writes the labels of rows, -1 where they are not proven, and what their scores must differ by.",
		"It takes sixteen rows at a time until n or more are done.")
	fill := func(name string) VecVirtual {
		v := ZMM()
		VBROADCASTSS(param(name), v)
		return v
	}
	n, best, second := Load(Param("n"), GP64()), Load(Param("best"), GP64()), Load(Param("second"), GP64())
	norm, rest := Load(Param("norm"), GP64()), Load(Param("rest"), GP64())
	label, need := Load(Param("label"), GP64()), Load(Param("need"), GP64())
	mask, limit, a, b, c, r := fill("mask"), fill("limit"), fill("a"), fill("b"), fill("c"), fill("r")
	minus := ZMM()
	VPTERNLOGD(Imm(0xff), minus, minus, minus)
	Label("rows")
	x, root, apart, h := ZMM(), ZMM(), ZMM(), ZMM()
	below, proven := K(), K()
	VMOVUPS(Mem{Base: norm}, x)
	VCMPPS(Imm(0x11), limit, x, below) // not where x is a NaN
	VSQRTPS(x, root)
	VFMADD213PS(a, c, x)
	VFMADD231PS(b, root, x)
	VSQRTPS(Mem{Base: rest}, root)
	VFMADD231PS(r, root, x)
	VMOVUPS(x, Mem{Base: need})
	VCVTPS2UDQ_RU_SAE(x, x) // what is too large, or a NaN, becomes the largest
	VMOVDQU32(Mem{Base: best}, h)
	VMOVDQU32(Mem{Base: second}, apart)
	VPSUBD(h, apart, apart)
	VPCMPUD(Imm(6), x, apart, below, proven) // apart > need
	VPANDD(mask, h, h)
	VMOVDQA32(minus, apart)
	VMOVDQA32(h, proven, apart)
	VMOVDQU32(apart, Mem{Base: label})
	for _, p := range []Register{best, second, norm, rest, label, need} {
		ADDQ(Imm(64), p)
	}
	SUBQ(Imm(16), n)
	JG(jump("rows"))
	VZEROUPPER()
	RET()
}
