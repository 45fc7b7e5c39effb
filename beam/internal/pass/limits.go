package pass

import (
	"math"
	"math/bits"

	"github.com/inklinghq/inkling/cluster/data"
)

// Limits are the range of the numbers of each column. They say whether sums of rows are
// exact in two numbers.
type Limits struct {
	most   []float64 // the largest absolute value
	lowest []int     // the exponent of the lowest bit that is set in any value

	zeros   int  // rows of zeros
	changed bool // scaling to length 1 has changed rows

	bad      bool // there is a NaN or an infinity
	row, col int  // where the first is
	value    float64
}

const noBit = math.MaxInt32 // of a column of zeros

func newLimits(d int) *Limits {
	l := &Limits{most: make([]float64, d), lowest: make([]int, d)}
	for f := range l.lowest {
		l.lowest[f] = noBit
	}
	return l
}

// scan adds rows of x, the first of which is row first of all.
func (l *Limits) scan(x data.Rows, first int) {
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		zero := true
		for f, y := range x.Row(i, buf).Val {
			zero = zero && y == 0
			if y-y != 0 {
				if !l.bad {
					l.bad, l.row, l.col, l.value = true, first+i, f, y
				}
				continue
			}
			if a := math.Abs(y); a > l.most[f] {
				l.most[f] = a
			}
			if e := lowestBit(y); e < l.lowest[f] {
				l.lowest[f] = e
			}
		}
		if zero {
			l.zeros++
		}
	}
}

// Zeros returns the number of rows of zeros.
func (l *Limits) Zeros() int { return l.zeros }

// Changed reports whether scaling to length 1 has changed rows.
func (l *Limits) Changed() bool { return l.changed }

// lowestBit returns the exponent of the lowest bit that is set in y.
func lowestBit(y float64) int {
	b := math.Float64bits(y)
	mantissa, exponent := b&(1<<52-1), int(b>>52&0x7ff)
	if exponent == 0 { // subnormal
		if mantissa == 0 {
			return noBit
		}
		return bits.TrailingZeros64(mantissa) - 1074
	}
	return bits.TrailingZeros64(mantissa|1<<52) + exponent - 1075
}

func (l *Limits) merge(m *Limits) error {
	if len(m.most) != len(l.most) || len(m.lowest) != len(l.lowest) {
		return errPart
	}
	for f, y := range m.most {
		l.most[f], l.lowest[f] = max(l.most[f], y), min(l.lowest[f], m.lowest[f])
	}
	l.zeros += m.zeros
	l.changed = l.changed || m.changed
	if m.bad && (!l.bad || m.row < l.row) {
		l.bad, l.row, l.col, l.value = true, m.row, m.col, m.value
	}
	return nil
}

// exactBits is the number of bits that a sum in two numbers surely holds: twice 53 less
// some for the sums and differences on the way.
const exactBits = 100

// ExactSums reports whether the sum of any of n rows, with signs, is exact in two
// numbers, so that it does not depend on the order of the rows.
func (l *Limits) ExactSums(n int) bool {
	for f, most := range l.most {
		if most == 0 {
			continue
		}
		_, top := math.Frexp(most)
		if top+bits.Len(uint(n))-l.lowest[f] > exactBits {
			return false
		}
	}
	return true
}

// CheckFinite returns a *data.NonFiniteError if there is a NaN or an infinity.
func (l *Limits) CheckFinite() error {
	if l.bad {
		return &data.NonFiniteError{Row: l.row, Col: l.col, Value: l.value}
	}
	return nil
}

func (l *Limits) write(w *writer) {
	w.floats(l.most)
	w.ints(l.lowest)
	flag := map[bool]int{true: 1}
	w.ints([]int{flag[l.bad], l.row, l.col, l.zeros, flag[l.changed]})
	w.floats([]float64{l.value})
}

func readLimits(r *reader) *Limits {
	l := &Limits{most: r.floats(), lowest: r.ints()}
	where, value := r.ints(), r.floats()
	if len(where) != 5 || len(value) != 1 {
		r.bad = true
		return l
	}
	l.bad, l.row, l.col, l.value = where[0] == 1, where[1], where[2], value[0]
	l.zeros, l.changed = where[3], where[4] == 1
	return l
}
