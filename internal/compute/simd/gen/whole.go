package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// whole writes the kernels that score in whole numbers: rows and centres are
// int16, their products int32, two features to an instruction (AVX512-VNNI), so
// that a multiplication costs half of one in float32. A score carries the
// number of its centre in its lowest bits: the smaller of two scores then needs
// no comparison beside it to say whose it is.
func whole() {
	wholeTile()
	wholeRound()
	wholeProve()
}

// pairs adds to each number of acc the products of two features: a pair of
// int16 of the centre times the row's.
func pairs(centre, row, acc VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPDPWSSD",
		Operands: []Op{centre, row, acc},
		Inputs:   []Op{centre, row, acc},
		Outputs:  []Op{acc},
		ISA:      []string{"AVX512_VNNI"},
	})
}

// wholeTile writes the scoring kernel: tiles of 14 rows against panels of two
// registers of centres, as in tile. For each row and lane the two smallest
// scores stay in state; at the end of a tile the rows are folded together, so
// that one register has the smallest score of every row.
func wholeTile() {
	TEXT("whole16z", NOSPLIT, "func(x *int16, stride int, pairs int, tiles int, pan *int16, start *int32, number *int32, mask int32, panels int, half int, state *int32, best *int32, second *int32, ahead uintptr, step int)")
	Pragma("noescape")
	Doc("whole16z scores rows against packed centres in whole numbers, a whole tile at a time.")
	t := newTiler(isa{wide: true})
	tilesLeft := Load(Param("tiles"), GP64())
	number := GP64()

	Label("rows")
	t.wholeClear()
	Load(Param("pan"), t.pan)
	Load(Param("start"), t.cn)
	Load(Param("number"), number)
	left := Load(Param("panels"), GP64())
	TESTQ(left, left)
	JZ(jump("rest"))
	Label("panel")
	t.wholePanel(panelRegs, "full", number)
	DECQ(left)
	JNZ(jump("panel"))
	Label("rest")
	half := Load(Param("half"), GP64())
	TESTQ(half, half)
	JZ(jump("folding"))
	t.wholePanel(1, "half", number)
	Label("folding")
	t.wholeFold()
	t.next("best", "second")
	DECQ(tilesLeft)
	JNZ(jump("rows"))
	VZEROUPPER()
	RET()
}

// wholeClear sets the state to the largest number.
func (t *tiler) wholeClear() {
	g, most := GP32(), t.b[0]
	MOVL(U32(1<<31-1), g)
	VPBROADCASTD(g, most)
	for r := range t.rows {
		VMOVDQU32(most, t.best(r))
		VMOVDQU32(most, t.second(r))
	}
}

// wholePanel scores the tile against regs registers of centres.
func (t *tiler) wholePanel(regs int, name string, number GPVirtual) {
	left, ahead := Load(Param("pairs"), GP64()), Load(Param("ahead"), GP64())
	for v := range regs {
		VMOVDQU32(Mem{Base: t.cn, Disp: v * t.bytes()}, t.t[v])
	}
	for r := range t.rows {
		for v := range regs {
			VMOVDQA32(t.t[v], t.acc[r][v])
		}
	}
	const unroll = 4
	Label(name + "Four")
	SUBQ(Imm(unroll), left)
	JL(jump(name + "Few"))
	PREFETCHT1(Mem{Base: ahead})
	PREFETCHT1(Mem{Base: ahead, Disp: 64})
	ADDQ(param("step"), ahead)
	for u := range unroll {
		t.wholePair(u, regs)
	}
	t.advance(unroll, regs)
	JMP(jump(name + "Four"))
	Label(name + "Few")
	ADDQ(Imm(unroll), left)
	JZ(jump(name + "Summed"))
	Label(name + "One")
	t.wholePair(0, regs)
	t.advance(1, regs)
	DECQ(left)
	JNZ(jump(name + "One"))
	Label(name + "Summed")
	Store(ahead, Param("ahead"))
	t.move(Load(Param("pairs"), GP64()).(GPVirtual), false)
	t.wholeKeep(regs, number)
	ADDQ(U32(regs*t.bytes()), t.cn)
	ADDQ(U32(regs*t.bytes()), number)
}

