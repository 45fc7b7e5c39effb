package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mostOctets is how many groups of eight centres one walk through a row serves.
const mostOctets = 4

// sparse writes the kernels that multiply a sparse row with many centres at
// once, in float32 and fused: near enough to tell most nearest centres. They
// take AVX2 alone, where eight centres are one register.
func sparse() {
	for octets := 1; octets <= mostOctets; octets++ {
		sketch(octets)
	}
	sparseWhole()
}

func sketch(octets int) {
	name := "sketch" + strconv.Itoa(8*octets)
	TEXT(name, NOSPLIT, "func(idx *int32, val *float64, n int, c *float32, stride int, out *float32)")
	Pragma("noescape")
	Doc(name+" writes to out[g], for g below "+strconv.Itoa(8*octets)+", about the sum of val[p] times number g",
		"of the row at c + idx[p]·stride, stride in bytes, over n values.")
	idx, val := Load(Param("idx"), GP64()), Load(Param("val"), GP64())
	n, c, stride := Load(Param("n"), GP64()), Load(Param("c"), GP64()), Load(Param("stride"), GP64())
	// Two strands of sums, so that one addition need not wait for the last.
	acc := [2][]VecVirtual{}
	for strand := range acc {
		for range octets {
			r := YMM()
			VXORPS(r, r, r)
			acc[strand] = append(acc[strand], r)
		}
	}
	one := XMM()
	VXORPS(one, one, one)
	value := func(strand int) {
		row, v := GP64(), YMM()
		MOVLQSX(Mem{Base: idx, Disp: 4 * strand}, row)
		IMULQ(stride, row)
		ADDQ(c, row)
		VCVTSD2SS(Mem{Base: val, Disp: 8 * strand}, one, one)
		VBROADCASTSS(one, v)
		for r := range octets {
			VFMADD231PS(Mem{Base: row, Disp: 32 * r}, v, acc[strand][r])
		}
	}
	SUBQ(Imm(2), n)
	JL(jump("last"))
	Label("two")
	value(0)
	value(1)
	ADDQ(Imm(8), idx)
	ADDQ(Imm(16), val)
	SUBQ(Imm(2), n)
	JGE(jump("two"))
	Label("last")
	CMPQ(n, I32(-1))
	JNE(jump("done"))
	value(0)
	Label("done")
	out := Load(Param("out"), GP64())
	for r := range octets {
		VADDPS(acc[1][r], acc[0][r], acc[0][r])
		VMOVUPS(acc[0][r], Mem{Base: out, Disp: 32 * r})
	}
	VZEROUPPER()
	RET()
}
