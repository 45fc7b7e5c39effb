package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectors writes the kernels of dense and sparse linear algebra and of forces, in float64 but for stepv.
// Nothing is fused, and sums are kept in sixteen parts: the bits are those of
// plain Go. Lengths are multiples of 16 and not 0.
func vectors() {
	innerv()
	innerAddv()
	addv()
	add4v()
	turnv()
	rotatev()
	butterfliesv()
	for _, p := range []int{4, 8, 12, 16, 20, 24, 28, 32} {
		gatherv(p)
	}
	stepv(8)
	stepv(16)
	pullv()
}

const parts16 = 4 // registers of sixteen numbers

// over begins a kernel and returns its pointers; sixteen calls body for the
// registers of sixteen numbers at the running offset.
func over(name, doc, sig string, pointers ...string) (p map[string]Register, at, n Register) {
	TEXT(name, NOSPLIT, "func("+sig)
	Pragma("noescape")
	Doc(name + " " + doc)
	p = map[string]Register{}
	for _, q := range pointers {
		p[q] = Load(Param(q), GP64())
	}
	n = Load(Param("n"), GP64())
	at = GP64()
	XORQ(at, at)
	return p, at, n
}

func sixteen(at, n Register, body func(i int)) {
	Label("sixteen")
	for i := range parts16 {
		body(i)
	}
	ADDQ(Imm(16), at)
	CMPQ(at, n)
	JL(jump("sixteen"))
}

func quad(base, at Register, i int) Mem {
	return Mem{Base: base, Index: at, Scale: 8, Disp: 32 * i}
}

func spread(param string) VecVirtual {
	v := YMM()
	m, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(m.Addr, v)
	return v
}

func zeros() (acc [parts16]VecVirtual) {
	for i := range acc {
		acc[i] = YMM()
		VXORPD(acc[i], acc[i], acc[i])
	}
	return acc
}

// total adds up the parts: those eight apart, four, two, one.
func total(acc [parts16]VecVirtual) {
	VADDPD(acc[2], acc[0], acc[0])
	VADDPD(acc[3], acc[1], acc[1])
	VADDPD(acc[1], acc[0], acc[0])
	hi := XMM()
	VEXTRACTF128(Imm(1), acc[0], hi)
	lo := acc[0].AsX()
	VADDPD(hi, lo, lo)
	VUNPCKHPD(lo, lo, hi)
	VADDSD(hi, lo, lo)
	VZEROUPPER()
	Store(lo, ReturnIndex(0))
	RET()
}

func innerv() {
	p, at, n := over("innerv", "returns the sum of products.", "x *float64, y *float64, n int) float64", "x", "y")
	acc := zeros()
	sixteen(at, n, func(i int) {
		v := YMM()
		VMOVUPD(quad(p["x"], at, i), v)
		VMULPD(quad(p["y"], at, i), v, v)
		VADDPD(v, acc[i], acc[i])
	})
	total(acc)
}

func innerAddv() {
	p, at, n := over("innerAddv", "returns the sum of products of x and u, and adds a times x to y.",
		"x *float64, u *float64, y *float64, a float64, n int) float64", "x", "u", "y")
	a := spread("a")
	acc := zeros()
	sixteen(at, n, func(i int) {
		x, v := YMM(), YMM()
		VMOVUPD(quad(p["x"], at, i), x)
		VMULPD(quad(p["u"], at, i), x, v)
		VADDPD(v, acc[i], acc[i])
		VMULPD(x, a, x)
		VADDPD(quad(p["y"], at, i), x, x)
		VMOVUPD(x, quad(p["y"], at, i))
	})
	total(acc)
}

func leave() {
	VZEROUPPER()
	RET()
}

func addv() {
	p, at, n := over("addv", "adds a times x to y.", "y *float64, x *float64, a float64, n int)", "y", "x")
	a := spread("a")
	sixteen(at, n, func(i int) {
		v := YMM()
		VMULPD(quad(p["x"], at, i), a, v)
		VADDPD(quad(p["y"], at, i), v, v)
		VMOVUPD(v, quad(p["y"], at, i))
	})
	leave()
}

