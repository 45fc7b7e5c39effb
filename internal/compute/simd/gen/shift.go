package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// shifts writes the kernels that prepare rows for scoring: z = (x − o)·scale
// in float32, N = Σ z², and the margin a + b·√N + c·N.
func shifts() {
	masks := map[isa]Mem{}
	for _, s := range all {
		if !s.wide {
			masks[s] = s.prefix("head"+s.suffix(), s.lanes())
		}
	}
	for _, s := range all {
		shift(s, masks)
	}
}

func shift(s isa, masks map[isa]Mem) {
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := "shift" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *"+num+", d int, n int, offset *"+num+", scale "+num+", z *float32, norm *float32, need *float32, a float32, b float32, c float32)")
	Pragma("noescape")
	Doc(name + " moves and scales rows, rounds them to float32, and adds up their squares.")
	x, d := Load(Param("x"), GP64()), Load(Param("d"), GP64())
	n, offset := Load(Param("n"), GP64()), Load(Param("offset"), GP64())
	z, norm := Load(Param("z"), GP64()), Load(Param("norm"), GP64())
	scale, acc := s.reg(), s.reg()
	at, _ := Param("scale").Resolve()
	s.broadcast(at.Addr, scale)

	var k OpmaskVirtual
	few, few32 := s.reg(), XMM()
	r := GP64()
	MOVQ(d, r)
	ANDQ(Imm(uint64(s.lanes()-1)), r)
	if s.wide {
		bits := GP32()
		MOVL(U32(1<<s.lanes()-1), bits)
		BZHIL(r.As32(), bits, bits)
		k = K()
		KMOVW(bits, k)
	} else {
		NEGQ(r)
		g := GP64()
		LEAQ(masks[s], g)
		s.load(Mem{Base: g, Index: r, Scale: uint8(s.size()), Disp: s.lanes() * s.size()}, few)
		if s.double {
			// The table of float32 lanes is longer: eight, not four.
			LEAQ(masks[isa{}], g)
			VMOVUPS(Mem{Base: g, Index: r, Scale: 4, Disp: 8 * 4}, few32)
		}
	}

	some := func(f Register, left bool) {
		v, o := s.reg(), s.reg()
		from := Mem{Base: x, Index: f, Scale: uint8(s.size())}
		by := Mem{Base: offset, Index: f, Scale: uint8(s.size())}
		to := Mem{Base: z, Index: f, Scale: 4}
		switch {
		case left && s.wide && s.double:
			VMOVUPD_Z(from, k, v)
			VMOVUPD_Z(by, k, o)
		case left && s.wide:
			VMOVUPS_Z(from, k, v)
			VMOVUPS_Z(by, k, o)
		case left && s.double:
			VMASKMOVPD(from, few, v)
			VMASKMOVPD(by, few, o)
		case left:
			VMASKMOVPS(from, few, v)
			VMASKMOVPS(by, few, o)
		default:
			s.load(from, v)
			s.load(by, o)
		}
		if s.double {
			VSUBPD(o, v, v)
			VMULPD(scale, v, v)
			narrow := v.AsY()
			if !s.wide {
				VCVTPD2PSY(v, v.AsX())
			} else {
				VCVTPD2PS(v, narrow)
			}
			switch {
			case s.wide && left:
				VMOVUPS(narrow, k, to)
			case s.wide:
				VMOVUPS(narrow, to)
			case left:
				VMASKMOVPS(v.AsX(), few32, to)
			default:
				VMOVUPS(v.AsX(), to)
			}
			if s.wide {
				VFMADD231PS(narrow, narrow, acc.AsY())
			} else {
				VFMADD231PS(v.AsX(), v.AsX(), acc.AsX())
			}
			return
		}
		VSUBPS(o, v, v)
		VMULPS(scale, v, v)
		switch {
		case s.wide && left:
			VMOVUPS(v, k, to)
		case left:
			VMASKMOVPS(v, few, to)
		default:
			VMOVUPS(v, to)
		}
		VFMADD231PS(v, v, acc)
	}

	Label("row")
	VXORPS(acc.AsY(), acc.AsY(), acc.AsY()) // clears the whole register
	f, end := GP64(), GP64()
	XORL(f.As32(), f.As32())
	MOVQ(d, end)
	SUBQ(Imm(uint64(s.lanes())), end)
	JL(jump("tail"))
	Label("full")
	some(f, false)
	ADDQ(Imm(uint64(s.lanes())), f)
	CMPQ(f, end)
	JLE(jump("full"))
	Label("tail")
	CMPQ(f, d)
	JGE(jump("done"))
	some(f, true)
	Label("done")
	s.addLanes(acc)
	VMOVSS(acc.AsX(), Mem{Base: norm})
	ADDQ(Imm(4), norm)
	margin(acc.AsX())
	need := Load(Param("need"), GP64())
	VMOVSS(acc.AsX(), Mem{Base: need})
	ADDQ(Imm(4), need)
	Store(need, Param("need"))
	LEAQ(Mem{Base: x, Index: d, Scale: uint8(s.size())}, x)
	LEAQ(Mem{Base: z, Index: d, Scale: 4}, z)
	DECQ(n)
	JNZ(jump("row"))
	VZEROUPPER()
	RET()
}

// addLanes adds up the float32 lanes of acc, of which there are as many as
// lanes of s, into its first.
func (s isa) addLanes(acc VecVirtual) {
	if s.wide && !s.double {
		y := YMM()
		VEXTRACTF64X4(Imm(1), acc, y)
		VADDPS(y, acc.AsY(), acc.AsY())
	}
	if s.wide || !s.double {
		x := XMM()
		VEXTRACTF128(Imm(1), acc.AsY(), x)
		VADDPS(x, acc.AsX(), acc.AsX())
	}
	x := XMM()
	VPERMILPS(Imm(0x4e), acc.AsX(), x)
	VADDPS(x, acc.AsX(), acc.AsX())
	VPERMILPS(Imm(0xb1), acc.AsX(), x)
	VADDSS(x, acc.AsX(), acc.AsX())
}

// margin replaces n by a + b·√n + c·n.
func margin(n Register) {
	root := XMM()
	VSQRTSS(n, n, root)
	at := func(p string) Mem {
		m, _ := Param(p).Resolve()
		return m.Addr
	}
	a, b, c := XMM(), XMM(), XMM()
	VMOVSS(at("a"), a)
	VMOVSS(at("b"), b)
	VMOVSS(at("c"), c)
	VFMADD213SS(a, c, n)
	VFMADD231SS(b, root, n)
}
