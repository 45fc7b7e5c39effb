package columns

import (
	"fmt"
	"math"
)

// A column is a total where it is the sum or the mean of all other numbers, of all numbers that stand before it, or of several that stand
// right before or after it, in almost every row, to the rounding of its parts. It says nothing that they do not say.
const (
	totalParts = 4  // at least
	totalFine  = 50 // times the rounding: the deviation of a total
)

// dropTotals leaves out the numbers that are totals of others.
func (in *inference) dropTotals(list []Column) {
	var at []int
	for i, c := range list {
		if c.Used && c.Role == Number && c.At >= 0 {
			at = append(at, i)
		}
	}
	n := in.ds.X.Len()
	m := min(n, derivedRows)
	if len(at) <= totalParts || m < derivedLeast {
		return
	}
	all, before := make([]float64, m), make([]float64, m) // sums; a missing part counts as 0
	values, half := make([][]float64, len(at)), make([]float64, len(at))
	rounding := 0.0
	for q, i := range at {
		values[q] = list[i].Spec.sample(in.ds, list[i].At, m)
		half[q] = halfDigit(values[q])
		rounding += half[q]
		for s, y := range values[q] {
			if y == y {
				all[s] += y
			}
		}
	}
	passed := 0.0
	for q, i := range at {
		c := &list[i]
		others := make([]float64, m)
		for s, y := range values[q] {
			if others[s] = all[s]; y == y {
				others[s] -= y
			}
		}
		for _, of := range []struct {
			sum      []float64
			parts    int
			rounding float64
			name     string
		}{{others, len(at) - 1, rounding - half[q], "all other numbers"}, {before, q, passed, "the numbers before it"}} {
			if of.parts < totalParts || half[q] == 0 || in.givenRole(c.Name) != "" || c.Spec.Order != nil {
				continue
			}
			what := ""
			switch {
			case isTotal(values[q], of.sum, 1, 2*half[q]+of.rounding):
				what = "the sum of "
			case isTotal(values[q], of.sum, 1/float64(of.parts), 2*half[q]+of.rounding/float64(of.parts)):
				what = "the mean of "
			default:
				continue
			}
			in.leaveOutTotal(c, what+of.name)
			return
		}
		if half[q] > 0 && in.givenRole(c.Name) == "" && c.Spec.Order == nil {
			if of := totalOfRun(values, half, q); of != "" {
				in.leaveOutTotal(c, of)
				return
			}
		}
		passed += half[q]
		for s, y := range values[q] {
			if y == y {
				before[s] += y
			}
		}
	}
}

// leaveOutTotal makes a column one that describes clusters.
func (in *inference) leaveOutTotal(c *Column, of string) {
	c.Used, c.Tip, c.Shown = false, useTip(c.Name, Number), c.Spec.ValuesOf(in.ds, c.At)
	c.Why = "computed from others: " + of
}

// totalOfRun reports which run of columns right before or right after column number q it is the sum of; "" where there is none.
func totalOfRun(values [][]float64, half []float64, q int) string {
	for _, step := range []int{-1, 1} {
		sum, rounding := make([]float64, len(values[q])), 0.0
		where := map[int]string{-1: "before", 1: "after"}[step]
		for at := q + step; at >= 0 && at < len(values); at += step {
			rounding += half[at]
			for s, y := range values[at] {
				if y == y {
					sum[s] += y
				}
			}
			if parts := (at - q) * step; parts >= totalParts && isTotal(values[q], sum, 1, 2*half[q]+rounding) {
				return fmt.Sprintf("the sum of the %d columns %s it", parts, where)
			}
		}
	}
	return ""
}

// isTotal reports whether y is factor times a sum in almost every row, and varies by far more than it may be off.
func isTotal(y, sum []float64, factor, off float64) bool {
	mean, square, there, broken := 0.0, 0.0, 0.0, 0
	for s, v := range y {
		if v != v {
			continue
		}
		there++
		mean += v
		if math.Abs(v-factor*sum[s]) > off+1e-9*math.Abs(v) {
			broken++
		}
	}
	if there < derivedLeast || float64(broken) > (1-derivedHold)*there {
		return false
	}
	mean /= there
	for _, v := range y {
		if v == v {
			square += (v - mean) * (v - mean)
		}
	}
	return math.Sqrt(square/there) > totalFine*off
}
