package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rows writes the kernels that measure rows, one by one, in float64: the squared
// distance to a centre. The suffix says how the rows are stored. Eight partial
// sums are kept whatever the registers, and nothing is fused, so the bits are
// those of plain Go.
func rows() {
	masks := map[isa]Mem{}
	for _, s := range all {
		if !s.wide {
			masks[s] = s.prefix("first"+s.suffix(), 8)
		}
	}
	for _, s := range all {
		row(s, masks)
	}
}

// An octet is eight float64 numbers in one register or two.
type octet []VecVirtual

// A rower holds the registers of one kernel.
type rower struct {
	isa        // of the rows
	x, c, f    Register
	acc        octet
	tail       OpmaskVirtual
	few, few32 octet // AVX2: the lanes of the tail
}

func row(s isa, masks map[isa]Mem) {
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := "dist" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *"+num+", stride int, d int, label *int32, n int, c *float64, out *float64)")
	Pragma("noescape")
	Doc(name + " measures the squared distance of each row to its centre.")
	t := &rower{isa: s}
	x := Load(Param("x"), GP64())
	label := Load(Param("label"), GP64())
	n := Load(Param("n"), GP64())
	t.masks(masks)
	t.x, t.f = GP64(), GP64()
	t.c, t.acc = GP64(), t.octet()

	Label("row")
	h := GP64()
	MOVLQSX(Mem{Base: label}, h)
	ADDQ(Imm(4), label)
	d := Load(Param("d"), GP64())
	IMULQ(d, h)
	MOVQ(x, t.x)
	Load(Param("c"), t.c)
	LEAQ(Mem{Base: t.c, Index: h, Scale: 8}, t.c)
	for _, a := range t.acc {
		VXORPD(a.AsY(), a.AsY(), a.AsY())
	}
	XORL(t.f.(GPVirtual).As32(), t.f.(GPVirtual).As32())
	SUBQ(Imm(8), d)
	JL(jump("tail"))
	Label("eight")
	t.eight(false)
	ADDQ(Imm(8), t.f)
	CMPQ(t.f, d)
	JLE(jump("eight"))
	Label("tail")
	ADDQ(Imm(8), d)
	CMPQ(t.f, d)
	JGE(jump("done"))
	t.eight(true)
	Label("done")
	t.tree()
	stride := Load(Param("stride"), GP64())
	ADDQ(stride, x)
	DECQ(n)
	JNZ(jump("row"))
	VZEROUPPER()
	RET()
}

func (t *rower) octet() octet {
	if t.wide {
		return octet{ZMM()}
	}
	return octet{YMM(), YMM()}
}

// masks prepares the masks of the d%8 last features.
func (t *rower) masks(tables map[isa]Mem) {
	r := Load(Param("d"), GP64()).(GPVirtual)
	ANDQ(Imm(7), r)
	if t.wide {
		bits := GP32()
		MOVL(U32(0xff), bits)
		BZHIL(r.As32(), bits, bits)
		t.tail = K()
		KMOVW(bits, t.tail)
		return
	}
	NEGQ(r)
	at := GP64()
	load := func(double bool) (o octet) {
		s := isa{double: double}
		LEAQ(tables[s], at)
		for i := range 2 {
			v := YMM()
			m := Mem{Base: at, Index: r, Scale: uint8(s.size()), Disp: (8 + 4*i) * s.size()}
			if double {
				VMOVUPD(m, v)
			} else {
				VMOVUPS(m, v.AsX())
			}
			o = append(o, v)
		}
		return o
	}
	t.few = load(true)
	if !t.double {
		t.few32 = load(false)
	}
}

// eight takes eight features on, or with few those that are left.
func (t *rower) eight(few bool) {
	for i := range t.octet() {
		v := YMM()
		if t.wide {
			v = ZMM()
		}
		t.widen(few, i, v)
		at := Mem{Base: t.c, Index: t.f, Scale: 8, Disp: 32 * i}
		if few {
			c := t.spare()
			t.part(at, i, c)
			VSUBPD(c, v, v)
		} else {
			VSUBPD(at, v, v)
		}
		VMULPD(v, v, v)
		VADDPD(v, t.acc[i], t.acc[i])
	}
}

func (t *rower) spare() VecVirtual {
	if t.wide {
		return ZMM()
	}
	return YMM()
}

// widen loads part i of an octet of the row as float64.
func (t *rower) widen(few bool, i int, v VecVirtual) {
	at := Mem{Base: t.x, Index: t.f, Scale: uint8(t.size()), Disp: 4 * t.size() * i}
	switch {
	case t.double && few:
		t.part(at, i, v)
	case t.double:
		VMOVUPD(at, v)
	case !few:
		VCVTPS2PD(at, v)
	case t.wide:
		VCVTPS2PD_Z(at, t.tail, v)
	default:
		VMASKMOVPS(at, t.few32[i].AsX(), v.AsX())
		VCVTPS2PD(v.AsX(), v)
	}
}

// part loads what is left of an octet of float64, zeros elsewhere.
func (t *rower) part(at Mem, i int, v VecVirtual) {
	if t.wide {
		VMOVUPD_Z(at, t.tail, v)
	} else {
		VMASKMOVPD(at, t.few[i], v)
	}
}

// tree writes the sum of the eight partial sums: lanes four apart, two apart, one
// apart.
func (t *rower) tree() {
	y := YMM()
	if t.wide {
		VEXTRACTF64X4(Imm(1), t.acc[0], y)
	} else {
		y = t.acc[1]
	}
	s := YMM()
	VADDPD(y, t.acc[0].AsY(), s)
	x := XMM()
	VEXTRACTF128(Imm(1), s, x)
	VADDPD(x, s.AsX(), x)
	hi := XMM()
	VPERMILPD(Imm(1), x, hi)
	VADDSD(hi, x, x)
	out := Load(Param("out"), GP64())
	VMOVSD(x, Mem{Base: out})
	ADDQ(Imm(8), out)
	Store(out, Param("out"))
}
