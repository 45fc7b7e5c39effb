package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// columns writes the kernels that compare one row with panels of 16, feature by
// feature, in float64: squared distances, the same with a mask of those within
// a limit, and products. A lane is one chain of additions and nothing is fused,
// so the bits are those of plain Go. Those that rule out rows work in float32, with four chains.
func columns() {
	for _, s := range all {
		if s.double {
			column(s, "columnsDist", false, false)
			column(s, "columnsNear", false, true)
			column(s, "columnsDot", true, false)
			columnBox(s)
		} else {
			columnSieve(s)
		}
	}
}

const columnRows = 16

func column(s isa, kind string, dot, near bool) {
	name := kind + s.suffix()
	sig := "func(x *float64, d int, pan *float64, panels int, dst *float64"
	if near {
		sig += ", limit float64, mask *uint16"
	}
	TEXT(name, NOSPLIT, sig+")")
	Pragma("noescape")
	Doc(name + " compares a row with whole panels.")
	row, pan, dst := Load(Param("x"), GP64()), Load(Param("pan"), GP64()), Load(Param("dst"), GP64())
	d, panels := Load(Param("d"), GP64()), Load(Param("panels"), GP64())
	regs := columnRows / s.lanes()
	var acc, tmp []VecVirtual
	for range regs {
		acc, tmp = append(acc, s.reg()), append(tmp, s.reg())
	}
	x, limit := s.reg(), s.reg()
	var mask Register
	if near {
		l, err := Param("limit").Resolve()
		if err != nil {
			panic(err)
		}
		s.broadcast(l.Addr, limit)
		mask = Load(Param("mask"), GP64())
	}
	at, left := GP64(), GP64()
	feature := func(u int) {
		s.broadcast(Mem{Base: at, Disp: 8 * u}, x)
		for v := range regs {
			from := Mem{Base: pan, Disp: u*8*columnRows + v*s.bytes()}
			if dot {
				VMULPD(from, x, tmp[v])
			} else {
				VSUBPD(from, x, tmp[v])
				VMULPD(tmp[v], tmp[v], tmp[v])
			}
			VADDPD(tmp[v], acc[v], acc[v])
		}
	}
	const unroll = 4
	Label("panel")
	for _, a := range acc {
		if s.wide {
			VPXORQ(a, a, a)
		} else {
			VXORPD(a, a, a)
		}
	}
	MOVQ(row, at)
	MOVQ(d, left)
	Label("four")
	CMPQ(left, Imm(unroll))
	JL(jump("one"))
	for u := range unroll {
		feature(u)
	}
	ADDQ(Imm(8*unroll), at)
	ADDQ(U32(8*columnRows*unroll), pan)
	SUBQ(Imm(unroll), left)
	JMP(jump("four"))
	Label("one")
	TESTQ(left, left)
	JZ(jump("summed"))
	feature(0)
	ADDQ(Imm(8), at)
	ADDQ(U32(8*columnRows), pan)
	DECQ(left)
	JMP(jump("one"))
	Label("summed")
	for v, a := range acc {
		s.load(a, Mem{Base: dst, Disp: v * s.bytes()})
	}
	ADDQ(U32(8*columnRows), dst)
	if near {
		columnMask(s, acc, tmp[0], limit, mask)
	}
	DECQ(panels)
	JNZ(jump("panel"))
	VZEROUPPER()
	RET()
}

// columnBox writes the kernel that bounds the distance of a row to the rows in
// each of 16 boxes: Σ_f max(low_f − x_f, x_f − high_f, 0)².
func columnBox(s isa) {
	name := "columnsBox" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *float64, d int, low *float64, high *float64, dst *float64, limit float64, mask *uint16)")
	Pragma("noescape")
	Doc(name + " bounds the distances of a row to one panel of boxes.")
	at, low, high := Load(Param("x"), GP64()), Load(Param("low"), GP64()), Load(Param("high"), GP64())
	left, dst, mask := Load(Param("d"), GP64()), Load(Param("dst"), GP64()), Load(Param("mask"), GP64())
	regs := columnRows / s.lanes()
	var acc []VecVirtual
	x, zero, limit, gap, over := s.reg(), s.reg(), s.reg(), s.reg(), s.reg()
	for range regs {
		acc = append(acc, s.reg())
	}
	for _, a := range append(acc, zero) {
		if s.wide {
			VPXORQ(a, a, a)
		} else {
			VXORPD(a, a, a)
		}
	}
	l, err := Param("limit").Resolve()
	if err != nil {
		panic(err)
	}
	s.broadcast(l.Addr, limit)
	Label("feature")
	s.broadcast(Mem{Base: at}, x)
	for v := range regs {
		s.load(Mem{Base: low, Disp: v * s.bytes()}, gap)
		VSUBPD(x, gap, gap)
		VSUBPD(Mem{Base: high, Disp: v * s.bytes()}, x, over)
		s.max(over, gap, gap)
		s.max(zero, gap, gap)
		VMULPD(gap, gap, gap)
		VADDPD(gap, acc[v], acc[v])
	}
	ADDQ(Imm(8), at)
	ADDQ(U32(8*columnRows), low)
	ADDQ(U32(8*columnRows), high)
	DECQ(left)
	JNZ(jump("feature"))
	for v, a := range acc {
		s.load(a, Mem{Base: dst, Disp: v * s.bytes()})
	}
	columnMask(s, acc, gap, limit, mask)
	VZEROUPPER()
	RET()
}

