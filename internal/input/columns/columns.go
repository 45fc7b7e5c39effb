// Package columns decides what each column of a table is for: an id, a number, a
// category, a date, a text, or nothing. The decisions are a Plan, which people can
// read, change and keep; package prepare turns it into rows of numbers.
//
// The cells decide first, words of the header second and never alone:
//
//   - what people write for a number is a number: with a unit or a currency, signs between
//     thousands, percent, a bound such as <0.5, a duration such as 3:45,
//   - dates in ISO 8601 or a common form are dates, of which those that follow another date of the row are the time since that one,
//   - digits with leading zeros are codes, and codes and truth values categories,
//   - addresses of mail, web and accounts, phone and version numbers, file names and hashes
//     identify something, and are not compared,
//   - cells that hold lists, such as Drama|Comedy, are indicators of what they hold,
//   - other texts are categories where they can describe a group, ids where each row has
//     its own and the column is the first or called id, free text where they are
//     many and long, and otherwise useless for a comparison of rows.
//
// A column counts as numbers or dates where nine of ten cells are; the others are
// missing cells then. Words and numbers that stand for a missing value are missing in every kind of column. A column that its neighbours in the other
// columns cannot predict describes clusters and does not make them. Heavy tails are
// made short by a logarithm, and extremes are pulled in. A table of plain numbers to which nothing of this applies keeps all its
// columns as they are.
package columns

