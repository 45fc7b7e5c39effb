package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/contents"
)

// A Note is what was noticed about the data, with what can be done about it.
type Note struct {
	Text   string  `json:"text"`
	Offers []Offer `json:"offers"`
}

// An Offer is a button that reads the data in another way.
type Offer struct {
	Text   string `json:"text"`
	Column string `json:"column,omitempty"`
	Role   string `json:"role,omitempty"` // of the column
	Log    string `json:"log,omitempty"`  // none: take no logarithms
	As     string `json:"as,omitempty"`   // vectors: a table, not a graph
}

// Reading says how data are read otherwise than they would be by themselves.
type Reading struct {
	Roles []GivenRole `json:"roles,omitempty"`
	Log   string      `json:"log,omitempty"` // auto or none
	As    string      `json:"as,omitempty"`  // vectors or graph
}

// GivenRole is the role that a person gives a column: a role of a plan of columns, or "" for the one that the column
// would have by itself. Settings are the other cells of its line in a plan; without them they are found out.
type GivenRole struct {
	Column   string            `json:"column"`
	Role     string            `json:"role"`
	Settings *columns.Settings `json:"settings,omitempty"`
}

// ColumnTable shows what each column of a table is for, and the first rows.
type ColumnTable struct {
	Kind    string       `json:"kind"` // table or graph
	Rows    int          `json:"rows"`
	Columns []ColumnPlan `json:"columns"`
	More    int          `json:"more"`  // columns that are not listed
	Head    ColumnHead   `json:"head"`  // the first rows
	Notes   []Note       `json:"notes"` // about the table
	Error   *Problem     `json:"error"` // why it cannot be clustered like this
}

// ColumnPlan is a column with what it is for.
type ColumnPlan struct {
	Name   string  `json:"name"`
	Role   string  `json:"role"`  // id, label, number, category, date, text, describe or drop
	Holds  string  `json:"holds"` // what its cells are: number, category, date, text, or "" where that was not looked at
	Given  bool    `json:"given"` // a person gave it the role
	Why    string  `json:"why"`
	Offers []Offer `json:"offers"` // what to do if that is wrong
	// Settings are the other cells of its line in a plan of columns.
	Settings columns.Settings `json:"settings"`
}

// ColumnHead is the first rows of a table as they stand in its file.
type ColumnHead struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// What is sent about a file before work on it begins.
type (
	// Uploaded is a file that was sent.
	Uploaded struct {
		Upload  string      `json:"upload"` // its number, for begin
		Name    string      `json:"name"`
		Kind    string      `json:"kind"` // table, graph or image
		Rows    int         `json:"rows"`
		Preview ColumnTable `json:"preview"` // of a table: what its columns are for
	}
	// BeginRequest says how a file that was sent is read.
	BeginRequest struct {
		Upload  string   `json:"upload"`
		ID      string   `json:"id,omitempty"`
		Label   string   `json:"label,omitempty"`
		Text    string   `json:"text,omitempty"`
		Drop    []string `json:"drop,omitempty"`
		K       int      `json:"k,omitempty"`
		Reading *Reading `json:"reading,omitempty"` // the roles of columns
	}
)

// ApplyTo changes a source as a person said.
func (r Reading) ApplyTo(s *door.Source) error {
	for _, given := range r.Roles {
		if err := s.SetRole(given.Column, columns.Role(given.Role), given.Settings); err != nil {
			return err
		}
	}
	switch r.Log {
	case "":
	case columns.None:
		s.Log = []string{columns.None}
	case columns.Auto:
		s.Log = nil
	default:
		return Refuse(KindOption, "log must be auto or none, got %q", r.Log)
	}
	if r.As != "" {
		if s.As = door.As(r.As); r.As == asTable {
			s.Format = "" // it was found to be a graph by its content
		}
	}
	return nil
}

// asTable is what a file is used as that is a table and not a graph.
const asTable = "vectors"

// DescribeColumns describes the columns of a table that was read from a source.
func DescribeColumns(t *door.Table, s door.Source) *ColumnTable {
	out := &ColumnTable{Kind: kindOf(t), Rows: t.Len(), Notes: TableNotes(t), Head: ColumnHead{Columns: []string{}, Rows: [][]string{}}}
	out.Columns, out.More = describePlan(t.Plan(), s)
	return out
}

// DescribeUnreadable describes the columns of a table that cannot be clustered as its source says, by its first rows.
func DescribeUnreadable(h *door.Head, s door.Source, err error) *ColumnTable {
	out := &ColumnTable{Kind: "table", Rows: h.Len, Notes: []Note{}, Head: HeadOf(h)}
	if err != nil {
		p := ProblemOf(err)
		out.Error = &p
	}
	out.Columns, out.More = describePlan(h.Plan, s)
	return out
}

