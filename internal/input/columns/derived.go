package columns

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A column that was computed from several others says nothing new, and counts what they say a second time: a total, a
// mean, a ratio. Only what holds to the last digit in almost every row is taken for computed; columns
// that are merely alike all count.
const (
	derivedRows   = 200  // that are looked at
	derivedLeast  = 30   // fewer rows with values in all columns of a relation do not prove it
	derivedHold   = 0.98 // of the rows
	derivedFine   = 20.0 // a deviation has at least as many last digits: else a relation may hold by chance
	derivedThree  = 25   // numbers; among more, relations to three others are not looked for
	derivedTwo    = 60   // numbers; among more, no relation is looked for
	divisorVaries = 0.05 // the range of a divisor is at least this share of its largest value
)

// A relation says what a column is a multiple of.
type relation struct {
	form   string // with %s for the names
	others []int
}

// dropDerived leaves out the numbers that were computed from others that are used.
func (in *inference) dropDerived(list []Column) {
	var at []int
	var values [][]float64
	n := in.ds.X.Len()
	m := min(n, derivedRows)
	for i, c := range list {
		if !c.Used || c.Role != Number || c.At < 0 {
			continue
		}
		at, values = append(at, i), append(values, c.Spec.sample(in.ds, c.At, m))
	}
	if m < derivedLeast || len(at) < 3 || len(at) > derivedTwo {
		return
	}
	gone := make([]bool, len(at))
	for t := len(at) - 1; t >= 0; t-- { // what is computed mostly stands after what it was computed from
		it := newTarget(values[t], halfDigit(values[t]))
		if it == nil || in.givenRole(list[at[t]].Name) != "" {
			continue
		}
		r := it.relation(t, values, gone)
		if r == nil {
			continue
		}
		gone[t] = true
		names := make([]any, len(r.others))
		for q, o := range r.others {
			names[q] = list[at[o]].Name
		}
		c := &list[at[t]]
		c.Used, c.Tip, c.Shown = false, useTip(c.Name, Number), c.Spec.ValuesOf(in.ds, c.At)
		c.Why = "computed from others: " + fmt.Sprintf(r.form, names...)
	}
}

// halfDigit returns half of the last decimal that values are written with; 0 where they are not numbers to many digits.
func halfDigit(values []float64) float64 {
	decimals := 0
	mean, square, n := 0.0, 0.0, 0.0
	for _, y := range values {
		if y != y {
			continue
		}
		_, after, _ := strings.Cut(strconv.FormatFloat(y, 'f', -1, 64), ".")
		decimals = max(decimals, len(after))
		n++
		mean += y
	}
	mean /= max(1, n)
	for _, y := range values {
		if y == y {
			square += (y - mean) * (y - mean)
		}
	}
	digit := math.Pow(10, -float64(min(decimals, 12)))
	if n < derivedLeast || math.Sqrt(square/n) < derivedFine*digit {
		return 0
	}
	return digit / 2
}

// relation returns how column number at is computed from others that are not gone; nil where it is not. The simplest
// comes first.
func (t *target) relation(at int, values [][]float64, gone []bool) *relation {
	var others []int
	for o := range values {
		if o != at && !gone[o] {
			others = append(others, o)
		}
	}
	for _, a := range others {
		for _, b := range others {
			va, vb := values[a], values[b]
			if a < b && t.holds(func(i int) float64 { return va[i] + vb[i] }) {
				return &relation{"%s + %s", []int{a, b}}
			}
			if a < b && t.holds(func(i int) float64 { return va[i] * vb[i] }) {
				return &relation{"%s · %s", []int{a, b}}
			}
			if a != b && varies(vb) && t.holds(func(i int) float64 { return va[i] / vb[i] }) {
				return &relation{"%s / %s", []int{a, b}}
			}
		}
	}
	if len(values) > derivedThree {
		return nil
	}
	for q, a := range others {
		for _, b := range others[q+1:] {
			for _, c := range others {
				if c == a || c == b {
					continue
				}
				va, vb, vc := values[a], values[b], values[c]
				if b < c && t.holds(func(i int) float64 { return va[i] + vb[i] + vc[i] }) {
					return &relation{"%s + %s + %s", []int{a, b, c}}
				}
				if !varies(vc) {
					continue
				}
				if t.holds(func(i int) float64 { return (va[i] + vb[i]) / vc[i] }) {
					return &relation{"(%s + %s) / %s", []int{a, b, c}}
				}
				if t.holds(func(i int) float64 { return (va[i] - vb[i]) / vc[i] }) {
					return &relation{"(%s - %s) / %s", []int{a, b, c}}
				}
			}
		}
	}
	return nil
}