// factors loads four numbers, each into all places of a register.
func factors(at Register) (f [4]VecVirtual) {
	for j := range f {
		f[j] = YMM()
		VBROADCASTSD(Mem{Base: at, Disp: 8 * j}, f[j])
	}
	return f
}

func add4v() {
	p, at, n := over("add4v", "adds four vectors, times f, to y, one after the other.",
		"y *float64, x0 *float64, x1 *float64, x2 *float64, x3 *float64, f *float64, n int)", "y", "x0", "x1", "x2", "x3", "f")
	f := factors(p["f"])
	sixteen(at, n, func(i int) {
		y := YMM()
		VMOVUPD(quad(p["y"], at, i), y)
		for j := range f {
			v := YMM()
			VMULPD(quad(p[fmt.Sprintf("x%d", j)], at, i), f[j], v)
			VADDPD(v, y, y)
		}
		VMOVUPD(y, quad(p["y"], at, i))
	})
	leave()
}

func turnv() {
	p, at, n := over("turnv", "takes a w + b v off x.", "x *float64, v *float64, w *float64, a float64, b float64, n int)", "x", "v", "w")
	a, b := spread("a"), spread("b")
	sixteen(at, n, func(i int) {
		x, y, z := YMM(), YMM(), YMM()
		VMULPD(quad(p["w"], at, i), a, y)
		VMULPD(quad(p["v"], at, i), b, z)
		VADDPD(z, y, y)
		VMOVUPD(quad(p["x"], at, i), x)
		VSUBPD(y, x, x)
		VMOVUPD(x, quad(p["x"], at, i))
	})
	leave()
}

func rotatev() {
	p, at, n := over("rotatev", "turns x into c x - s y, and y into s x + c y.", "x *float64, y *float64, c float64, s float64, n int)", "x", "y")
	c, s := spread("c"), spread("s")
	sixteen(at, n, func(i int) {
		x, y, a, b := YMM(), YMM(), YMM(), YMM()
		VMOVUPD(quad(p["x"], at, i), x)
		VMOVUPD(quad(p["y"], at, i), y)
		VMULPD(x, s, a)
		VMULPD(y, c, b)
		VADDPD(b, a, a)
		VMULPD(x, c, x)
		VMULPD(y, s, y)
		VSUBPD(y, x, x)
		VMOVUPD(a, quad(p["y"], at, i))
		VMOVUPD(x, quad(p["x"], at, i))
	})
	leave()
}

// butterfliesv does two complex numbers at a time: half is even.
func butterfliesv() {
	TEXT("butterfliesv", NOSPLIT, "func(a *complex128, turn *complex128, half int, n int)")
	Pragma("noescape")
	Doc("butterfliesv replaces, in each 2·half of n numbers, x and y, half apart, by x + turn·y and x − turn·y.")
	x, turn := Load(Param("a"), GP64()), Load(Param("turn"), GP64())
	half, n := Load(Param("half"), GP64()), Load(Param("n"), GP64())
	SHLQ(Imm(4), half) // in bytes
	SHLQ(Imm(4), n)
	end, y, at := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: x, Index: n, Scale: 1}, end)
	Label("part")
	LEAQ(Mem{Base: x, Index: half, Scale: 1}, y)
	XORQ(at, at)
	Label("pair")
	t, re, im, v, u := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVUPD(Mem{Base: turn, Index: at, Scale: 1}, t)
	VMOVDDUP(t, re)
	VPERMILPD(Imm(15), t, im)
	VMOVUPD(Mem{Base: y, Index: at, Scale: 1}, v)
	VMULPD(v, re, re)
	VPERMILPD(Imm(5), v, v)
	VMULPD(v, im, im)
	VADDSUBPD(im, re, t)
	VMOVUPD(Mem{Base: x, Index: at, Scale: 1}, u)
	VADDPD(t, u, v)
	VSUBPD(t, u, u)
	VMOVUPD(v, Mem{Base: x, Index: at, Scale: 1})
	VMOVUPD(u, Mem{Base: y, Index: at, Scale: 1})
	ADDQ(Imm(32), at)
	CMPQ(at, half)
	JL(jump("pair"))
	LEAQ(Mem{Base: y, Index: half, Scale: 1}, x)
	CMPQ(x, end)
	JL(jump("part"))
	leave()
}

