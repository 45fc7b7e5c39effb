// Package columns decides what each column of a table is for: an id, a number, a
// category, a date, a text, or nothing. The decisions are a Plan, which people can
// read, change and keep; package prepare turns it into rows of numbers.
//
// A column of plain numbers is a number, whatever its values. Of the others
//
//   - numbers with one unit or with signs between thousands are numbers,
//   - dates in ISO 8601 or a common form are dates,
//   - digits with leading zeros are codes, and codes and truth values categories,
//   - other texts are categories where they have few values, ids where each row has
//     its own and the column is the first or called id, free text where they are
//     many and long, and otherwise useless for a comparison of rows.
//
// A column counts as numbers or dates where nine of ten cells are; the others are
// missing cells then. A table of plain numbers without missing cells keeps all its
// columns as they are.
package columns

import (
	"slices"

	"github.com/inklinghq/inkling/internal/present/hint"
)

// A Role is what a column is for.
type Role string

// The roles. The last four are left out.
const (
	ID       Role = "id"
	Label    Role = "label"
	Number   Role = "number"
	Category Role = "category"
	Date     Role = "date"
	Text     Role = "text"
	Dropped  Role = "drop"
	Constant Role = "constant"
	Unique   Role = "unique"
	Empty    Role = "empty"
)

// A Spec says how the cells of a column are read. It is plain data and part of a
// saved recipe.
type Spec struct {
	Name     string `json:"name"`
	Role     Role   `json:"role"`
	Unit     string `json:"unit,omitempty"`      // of numbers
	Comma    bool   `json:"comma,omitempty"`     // numbers have commas for points
	DayFirst bool   `json:"day_first,omitempty"` // 1/2/2024 is in February
	Log      bool   `json:"log,omitempty"`       // the logarithm of the number is taken
	Parts    bool   `json:"parts,omitempty"`     // of a date: month, weekday and hour too
}

// A Column is a line of a plan.
type Column struct {
	Name    string `json:"column"`
	Role    Role   `json:"role"`
	Used    bool   `json:"used"` // as a feature
	Why     string `json:"why"`
	Missing int    `json:"missing"` // missing cells
	Levels  int    `json:"levels,omitempty"`

	Spec Spec      `json:"-"`
	Tip  hint.Hint `json:"-"` // what to do if the decision is wrong
	At   int       `json:"-"` // the feature of the dataset; -1 where it is none

	// Shown holds the cells of a column that describes clusters but does not make
	// them; nil for all others.
	Shown *Values `json:"-"`
}

// Values are the cells of a column by row: numbers, NaN where they are missing, or texts,
// "" where they are missing.
type Values struct {
	Numbers []float64 // nil: texts
	Texts   []string
	Dates   bool // the numbers are days since 1970
}

// A Plan is the role of every column of a table.
type Plan struct {
	Columns []Column
	// Plain says that the table is numbers alone, without missing cells and without
	// decisions by the user: its columns are taken as they are.
	Plain bool
}

// Lines returns the columns; none where there is no plan.
func (p *Plan) Lines() []Column {
	if p == nil {
		return nil
	}
	return slices.Clone(p.Columns)
}

// MixedKinds reports whether a column other than a number is used.
func (p *Plan) MixedKinds() bool {
	return p != nil && slices.ContainsFunc(p.Columns, func(c Column) bool { return c.Used && c.Role != Number })
}

// IDColumn returns the column of ids; "" where there is none.
func (p *Plan) IDColumn() string {
	for _, c := range p.Columns {
		if c.Role == ID {
			return c.Name
		}
	}
	return ""
}

// Rules are what the user decided; the zero value leaves everything open.
type Rules struct {
	ID, Label, Text        string
	NoID                   bool // rows keep their numbers
	Number, Category, Date []string
	Drop, Log              []string // Log may be "auto" alone: every heavy-tailed column
	Profile                []string // columns that describe clusters but do not make them
	DateParts              bool
	Any                    bool // no column need be left to cluster by
}

// Auto in Rules.Log stands for every column with a heavy tail.
const Auto = "auto"