// columnMask writes which lanes are at most limit, and moves mask on.
func columnMask(s isa, acc []VecVirtual, tmp, limit VecVirtual, mask Register) {
	const atMost = 0x12
	bits, some := GP32(), GP32()
	for v := len(acc) - 1; v >= 0; v-- {
		if s.wide {
			k := K()
			s.compare(atMost, acc[v], limit, k)
			KMOVB(k, some)
		} else {
			s.compare(atMost, acc[v], limit, tmp)
			VMOVMSKPD(tmp, some)
		}
		if v == len(acc)-1 {
			MOVL(some, bits)
			continue
		}
		SHLL(Imm(uint64(s.lanes())), bits)
		ORL(some, bits)
	}
	MOVW(bits.As16(), Mem{Base: mask})
	ADDQ(Imm(2), mask)
}

// columnSieve writes the kernel that compares a row with one panel in float32 and sets the bits of the rows whose squared distance,
// as computed, is at most limit.
func columnSieve(s isa) {
	name := "columnsSieve" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *float32, d int, pan *float32, limit float32, mask *uint16)")
	Pragma("noescape")
	Doc(name + " says which rows of one panel may be near a row.")
	at, pan := Load(Param("x"), GP64()), Load(Param("pan"), GP64())
	left, mask := Load(Param("d"), GP64()), Load(Param("mask"), GP64())
	const chains = 4
	regs := columnRows / s.lanes()
	var acc [chains][]VecVirtual
	x, tmp, limit := s.reg(), s.reg(), s.reg()
	for c := range chains {
		for range regs {
			a := s.reg()
			if s.wide {
				VPXORQ(a, a, a)
			} else {
				VXORPS(a, a, a)
			}
			acc[c] = append(acc[c], a)
		}
	}
	l, err := Param("limit").Resolve()
	if err != nil {
		panic(err)
	}
	s.broadcast(l.Addr, limit)
	feature := func(c int) {
		s.broadcast(Mem{Base: at, Disp: 4 * c}, x)
		for v := range regs {
			VSUBPS(Mem{Base: pan, Disp: c*4*columnRows + v*s.bytes()}, x, tmp)
			s.fma231(tmp, tmp, acc[c][v])
		}
	}
	Label("four")
	CMPQ(left, Imm(chains))
	JL(jump("one"))
	for c := range chains {
		feature(c)
	}
	ADDQ(Imm(4*chains), at)
	ADDQ(U32(4*columnRows*chains), pan)
	SUBQ(Imm(chains), left)
	JMP(jump("four"))
	Label("one")
	TESTQ(left, left)
	JZ(jump("summed"))
	feature(0)
	ADDQ(Imm(4), at)
	ADDQ(U32(4*columnRows), pan)
	DECQ(left)
	JMP(jump("one"))
	Label("summed")
	for c := 1; c < chains; c++ {
		for v := range regs {
			VADDPS(acc[c][v], acc[0][v], acc[0][v])
		}
	}
	const atMost = 0x12
	bits, some := GP32(), GP32()
	if s.wide {
		k := K()
		s.compare(atMost, acc[0][0], limit, k)
		KMOVW(k, bits)
	} else {
		s.compare(atMost, acc[0][1], limit, tmp)
		VMOVMSKPS(tmp, bits)
		SHLL(Imm(8), bits)
		s.compare(atMost, acc[0][0], limit, tmp)
		VMOVMSKPS(tmp, some)
		ORL(some, bits)
	}
	MOVW(bits.As16(), Mem{Base: mask})
	VZEROUPPER()
	RET()
}
