package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An isa is an instruction set and the precision of the numbers it works on.
type isa struct {
	wide   bool // AVX-512; otherwise AVX2 with FMA
	double bool
}

var all = []isa{{true, false}, {true, true}, {false, false}, {false, true}}

// suffix ends the name of a kernel: 32 or 64 for the numbers, z or y for the
// registers.
func (s isa) suffix() string {
	n := "32"
	if s.double {
		n = "64"
	}
	if s.wide {
		return n + "z"
	}
	return n + "y"
}

// size is the number of bytes of one number.
func (s isa) size() int {
	if s.double {
		return 8
	}
	return 4
}

// bytes is the width of a register.
func (s isa) bytes() int {
	if s.wide {
		return 64
	}
	return 32
}

func (s isa) lanes() int { return s.bytes() / s.size() }

func (s isa) reg() VecVirtual {
	if s.wide {
		return ZMM()
	}
	return YMM()
}

func (s isa) load(from, to Op) {
	if s.double {
		VMOVUPD(from, to)
	} else {
		VMOVUPS(from, to)
	}
}

func (s isa) broadcast(from, to Op) {
	if s.double {
		VBROADCASTSD(from, to)
	} else {
		VBROADCASTSS(from, to)
	}
}

// fma231 does c += a·b.
func (s isa) fma231(a, b, c Op) {
	if s.double {
		VFMADD231PD(a, b, c)
	} else {
		VFMADD231PS(a, b, c)
	}
}

// fma213 does c = b·c + a.
func (s isa) fma213(a, b, c Op) {
	if s.double {
		VFMADD213PD(a, b, c)
	} else {
		VFMADD213PS(a, b, c)
	}
}

func (s isa) min(a, b, to Op) {
	if s.double {
		VMINPD(a, b, to)
	} else {
		VMINPS(a, b, to)
	}
}

func (s isa) max(a, b, to Op) {
	if s.double {
		VMAXPD(a, b, to)
	} else {
		VMAXPS(a, b, to)
	}
}

// less sets to, a mask, where a < b. Neither signals on a NaN.
func (s isa) less(a, b, to Op) { s.compare(0x11, a, b, to) }

// notLess sets to, a mask, where a < b does not hold.
func (s isa) notLess(a, b, to Op) { s.compare(0x15, a, b, to) }

// equal sets to, a mask, where a = b.
func (s isa) equal(a, b, to Op) { s.compare(0, a, b, to) }

func (s isa) compare(how uint64, a, b, to Op) {
	if s.double {
		VCMPPD(Imm(how), b, a, to)
	} else {
		VCMPPS(Imm(how), b, a, to)
	}
}

// foldSteps is the number of halvings that leave one lane.
func (s isa) foldSteps() int {
	n := 0
	for w := s.lanes(); w > 1; w /= 2 {
		n++
	}
	return n
}

// fold sets to to the lanes of a exchanged at a distance: half the register in
// step 0, neighbours in the last.
func (s isa) fold(step int, a, to Op) {
	left := s.foldSteps() - 1 - step // 0: neighbours
	switch {
	case s.double && left == 0:
		VPERMILPD(Imm(0x55), a, to)
	case !s.double && left == 0:
		VPERMILPS(Imm(0xb1), a, to)
	case !s.double && left == 1:
		VPERMILPS(Imm(0x4e), a, to)
	case !s.wide:
		VPERM2F128(Imm(1), a, a, to)
	case step == 0:
		VSHUFF64X2(Imm(0x4e), a, a, to)
	default:
		VSHUFF64X2(Imm(0xb1), a, a, to)
	}
}

// lane declares 2·lanes−1 numbers of which only the middle one is all ones: the
// part that starts at lanes−1−j has lane j set.
func (s isa) lane() Mem {
	m := GLOBL("lane"+s.suffix(), RODATA|NOPTR)
	for i := range 2*s.lanes() - 1 {
		v := uint64(0)
		if i == s.lanes()-1 {
			v = ^uint64(0)
		}
		s.number(i, v)
	}
	return m
}

// prefix declares lanes numbers of all ones, then as many zeros: the part that
// starts at lanes−r has the first r lanes set.
func (s isa) prefix(name string, lanes int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 2 * lanes {
		v := uint64(0)
		if i < lanes {
			v = ^uint64(0)
		}
		s.number(i, v)
	}
	return m
}

func (s isa) number(i int, v uint64) {
	if s.double {
		DATA(8*i, U64(v))
	} else {
		DATA(4*i, U32(v))
	}
}

// jump is a reference to a label.
func jump(name string) LabelRef { return LabelRef(name) }

// param is where a parameter of the kernel lies.
func param(name string) Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}
