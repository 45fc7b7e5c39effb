package simd

import "unsafe"

// The functions of this file are what linear algebra in float64 is made of.
// Sums are kept in sixteen parts, number i in part i mod 16, which are added
// eight apart, four, two, one; what is left over of a length that is not a
// multiple of 16 is added one by one. Nothing is fused. So the bits are the
// same at every level. All slices of a call have the length of the first.

// vectorised says whether the kernels in assembly may be used.
func vectorised() bool { return level >= AVX2 }

// Inner returns Σ x_i y_i.
func Inner(x, y []float64) (s float64) {
	y = y[:len(x)]
	m := len(x) &^ 15
	if m > 0 {
		if vectorised() {
			s = innerv(&x[0], &y[0], m)
		} else {
			s = plainInner(x[:m], y[:m])
		}
	}
	for i := m; i < len(x); i++ {
		s += float64(x[i] * y[i])
	}
	return s
}

// AddTo adds a x to y.
func AddTo(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	m := 0
	if len(y) >= 32 && vectorised() {
		m = len(y) &^ 15
		addv(&y[0], &x[0], a, m)
	}
	for i := m; i < len(y); i++ {
		y[i] += float64(a * x[i])
	}
}

// AddTo4 adds f[j] x[j] to y, for one j after the other.
func AddTo4(y []float64, f *[4]float64, x0, x1, x2, x3 []float64) {
	x0, x1, x2, x3 = x0[:len(y)], x1[:len(y)], x2[:len(y)], x3[:len(y)]
	m := 0
	if len(y) >= 16 && vectorised() {
		m = len(y) &^ 15
		add4v(&y[0], &x0[0], &x1[0], &x2[0], &x3[0], &f[0], m)
	}
	for i := m; i < len(y); i++ {
		y[i] = y[i] + float64(f[0]*x0[i]) + float64(f[1]*x1[i]) + float64(f[2]*x2[i]) + float64(f[3]*x3[i])
	}
}

// TakeOff subtracts a w + b v from x.
func TakeOff(x []float64, a float64, w []float64, b float64, v []float64) {
	v, w = v[:len(x)], w[:len(x)]
	m := 0
	if len(x) >= 16 && vectorised() {
		m = len(x) &^ 15
		turnv(&x[0], &v[0], &w[0], a, b, m)
	}
	for i := m; i < len(x); i++ {
		x[i] -= float64(a*w[i]) + float64(b*v[i])
	}
}

// InnerAdd returns Σ x_i u_i and adds a x to y.
func InnerAdd(x, u, y []float64, a float64) (s float64) {
	u, y = u[:len(x)], y[:len(x)]
	m := len(x) &^ 15
	if m > 0 {
		if vectorised() {
			s = innerAddv(&x[0], &u[0], &y[0], a, m)
		} else {
			s = plainInner(x[:m], u[:m])
			for i := range m {
				y[i] += float64(a * x[i])
			}
		}
	}
	for i := m; i < len(x); i++ {
		s += float64(x[i] * u[i])
		y[i] += float64(a * x[i])
	}
	return s
}

// Rotate turns x into c x − s y, and y into s x + c y.
func Rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	m := 0
	if len(x) >= 16 && vectorised() {
		m = len(x) &^ 15
		rotatev(&x[0], &y[0], c, s, m)
	}
	for i := m; i < len(x); i++ {
		f, g := x[i], y[i]
		x[i] = float64(c*f) - float64(s*g)
		y[i] = float64(s*f) + float64(c*g)
	}
}

// Butterflies does a stage of a fast Fourier transform: in each 2·len(turn) numbers of a, of which there must be whole
// ones, it replaces x and y, len(turn) apart, by x + t y and x − t y.
func Butterflies(a, turn []complex128) {
	half := len(turn)
	if half == 0 || len(a)%(2*half) != 0 {
		panic("simd: the length of a is not a multiple of 2·len(turn)")
	}
	if len(a) > 0 && half%2 == 0 && vectorised() {
		butterfliesv(&a[0], &turn[0], half, len(a))
		return
	}
	for lo := 0; lo < len(a); lo += 2 * half {
		x, y := a[lo:lo+half:lo+half], a[lo+half:lo+2*half]
		for j, t := range turn {
			// Without fused steps, which some processors have: the bits are those of the kernel.
			re := float64(real(t)*real(y[j])) - float64(imag(t)*imag(y[j]))
			im := float64(real(t)*imag(y[j])) + float64(imag(t)*real(y[j]))
			x[j], y[j] = x[j]+complex(re, im), x[j]-complex(re, im)
		}
	}
}

