package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number writes x with four significant digits.
func number(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", "−", 1)
}

// quantity writes a number in the unit of its column: whole from 1,000 on, with commas,
// else with four significant digits.
func quantity(x float64) string {
	if a := math.Abs(x); a >= 1000 && a < 1e15 {
		return strings.Replace(Thousands(int(math.Round(x))), "-", "−", 1)
	}
	return number(x)
}

// shareOf writes a share of 0 to 1 in percent.
func shareOf(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }

// axisNumber writes a number beside an axis: short, and with k, M or G instead
// of a power of ten.
func axisNumber(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e12 || a < 1e4:
		return number(x)
	case a >= 1e9:
		return number(x/1e9) + "G"
	case a >= 1e6:
		return number(x/1e6) + "M"
	}
	return number(x/1e3) + "k"
}

// Thousands writes a count with commas.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// shortCount writes a count in at most five letters; 0 as nothing.
func shortCount(n int) string {
	switch {
	case n == 0:
		return ""
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

func percentOf(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// shareInWords writes a share in percent, a tiny one in words.
func shareInWords(x float64) string {
	switch p := 100 * x; {
	case p < 0.05:
		return "next to nothing"
	case p < 10:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// signedNumber writes a number with its sign.
func signedNumber(x float64) string {
	return strings.Replace(fmt.Sprintf("%+.2f", x), "-", "−", 1)
}

// threeDecimals writes a measure of agreement.
func threeDecimals(x float64) string {
	return strings.Replace(fmt.Sprintf("%.3f", x), "-", "−", 1)
}

// displayName returns the name of a cluster for people: "cluster 3" where the
// name is only a number.
func displayName(name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		return "cluster " + name
	}
	return name
}

// clipText shortens s to at most n runes.
func clipText(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// textWidth is about the width of s, in pixels.
func textWidth(s string) float64 { return 6.8 * float64(utf8.RuneCountInString(s)) }

// marginFor is the width that names to the left of a chart need.
func marginFor(names []string) float64 {
	most := 0.0
	for _, s := range names {
		most = max(most, textWidth(clipText(s, 20)))
	}
	return 16 + most
}
