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
// smallest stay in memory (state); at the end of the row the lanes are folded.
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
		", panels int, half int, state *"+num+", label *int32, best *"+num+", second *"+num+")")
	Pragma("noescape")
	Doc(name + " scores rows against packed centres, a whole tile at a time.")
	t := newTiler(s)
	t.window = window
	tilesLeft := Load(Param("tiles"), GP64())

	Label("rows")
	t.clear()
	Load(Param("pan"), t.pan)
	Load(Param("norm"), t.cn)
	XORL(t.vector.As32(), t.vector.As32())
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
	JZ(jump("folding"))
	t.panel(1, "half")
	Label("folding")
	for r := range t.rows {
		t.foldRow(r)
	}
	t.next()
	DECQ(tilesLeft)
	JNZ(jump("rows"))
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
	return t
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

// panel scores the tile against regs registers of centres.
func (t *tiler) panel(regs int, name string) {
	// The first feature needs no separate start: acc = x·b + norm. The norms
	// use the two registers that later hold broadcast features.
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
	left := Load(Param("d"), GP64())
	DECQ(left)
	const unroll = 4
	Label(name + "Four")
	CMPQ(left, Imm(unroll))
	JL(jump(name + "One"))
	for u := range unroll {
		t.feature(u, regs)
	}
	t.advance(unroll, regs)
	SUBQ(Imm(unroll), left)
	JMP(jump(name + "Four"))
	Label(name + "One")
	TESTQ(left, left)
	JZ(jump(name + "Scored"))
	t.feature(0, regs)
	t.advance(1, regs)
	DECQ(left)
	JMP(jump(name + "One"))
	Label(name + "Scored")

	back := Load(Param("d"), GP64())
	if t.double {
		SHLQ(Imm(3), back)
	} else {
		SHLQ(Imm(2), back)
	}
	for _, b := range t.bases {
		SUBQ(back, b)
	}
	ADDQ(U32(regs*t.bytes()), t.cn)
	t.keep(regs)
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

// foldRow folds the lanes of row r: the smallest score, its label, and the
// smallest of all other scores.
func (t *tiler) foldRow(r int) {
	lowest, m, x, other := t.acc[0][0], t.acc[0][1], t.acc[1][0], t.acc[1][1]
	label := Load(Param("label"), GP64())
	best := Load(Param("best"), GP64())
	second := Load(Param("second"), GP64())
	t.load(t.best(r), lowest)
	t.foldMin(lowest, m, x)
	// The lowest lane that holds the minimum wins.
	lane, number := GP64(), GP64()
	if t.wide {
		k := K()
		t.equal(lowest, m, k)
		bits, won := GP32(), GP32()
		KMOVW(k, bits)
		t.some(bits)
		BLSIL(bits, won)
		TZCNTL(bits, lane.As32())
		KMOVW(won, k)
		t.infinity(x)
		if t.double {
			VMOVAPD(x, k, lowest)
		} else {
			VMOVAPS(x, k, lowest)
		}
	} else {
		t.equal(lowest, m, x)
		bits := GP32()
		if t.double {
			VMOVMSKPD(x, bits)
		} else {
			VMOVMSKPS(x, bits)
		}
		t.some(bits)
		TZCNTL(bits, lane.As32())
		t.infinity(x)
		t.without(lowest, x, other, lane)
	}
	t.min(t.second(r), lowest, lowest)
	t.foldMin(lowest, other, x)
	if t.double {
		MOVQ(Mem{Base: t.state, Index: lane, Scale: 8, Disp: t.held(r).Disp}, number)
		VMOVSD(m.AsX(), Mem{Base: best, Disp: r * 8})
		VMOVSD(other.AsX(), Mem{Base: second, Disp: r * 8})
	} else {
		MOVL(Mem{Base: t.state, Index: lane, Scale: 4, Disp: t.held(r).Disp}, number.As32())
		VMOVSS(m.AsX(), Mem{Base: best, Disp: r * 4})
		VMOVSS(other.AsX(), Mem{Base: second, Disp: r * 4})
	}
	SHLQ(Imm(uint64(t.foldSteps())), number) // times the lanes
	ADDQ(lane, number)
	MOVL(number.As32(), Mem{Base: label, Disp: r * 4})
}

// some sets the last lane's bit: where a NaN equals nothing, a lane is found
// all the same, and no address strays.
func (t *tiler) some(bits Register) { ORL(U32(1<<(t.lanes()-1)), bits) }

// without writes +Inf, which inf holds, into one lane of v.
func (t *tiler) without(v, inf, mask VecVirtual, lane GPVirtual) {
	at, back := GP64(), GP64()
	LEAQ(t.window, at)
	MOVQ(lane, back)
	NEGQ(back)
	m := Mem{Base: at, Index: back, Scale: uint8(t.size()), Disp: (t.lanes() - 1) * t.size()}
	t.load(m, mask)
	if t.double {
		VBLENDVPD(mask, inf, v, v)
	} else {
		VBLENDVPS(mask, inf, v, v)
	}
}

// foldMin sets every lane of to to the smallest of a.
func (t *tiler) foldMin(a, to, spare VecVirtual) {
	from := a
	for step := range t.foldSteps() {
		t.fold(step, from, spare)
		t.min(from, spare, to)
		from = to
	}
}

// next moves on by a tile.
func (t *tiler) next() {
	for _, b := range t.bases {
		// rows·stride, as 7·stride once or twice, or 6·stride.
		if t.rows == 6 {
			LEAQ(Mem{Base: b, Index: t.s[1], Scale: 2}, b)
			continue
		}
		LEAQ(Mem{Base: b, Index: t.s[1], Scale: 4}, b)
		LEAQ(Mem{Base: b, Index: t.s[0], Scale: 2}, b)
	}
	for _, p := range []struct {
		name string
		size int
	}{{"label", 4}, {"best", t.size()}, {"second", t.size()}} {
		g := Load(Param(p.name), GP64())
		ADDQ(Imm(uint64(t.rows*p.size)), g)
		Store(g, Param(p.name))
	}
}
