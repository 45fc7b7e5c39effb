// Package format writes counts and numbers as messages have them.
package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Count returns "1 row" or "3 rows".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Few returns the first most words, separated by commas, and how many more there
// are.
func Few(words []string, most int) string {
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}

// Number writes six significant digits.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// Rounded writes two significant digits, and all digits before the point: 0.00066, 1.9, 190, 12345.
func Rounded(x float64) string {
	if x >= 99.5 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// Signed is Number with a sign.
func Signed(x float64) string {
	if x < 0 {
		return Number(x)
	}
	return "+" + Number(x)
}

// Cost writes a cost with its sign after two spaces; "" where it is not known.
func Cost(cost *float64) string {
	if cost == nil {
		return ""
	}
	return "  " + Signed(*cost)
}

// Price writes what satisfying a constraint costs, and its penalty in parentheses where
// it has one.
func Price(cost, penalty *float64) string {
	if penalty == nil || *penalty == 0 {
		return Cost(cost)
	}
	return fmt.Sprintf("%s  (penalty %s)", Cost(cost), Number(*penalty))
}

// Terms lists the terms of an objective in parentheses, where there are several.
func Terms(terms map[string]float64) string {
	if len(terms) < 2 {
		return ""
	}
	var parts []string
	for name, x := range terms {
		parts = append(parts, name+" "+Number(x))
	}
	slices.Sort(parts)
	return " (" + strings.Join(parts, ", ") + ")"
}

// Starts says how many starts a result is the best of, and how many of them were
// distinct, if not all.
func Starts(n, distinct int) string {
	alike := ""
	if distinct > 0 && distinct < n {
		alike = fmt.Sprintf(" (%s skipped)", Count(n-distinct, "duplicate start"))
		n = distinct
	}
	if n == 1 {
		return "one start" + alike
	}
	return fmt.Sprintf("best of %d starts%s", n, alike)
}

// Bytes returns an amount of memory with its unit: 1.5 GB.
func Bytes(n int64) string {
	x, unit := float64(max(n, 0)), "bytes"
	for _, next := range []string{"KB", "MB", "GB", "TB", "PB"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, next
	}
	if x < 10 && unit != "bytes" {
		return strconv.FormatFloat(x, 'f', 1, 64) + " " + unit
	}
	return strconv.FormatFloat(x, 'f', 0, 64) + " " + unit
}
