package columns

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// A column has a heavy tail where the skewness of the middle 98 % of its values exceeds heavySkew and a logarithm
// brings it below half; any less will do where these are positive and the largest is wideRange times the smallest or more, as prices
// and sizes are: several groups of them are skewed one way or the other after a logarithm too. It needs minHeavyTail values, and so many
// different ones that it is no scale of answers, or leastGrowing levels that grow.
const (
	heavySkew    = 0.5
	wideRange    = 20
	minHeavyTail = 30
	fewLevels    = 12
	leastGrowing = 5
)

// plainSkew is the skewness that one column of a table of plain numbers must have before logarithms are taken
// of any: such tables are often measured on scales that somebody chose.
const plainSkew = 2

// asksLog reports whether the rules name a column for its logarithm.
func (r *Rules) asksLog(column string) bool {
	return slices.Contains(r.Log, column) || r.Edits[column].Log == logTransform
}

// decideLog takes the logarithm of a number with a heavy tail, unless the rules say otherwise.
func (in *inference) decideLog(c *Column, values []float64, s stats) error {
	asked, edited := in.rules.asksLog(c.Name), in.rules.Edits[c.Name].Log
	c.Spec.Clip = true
	switch {
	case asked:
		c.Spec.Log = true
		if s.low < 0 {
			sorted := present(values)
			c.Spec.LogScale = c.Spec.logScale(sorted)
		}
		c.Why += ", logarithm"
	case edited == "" && (len(in.rules.Log) == 0 || len(in.rules.Log) == 1 && in.rules.Log[0] == Auto):
		sorted := present(sampled(values))
		zeros := mostlyZero(sorted)
		scale, of := 0.0, ""
		if s.low <= 0 {
			scale = c.Spec.logScale(sorted)
		}
		if zeros > 0 && s.distinct >= fewLevels {
			c.sparseScale, of = scale, "of what is not 0 "
			sorted = sorted[zeros:]
		}
		before := skewness(sorted)
		if len(sorted) < minHeavyTail || s.distinct < fewLevels && !growing(sorted) || math.Abs(before) <= heavySkew || isCoordinate(c.Name, s) || aroundZero(sorted) {
			break
		}
		spec := Spec{Log: true, LogScale: scale}
		most := math.Abs(before) / 2
		if low := quantile(sorted, .01); low > 0 && quantile(sorted, .99) >= wideRange*low {
			most = math.Abs(before)
		}
		for i, y := range sorted {
			sorted[i] = spec.Logarithm(y, 0)
		}
		slices.Sort(sorted)
		if after := skewness(sorted); math.Abs(after) <= most {
			c.Spec.Log, c.Spec.LogScale, c.skew = true, scale, math.Abs(before)
			c.Why += fmt.Sprintf(", logarithm (skewness %s%.1f, then %.1f)", of, before, after)
			if c.Tip == "" {
				c.Tip = hint.Sprintf("{log=none} takes no logarithm")
			}
		}
	}
	if c.Tip == "" && !in.rules.Any {
		c.Tip = codeTip(c.Name, s)
	}
	return nil
}

// mostlyZero returns how many of the sorted values are 0, where these are more than half and none is negative; 0 elsewhere. Of
// such amounts the tail is that of the others: together with the zeros no logarithm makes it short.
func mostlyZero(sorted []float64) int {
	if len(sorted) == 0 || sorted[0] < 0 {
		return 0
	}
	at := len(sorted)
	for at > 0 && sorted[at-1] > 0 {
		at--
	}
	if 2*at <= len(sorted) || at == len(sorted) {
		return 0
	}
	return at
}

// wideTails is how many times larger than the median size of values to both sides of 0 the largest hundredth must be.
const wideTails = 10

// aroundZero reports whether sorted values lie to both sides of 0, more than a tenth of them each, without tails that span
// orders of magnitude, as balances have: returns, differences and contrasts, of which a logarithm to both sides would
// pull those near 0 apart, and make two groups of one.
func aroundZero(sorted []float64) bool {
	below, _ := slices.BinarySearch(sorted, 0)
	above := len(sorted)
	for above > below && sorted[above-1] > 0 {
		above--
	}
	if 10*min(below, len(sorted)-above) <= len(sorted) {
		return false
	}
	size := make([]float64, len(sorted))
	for i, y := range sorted {
		size[i] = math.Abs(y)
	}
	slices.Sort(size)
	return quantile(size, .99) < wideTails*quantile(size, .5)
}

// isCoordinate reports whether a column holds degrees on the globe, whose tails are places.
func isCoordinate(name string, s stats) bool {
	return s.low >= -180 && s.high <= 360 && headerSays(name, coordinateWords)
}

// Logarithm returns the logarithm of y: log(y + shift), NaN where there is none, or with a LogScale s
// sign(y)·log(1 + |y|/s).
func (s Spec) Logarithm(y, shift float64) float64 {
	switch {
	case s.LogScale > 0:
		return math.Copysign(math.Log1p(math.Abs(y)/s.LogScale), y)
	case y+shift > 0:
		return math.Log(y + shift)
	}
	return math.NaN()
}

// Unlog undoes Logarithm.
func (s Spec) Unlog(v, shift float64) float64 {
	if s.LogScale > 0 {
		return math.Copysign(s.LogScale*math.Expm1(math.Abs(v)), v)
	}
	return math.Exp(v) - shift
}

// logScale returns the size from which on values are taken as far from 0: 1 of whole numbers, which are counts unless they
// were brought to another unit, else a tenth of the median size of those that are not 0.
func (s Spec) logScale(sorted []float64) float64 {
	var size []float64
	whole := len(s.Units) == 0
	for _, y := range sorted {
		whole = whole && y == math.Trunc(y)
		if y != 0 {
			size = append(size, math.Abs(y))
		}
	}
	if whole || len(size) == 0 {
		return 1
	}
	slices.Sort(size)
	return max(quantile(size, .5)/10, math.SmallestNonzeroFloat64*1e10)
}

// mostSampled bounds how many values a statistic looks at.
const mostSampled = 20_000

// sampled returns an even sample of the values.
func sampled(values []float64) []float64 { return evenly(values, mostSampled) }

// evenly returns at most m of the values, evenly spaced.
func evenly(values []float64, m int) []float64 {
	n := len(values)
	if n <= m {
		return values
	}
	out := make([]float64, m)
	for s := range out {
		out[s] = values[s*n/m]
	}
	return out
}

// growing reports whether the few different values among sorted ones are levels that grow by factors, such as 1, 2, 3, 5, 8, 13, 21 and 32,
// 64, 128, 256, 512: each step is at least as long as the one before, and half of the levels are in the lowest quarter.
func growing(sorted []float64) bool {
	levels := slices.Compact(slices.Clone(sorted))
	if len(levels) < leastGrowing || levels[0] <= 0 {
		return false
	}
	for i := 2; i < len(levels); i++ {
		if levels[i]-levels[i-1] < levels[i-1]-levels[i-2] {
			return false
		}
	}
	last := len(levels) - 1
	return 4*levels[last/2] <= levels[0]+levels[last]
}