import (
	"slices"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// A Role is what a column is for.
type Role string

// The roles. The last four are left out. Describe is given by people alone: a column that describes clusters and
// does not make them.
const (
	ID       Role = "id"
	Label    Role = "label"
	Number   Role = "number"
	Category Role = "category"
	Date     Role = "date"
	Text     Role = "text"
	Describe Role = "describe"
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
	Comma    bool   `json:"comma,omitempty"`     // 1,234 has decimals and 1.234 thousands
	DayFirst bool   `json:"day_first,omitempty"` // 1/2/2024 is in February
	Log      bool   `json:"log,omitempty"`       // the logarithm of the number is taken
	Parts    bool   `json:"parts,omitempty"`     // of a date: month, weekday and hour too

	// Reading is 0 in models of versions that knew none of the following.
	Reading   int                   `json:"reading,omitempty"`
	Units     map[string]Conversion `json:"units,omitempty"`     // of cells in other units than Unit
	Groups    bool                  `json:"groups,omitempty"`    // a plain 1.234 is 1234
	Gone      []string              `json:"gone,omitempty"`      // words of this column for a missing value
	Kept      []string              `json:"kept,omitempty"`      // words for a missing value that are values of this column
	Sentinels []float64             `json:"sentinels,omitempty"` // numbers for a missing value
	Below     []string              `json:"below,omitempty"`     // words of this column for a value too small to be measured, which counts as Least
	Least     float64               `json:"least,omitempty"`
	LogScale  float64               `json:"log_scale,omitempty"` // s in sign(x)·log(1 + |x|/s); 0: log(x + shift)
	Same      map[string]string     `json:"same,omitempty"`      // other spellings of a category's levels
	Clip      bool                  `json:"clip,omitempty"`      // extremes are pulled in
	Weight    float64               `json:"weight,omitempty"`    // of the column; 0: 1
	Presence  bool                  `json:"presence,omitempty"`  // of a category: only whether there is a value counts
	List      string                `json:"list,omitempty"`      // of a category: what stands between the values of a cell, each of which is an indicator
	Since     *Since                `json:"since,omitempty"`     // of a number: the time from the date of another column to that of this one
	Order     []string              `json:"order,omitempty"`     // of levels that are numbers, from the least: 1, 2, …
	Before    string                `json:"before,omitempty"`    // of numbers: what stands before each
	Range     bool                  `json:"range,omitempty"`     // of numbers: cells are ranges, of which the middle is taken
	Flags     []string              `json:"flags,omitempty"`     // that may stand behind numbers and say nothing of their size, such as H in 171 H
}

// currentReading is the way in which cells are read now.
const currentReading = 2

// A Column is a line of a plan.
type Column struct {
	Name    string `json:"column"`
	Role    Role   `json:"role"`
	Used    bool   `json:"used"` // as a feature
	Why     string `json:"why"`
	Missing int    `json:"missing"` // missing cells
	Levels  int    `json:"levels,omitempty"`
	// Relevance is the share of the column's variance that its neighbours in the other columns
	// predict; nil where it was not measured.
	Relevance *float64 `json:"relevance,omitempty"`

	Irrelevant bool `json:"irrelevant,omitempty"` // its relevance is too small, so it is not used

	Spec Spec      `json:"-"`
	Tip  hint.Hint `json:"-"` // what to do if the decision is wrong
	At   int       `json:"-"` // the feature of the dataset; -1 where it is none
	mark string    // what stands in the rows that a column of marks marks
	skew float64   // of the middle values, where the logarithm is taken
	// sparseScale is the LogScale of amounts that are 0 in most rows; 0 for other columns.
	sparseScale float64

	// Shown holds the cells of a column that describes clusters but does not make
	// them; nil for all others.
	Shown *Values `json:"-"`
}

// Serves returns what the column is used for, as one of the roles that people can give: that of what it holds where
// rows are compared by it, else id, label, describe or drop.
func (c *Column) Serves() Role {
	switch {
	case c.Role == ID, c.Role == Label, c.Used:
		return c.Role
	case c.Shown != nil:
		return Describe
	}
	return Dropped
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
	// Shape says that rows are compared by their shape; "" by their values.
	Shape Shape
	// Extremes says that a few values are so far out that they would take clusters.
	Extremes bool
	// TextAlone says that columns which could be clustered on are not, because a text was named.
	TextAlone bool
	// Several say which columns of the file hold several numbers in each cell, and what became of them.
	Several []hint.Hint
	// Notable are what was found out about the table beside the roles, most important first.
	Notable []hint.Hint
}

// A Shape is a way to compare rows by something else than the values of their columns.
type Shape string

// The shapes.
const (
	RowShape   Shape = "rows"    // each row less its mean, divided by its deviation
	TrendShape Shape = "detrend" // the same after a straight line is taken off each row
	Shares     Shape = "shares"  // the root of each value's share of its row
	Direction  Shape = "l2"      // each row divided by its length
)

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

// Settled reports whether the plan decides how columns are scaled: where kinds or units are mixed, logarithms are
// taken, a few values are far out, or rows are compared by their shape.
func (p *Plan) Settled() bool {
	return p != nil && !p.Plain && (p.Shape != "" || p.Extremes || p.MixedKinds() || p.mixedUnits() || slices.ContainsFunc(p.Columns, func(c Column) bool { return c.Used && c.Spec.Log }))
}

// mixedUnits reports whether numbers have more than one unit, so that their spreads cannot be compared.
func (p *Plan) mixedUnits() bool {
	units := map[string]bool{}
	for _, c := range p.Columns {
		if c.Used && c.Role == Number {
			units[c.Spec.Unit] = true
		}
	}
	return len(units) > 1
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
	NoID                   bool     // rows keep their numbers
	Named                  []string // ids by which constraints name rows: the column that holds them all names the rows
	Number, Category, Date []string
	Drop, Log              []string // Log may be "auto" alone: every heavy-tailed column
	Profile                []string // columns that describe clusters but do not make them
	DateParts              bool
	Edits                  map[string]Edit // by column
	Any                    bool            // no column need be left to cluster by
	Beside                 bool            // the columns beside a text that was named are used, and not the text alone
}

// An Edit is what a plan says of a column beside its role.
type Edit struct {
	Log      string   `json:",omitempty"` // log or None; "": as Rules.Log says
	Presence bool     `json:",omitempty"`
	List     bool     `json:",omitempty"` // cells hold lists
	Since    string   `json:",omitempty"` // the column of dates from which on this one, of dates, is counted
	Missing  []string `json:",omitempty"` // words and numbers that stand for a missing value; nil: found out
	Weight   float64  `json:",omitempty"` // 0: found out
	Unit     string   `json:",omitempty"` // that numbers are brought to; "": found out
	// Scale is a Shape that rows are compared by, or None; "": found out. It is that of the table, so all columns have the same.
	Scale string `json:",omitempty"`
}

// Words of Rules.Log: every column with a heavy tail, which is also what an empty list means, or none.
const (
	Auto = "auto"
	None = "none"
)
