package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// peaks writes loops of nothing but fused multiply-adds on float32 numbers,
// peakChains independent ones a turn: what the machine can do at most.
func peaks() {
	for _, s := range []isa{{wide: true}, {}} {
		peak(s)
	}
}

const peakChains = 12

func peak(s isa) {
	name := "peak" + s.suffix()
	TEXT(name, NOSPLIT, "func(turns int)")
	Doc(name + " does 12 fused multiply-adds on registers of float32 in each turn.")
	turns := Load(Param("turns"), GP64())
	var acc []VecVirtual
	for range peakChains {
		v := s.reg()
		VXORPS(v.AsY(), v.AsY(), v.AsY())
		acc = append(acc, v)
	}
	Label("turn")
	for _, a := range acc {
		VFMADD231PS(a, a, a)
	}
	DECQ(turns)
	JNZ(jump("turn"))
	VZEROUPPER()
	RET()
}
