package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tiles writes the scoring kernels. A tile is a few rows against a panel of
// two registers of centres; its accumulators start at the centres' norms, so
// that after all features they are the scores ‖c‖² − 2x·c. For each row and
// lane the smallest score, the second smallest and the register that held the
// smallest stay in memory (state); at the end of the tile the lanes are folded.
// If second is nil, the label is written where every other score exceeds the
// smallest by more than need, and −1 elsewhere; otherwise the label and the two
// smallest scores. Meanwhile two cache lines at ahead are fetched for every four
// features of a panel, and ahead moves by step.
//
// Features are taken in blocks, so that the rows of a tile stay in the first
// cache however long they are; between blocks the accumulators wait in part.
func tiles() {
	for _, s := range all {
		tile(s)
	}
}

// tileRows is the number of rows of a tile: with two accumulators for each row
// they fill the registers but for four.
func (s isa) tileRows() int {
	if s.wide {
		return 14
	}
	return 6
}

const panelRegs = 2

// A tiler holds the registers of one kernel.
type tiler struct {
	isa
	rows    int
	bases   []GPVirtual // of rows 0, 7, ...
	s       [3]GPVirtual
	acc     [][]VecVirtual
	b       []VecVirtual // a row of the panel
	t       [2]VecVirtual
	pan, cn Register
	state   Register
	vector  GPVirtual // the number of the panel's first register
	window  Mem       // a set lane among clear ones, for AVX2

	// On the stack: features done, features in this block, where the
	// accumulators of the next panel wait.
	done, now, part Mem
}

func tile(s isa) {
	var window Mem
	if !s.wide {
		window = s.lane()
	}
	num := "float32"
	if s.double {
		num = "float64"
	}
	name := "tile" + s.suffix()
	TEXT(name, NOSPLIT, "func(x *"+num+", stride int, d int, tiles int, pan *"+num+", norm *"+num+
		", panels int, half int, state *"+num+", need *"+num+", label *int32, best *"+num+", second *"+num+
		", ahead uintptr, step int, block int, part *"+num+")")
	Pragma("noescape")
	Doc(name + " scores rows against packed centres, a whole tile at a time.")
	t := newTiler(s)
	t.window = window
	tilesLeft := Load(Param("tiles"), GP64())

	Label("rows")
	t.clear()
	MOVQ(U32(0), t.done)
	Label("block")
	t.startBlock()
	left := Load(Param("panels"), GP64())
	TESTQ(left, left)
	JZ(jump("rest"))
	Label("panel")
	t.panel(panelRegs, "full")
	DECQ(left)
	JNZ(jump("panel"))
	Label("rest")
	half := Load(Param("half"), GP64())
	TESTQ(half, half)
	JZ(jump("blockDone"))
	t.panel(1, "half")
	Label("blockDone")
	t.endBlock()
	JL(jump("block"))
	t.move(Load(Param("d"), GP64()).(GPVirtual), false)
	Label("folding")
	second := Load(Param("second"), GP64())
	TESTQ(second, second)
	JZ(jump("prove"))
	for r := range t.rows {
		t.foldRow(r)
	}
	t.next("need", "label", "best", "second")
	DECQ(tilesLeft)
	JNZ(jump("rows"))
	JMP(jump("done"))
	Label("prove")
	t.prove()
	t.next("need", "label")
	DECQ(tilesLeft)
	JNZ(jump("rows"))
	Label("done")
	VZEROUPPER()
	RET()
}

func newTiler(s isa) *tiler {
	t := &tiler{isa: s, rows: s.tileRows()}
	x := Load(Param("x"), GP64()).(GPVirtual)
	t.s[0] = Load(Param("stride"), GP64()).(GPVirtual)
	t.s[1], t.s[2] = GP64(), GP64()
	LEAQ(Mem{Base: t.s[0], Index: t.s[0], Scale: 2}, t.s[1])
	LEAQ(Mem{Base: t.s[0], Index: t.s[0], Scale: 4}, t.s[2])
	t.bases = []GPVirtual{x}
	for r := 7; r < t.rows; r += 7 {
		b := GP64()
		LEAQ(Mem{Base: t.bases[len(t.bases)-1], Index: t.s[1], Scale: 2}, b)
		ADDQ(t.s[0], b)
		t.bases = append(t.bases, b)
	}
	t.pan, t.cn, t.vector = GP64(), GP64(), GP64()
	t.state = Load(Param("state"), GP64())
	for range t.rows {
		t.acc = append(t.acc, []VecVirtual{s.reg(), s.reg()})
	}
	t.b = []VecVirtual{s.reg(), s.reg()}
	t.t = [2]VecVirtual{s.reg(), s.reg()}
	local := AllocLocal(24)
	t.done, t.now, t.part = local, local.Offset(8), local.Offset(16)
	return t
}