// wholePair adds the pair u of the unrolled loop to every accumulator.
func (t *tiler) wholePair(u, regs int) {
	for v := range regs {
		VMOVDQU32(Mem{Base: t.pan, Disp: (u*regs + v) * t.bytes()}, t.b[v])
	}
	for r := range t.rows {
		x := t.t[r%2]
		VPBROADCASTD(t.at(r, 4*u), x)
		for v := range regs {
			pairs(t.b[v], x, t.acc[r][v])
		}
	}
}

// wholeKeep writes the centres' numbers into the scores and updates the state.
func (t *tiler) wholeKeep(regs int, number GPVirtual) {
	mask := t.b[0]
	VBROADCASTSS(param("mask"), mask)
	for v := range regs {
		VMOVDQU32(Mem{Base: number, Disp: v * t.bytes()}, t.t[v])
	}
	best := t.b[1]
	for r := range t.rows {
		for v := range regs {
			// mask ? number : score
			VPTERNLOGD(Imm(0xb8), t.t[v], mask, t.acc[r][v])
		}
		low, other := t.acc[r][0], t.acc[r][1]
		if regs == 1 {
			VPMAXSD(t.best(r), low, other)
		} else {
			spare := best
			VPMINSD(low, other, spare)
			VPMAXSD(low, other, other)
			VPMAXSD(t.best(r), spare, low)
			VPMINSD(low, other, other)
			low = spare
		}
		VPMINSD(t.best(r), low, low)
		VPMINSD(t.second(r), other, other)
		VMOVDQU32(low, t.best(r))
		VMOVDQU32(other, t.second(r))
	}
}

// wholeFold writes the two smallest scores of every row. Two registers, of two
// rows or of two groups of rows, are dealt out to two others, each with half
// the numbers of both; the smaller of these two is one register for both. After
// four rounds each lane has a row of its own, in order.
func (t *tiler) wholeFold() {
	type pair struct{ best, second VecVirtual }
	var rows []pair
	for r := range t.rows {
		p := pair{t.acc[r][0], t.acc[r][1]}
		VMOVDQU32(t.best(r), p.best)
		VMOVDQU32(t.second(r), p.second)
		rows = append(rows, p)
	}
	s := [4]VecVirtual{t.b[0], t.b[1], t.t[0], t.t[1]}
	deal := func(round int, a, b, low, high VecVirtual) {
		switch round {
		case 0:
			VPUNPCKLDQ(b, a, low)
			VPUNPCKHDQ(b, a, high)
		case 1:
			VPUNPCKLQDQ(b, a, low)
			VPUNPCKHQDQ(b, a, high)
		default:
			VSHUFI32X4(Imm(0x88), b, a, low)
			VSHUFI32X4(Imm(0xdd), b, a, high)
		}
	}
	for round := range 4 {
		var next []pair
		for i := 0; i < len(rows); i += 2 {
			a, b := rows[i], rows[min(i+1, len(rows)-1)] // the last may meet itself: its lanes are not read
			deal(round, a.best, b.best, s[0], s[1])
			deal(round, a.second, b.second, s[2], s[3])
			VPMINSD(s[0], s[1], a.best)
			VPMAXSD(s[0], s[1], s[0])
			VPMINSD(s[2], s[3], s[2])
			VPMINSD(s[0], s[2], a.second)
			next = append(next, a)
		}
		rows = next
	}
	bits, k := GP32(), K()
	MOVL(U32(1<<t.rows-1), bits)
	KMOVW(bits, k)
	VMOVDQU32(rows[0].best, k, Mem{Base: Load(Param("best"), GP64())})
	VMOVDQU32(rows[0].second, k, Mem{Base: Load(Param("second"), GP64())})
}
