package scan

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// maxPow5 is the largest power of five below 2⁶³.
const maxPow5 = 27

var pow5 = func() (t [maxPow5 + 1]uint64) {
	t[0] = 1
	for e := 1; e <= maxPow5; e++ {
		t[e] = 5 * t[e-1]
	}
	return t
}()

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ScanFloat reads the decimal number that starts at b[i]: a sign, digits with
// at most one point among them, an exponent. It returns the number, rounded as
// strconv.ParseFloat rounds it, and the place after it; -1 where no number
// starts, or where it is too large for a float64. Spaces, hexadecimals,
// infinities and NaN are not numbers here.
func ScanFloat(b []byte, i int) (float64, int) {
	start := i
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	first := i
	var m uint64
	if i+1 < len(b) && b[i]-'0' <= 9 && b[i+1] == '.' { // the most usual case
		m = uint64(b[i] - '0')
		i++
	} else {
		m, i = scanDigits(b, i, 0)
	}
	digits, point := i-first, 0
	if i < len(b) && b[i] == '.' {
		i++
		from := i
		m, i = scanDigits(b, i, m)
		point = i - from
		digits += point
	}
	if digits == 0 {
		return 0, -1
	}
	exp := -point
	if i < len(b) && b[i]|0x20 == 'e' {
		x, next := scanExponent(b, i+1)
		if next < 0 {
			return 0, -1
		}
		exp, i = exp+x, next
	}
	if digits > 19 && significant(b[first:i]) > 19 {
		return slowFloat(b[start:i], i)
	}
	var v float64
	switch {
	case m < 1<<53 && -22 <= exp && exp <= 22:
		// Both are exact as float64, so one operation rounds once.
		v = float64(m)
		if exp < 0 {
			v /= pow10[-exp]
		} else {
			v *= pow10[exp]
		}
	case m == 0:
	case -maxPow5 <= exp && exp <= maxPow5:
		v = RoundDecimal(m, exp)
	default:
		return slowFloat(b[start:i], i)
	}
	if neg {
		v = -v
	}
	return v, i
}

var powersOfTen = [8]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// scanDigits appends the digits from b[i] on to m, which wraps around beyond
// 19 significant ones, and returns the place after them. It takes eight bytes
// at a time and finds the first that is no digit without a branch.
func scanDigits(b []byte, i int, m uint64) (uint64, int) {
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:]) ^ 0x3030303030303030
		// A digit is 0 to 9 now; anything else has, or gets, its high bit. A
		// carry can only spoil bytes after the first of those.
		stop := (w + 0x7676767676767676 | w) & 0x8080808080808080
		if stop != 0 {
			n := bits.TrailingZeros64(stop) >> 3
			if n == 0 {
				return m, i
			}
			return m*powersOfTen[n] + foldDigits(w<<(64-8*n)), i + n
		}
		m = m*1e8 + foldDigits(w)
		i += 8
	}
	for i < len(b) {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		m = m*10 + uint64(c)
		i++
	}
	return m, i
}

// foldDigits returns the number that eight digits write, the first in the
// lowest byte: neighbours are joined to pairs, fours, eight.
func foldDigits(w uint64) uint64 {
	w = w * (10<<8 + 1) >> 8
	w = w & 0x00ff00ff00ff00ff * (100<<16 + 1) >> 16
	return w & 0x0000ffff0000ffff * (10000<<32 + 1) >> 32
}

// scanExponent reads what follows the e; beyond ±99999 it no longer counts.
func scanExponent(b []byte, i int) (x, next int) {
	neg := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if x < 99999 {
			x = 10*x + int(b[i]-'0')
		}
	}
	if i == first {
		return 0, -1
	}
	if neg {
		x = -x
	}
	return x, i
}

// significant counts the digits of the mantissa after its leading zeros.
func significant(b []byte) (n int) {
	for _, c := range b {
		switch {
		case c == '.':
		case c-'0' > 9:
			return n
		case n > 0 || c != '0':
			n++
		}
	}
	return n
}

func slowFloat(b []byte, next int) (float64, int) {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return 0, -1
	}
	return v, next
}

// RoundDecimal returns m·10^exp rounded to nearest, ties to even, for m > 0 and
// |exp| ≤ maxPow5. The quotient or product with 5^|exp| is computed exactly:
// 64 bits of it and whether anything is left below them.
func RoundDecimal(m uint64, exp int) float64 {
	lead := bits.LeadingZeros64(m)
	m <<= lead
	var q, rest uint64
	e2 := exp - lead // the number is (q + a rest below 1)·2^e2
	if exp < 0 {
		y := pow5[-exp]
		shift := bits.LeadingZeros64(y)
		y <<= shift
		q, rest = bits.Div64(m>>1, m<<63, y)
		e2 += shift - 63
	} else {
		q, rest = bits.Mul64(m, pow5[exp])
		e2 += 64
	}
	// Below q only zero or not zero matters, so shifted-in zeros are right.
	lead = bits.LeadingZeros64(q)
	if lead > 0 {
		q = q << lead
		if exp >= 0 {
			q |= rest >> (64 - lead)
			rest <<= lead
		}
		e2 -= lead
	}
	const half = 1 << 10
	mant, low := q>>11, q&(2*half-1)
	if low > half || low == half && (rest != 0 || mant&1 == 1) {
		mant++ // 2⁵³ carries into the exponent by itself below
	}
	return math.Float64frombits(uint64(e2+11+52+1022)<<52 + mant)
}