// startBlock chooses the features to take now and goes to the first panel.
func (t *tiler) startBlock() {
	now, most, done := Load(Param("d"), GP64()), Load(Param("block"), GP64()), GP64()
	MOVQ(t.done, done)
	SUBQ(done, now)
	CMPQ(now, most)
	CMOVQGT(most, now)
	MOVQ(now, t.now)
	part := Load(Param("part"), GP64())
	MOVQ(part, t.part)
	Load(Param("pan"), t.pan)
	t.skip(done, panelRegs)
	Load(Param("norm"), t.cn)
	XORL(t.vector.As32(), t.vector.As32())
}

// endBlock goes on to the next features and compares what is done with d.
func (t *tiler) endBlock() {
	now, done, d := GP64(), GP64(), Load(Param("d"), GP64())
	MOVQ(t.now, now)
	MOVQ(t.done, done)
	ADDQ(now, done)
	MOVQ(done, t.done)
	t.move(now, true)
	CMPQ(done, d)
}

// move moves the rows by features, on or back. features is overwritten.
func (t *tiler) move(features GPVirtual, on bool) {
	if t.double {
		SHLQ(Imm(3), features)
	} else {
		SHLQ(Imm(2), features)
	}
	for _, b := range t.bases {
		if on {
			ADDQ(features, b)
		} else {
			SUBQ(features, b)
		}
	}
}

// skip moves the panel on by features. features is overwritten.
func (t *tiler) skip(features GPVirtual, regs int) {
	shift := uint64(4 + regs)
	if t.wide {
		shift++
	}
	SHLQ(Imm(shift), features) // times regs·bytes
	ADDQ(features, t.pan)
}

// at is the address of a feature of row r, off bytes on.
func (t *tiler) at(r, off int) Mem {
	m := Mem{Base: t.bases[r/7], Disp: off}
	switch r % 7 {
	case 1, 2, 4:
		m.Index, m.Scale = t.s[0], uint8(r%7)
	case 3, 6:
		m.Index, m.Scale = t.s[1], uint8(r%7/3)
	case 5:
		m.Index, m.Scale = t.s[2], 1
	}
	return m
}

// The state of row r: smallest, second smallest, register of the smallest.
func (t *tiler) best(r int) Mem   { return Mem{Base: t.state, Disp: (3*r + 0) * t.bytes()} }
func (t *tiler) second(r int) Mem { return Mem{Base: t.state, Disp: (3*r + 1) * t.bytes()} }
func (t *tiler) held(r int) Mem   { return Mem{Base: t.state, Disp: (3*r + 2) * t.bytes()} }

// infinity fills a register with +Inf.
func (t *tiler) infinity(to VecVirtual) {
	g := GP64()
	if t.double {
		MOVQ(U64(0x7ff0000000000000), g)
	} else {
		MOVQ(U64(0x7f800000), g)
	}
	t.fill(g, to)
}

// fill broadcasts a general register as one number a lane.
func (t *tiler) fill(g GPVirtual, to VecVirtual) {
	switch {
	case t.wide && t.double:
		VPBROADCASTQ(g, to)
	case t.wide:
		VPBROADCASTD(g.As32(), to)
	case t.double:
		VMOVQ(g, to.AsX())
		VPBROADCASTQ(to.AsX(), to)
	default:
		VMOVD(g.As32(), to.AsX())
		VPBROADCASTD(to.AsX(), to)
	}
}

func (t *tiler) clear() {
	inf := t.b[0]
	t.infinity(inf)
	for r := range t.rows {
		t.load(inf, t.best(r))
		t.load(inf, t.second(r))
	}
}

// panel scores the tile against regs registers of centres, as far as the
// features of this block go.
func (t *tiler) panel(regs int, name string) {
	left, done, ahead := GP64(), GP64(), Load(Param("ahead"), GP64())
	step, err := Param("step").Resolve()
	if err != nil {
		panic(err)
	}
	MOVQ(t.now, left)
	MOVQ(t.done, done)
	if regs == 1 {
		// The first panel was taken for a full one.
		t.halfBack(done)
	}
	TESTQ(done, done)
	JNZ(jump(name + "Resume"))
	t.first(regs)
	DECQ(left)
	JMP(jump(name + "Four"))
	Label(name + "Resume")
	t.eachWaiting(regs, func(at Mem, acc VecVirtual) { t.load(at, acc) })

	const unroll = 4
	Label(name + "Four")
	CMPQ(left, Imm(unroll))
	JL(jump(name + "One"))
	PREFETCHT1(Mem{Base: ahead})
	PREFETCHT1(Mem{Base: ahead, Disp: 64})
	ADDQ(step.Addr, ahead)
	for u := range unroll {
		t.feature(u, regs)
	}
	t.advance(unroll, regs)
	SUBQ(Imm(unroll), left)
	JMP(jump(name + "Four"))
	Label(name + "One")
	TESTQ(left, left)
	JZ(jump(name + "Summed"))
	t.feature(0, regs)
	t.advance(1, regs)
	DECQ(left)
	JMP(jump(name + "One"))
	Label(name + "Summed")

	Store(ahead, Param("ahead"))
	ADDQ(U32(regs*t.bytes()), t.cn)
	now, rest := GP64(), Load(Param("d"), GP64()).(GPVirtual)
	MOVQ(t.now, now)
	SUBQ(now, rest)
	t.move(now, false)
	end := GP64()
	MOVQ(rest, end)
	t.skip(rest, regs)
	// All features are done where what is left was done before.
	CMPQ(end, t.done)
	JNE(jump(name + "Wait"))
	t.keep(regs)
	JMP(jump(name + "Kept"))
	Label(name + "Wait")
	t.eachWaiting(regs, func(at Mem, acc VecVirtual) { t.load(acc, at) })
	Label(name + "Kept")
	ADDQ(U32(t.rows*regs*t.bytes()), t.part)
}