// Gather adds to y, for one q after the other, w[q] times row to[q] of x, whose
// rows have the length of y.
func Gather(y []float64, to []int32, w, x []float64) {
	most := uint32(0) // or a negative index
	for _, j := range to {
		most = max(most, uint32(j))
	}
	if len(to) > 0 {
		gather(y, to, w[:len(to)], x, len(y), int(most))
	}
}

// Combine adds to y, for one q after the other, w[q] times the first numbers of row q
// of x, as many as y has: rows of x are stride numbers apart.
func Combine(y, w, x []float64, stride int) {
	for len(w) > 0 {
		n := min(len(w), len(counting))
		gather(y, counting[:n], w[:n], x, stride, n-1)
		if w = w[n:]; len(w) > 0 {
			x = x[n*stride:]
		}
	}
}

// counting are the numbers 0, 1, 2, ...
var counting = func() (list [256]int32) {
	for i := range list {
		list[i] = int32(i)
	}
	return list
}()

// gather is Gather for the first numbers of rows that are stride numbers apart; most is the
// greatest number in to, of which there is at least one.
func gather(y []float64, to []int32, w, x []float64, stride, most int) {
	p, c := len(y), 0
	_ = x[most*stride : most*stride+p] // the kernels do not look
	if vectorised() {
		columns := p &^ 3
		if padded := (p + 3) &^ 3; p > 4 && most*stride+padded <= len(x) {
			columns = padded // what the kernels read beyond a row is not used
		}
		for c < columns {
			many := gatherColumns(columns - c)
			if c+many <= p {
				gatherSome(y[c:], to, w, x[c:], stride, many)
			} else {
				gatherLast(y[c:], to, w, x[c:], stride, many)
			}
			c += many
		}
	}
	switch max(0, p-c) {
	case 0:
	case 1:
		a := y[c]
		for q, j := range to {
			a += float64(w[q] * x[int(j)*stride+c])
		}
		y[c] = a
	case 2:
		a, b := y[c], y[c+1]
		for q, j := range to {
			f, z := w[q], x[int(j)*stride+c:int(j)*stride+c+2]
			a += float64(f * z[0])
			b += float64(f * z[1])
		}
		y[c], y[c+1] = a, b
	case 3:
		a, b, e := y[c], y[c+1], y[c+2]
		for q, j := range to {
			f, z := w[q], x[int(j)*stride+c:int(j)*stride+c+3]
			a += float64(f * z[0])
			b += float64(f * z[1])
			e += float64(f * z[2])
		}
		y[c], y[c+1], y[c+2] = a, b, e
	default:
		for q, j := range to {
			f, z := w[q], x[int(j)*stride:int(j)*stride+p]
			for i := c; i < p; i++ {
				y[i] += float64(f * z[i])
			}
		}
	}
}

// gatherColumns returns how many of the columns that are left, a multiple of 4, a kernel
// takes: at most 32, and of more about as many in each call.
func gatherColumns(left int) int {
	fours := left / 4
	calls := (fours + 7) / 8
	return 4 * ((fours + calls - 1) / calls)
}

// gatherLast is gatherSome for the last columns where y has fewer than many.
func gatherLast(y []float64, to []int32, w, x []float64, stride, many int) {
	var sums [32]float64
	copy(sums[:], y)
	gatherSome(sums[:], to, w, x, stride, many)
	copy(y, sums[:])
}

// gatherSome does many columns, 4 to 32.
func gatherSome(y []float64, to []int32, w, x []float64, stride, many int) {
	bytes := stride * int(unsafe.Sizeof(x[0]))
	switch many {
	case 4:
		gather4v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 8:
		gather8v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 12:
		gather12v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 16:
		gather16v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 20:
		gather20v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 24:
		gather24v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 28:
		gather28v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	case 32:
		gather32v(&y[0], &to[0], &w[0], len(to), &x[0], bytes)
	}
}

// plainInner is the sum of products in sixteen parts.
func plainInner(x, y []float64) float64 {
	var s [16]float64
	for ; len(x) >= 16; x, y = x[16:], y[16:] {
		p, q := (*[16]float64)(x), (*[16]float64)(y)
		for i := range s {
			s[i] += float64(p[i] * q[i])
		}
	}
	for i := range 8 {
		s[i] += s[i+8]
	}
	for i := range 4 {
		s[i] += s[i+4]
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}
