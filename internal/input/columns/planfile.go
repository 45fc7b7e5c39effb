package columns

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/present/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// planHeader are the columns of a plan as a file.
var planHeader = []string{"column", "role", "used", "transform", "why"}

// Write writes the plan as CSV: column,role,used,transform,why. The transform of a
// number is log or empty. Edit roles and transforms and read the file again.
func (p *Plan) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(planHeader)
	if p != nil {
		for _, c := range p.Columns {
			transform := ""
			if c.Spec.Log {
				transform = "log"
			}
			_ = out.Write([]string{c.Name, string(c.Role), strconv.FormatBool(c.Used), transform, c.Why})
		}
	}
	out.Flush()
	return out.Error()
}

// ReadRules reads a plan that Write wrote, as rules; only column and role are needed.
// A column with used=false that is neither an id nor a label is left out.
func ReadRules(r io.Reader, name string) (Rules, error) {
	var rules Rules
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return rules, planError(name, err)
	}
	at := map[string]int{}
	for j, h := range header {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")))] = j
	}
	if _, ok := at["column"]; !ok || !has(at, "role") {
		return rules, &dataio.Error{File: name, Line: 1, Msg: "this is not a plan of columns", Hint: "its first line is " + hint.Hint(strings.Join(planHeader, ","))}
	}
	seen := map[string]bool{}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			if len(rules.Log) == 0 {
				rules.Log = []string{None} // the plan says so
			}
			return rules, nil
		}
		if err != nil {
			return rules, planError(name, err)
		}
		line, _ := in.FieldPos(0)
		cell := func(column string) string {
			if j, ok := at[column]; ok && j < len(record) {
				return strings.TrimSpace(record[j])
			}
			return ""
		}
		column := cell("column")
		if seen[column] {
			return rules, &dataio.Error{File: name, Line: line, Msg: fmt.Sprintf("column %q stands twice in the plan", column)}
		}
		seen[column] = true
		if err := rules.add(column, Role(strings.ToLower(cell("role"))), cell("used"), cell("transform")); err != nil {
			err.File, err.Line = name, line
			return rules, err
		}
	}
}

func has(at map[string]int, name string) bool { _, ok := at[name]; return ok }

func planError(name string, err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return &dataio.Error{File: name, Line: bad.Line, Col: bad.Column, Msg: bad.Err.Error(), Err: err}
	}
	if e := (*dataio.Error)(nil); errors.As(err, &e) {
		return e
	}
	return &dataio.Error{File: name, Msg: err.Error(), Err: err}
}

// add adds one line of a plan.
func (r *Rules) add(column string, role Role, used, transform string) *dataio.Error {
	left := used == "false" || used == "no" || used == "0"
	one := func(field *string) *dataio.Error {
		if *field != "" {
			return &dataio.Error{Msg: fmt.Sprintf("columns %q and %q cannot both be the %s", *field, column, role)}
		}
		*field = column
		return nil
	}
	switch role {
	case ID:
		return one(&r.ID)
	case Label:
		return one(&r.Label)
	case Dropped, Constant, Unique, Empty:
		r.Drop = append(r.Drop, column)
		return nil
	}
	if left {
		r.Drop = append(r.Drop, column)
		return nil
	}
	switch role {
	case Text:
		return one(&r.Text)
	case Category:
		r.Category = append(r.Category, column)
	case Date:
		r.Date = append(r.Date, column)
	case Number:
		r.Number = append(r.Number, column)
		switch transform {
		case "":
		case "log":
			r.Log = append(r.Log, column)
		default:
			return &dataio.Error{Msg: fmt.Sprintf("the transform of a number is log or empty, not %q", transform)}
		}
	default:
		all := []string{string(ID), string(Label), string(Number), string(Category), string(Date), string(Text), string(Dropped)}
		return &dataio.Error{Msg: fmt.Sprintf("there is no role %q", role), Hint: hint.Sprintf("%s", strings.TrimSpace(suggest.DidYouMean(string(role), all)+" the roles are "+strings.Join(slices.Clone(all), ", ")))}
	}
	return nil
}
