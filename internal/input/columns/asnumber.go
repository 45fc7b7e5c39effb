package columns

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// asNumber makes a column a number, by how its odd cells were read, if they were. A named one in which no cell is a number is
// refused.
func (in *inference) asNumber(c *Column, j int, named bool, odd map[string]int, r *reading) error {
	if len(odd) > 0 {
		if r == nil {
			r = readNumbers(columnOf(in.ds, j), odd)
		}
		c.Spec = r.spec
		c.Spec.Name = c.Name
		if words := r.left; len(words) > 0 && len(words) <= fewWords && in.tokensRepeat(odd, words) {
			c.Spec.Gone = words
		}
	}
	if edit := in.rules.Edits[c.Name]; edit.Missing != nil {
		c.Spec.Gone, _ = edit.missing()
		c.Spec.Below = slices.DeleteFunc(c.Spec.Below, func(s string) bool { return slices.Contains(c.Spec.Gone, s) })
	}
	if to := in.rules.Edits[c.Name].Unit; to != "" && to != c.Spec.Unit {
		if !c.Spec.bring(to) {
			return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q is in %s, which cannot be brought to %s", c.Name, c.Spec.Unit, to), Hint: "leave the unit empty in the plan"}
		}
	}
	c.Role, c.Spec.Role, c.Used, c.Why = Number, Number, true, "numbers"
	if r != nil && len(r.left) > 0 {
		if order, gone := orderOf(odd); order != nil {
			in.asOrder(c, order, gone)
			r = nil
		}
	}
	values, bad := c.Spec.Numbers(in.ds, j)
	s := describe(values)
	if named && s.n == 0 {
		return &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q has no numbers", c.Name), Hint: hint.Sprintf("{category=%s} uses its values as they are", c.Name)}
	}
	if c.Spec.Unit != "" && c.Spec.Unit != clockUnit {
		c.Why = "numbers in " + c.Spec.Unit
	}
	if c.Spec.Unit == clockUnit {
		c.Why = "durations"
	}
	if named && c.Spec.Order == nil {
		c.Why = "named as numbers"
	}
	switch {
	case !named && !in.idFound && s.whole && s.n == len(values) && len(odd) == 0 && s.n > 1 && in.numbersAreIDs(c, j, values, s):
		if s.distinct < s.n {
			return in.duplicateID(c, j)
		}
		in.useIDs(c)
		return nil
	case !named && in.idFound && s.whole && s.n > fewValues && s.distinct == s.n && namesID(c.Name):
		c.Role, c.Used, c.Why = Unique, false, "every row has its own value, as ids have"
		c.Tip = hint.Sprintf("{number=%s} uses it", c.Name)
		return nil
	case !named && !in.plain && (j > 0 || !in.idFound) && s.whole && s.n >= fewValues && s.n == len(values) && s.distinct == s.n && len(odd) == 0 && countsRows(values, s):
		c.Role, c.Used, c.Why = Unique, false, "counts the rows"
		c.Tip = hint.Sprintf("{number=%s} uses it", c.Name)
		return nil
	case s.distinct == 1 && !named && in.areMarks(c, s.n):
		c.asMarks(formatNumber(s.low))
		return nil
	case s.distinct == 1 && !named && !in.plain:
		c.Role, c.Used, c.Why = Constant, false, "every row has the same value"
		return nil
	case !named && !in.plain && almostConstant(medians(values), s.n):
		c.Role, c.Used, c.Why = Constant, false, "almost every row has the same value"
		c.Tip = hint.Sprintf("{number=%s} uses it", c.Name)
		return nil
	}
	c.Missing = len(values) - s.n // words for missing values and cells that cannot be read count
	if r != nil {
		c.Why += r.remarks()
	}
	if len(bad) > 0 {
		c.Why += fmt.Sprintf(", but for %s", in.example(j, bad))
	}
	found := findSentinels(sampled(values))
	if edit := in.rules.Edits[c.Name]; edit.Missing != nil {
		_, found = edit.missing()
	} else if named {
		found = nil
	}
	if len(found) > 0 {
		c.Spec.Sentinels = found
		gone := 0
		for i, y := range values {
			if slices.Contains(found, y) {
				values[i] = math.NaN()
				gone++
			}
		}
		c.Missing += gone
		c.Why += fmt.Sprintf(", %s taken as missing (%s)", listNumbers(found), countCells(gone))
		c.Tip = hint.Sprintf("{number=%s} keeps them", c.Name)
		s = describe(values)
	}
	return in.decideLog(c, values, s)
}

func listNumbers(list []float64) string {
	words := make([]string, len(list))
	for i, y := range list {
		words[i] = formatNumber(y)
	}
	return strings.Join(words, " and ")
}

func countCells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

// remarks say what was done with units, currencies and bounds.
func (r *reading) remarks() (s string) {
	if len(r.mixed) > 0 {
		s += fmt.Sprintf(", %s not converted", strings.Join(r.mixed, " and "))
	}
	var converted []string
	for u := range r.spec.Units {
		if !slices.Contains(r.mixed, u) && !slices.Contains(r.scaled, u) {
			converted = append(converted, u)
		}
	}
	if slices.Sort(converted); len(converted) > 0 {
		s += fmt.Sprintf(", %s converted", strings.Join(converted, " and "))
	}
	if len(r.scaled) > 0 {
		s += fmt.Sprintf(", %s scaled to the same median", strings.Join(r.scaled, " and "))
	}
	if len(r.spec.Flags) > 0 {
		s += fmt.Sprintf(", without the flags %s", strings.Join(r.spec.Flags, " and "))
	}
	if r.spec.Range {
		s += ", the middle of each range"
	}
	if r.below > 0 {
		s += fmt.Sprintf(", %s as the least value (%s)", strings.Join(r.spec.Below, " and "), countCells(r.below))
	}
	if r.bounds > 0 && 2*r.bounds < r.read {
		s += fmt.Sprintf(", the bound of %s such as <x", countCells(r.bounds))
	}
	return s
}

// countsRows reports whether whole numbers are 0, 1, 2, … or 1, 2, 3, … in the order of the rows, but for repetitions.
func countsRows(values []float64, s stats) bool {
	return s.high-s.low == float64(s.n-1) && slices.IsSorted(values) && (s.low == 0 || s.low == 1)
}

// codeTip is what to do about numbers that are perhaps something else.
func codeTip(name string, s stats) hint.Hint {
	if s.whole && s.distinct <= fewValues && s.distinct > 1 && namesCode(name) {
		return hint.Sprintf("{category=%s} if these are codes", name)
	}
	return ""
}

// example names the first of the cells that cannot be read.
func (in *inference) example(j int, bad []int) string {
	rows, text := oddCells(in.ds, j)
	first := ""
	if q, ok := slices.BinarySearch(rows, int32(bad[0])); ok {
		first = fmt.Sprintf("%q", clip(text[q]))
	}
	where := ""
	if in.ds.Lines != nil {
		where = fmt.Sprintf(" on line %d", in.ds.Lines(bad[0]))
	}
	if len(bad) == 1 {
		return fmt.Sprintf("1 cell, %s%s", first, where)
	}
	return fmt.Sprintf("%d cells, the first is %s%s", len(bad), first, where)
}

func clip(s string) string {
	const most = 30
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most-1]) + "…"
	}
	return s
}
