package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// mostOctets is how many groups of eight centres one walk through a row serves:
// sixteen registers of AVX2 hold no more.
const mostOctets = 4

// sparse writes the kernels that multiply a sparse row with many centres at
// once, eight centres an octet. Nothing is fused, and every product is added in
// the order of the row, so the bits are those of plain Go.
func sparse() {
	for _, s := range []isa{{true, true}, {false, true}} {
		for octets := 1; octets <= mostOctets; octets++ {
			products(s, octets)
		}
	}
}

func products(s isa, octets int) {
	name := "products" + strconv.Itoa(8*octets) + s.suffix()[2:]
	TEXT(name, NOSPLIT, "func(idx *int32, val *float64, n int, c *float64, stride int, out *float64)")
	Pragma("noescape")
	Doc(name+" writes to out[g], for g below "+strconv.Itoa(8*octets)+", the sum of val[p] times number g of",
		"the row at c + idx[p]·stride, stride in bytes, over n values.")
	idx, val := Load(Param("idx"), GP64()), Load(Param("val"), GP64())
	n, c, stride := Load(Param("n"), GP64()), Load(Param("c"), GP64()), Load(Param("stride"), GP64())
	registers := 8 * octets / s.lanes()
	acc := make([]VecVirtual, registers)
	for r := range acc {
		acc[r] = s.reg()
		VXORPD(acc[r].AsY(), acc[r].AsY(), acc[r].AsY())
	}
	row, v, t := GP64(), s.reg(), s.reg()
	TESTQ(n, n)
	JZ(jump("done"))
	Label("value")
	MOVLQSX(Mem{Base: idx}, row)
	IMULQ(stride, row)
	ADDQ(c, row)
	VBROADCASTSD(Mem{Base: val}, v)
	for r := range acc {
		VMULPD(Mem{Base: row, Disp: r * s.bytes()}, v, t)
		VADDPD(t, acc[r], acc[r])
	}
	ADDQ(Imm(4), idx)
	ADDQ(Imm(8), val)
	DECQ(n)
	JNZ(jump("value"))
	Label("done")
	out := Load(Param("out"), GP64())
	for r := range acc {
		s.load(acc[r], Mem{Base: out, Disp: r * s.bytes()})
	}
	VZEROUPPER()
	RET()
}
