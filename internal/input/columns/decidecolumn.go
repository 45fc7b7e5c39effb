package columns

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Bounds of the decisions.
const (
	mostly    = 0.9 // share of cells that decides for numbers or dates
	textWords = 3.0 // words of a cell on average, from which on texts are free text
	fewTexts  = 50  // different texts that are categories, however long
	fewValues = 20  // different whole numbers that may be codes
	fewWords  = 5   // different words that stand for missing values among numbers
	fewGroups = 10  // different numbers that are surely numbers, not codes
)

// inference decides on the columns of one dataset.
type inference struct {
	ds      *dataio.Dataset
	rules   Rules
	plain   bool  // the table is numbers alone
	missing []int // by feature
	idFound bool
	idNamed int // the feature whose values constraints name, -1 if there is none
}

func newInference(ds *dataio.Dataset, rules Rules) *inference {
	in := &inference{ds: ds, rules: rules, missing: make([]int, len(ds.Columns)), idFound: ds.IDs != nil || rules.NoID}
	_ = blocks.Each(context.Background(), 0, ds.X.Len(), func(lo, hi int) []int {
		var missing []int // nil: none
		buf := make([]float64, ds.X.Dim())
		for i := lo; i < hi; i++ {
			row := ds.X.Row(i, buf)
			for q, y := range row.Val {
				if y != y {
					if missing == nil {
						missing = make([]int, len(in.missing))
					}
					missing[row.Feature(q)]++
				}
			}
		}
		return missing
	}, func(_, _ int, missing []int) {
		for j, n := range missing {
			in.missing[j] += n
		}
	})
	for j := range ds.Cells {
		in.missing[j] -= len(ds.Cells[j].Rows)
	}
	if in.idNamed = in.columnOfNames(); in.idNamed >= 0 {
		in.idFound = true
	}
	return in
}

// columnOfNames returns the first feature that has another value in every row, those by which constraints
// name rows among them; -1 if there is none, or if the ids are known.
func (in *inference) columnOfNames() int {
	if in.idFound || len(in.rules.Named) == 0 {
		return -1
	}
	for j, missing := range in.missing {
		if missing > 0 {
			continue
		}
		rows := map[string]bool{}
		for _, text := range rawTexts(in.ds, j) {
			rows[text] = true
		}
		if len(rows) == in.ds.X.Len() && !slices.ContainsFunc(in.rules.Named, func(id string) bool { return !rows[id] && !rows[OtherForm(id)] }) {
			return j
		}
	}
	return -1
}

func (in *inference) anyMissing() bool {
	return slices.ContainsFunc(in.missing, func(n int) bool { return n > 0 })
}

// decide gives feature j its role by its own cells.
func (in *inference) decide(j int) (Column, error) {
	name := in.ds.Columns[j]
	c := Column{Name: name, At: j, Missing: in.missing[j], Spec: Spec{Name: name, Reading: currentReading}}
	if slices.Contains(in.rules.Drop, name) && stemOfPart(name) != "" { // other columns that are left out are not read
		c.Role, c.Why = Dropped, "left out on request"
		return c, nil
	}
	given := in.givenRole(name)
	if slices.Contains(in.rules.Profile, name) { // it cannot name the rows too
		found := in.idFound
		in.idFound = true
		defer func() { in.idFound = found }()
	}
	if j == in.idNamed && given == "" {
		in.useIDs(&c)
		c.Why = "labels and links name its values"
		return c, nil
	}
	rows, texts := oddCells(in.ds, j)
	odd, gone := map[string]int{}, map[string]int{}
	for _, s := range texts {
		if missingToken(s) {
			gone[s]++
		} else {
			odd[s]++
		}
	}
	if in.ds.X.Len()-in.missing[j] == len(rows) {
		c.Spec.Kept = statesAmong(gone, odd)
	}
	for s, k := range gone {
		if slices.Contains(c.Spec.Kept, s) {
			odd[s] = k
		} else {
			c.Missing += k
		}
	}
	if edit := in.rules.Edits[name]; edit.Presence {
		c.Spec.Gone, c.Spec.Sentinels = edit.missing()
		c.asPresence()
		c.Why, c.Tip = "only whether it has a value counts", ""
		return c, nil
	}
	if edit := in.rules.Edits[name]; len(edit.Missing) > 0 && (given == Category || given == Date) {
		c.Spec.Gone = edit.Missing
	}
	switch n := in.ds.X.Len(); {
	case in.rules.Edits[name].List:
		return c, in.namedList(&c, j)
	case in.rules.Edits[name].Since != "":
		return c, in.asDate(&c, j, true)
	case given == Category:
		in.asCategory(&c, countValues(c.Spec.Texts(in.ds, j)))
		c.Used, c.Role, c.Why = c.Levels > 1, Category, "named as a category, "+c.Why
		if c.Levels < 2 {
			c.Role, c.Why = Constant, "named as a category, but it has only one value"
		}
	case given == Date:
		return c, in.asDate(&c, j, true)
	case given == Number:
		return c, in.asNumber(&c, j, true, odd, nil)
	case c.Missing == n:
		c.Role, c.Why = Empty, "no cell has a value"
	case len(odd) == 0:
		return c, in.asNumber(&c, j, false, odd, nil)
	default:
		return c, in.asTexts(&c, j, n-in.missing[j]-len(rows), odd)
	}
	return c, nil
}

func (in *inference) givenRole(name string) Role {
	switch {
	case slices.Contains(in.rules.Category, name):
		return Category
	case slices.Contains(in.rules.Date, name):
		return Date
	case slices.Contains(in.rules.Number, name), slices.Contains(in.rules.Log, name):
		return Number
	case in.rules.Edits[name].Presence, in.rules.Edits[name].List:
		return Category
	}
	return ""
}

// countValues counts the cells that have a value.
func countValues(cells []string) map[string]int {
	count := map[string]int{}
	for _, s := range cells {
		if s != "" {
			count[s]++
		}
	}
	return count
}
