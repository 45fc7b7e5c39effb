package columns

import (
	"math"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// A value that is missing is unknown, unless its absence is a state of its own: a cart without a value is empty, a
// customer without a date of cancellation has not left. What the row has in the other columns tells: unknown values are missing
// here and there, states go with the rest. A column whose values the others do not predict, while they predict whether there is one,
// is used as a category of two levels.
const (
	leastPresence = 0.15 // R² of whether there is a value
	mostPresence  = 0.5  // beyond it another column says the same, as sex does of pregnancies
	rarePresence  = 0.1  // share of the rows with a value, and without one
	jointAbsence  = 0.5  // columns whose cells are missing together, as those from another source, say nothing of a state
)

// The levels of a column of which only counts whether it has a value.
const (
	withValue    = "present"
	withoutValue = "absent"
)

// usePresence looks at the columns that are left out because the others do not predict their values; kept are those others.
func (in *inference) usePresence(list []Column, cands, kept []*candidate, m int) {
	n := in.ds.X.Len()
	gone := map[*candidate][]bool{}
	for _, c := range cands {
		miss := make([]bool, m)
		for s := range miss {
			miss[s] = !c.there[s]
		}
		gone[c] = miss
	}
	var looked []*candidate
	for _, c := range cands {
		column := &list[c.at]
		share := float64(column.Missing) / float64(n)
		if !column.Irrelevant || c.part > 0 || share < rarePresence || share > 1-rarePresence {
			continue
		}
		joint := false
		for _, o := range cands {
			joint = joint || o != c && agreement(gone[c], gone[o]) > jointAbsence
		}
		if joint {
			continue
		}
		one := &candidate{at: c.at, width: 1, x: make([]float64, m), there: make([]bool, m)}
		for s := range m {
			one.there[s] = true
			if c.there[s] {
				one.x[s] = 1
			}
		}
		one.centre(m)
		looked = append(looked, one)
	}
	if len(looked) == 0 {
		return
	}
	predictAll(append(append([]*candidate{}, kept...), looked...), kept, m)
	for _, c := range looked {
		if c.r2 < leastPresence || c.r2 > mostPresence {
			continue
		}
		column := &list[c.at]
		column.setRelevance(c.r2)
		column.asPresence()
	}
}

// asPresence makes a column one of which only counts whether it has a value.
func (c *Column) asPresence() {
	c.Tip = hint.Sprintf("{%s=%s} uses its values", string(c.Role), c.Name)
	c.Role, c.Used, c.Irrelevant, c.Levels, c.Shown = Category, true, false, 2, nil
	c.Why = "the other columns predict whether it has a value, not which"
	c.Spec.Presence, c.Spec.Log, c.Spec.LogScale, c.Spec.Role = true, false, 0, Category
}

// areMarks reports whether a column with one value is a mark of some rows, as an x or a 1 is: all other cells are empty, and neither
// marked rows nor others are exceptions. Where a word says that a value is missing, an empty cell does not mean no.
func (in *inference) areMarks(c *Column, marked int) bool {
	n := in.ds.X.Len()
	empty := in.missing[c.At]
	const fewest = 3 // rows; fewer show nothing
	return min(marked, empty) >= fewest && marked+empty == n && float64(min(marked, empty)) >= rarePresence*float64(n)
}

// asMarks makes a column one of marks.
func (c *Column) asMarks(mark string) {
	c.asPresence()
	c.mark = mark
	c.Why = "marks: " + clip(mark) + " or nothing"
	c.Tip = ""
}

// agreement is the correlation of two lists of truth values; 0 where one is constant.
func agreement(a, b []bool) float64 {
	var na, nb, both float64
	for i := range a {
		if a[i] {
			na++
		}
		if b[i] {
			nb++
		}
		if a[i] && b[i] {
			both++
		}
	}
	n := float64(len(a))
	spread := na * (n - na) * nb * (n - nb)
	if spread <= 0 {
		return 0
	}
	return (n*both - na*nb) / math.Sqrt(spread)
}
