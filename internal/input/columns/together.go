package columns

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// blockColumns is how many numbers with one name and a number after it are a block of one unit.
const blockColumns = 8

// jointLogs takes the logarithm of all or none of the columns of a block, such as q1 … q30: of all where
// half of them have heavy tails and no value is negative.
func (in *inference) jointLogs(list []Column) {
	if len(in.rules.Log) > 0 && in.rules.Log[0] != Auto {
		return
	}
	followSparse(list)
	stems := map[string][]int{}
	for i, c := range list {
		if c.Used && c.Role == Number {
			stems[stemOf(c.Name)] = append(stems[stemOf(c.Name)], i)
		}
	}
	for _, block := range stems {
		if len(block) < blockColumns {
			continue
		}
		heavy := 0
		for _, i := range block {
			if list[i].Spec.Log {
				heavy++
			}
		}
		if 2*heavy >= len(block) {
			continue
		}
		for _, i := range block {
			in.undoLog(&list[i])
		}
	}
	if in.plain && !slices.ContainsFunc(list, func(c Column) bool { return c.Spec.Log && c.skew >= plainSkew }) {
		for i := range list {
			in.undoLog(&list[i])
		}
	}
}

// sparseColumns is how many amounts that are 0 in most rows make a table of such amounts, as of words or goods.
const sparseColumns = 8

// followSparse takes the logarithm of all amounts that are 0 in most rows where more than half of them have heavy tails: of one with a value in few rows,
// its own values do not show it.
func followSparse(list []Column) {
	sparse, heavy := 0, 0
	for _, c := range list {
		if c.Used && c.Role == Number && c.sparseScale > 0 {
			sparse++
			if c.Spec.Log {
				heavy++
			}
		}
	}
	if sparse < sparseColumns || 2*heavy <= sparse {
		return
	}
	for i, c := range list {
		if c.Used && c.Role == Number && c.sparseScale > 0 && !c.Spec.Log {
			list[i].Spec.Log, list[i].Spec.LogScale = true, c.sparseScale
			list[i].Why += ", logarithm as of the others that are mostly 0"
			if c.Tip == "" {
				list[i].Tip = hint.Sprintf("{log=none} takes no logarithm")
			}
		}
	}
}

// undoLog takes back a logarithm that nobody asked for.
func (in *inference) undoLog(c *Column) {
	if c.Spec.Log && !in.rules.asksLog(c.Name) {
		c.Spec.Log, c.Spec.LogScale, c.Tip = false, 0, ""
		c.Why, _, _ = strings.Cut(c.Why, ", logarithm")
	}
}

// extreme is how many times farther than a normal tail a value is extreme.
const extreme = 5

// An extent is where the values of a number lie, by a sample of them.
type extent struct {
	n                   int
	first, middle, last float64 // the least, the median and the largest value
	low, high           float64 // where normal tails would end
}

// extents returns where the values of the numbers that are used lie.
func (in *inference) extents(list []Column) []extent {
	out := make([]extent, len(list))
	_ = blocks.Tasks(context.Background(), 0, len(list), func(i int) {
		c := list[i]
		if !c.Used || c.Role != Number {
			return
		}
		if sorted := present(c.Spec.sample(in.ds, c.At, mostSampled)); len(sorted) > 0 {
			out[i] = extent{n: len(sorted), first: sorted[0], middle: quantile(sorted, .5), last: sorted[len(sorted)-1]}
			out[i].low, out[i].high = boundsOf(sorted)
		}
	})
	return out
}

// hasExtremes reports whether a few values of a number are so far out that they would take clusters: farther from
// the median than the tails of the column and than the spread that the table has.
func (e extent) hasExtremes(spread float64) bool {
	if e.n < minHeavyTail {
		return false
	}
	return e.middle-e.first > extreme*max(e.middle-e.low, spread) && e.middle > e.low ||
		e.last-e.middle > extreme*max(e.high-e.middle, spread) && e.high > e.middle
}

// commonSpread returns the widest normal tail of the columns of a table of plain numbers that have one range, such as
// the pixels of an image; 0 where they have none. There a value that is rare in its own column is nothing special.
func (in *inference) commonSpread(list []extent) float64 {
	if !in.plain {
		return 0
	}
	var ranges []float64
	widest := 0.0
	for _, e := range list {
		if e.n > 0 {
			widest = max(widest, e.middle-e.low, e.high-e.middle)
			ranges = append(ranges, e.last-e.first)
		}
	}
	if len(ranges) == 0 {
		return 0
	}
	slices.Sort(ranges)
	if quantile(ranges, .5) < 0.9*ranges[len(ranges)-1] {
		return 0
	}
	return widest
}

// weighIndicators gives a block of yes/no columns with one stem, such as likes_tea and likes_wine, at most the weight of
// all numbers together.
func (in *inference) weighIndicators(list []Column) {
	numbers := 0
	stems := map[string][]int{}
	for i, c := range list {
		if !c.Used {
			continue
		}
		at := strings.LastIndexAny(c.Name, "_.-: ")
		if in.isIndicator(c) && at > 0 {
			stems[c.Name[:at]] = append(stems[c.Name[:at]], i)
		} else {
			numbers++
		}
	}
	for _, block := range stems {
		if len(block) < 3 || numbers == 0 || len(block) <= numbers {
			continue
		}
		for _, i := range block {
			list[i].Spec.Weight = math.Sqrt(float64(numbers) / float64(len(block)))
		}
	}
	in.weighLists(list)
	for i := range list {
		if w := in.rules.Edits[list[i].Name].Weight; w > 0 && list[i].Used {
			if list[i].Spec.Weight = w; w == 1 {
				list[i].Spec.Weight = 0
			}
		}
	}
}

// isIndicator reports whether a column says yes or no.
func (in *inference) isIndicator(c Column) bool {
	switch c.Role {
	case Category:
		return c.Levels == 2
	case Number:
		values, _ := c.Spec.Numbers(in.ds, c.At)
		for _, y := range values {
			if y == y && y != 0 && y != 1 {
				return false
			}
		}
		return true
	}
	return false
}