// varies reports whether dividing by the values differs from dividing by a number.
func varies(values []float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range values {
		if y == y {
			low, high = min(low, y), max(high, y)
		}
	}
	return high-low > divisorVaries*max(math.Abs(low), math.Abs(high))
}

// A target is a column that may be computed from others.
type target struct {
	y     []float64
	half  float64 // of its last digit
	tells []int   // rows with another value than the commonest: that 0 is a multiple of 0 proves nothing
}

// newTarget returns a column as a target; nil where too few rows tell.
func newTarget(y []float64, half float64) *target {
	count := map[float64]int{}
	most := math.NaN()
	for _, v := range y {
		if count[v]++; v == v && (most != most || count[v] > count[most]) {
			most = v
		}
	}
	t := &target{y: y, half: half}
	for i, v := range y {
		if v == v && v != most {
			t.tells = append(t.tells, i)
		}
	}
	if len(t.tells) < derivedLeast || half == 0 {
		return nil
	}
	return t
}

// holds reports whether y is a multiple of f in almost every row, to the last digit of y.
func (t *target) holds(f func(int) float64) bool {
	// The factor is that of the row with the largest value of a few, where a last digit matters least.
	factor, largest := 0.0, 0.0
	for _, i := range t.tells[:min(len(t.tells), 20)] {
		if v := f(i); v-v == 0 && v != 0 && math.Abs(t.y[i]) > largest {
			largest, factor = math.Abs(t.y[i]), t.y[i]/v
		}
	}
	if factor == 0 {
		return false
	}
	if r := roundFactor(factor); math.Abs(r-factor)*largest <= 1.2*t.half*math.Abs(r) || math.Abs(r/factor-1) < 1e-9 {
		factor = r
	}
	broken := func(rows func(yield func(int) bool), allowed int) (seen int, ok bool) {
		for i := range rows {
			v := factor * f(i)
			if v-v != 0 || t.y[i] != t.y[i] {
				continue
			}
			seen++
			if math.Abs(t.y[i]-v) > 1.2*t.half+1e-9*math.Abs(v)+t.half*math.Abs(v)/largest {
				if allowed--; allowed < 0 {
					return seen, false
				}
			}
		}
		return seen, true
	}
	allowed := func(n int) int { return int((1 - derivedHold) * float64(n)) }
	seen, ok := broken(slices.Values(t.tells), allowed(len(t.tells)))
	if !ok || seen < derivedLeast || 10*seen < 9*len(t.tells) {
		return false
	}
	_, ok = broken(func(yield func(int) bool) {
		for i := range t.y {
			if !yield(i) {
				return
			}
		}
	}, allowed(len(t.y)))
	return ok
}

// roundFactor returns the nearest of the factors that people compute with: 1, 100, ½ and the like.
func roundFactor(y float64) float64 {
	list := []float64{1, 100, 1000, 0.01, 0.001, 0.5, 1.0 / 3, 2, 10, 0.1}
	best := slices.MinFunc(list, func(a, b float64) int {
		return int(math.Copysign(1, math.Abs(math.Log(a/math.Abs(y)))-math.Abs(math.Log(b/math.Abs(y)))))
	})
	return math.Copysign(best, y)
}
