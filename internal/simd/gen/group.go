package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// groups writes the kernels that settle rows cluster by cluster, AVX-512 alone:
// up to four rows of a cluster meet its centre and its sum while those are in
// registers. Each row is added in its turn, so the bits are those of settle.
func groups() {
	for _, s := range []isa{{wide: true}, {wide: true, double: true}} {
		group(s)
	}
}

// A grouper holds the registers of one kernel.
type grouper struct {
	isa
	x, order, c, sum, d, f GPVirtual
	tail                   OpmaskVirtual
}

func group(s isa) {
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := "group" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *"+num+", stride int, d int, order *int32, count *int32, k int, c *float64, out *float64, sum *float64)")
	Pragma("noescape")
	Doc(name+" does the work of settle, with weights of one, for the rows in order: first count[0] rows of",
		"cluster 0, then count[1] of cluster 1, and so on.")
	t := &grouper{isa: s, f: GP64()}
	t.x, t.order = Load(Param("x"), GP64()).(GPVirtual), Load(Param("order"), GP64()).(GPVirtual)
	t.c, t.sum = Load(Param("c"), GP64()).(GPVirtual), Load(Param("sum"), GP64()).(GPVirtual)
	t.d = Load(Param("d"), GP64()).(GPVirtual)
	r, bits := GP64(), GP32()
	MOVQ(t.d, r)
	ANDQ(Imm(7), r)
	MOVL(U32(0xff), bits)
	BZHIL(r.As32(), bits, bits)
	t.tail = K()
	KMOVW(bits, t.tail)

	Label("cluster")
	count, left := Load(Param("count"), GP64()), GP64()
	MOVLQSX(Mem{Base: count}, left)
	ADDQ(Imm(4), count)
	Store(count, Param("count"))
	for _, rows := range []int{4, 2, 1} {
		name, next := "rows"+strconv.Itoa(rows), "rows"+strconv.Itoa(rows/2)
		Label(name)
		CMPQ(left, Imm(uint64(rows)))
		JL(jump(next))
		t.rows(rows, name)
		SUBQ(Imm(uint64(rows)), left)
		if rows == 4 {
			JMP(jump(name)) // fewer are left only once
		}
	}
	Label("rows0")
	LEAQ(Mem{Base: t.c, Index: t.d, Scale: 8}, t.c)
	LEAQ(Mem{Base: t.sum, Index: t.d, Scale: 8}, t.sum)
	DECQ(param("k"))
	JNZ(jump("cluster"))
	VZEROUPPER()
	RET()
}

// rows settles the next n rows of a cluster.
func (t *grouper) rows(n int, name string) {
	var x []GPVirtual
	var acc []VecVirtual
	for r := range n {
		g, a := GP64(), ZMM()
		MOVLQSX(Mem{Base: t.order, Disp: 4 * r}, g)
		IMULQ(param("stride"), g)
		ADDQ(t.x, g)
		VXORPD(a.AsY(), a.AsY(), a.AsY())
		x, acc = append(x, g), append(acc, a)
	}
	XORL(t.f.As32(), t.f.As32())
	SUBQ(Imm(8), t.d)
	JL(jump(name + "Tail"))
	Label(name + "Eight")
	t.eight(x, acc, false)
	ADDQ(Imm(8), t.f)
	CMPQ(t.f, t.d)
	JLE(jump(name + "Eight"))
	Label(name + "Tail")
	ADDQ(Imm(8), t.d)
	CMPQ(t.f, t.d)
	JGE(jump(name + "Done"))
	t.eight(x, acc, true)
	Label(name + "Done")
	out := Load(Param("out"), GP64())
	for r := range n {
		total, i := addOctet(acc[r], nil), GP64()
		MOVLQSX(Mem{Base: t.order, Disp: 4 * r}, i)
		VMOVSD(total, Mem{Base: out, Index: i, Scale: 8})
	}
	ADDQ(Imm(uint64(4*n)), t.order)
}

// eight takes eight features of some rows on, or with few those that are left.
func (t *grouper) eight(x []GPVirtual, acc []VecVirtual, few bool) {
	sum, c := ZMM(), ZMM()
	at := Mem{Base: t.sum, Index: t.f, Scale: 8}
	centre := Mem{Base: t.c, Index: t.f, Scale: 8}
	if few {
		VMOVUPD_Z(at, t.tail, sum)
		VMOVUPD_Z(centre, t.tail, c)
	} else {
		VMOVUPD(at, sum)
		VMOVUPD(centre, c)
	}
	for r, row := range x {
		v, from := ZMM(), Mem{Base: row, Index: t.f, Scale: uint8(t.size())}
		switch {
		case t.double && few:
			VMOVUPD_Z(from, t.tail, v)
		case t.double:
			VMOVUPD(from, v)
		case few:
			VCVTPS2PD_Z(from, t.tail, v)
		default:
			VCVTPS2PD(from, v)
		}
		VADDPD(v, sum, sum)
		VSUBPD(c, v, v)
		VMULPD(v, v, v)
		VADDPD(v, acc[r], acc[r])
	}
	if few {
		VMOVUPD(sum, t.tail, at)
	} else {
		VMOVUPD(sum, at)
	}
}
