package door

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/contents"
)

// UsePlan takes the decisions of a plan that Plan.Write wrote, in place of its own.
func (s *Source) UsePlan(r io.Reader, name string) error {
	rules, err := columns.ReadRules(r, name)
	if err != nil {
		return err
	}
	s.useRules(rules)
	s.Edits = rules.Edits
	return nil
}

// useRules adds rules to those that the source has; of two columns for one place the first stays.
func (s *Source) useRules(rules columns.Rules) {
	s.ID, s.LabelColumn, s.Text = cmp.Or(s.ID, rules.ID), cmp.Or(s.LabelColumn, rules.Label), cmp.Or(s.Text, rules.Text)
	s.Number, s.Category, s.Date, s.Log, s.Drop, s.Profile = append(s.Number, rules.Number...), append(s.Category, rules.Category...),
		append(s.Date, rules.Date...), append(s.Log, rules.Log...), append(s.Drop, rules.Drop...), append(s.Profile, rules.Profile...)
}

// SetRole gives a column a role of a plan, in place of the one that the source gave it, and with settings also all that a line
// of a plan says; nil: they are found out. With the role "" the column decides for itself again. The column that was the
// id, the label or the text before loses that role.
func (s *Source) SetRole(column string, role columns.Role, settings *columns.Settings) error {
	for _, one := range []*string{&s.ID, &s.LabelColumn, &s.Text} {
		if *one == column {
			*one = ""
		}
	}
	for _, list := range []*[]string{&s.Number, &s.Category, &s.Date, &s.Log, &s.Drop, &s.Profile} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(name string) bool { return name == column })
	}
	s.Edits = maps.Clone(s.Edits)
	delete(s.Edits, column)
	var rules columns.Rules
	switch role {
	case "":
		return nil
	case columns.ID:
		s.ID = ""
	case columns.Label:
		s.LabelColumn = ""
	case columns.Text:
		s.Text = ""
	}
	give := rules.Give
	if settings != nil {
		give = func(column string, role columns.Role) error { return rules.Set(column, role, *settings) }
	}
	if err := give(column, role); err != nil {
		return err
	}
	s.useRules(rules)
	for name, edit := range rules.Edits {
		if s.Edits == nil {
			s.Edits = map[string]columns.Edit{}
		}
		s.Edits[name] = edit
	}
	return nil
}

// A Head is the first rows of a table as they stand in its file, whatever the roles of its columns.
type Head struct {
	Columns []string // at most contents.MaxFields
	Rows    [][]string
	Len     int   // of the table
	Plan    *Plan // the roles that the columns have one by one, whether anything is left to cluster by or not
}

// ReadHead reads the first rows of a table. Data without named columns have none.
func ReadHead(ctx context.Context, path string, s Source, n int) (*Head, error) {
	t, err := Open(ctx, path, Source{Format: s.Format, As: s.As, Transpose: s.Transpose, ID: NoColumn, Missing: keepMissing, Workers: s.Workers})
	if err != nil || t.plan == nil || t.ds.X == nil {
		return &Head{}, err
	}
	show := contents.NewReader(t.ds, nil)
	out := &Head{Columns: show.Columns(), Plan: t.plan, Len: t.Len()}
	for i := range min(n, t.Len()) {
		out.Rows = append(out.Rows, show.Cells(i))
	}
	return out, nil
}

// ColumnValues returns the cells of a column as its role reads them, also of a column that only describes clusters; nil where there
// is no such column, or its cells are not kept.
func (t *Table) ColumnValues(name string) *columns.Values {
	for _, c := range t.plan.Lines() {
		switch {
		case c.Name != name:
		case c.Shown != nil:
			return c.Shown
		case c.At >= 0 && t.ds.X != nil && (c.Role == columns.Number || c.Role == columns.Category || c.Role == columns.Date):
			spec := c.Spec
			if spec.Role == "" {
				spec.Role = c.Role
			}
			return spec.ValuesOf(t.ds, c.At)
		}
	}
	return nil
}
