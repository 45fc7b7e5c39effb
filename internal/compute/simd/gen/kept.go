package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// kept writes the kernels that add listed rows to sums of two numbers, eight
// features of each. Every lane does what TwoSum does, so the bits are its bits.
func kept() {
	for _, s := range all {
		keep(s)
	}
}

// ahead is how many rows before its turn a row is fetched.
const ahead = 32

func keep(s isa) {
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := "kept" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *"+num+", stride int, row *int32, label *int32, n int, w *float64, sum *float64, rest *float64, width int)")
	Pragma("noescape")
	Doc(name+" adds eight features of each of n listed rows, times its weight, to the sum and the rest of its",
		"label, which are width bytes apart. It reads row numbers beyond the last, to fetch what they say.")
	x, stride := Load(Param("x"), GP64()), Load(Param("stride"), GP64())
	row, label, w := Load(Param("row"), GP64()), Load(Param("label"), GP64()), Load(Param("w"), GP64())
	sum, rest := Load(Param("sum"), GP64()), Load(Param("rest"), GP64())
	n, width := Load(Param("n"), GP64()), Load(Param("width"), GP64())

	Label("row")
	i, h := GP64(), GP64()
	MOVLQSX(Mem{Base: row, Disp: 4 * ahead}, i)
	IMULQ(stride, i)
	PREFETCHT0(Mem{Base: x, Index: i, Scale: 1})
	MOVLQSX(Mem{Base: row}, i)
	IMULQ(stride, i)
	MOVLQSX(Mem{Base: label}, h)
	IMULQ(width, h)
	times := s.wideReg()
	VBROADCASTSD(Mem{Base: w}, times)
	for part := range 8 * 8 / s.bytes() {
		at := s.bytes() * part
		y := s.wideReg()
		if from := (Mem{Base: x, Index: i, Scale: 1, Disp: at / 8 * s.size()}); s.double {
			VMOVUPD(from, y)
		} else {
			VCVTPS2PD(from, y)
		}
		VMULPD(times, y, y)
		a, r := Mem{Base: sum, Index: h, Scale: 1, Disp: at}, Mem{Base: rest, Index: h, Scale: 1, Disp: at}
		was, b, gone, left := s.wideReg(), s.wideReg(), s.wideReg(), s.wideReg()
		VMOVUPD(a, was)
		VADDPD(y, was, b)       // b = sum + y
		VSUBPD(was, b, gone)    // part = b − sum
		VSUBPD(gone, b, left)   // b − part
		VSUBPD(left, was, left) // sum − (b − part)
		VSUBPD(gone, y, gone)   // y − part
		VADDPD(gone, left, left)
		VADDPD(r, left, left)
		VADDPD(left, b, was) // the sum
		VMOVUPD(was, a)
		VSUBPD(b, was, was)
		VSUBPD(was, left, left) // the rest
		VMOVUPD(left, r)
	}
	ADDQ(Imm(4), row)
	ADDQ(Imm(4), label)
	ADDQ(Imm(8), w)
	DECQ(n)
	JNZ(jump("row"))
	VZEROUPPER()
	RET()
}

// wideReg is a register of float64, whatever the numbers.
func (s isa) wideReg() VecVirtual {
	if s.wide {
		return ZMM()
	}
	return YMM()
}