// gatherv adds up rows of p numbers, found by their numbers in to.
func gatherv(p int) {
	name := fmt.Sprintf("gather%dv", p)
	TEXT(name, NOSPLIT, "func(y *float64, to *int32, w *float64, n int, x *float64, stride int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds w times the first %d numbers of each of n rows of x to y; stride is in bytes.", name, p))
	y, to, w := Load(Param("y"), GP64()), Load(Param("to"), GP64()), Load(Param("w"), GP64())
	n, x, stride := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("stride"), GP64())
	acc := make([]VecVirtual, p/4)
	for i := range acc {
		acc[i] = YMM()
		VMOVUPD(Mem{Base: y, Disp: 32 * i}, acc[i])
	}
	at, f := GP64(), YMM()
	Label("neighbour")
	MOVLQSX(Mem{Base: to}, at)
	IMULQ(stride, at)
	VBROADCASTSD(Mem{Base: w}, f)
	for i := range acc {
		v := YMM()
		VMULPD(Mem{Base: x, Index: at, Scale: 1, Disp: 32 * i}, f, v)
		VADDPD(v, acc[i], acc[i])
	}
	ADDQ(Imm(4), to)
	ADDQ(Imm(8), w)
	DECQ(n)
	JNZ(jump("neighbour"))
	for i := range acc {
		VMOVUPD(acc[i], Mem{Base: y, Disp: 32 * i})
	}
	leave()
}

// stepv does a step of a recurrence for rows of p numbers in float32.
func stepv(p int) {
	name := fmt.Sprintf("step%dv", p)
	TEXT(name, NOSPLIT, "func(next *float32, b *float32, x *float32, start *int, to *int32, w *float32, n int, f *float32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets each of n rows of %d numbers of next to f0 times the sum of b and of w times rows of x, plus f1 next.", name, p))
	next, b, x := Load(Param("next"), GP64()), Load(Param("b"), GP64()), Load(Param("x"), GP64())
	start, to, w := Load(Param("start"), GP64()), Load(Param("to"), GP64()), Load(Param("w"), GP64())
	n, f := Load(Param("n"), GP64()), Load(Param("f"), GP64())
	f0, f1 := YMM(), YMM()
	VBROADCASTSS(Mem{Base: f}, f0)
	VBROADCASTSS(Mem{Base: f, Disp: 4}, f1)
	at, end, row := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: start}, at)
	acc := make([]VecVirtual, p/8)
	for i := range acc {
		acc[i] = YMM()
	}
	Label("row")
	MOVQ(Mem{Base: start, Disp: 8}, end)
	for i := range acc {
		VMOVUPS(Mem{Base: b, Disp: 32 * i}, acc[i])
	}
	CMPQ(at, end)
	JGE(jump("summed"))
	Label("neighbour")
	MOVLQSX(Mem{Base: to, Index: at, Scale: 4}, row)
	SHLQ(Imm(uint64(2+bits.TrailingZeros(uint(p)))), row) // in bytes
	ADDQ(x, row)
	u := YMM()
	VBROADCASTSS(Mem{Base: w, Index: at, Scale: 4}, u)
	for i := range acc {
		v := YMM()
		VMULPS(Mem{Base: row, Disp: 32 * i}, u, v)
		VADDPS(v, acc[i], acc[i])
	}
	INCQ(at)
	CMPQ(at, end)
	JL(jump("neighbour"))
	Label("summed")
	for i := range acc {
		v := YMM()
		VMULPS(acc[i], f0, acc[i])
		VMULPS(Mem{Base: next, Disp: 32 * i}, f1, v)
		VADDPS(v, acc[i], acc[i])
		VMOVUPS(acc[i], Mem{Base: next, Disp: 32 * i})
	}
	ADDQ(U8(4*p), next)
	ADDQ(U8(4*p), b)
	ADDQ(Imm(8), start)
	DECQ(n)
	JNZ(jump("row"))
	leave()
}

