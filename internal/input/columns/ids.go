package columns

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// otherIDs reports whether another column is called as ids are and has another value in every row: names of persons, and names of
// which one stands twice, are ids only where there are no better ones.
func (in *inference) otherIDs(j int) bool {
	for k, name := range in.ds.Columns {
		if k == j || in.missing[k] > 0 || !namesID(name) {
			continue
		}
		seen := map[string]bool{}
		for _, s := range rawTexts(in.ds, k) {
			seen[s] = true
		}
		if len(seen) == in.ds.X.Len() {
			return true
		}
	}
	return false
}

// duplicateID refuses a column of ids in which one stands twice.
func (in *inference) duplicateID(c *Column, j int) error {
	first := map[string]int{}
	for i, s := range rawTexts(in.ds, j) {
		before, twice := first[s]
		if !twice {
			first[s] = i
			continue
		}
		e := &dataio.Error{File: in.ds.Name, Msg: fmt.Sprintf("column %q: id %q is already on row %d", c.Name, clip(s), before+1),
			Hint: "every row needs its own id; correct it, or number the rows with {id=none}"}
		if in.ds.Lines != nil {
			e.Line = in.ds.Lines(i)
			e.Msg = fmt.Sprintf("column %q: id %q is already on line %d", c.Name, clip(s), in.ds.Lines(before))
		}
		return e
	}
	return nil
}

// OtherForm returns how else programs write a whole number that names a row: 12 for 12.0, as tables with missing numbers are written, and
// 12.0 for 12; "" for other ids.
func OtherForm(id string) string {
	if whole, found := strings.CutSuffix(id, ".0"); found && allDigits(whole) {
		return whole
	}
	if allDigits(id) {
		return id + ".0"
	}
	return ""
}

// useIDs makes a column the ids of the rows.
func (in *inference) useIDs(c *Column) {
	c.Role, c.Used, c.Why = ID, false, ownValue
	c.Tip = hint.Sprintf("{id} names another column")
}

// numbersAreIDs reports whether whole numbers name the rows: all differ, and they count the rows, or the
// column is called as ids are, or it is the first and its values are nothing but large. One that occurs twice
// in a column that is called so is an error.
func (in *inference) numbersAreIDs(c *Column, j int, values []float64, s stats) bool {
	if !(s.distinct == s.n || in.nearlyUnique(s.distinct, s.n) && namesID(c.Name) && j == 0) {
		return false
	}
	sequence := countsRows(values, s)
	switch {
	case in.plain:
		return s.n >= fewValues && j == 0 && (namesID(c.Name) || sequence && s.distinct == s.n)
	case namesID(c.Name):
		return true
	}
	return j == 0 && s.n >= fewValues && s.distinct == s.n && (sequence || s.low >= 1000 && s.low > s.high/100) && !in.otherIDs(j)
}