// first takes the first feature, which needs no separate start: acc = x·b +
// norm. The norms use the registers that later hold broadcast features.
func (t *tiler) first(regs int) {
	for v := range regs {
		t.load(Mem{Base: t.cn, Disp: v * t.bytes()}, t.t[v])
		t.load(Mem{Base: t.pan, Disp: v * t.bytes()}, t.b[v])
	}
	for r := range t.rows {
		for v := range regs {
			t.broadcast(t.at(r, 0), t.acc[r][v])
			t.fma213(t.t[v], t.b[v], t.acc[r][v])
		}
	}
	t.advance(1, regs)
}

// eachWaiting calls do with each accumulator and where it waits.
func (t *tiler) eachWaiting(regs int, do func(at Mem, acc VecVirtual)) {
	part := GP64()
	MOVQ(t.part, part)
	for r := range t.rows {
		for v := range regs {
			do(Mem{Base: part, Disp: (r*regs + v) * t.bytes()}, t.acc[r][v])
		}
	}
}

// halfBack corrects the address of the half panel: startBlock counted the
// features done as those of full panels.
func (t *tiler) halfBack(done GPVirtual) {
	over := GP64()
	MOVQ(done, over)
	NEGQ(over)
	t.skip(over, 1)
}

// feature adds feature u of the unrolled loop to every accumulator.
func (t *tiler) feature(u, regs int) {
	for v := range regs {
		t.load(Mem{Base: t.pan, Disp: (u*regs + v) * t.bytes()}, t.b[v])
	}
	for r := range t.rows {
		x := t.t[r%2]
		t.broadcast(t.at(r, u*t.size()), x)
		for v := range regs {
			t.fma231(t.b[v], x, t.acc[r][v])
		}
	}
}

func (t *tiler) advance(features, regs int) {
	for _, b := range t.bases {
		ADDQ(U32(features*t.size()), b)
	}
	ADDQ(U32(features*regs*t.bytes()), t.pan)
}

// keep updates the state with the scores in the accumulators.
func (t *tiler) keep(regs int) {
	number := t.t
	for v := range regs {
		t.fill(t.vector, number[v])
		INCQ(t.vector)
	}
	best, spare := t.b[0], t.b[1]
	for r := range t.rows {
		t.load(t.best(r), best)
		free := spare
		for v := range regs {
			a := t.acc[r][v]
			t.mark(a, best, number[v], free, t.held(r))
			t.max(a, best, free)
			t.min(a, best, best)
			free = a // the larger of each comparison goes where room is
		}
		if regs == 2 {
			t.min(t.acc[r][0], spare, spare)
		}
		t.min(t.second(r), spare, spare)
		t.load(spare, t.second(r))
		t.load(best, t.best(r))
	}
}

// mark stores number where a < best. spare is overwritten.
func (t *tiler) mark(a, best, number, spare VecVirtual, at Mem) {
	switch k := K(); {
	case t.wide && t.double:
		t.less(a, best, k)
		VMOVDQU64(number, k, at)
	case t.wide:
		t.less(a, best, k)
		VMOVDQU32(number, k, at)
	case t.double:
		t.notLess(a, best, spare)
		VBLENDVPD(spare, at, number, spare)
		VMOVUPD(spare, at)
	default:
		t.notLess(a, best, spare)
		VBLENDVPS(spare, at, number, spare)
		VMOVUPS(spare, at)
	}
}

// next moves on by a tile.
func (t *tiler) next(params ...string) {
	for _, b := range t.bases {
		// rows·stride, as 4·3 + 2 or as 2·3 strides.
		if t.rows == 6 {
			LEAQ(Mem{Base: b, Index: t.s[1], Scale: 2}, b)
			continue
		}
		LEAQ(Mem{Base: b, Index: t.s[1], Scale: 4}, b)
		LEAQ(Mem{Base: b, Index: t.s[0], Scale: 2}, b)
	}
	for _, p := range params {
		size := t.size()
		if p == "label" {
			size = 4
		}
		g := Load(Param(p), GP64())
		ADDQ(Imm(uint64(t.rows*size)), g)
		Store(g, Param(p))
	}
}
