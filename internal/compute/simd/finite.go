package simd

import "unsafe"

// Finite reports whether x holds neither a NaN nor an infinity. These are the numbers whose
// exponent is all ones: adding one to it carries into the sign.
func Finite[T number](x []T) bool {
	size := int(unsafe.Sizeof(T(0)))
	const bytes = 16 * 8 // that the kernel takes at a time
	m := 0
	if vectorised() && len(x)*size >= bytes {
		m = len(x) * size / bytes * bytes / size
		var mask, one, sign uint64 = 0x7ff << 52, 1 << 52, 1 << 63
		if size == 4 { // two numbers in 64 bits: nothing carries from one into the other
			mask, one, sign = 0xff<<23|0xff<<55, 1<<23|1<<55, 1<<31|1<<63
		}
		if carriesv((*float64)(unsafe.Pointer(&x[0])), mask, one, m*size/8)&sign != 0 {
			return false
		}
	}
	var a, b, c, d T
	rest := x[m:]
	for ; len(rest) >= 4; rest = rest[4:] {
		a += rest[0] - rest[0] // 0, or NaN from then on
		b += rest[1] - rest[1]
		c += rest[2] - rest[2]
		d += rest[3] - rest[3]
	}
	for _, z := range rest {
		a += z - z
	}
	return (a+b)+(c+d) == 0
}