// HeadOf returns the first rows for a page.
func HeadOf(h *door.Head) ColumnHead {
	return ColumnHead{append([]string{}, h.Columns...), append([][]string{}, h.Rows...)}
}

func kindOf(t *door.Table) string {
	if t.Input() == "graph" {
		return "graph"
	}
	return "table"
}

func describePlan(p *door.Plan, s door.Source) (out []ColumnPlan, more int) {
	out = []ColumnPlan{}
	lines := p.Lines()
	for _, c := range lines[:min(len(lines), contents.MaxFields)] {
		out = append(out, ColumnPlan{Settings: p.SettingsOf(&c), Name: c.Name, Role: string(c.Serves()), Holds: holds(&c), Given: isGiven(c.Name, s), Why: c.Why, Offers: offersOf(c.Tip, c.Name)})
	}
	return out, len(lines) - len(out)
}

// holds returns what the cells of a column are; "" where its role does not say.
func holds(c *door.PlannedColumn) string {
	switch c.Role {
	case columns.Number, columns.Category, columns.Date, columns.Text:
		return string(c.Role)
	}
	return ""
}

func isGiven(column string, s door.Source) bool {
	_, isEdited := s.Edits[column]
	return slices.Contains([]string{s.ID, s.LabelColumn, s.Text}, column) ||
		slices.Contains(slices.Concat(s.Number, s.Category, s.Date, s.Drop, s.Profile), column) || isEdited
}

// TableNotes returns what was noticed about a table, with buttons.
func TableNotes(t *door.Table) []Note {
	out := []Note{}
	for _, n := range t.Notes() {
		out = append(out, Note{Text: Worded(n.Text), Offers: offersOf(n.Text, "")})
	}
	if base := filepath.Base(t.Name()); len(out) > 0 && t.Format() == "edges" && (strings.Contains(base, ".csv") || strings.Contains(base, ".tsv")) {
		out[0].Offers = append(out[0].Offers, Offer{Text: "Read it as a table", As: asTable})
	}
	return out
}

// PlainNotes returns notes without buttons.
func PlainNotes(texts ...string) []Note {
	out := []Note{}
	for _, s := range texts {
		out = append(out, Note{Text: s, Offers: []Offer{}})
	}
	return out
}

// roleOptions are the roles that options of a hint name, with how a button says it.
var roleOptions = map[string]struct {
	role  columns.Role
	offer string
}{
	"number": {columns.Number, "Use “%s” as a number"}, "category": {columns.Category, "Use “%s” as a category"}, "date": {columns.Date, "Use “%s” as a date"},
	"text": {columns.Text, "Compare “%s” as text"}, "id": {columns.ID, "Use “%s” as the id"}, "label-col": {columns.Label, "Use “%s” as known labels"},
	"drop": {columns.Dropped, "Leave out “%s”"}, "profile": {columns.Describe, "Only describe groups by “%s”"},
}

// offersOf returns what a hint advises, as buttons. A role without a column is of the column given; "": of none.
func offersOf(h door.Hint, column string) []Offer {
	out := []Offer{}
	for _, o := range h.Options() {
		if o.Name == "log" && o.Value == columns.None {
			out = append(out, Offer{Text: logOffer, Log: columns.None})
			continue
		}
		as, ok := roleOptions[o.Name]
		name := o.Value
		if name == "" && o.Name == "drop" {
			name = column
		}
		if !ok || name == "" || o.Name == "id" && name == columns.None {
			continue
		}
		out = append(out, Offer{Text: fmt.Sprintf(as.offer, name), Column: name, Role: string(as.role)})
	}
	return out
}

const logOffer = "Take no logarithms"

// Worded writes a hint for people who use the page: options that are roles of columns by the names that they have there.
func Worded(h door.Hint) string {
	return h.Render(func(o door.HintOption) string {
		as, ok := roleOptions[o.Name]
		switch {
		case o.Name == "id" && o.Value == columns.None:
			return "“leave out” for this column"
		case o.Name == "log" && o.Value == columns.None:
			return "“" + logOffer + "”"
		case ok:
			return "“" + RoleName(as.role) + "”"
		case o.Value == "":
			return o.Name
		}
		return o.Name + "=" + o.Value
	})
}

// RoleName returns the name of a role on the page.
func RoleName(r columns.Role) string {
	switch r {
	case columns.Label:
		return "known label"
	case columns.Describe:
		return "describes groups"
	case columns.Dropped:
		return "leave out"
	}
	return string(r)
}
