package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectors writes the kernels of dense and sparse linear algebra in float64.
// Nothing is fused, and sums are kept in sixteen parts: the bits are those of
// plain Go. Lengths are multiples of 16 and not 0.
func vectors() {
	innerv()
	innerAddv()
	addv()
	add4v()
	turnv()
	rotatev()
	recurv()
	butterfliesv()
	for _, p := range []int{4, 8, 12, 16, 20, 24, 28, 32} {
		gatherv(p)
	}
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

func recurv() {
	p, at, n := over("recurv", "adds d to x, takes f0 y + f1 d off r, and sets next to f2 d + f3 r.",
		"x *float64, r *float64, next *float64, d *float64, y *float64, f *float64, n int)", "x", "r", "next", "d", "y", "f")
	f := factors(p["f"])
	sixteen(at, n, func(i int) {
		d, a, b, r := YMM(), YMM(), YMM(), YMM()
		VMOVUPD(quad(p["d"], at, i), d)
		VADDPD(quad(p["x"], at, i), d, a)
		VMOVUPD(a, quad(p["x"], at, i))
		VMULPD(quad(p["y"], at, i), f[0], a)
		VMULPD(d, f[1], b)
		VADDPD(b, a, a)
		VMOVUPD(quad(p["r"], at, i), r)
		VSUBPD(a, r, r)
		VMOVUPD(r, quad(p["r"], at, i))
		VMULPD(d, f[2], d)
		VMULPD(r, f[3], r)
		VADDPD(r, d, d)
		VMOVUPD(d, quad(p["next"], at, i))
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
