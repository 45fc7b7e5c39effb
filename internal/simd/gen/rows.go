package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rows writes the kernels that go through rows one by one, in float64: the
// squared distance to a centre, the sum of a cluster, and both at once. The
// suffix says how the rows are stored. Eight partial sums are kept whatever
// the registers, and nothing is fused, so the bits are those of plain Go.
func rows() {
	masks := map[isa]Mem{}
	for _, s := range all {
		if !s.wide {
			masks[s] = s.prefix("first"+s.suffix(), 8)
		}
	}
	for _, s := range all {
		for _, what := range []work{{dist: true}, {sum: true}, {dist: true, sum: true}} {
			row(s, what, masks)
		}
	}
}

type work struct{ dist, sum bool }

func (w work) name() string {
	switch {
	case w.dist && w.sum:
		return "settle"
	case w.dist:
		return "dist"
	default:
		return "sum"
	}
}

// An octet is eight float64 numbers in one register or two.
type octet []VecVirtual

// A rower holds the registers of one kernel.
type rower struct {
	isa          // of the rows
	work         work
	x, c, sum, f Register
	w            octet
	acc          octet
	tail         OpmaskVirtual
	few, few32   octet // AVX2: the lanes of the tail
}

func row(s isa, what work, masks map[isa]Mem) {
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := what.name() + s.suffix()
	sig := "func(x *" + num + ", stride int, d int, label *int32, n int"
	if what.dist {
		sig += ", c *float64, out *float64"
	}
	if what.sum {
		sig += ", w *float64, sum *float64"
	}
	TEXT(name, NOSPLIT, sig+")")
	Pragma("noescape")
	Doc(what.doc(name))
	t := &rower{isa: s, work: what}
	x := Load(Param("x"), GP64())
	label := Load(Param("label"), GP64())
	n := Load(Param("n"), GP64())
	if what.dist {
		t.masks(masks)
	}
	t.x, t.f = GP64(), GP64()
	if what.dist {
		t.c, t.acc = GP64(), t.octet()
	}
	if what.sum {
		t.sum, t.w = GP64(), t.octet()
	}

	Label("row")
	h := GP64()
	MOVLQSX(Mem{Base: label}, h)
	ADDQ(Imm(4), label)
	d := Load(Param("d"), GP64())
	IMULQ(d, h)
	MOVQ(x, t.x)
	if what.dist {
		Load(Param("c"), t.c)
		LEAQ(Mem{Base: t.c, Index: h, Scale: 8}, t.c)
		for _, a := range t.acc {
			VXORPD(a.AsY(), a.AsY(), a.AsY())
		}
	}
	if what.sum {
		w := Load(Param("w"), GP64())
		for _, r := range t.w {
			VBROADCASTSD(Mem{Base: w}, r)
		}
		ADDQ(Imm(8), w)
		Store(w, Param("w"))
		Load(Param("sum"), t.sum)
		LEAQ(Mem{Base: t.sum, Index: h, Scale: 8}, t.sum)
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
	if what.dist {
		t.eight(true)
	}
	if what.sum {
		t.sumTail(d)
	}
	Label("done")
	if what.dist {
		t.tree()
	}
	stride := Load(Param("stride"), GP64())
	ADDQ(stride, x)
	DECQ(n)
	JNZ(jump("row"))
	VZEROUPPER()
	RET()
}

func (w work) doc(name string) string {
	switch {
	case w.dist && w.sum:
		return name + " does the work of dist and sum in one pass."
	case w.dist:
		return name + " measures the squared distance of each row to its centre."
	default:
		return name + " adds each row, times its weight, to the sum of its label."
	}
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
		if t.work.sum && !few {
			s := t.spare()
			at := Mem{Base: t.sum, Index: t.f, Scale: 8, Disp: 32 * i}
			VMULPD(v, t.w[i], s)
			VADDPD(at, s, s)
			VMOVUPD(s, at)
		}
		if t.work.dist {
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

// sumTail adds the last features of d to the sum, four, two and one. A masked
// store would do, but the next row of the same label would wait for it.
func (t *rower) sumTail(d Register) {
	w := t.w[0]
	for _, step := range []struct {
		features uint32
		past     string
		v        VecVirtual
		w        Register
	}{{4, "two", YMM(), w.AsY()}, {2, "one", XMM(), w.AsX()}, {1, "summed", XMM(), w.AsX()}} {
		x := Mem{Base: t.x, Index: t.f, Scale: uint8(t.size())}
		at := Mem{Base: t.sum, Index: t.f, Scale: 8}
		v := step.v
		TESTQ(U32(step.features), d)
		JZ(jump(step.past))
		switch {
		case step.features == 1 && t.double:
			VMOVSD(x, v)
		case step.features == 1:
			VMOVSS(x, v)
			VCVTSS2SD(v, v, v)
		case t.double:
			VMOVUPD(x, v)
		default:
			VCVTPS2PD(x, v)
		}
		if step.features == 1 {
			VMULSD(step.w, v, v)
			VADDSD(at, v, v)
			VMOVSD(v, at)
		} else {
			VMULPD(step.w, v, v)
			VADDPD(at, v, v)
			VMOVUPD(v, at)
		}
		ADDQ(Imm(uint64(step.features)), t.f)
		Label(step.past)
	}
}

// tree writes the sum of the eight partial sums.
func (t *rower) tree() {
	var high VecVirtual
	if !t.wide {
		high = t.acc[1]
	}
	out := Load(Param("out"), GP64())
	VMOVSD(addOctet(t.acc[0], high), Mem{Base: out})
	ADDQ(Imm(8), out)
	Store(out, Param("out"))
}

// addOctet adds eight partial sums, lanes four apart, two apart, one apart. They
// are in a, or in a and high.
func addOctet(a, high VecVirtual) (sum VecVirtual) {
	y := YMM()
	if high == nil {
		VEXTRACTF64X4(Imm(1), a, y)
	} else {
		y = high
	}
	s := YMM()
	VADDPD(y, a.AsY(), s)
	x := XMM()
	VEXTRACTF128(Imm(1), s, x)
	VADDPD(x, s.AsX(), x)
	hi := XMM()
	VPERMILPD(Imm(1), x, hi)
	VADDSD(hi, x, x)
	return x
}
