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
}

func sketch(octets int) {
	name := "sketch" + strconv.Itoa(8*octets)
	TEXT(name, NOSPLIT, "func(idx *int32, val *float64, n int, c *float32, stride int, out *float32)")
	Pragma("noescape")
	Doc(name+" writes to out[g], for g below "+strconv.Itoa(8*octets)+", about the sum of val[p] times number g",
		"of the row at c + idx[p]·stride, stride in bytes, over n values.")
	idx, val := Load(Param("idx"), GP64()), Load(Param("val"), GP64())
	n, c, stride := Load(Param("n"), GP64()), Load(Param("c"), GP64()), Load(Param("stride"), GP64())
	acc := make([]VecVirtual, octets)
	for r := range acc {
		acc[r] = YMM()
		VXORPS(acc[r], acc[r], acc[r])
	}
	row, one, v := GP64(), XMM(), YMM()
	VXORPS(one, one, one)
	TESTQ(n, n)
	JZ(jump("done"))
	Label("value")
	MOVLQSX(Mem{Base: idx}, row)
	IMULQ(stride, row)
	ADDQ(c, row)
	VCVTSD2SS(Mem{Base: val}, one, one)
	VBROADCASTSS(one, v)
	for r := range acc {
		VFMADD231PS(Mem{Base: row, Disp: 32 * r}, v, acc[r])
	}
	ADDQ(Imm(4), idx)
	ADDQ(Imm(8), val)
	DECQ(n)
	JNZ(jump("value"))
	Label("done")
	out := Load(Param("out"), GP64())
	for r := range acc {
		VMOVUPS(acc[r], Mem{Base: out, Disp: 32 * r})
	}
	VZEROUPPER()
	RET()
}