// pullv draws points to others, four at a time, of which there is at least one time for each.
func pullv() {
	TEXT("pullv", NOSPLIT, "func(pull *float64, own *float64, at *float64, start *int32, to *int32, w *float32, n int, f *float64)")
	Pragma("noescape")
	Doc("pullv sets each of n pulls, pairs of numbers, to the sum of w/u (f0 + f1 √u) times the way from others to the own place, u = 1 + its square.")
	pull, own, place := Load(Param("pull"), GP64()), Load(Param("own"), GP64()), Load(Param("at"), GP64())
	start, to, w := Load(Param("start"), GP64()), Load(Param("to"), GP64()), Load(Param("w"), GP64())
	n, f := Load(Param("n"), GP64()), Load(Param("f"), GP64())
	f0, f1, one := YMM(), YMM(), YMM()
	VBROADCASTSD(Mem{Base: f}, f0)
	VBROADCASTSD(Mem{Base: f, Disp: 8}, f1)
	bits := GP64()
	MOVQ(U64(0x3ff0000000000000), bits)
	VMOVQ(bits, one.AsX())
	VBROADCASTSD(one.AsX(), one)
	at, end := GP64(), GP64()
	MOVLQSX(Mem{Base: start}, at)
	Label("row")
	MOVLQSX(Mem{Base: start, Disp: 4}, end)
	x, y, sx, sy := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSD(Mem{Base: own}, x)
	VBROADCASTSD(Mem{Base: own, Disp: 8}, y)
	VXORPD(sx, sx, sx)
	VXORPD(sy, sy, sy)
	CMPQ(at, end)
	JGE(jump("pulled"))
	Label("four")
	var there [4]VecVirtual
	for q := range there {
		j := GP64()
		MOVLQSX(Mem{Base: to, Index: at, Scale: 4, Disp: 4 * q}, j)
		SHLQ(Imm(4), j)
		there[q] = YMM()
		if q < 2 {
			VMOVUPD(Mem{Base: place, Index: j, Scale: 1}, there[q].AsX())
		} else {
			VINSERTF128(Imm(1), Mem{Base: place, Index: j, Scale: 1}, there[q-2], there[q-2])
		}
	}
	dx, dy, u, v := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(there[1], there[0], dx)
	VUNPCKHPD(there[1], there[0], dy)
	VSUBPD(dx, x, dx)
	VSUBPD(dy, y, dy)
	VMULPD(dx, dx, u)
	VADDPD(one, u, u)
	VMULPD(dy, dy, v)
	VADDPD(v, u, u)
	VSQRTPD(u, v)
	VMULPD(v, f1, v)
	VADDPD(v, f0, v)
	k := YMM()
	VCVTPS2PD(Mem{Base: w, Index: at, Scale: 4}, k)
	VDIVPD(u, k, k)
	VMULPD(v, k, k)
	VMULPD(k, dx, dx)
	VMULPD(k, dy, dy)
	VADDPD(dx, sx, sx)
	VADDPD(dy, sy, sy)
	ADDQ(Imm(4), at)
	CMPQ(at, end)
	JL(jump("four"))
	Label("pulled")
	for c, sum := range []VecVirtual{sx, sy} {
		hi := XMM()
		VEXTRACTF128(Imm(1), sum, hi)
		lo := sum.AsX()
		VADDPD(hi, lo, lo)
		VUNPCKHPD(lo, lo, hi)
		VADDSD(hi, lo, lo)
		VMOVSD(lo, Mem{Base: pull, Disp: 8 * c})
	}
	ADDQ(Imm(16), pull)
	ADDQ(Imm(16), own)
	ADDQ(Imm(4), start)
	DECQ(n)
	JNZ(jump("row"))
	leave()
}
