package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
		VMOVSD(m.AsX(), Mem{Base: best, Disp: r * 8})
		VMOVSD(other.AsX(), Mem{Base: second, Disp: r * 8})
	} else {
		VMOVSS(m.AsX(), Mem{Base: best, Disp: r * 4})
		VMOVSS(other.AsX(), Mem{Base: second, Disp: r * 4})
	}
	t.number(r, lane, number)
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

// prove writes the labels of rows whose best score is alone within need.
func (t *tiler) prove() {
	for r := range t.rows {
		lowest, m, x := t.acc[r%4*3/2][r%4*3%2], t.acc[(r%4*3+1)/2][(r%4*3+1)%2], t.acc[(r%4*3+2)/2][(r%4*3+2)%2]
		t.load(t.best(r), lowest)
		t.foldMin(lowest, m, x)
		t.proveRow(r, lowest, m, x)
	}
}

// proveRow is prove for row r, whose best scores are in lowest and the smallest
// of them in every lane of m.
func (t *tiler) proveRow(r int, lowest, m, x VecVirtual) {
	need, label := Load(Param("need"), GP64()), Load(Param("label"), GP64())
	t.broadcast(Mem{Base: need, Disp: r * t.size()}, x)
	if t.double {
		VADDPD(x, m, m)
	} else {
		VADDPS(x, m, m)
	}
	near, others := GP32(), GP32()
	if t.wide {
		k, l := K(), K()
		t.compare(0x12, lowest, m, k)      // at most m + need
		t.compare(0x15, m, t.second(r), l) // not above it: also where there is a NaN
		KMOVW(k, near)
		KMOVW(l, others)
	} else {
		t.compare(0x15, m, t.second(r), x)
		t.compare(0x12, lowest, m, lowest)
		if t.double {
			VMOVMSKPD(lowest, near)
			VMOVMSKPD(x, others)
		} else {
			VMOVMSKPS(lowest, near)
			VMOVMSKPS(x, others)
		}
	}
	// Another lane, or another score in a lane, turns the label to −1.
	more := GP32()
	BLSRL(near, more)
	ORL(more, others)
	t.some(near)
	lane, number := GP64(), GP64()
	TZCNTL(near, lane.As32())
	t.number(r, lane, number)
	NEGL(others)
	SBBL(others, others)
	ORL(others, number.As32())
	MOVL(number.As32(), Mem{Base: label, Disp: r * 4})
}

// number sets label to the label of the best score of row r in a lane.
func (t *tiler) number(r int, lane, label GPVirtual) {
	at := Mem{Base: t.state, Index: lane, Scale: uint8(t.size()), Disp: t.held(r).Disp}
	if t.double {
		MOVQ(at, label)
	} else {
		MOVL(at, label.As32())
	}
	SHLQ(Imm(uint64(t.foldSteps())), label) // times the lanes
	ADDQ(lane, label)
}
