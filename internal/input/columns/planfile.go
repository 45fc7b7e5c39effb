package columns

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// planHeader are the columns of a plan as a file.
var planHeader = []string{"column", "role", "used", "transform", "unit", "scale", "missing", "weight", "why"}

// Words of a plan: transforms, and what stands between two words for missing values.
const (
	logTransform      = "log"
	presenceTransform = "presence"
	listTransform     = "list"
	sinceTransform    = "since " // and the column of dates
	betweenMissing    = "|"
)

// Write writes the plan as CSV: column,role,used,transform,unit,scale,missing,weight,why. Scale is how rows are compared where
// that is by their shape, the same in all columns that are used. The transform of a
// number is log, since with a column of dates, both or empty, that of a category presence, list or empty: with presence only whether it has a value counts, with list each value that its cells list. Missing are the words and
// numbers of the column that stand for a missing value, with | between them. Edit it and read the file again.
func (p *Plan) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(planHeader)
	if p != nil {
		for i := range p.Columns {
			c := &p.Columns[i]
			set := p.SettingsOf(c)
			_ = out.Write([]string{c.Name, string(c.Role), strconv.FormatBool(c.Used), set.Transform, set.Unit, set.Scale, set.Missing, set.Weight, c.Why})
		}
	}
	out.Flush()
	return out.Error()
}

// Settings are what a line of a plan says of a column beside its role, in the words of the file.
type Settings struct {
	Transform string `json:"transform"`
	Unit      string `json:"unit"`
	Scale     string `json:"scale"`
	Missing   string `json:"missing"`
	Weight    string `json:"weight"`
}

// SettingsOf returns the settings of a column of the plan.
func (p *Plan) SettingsOf(c *Column) (out Settings) {
	switch {
	case c.Spec.Since != nil && c.Spec.Log:
		out.Transform = logTransform + " " + sinceTransform + c.Spec.Since.Column
	case c.Spec.Since != nil:
		out.Transform = sinceTransform + c.Spec.Since.Column
	case c.Spec.Log:
		out.Transform = logTransform
	case c.Spec.Presence:
		out.Transform = presenceTransform
	case c.Spec.List != "":
		out.Transform = listTransform
	}
	out.Unit = c.Spec.Unit
	if c.Used && c.Role == Number {
		out.Scale = string(p.Shape)
	}
	missing := slices.Clone(c.Spec.Gone)
	for _, y := range c.Spec.Sentinels {
		missing = append(missing, formatNumber(y))
	}
	out.Missing = strings.Join(missing, betweenMissing)
	if c.Used && c.Role != Text {
		out.Weight = strconv.FormatFloat(cmp.Or(c.Spec.Weight, 1), 'g', -1, 64)
	}
	return out
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
		if err := rules.addLine(column, Role(strings.ToLower(cell("role"))), cell("used"), cell("transform")); err != nil {
			err.File, err.Line = name, line
			return rules, err
		}
		set := Settings{Unit: cell("unit"), Scale: cell("scale"), Missing: cell("missing"), Weight: cell("weight")}
		if err := rules.set(column, set, has(at, "missing"), has(at, "scale")); err != nil {
			err.File, err.Line = name, line
			return rules, err
		}
	}
}

// set adds what one line of a plan says beside the role and the transform; missing and scale are whether it has those cells.
func (r *Rules) set(column string, s Settings, missing, scale bool) *dataio.Error {
	if missing || s.Weight != "" {
		if err := r.edit(column, s.Missing, s.Weight, missing); err != nil {
			return err
		}
	}
	if slices.Contains(r.Number, column) && (s.Unit != "" || scale) {
		return r.scaleAndUnit(column, s.Unit, strings.ToLower(s.Scale), scale)
	}
	return nil
}

// scaleAndUnit adds what one line of a plan says of the unit of a number and of how rows are compared.
func (r *Rules) scaleAndUnit(column, unit, scale string, said bool) *dataio.Error {
	e := r.Edits[column]
	e.Unit = unit
	if said {
		shapes := []string{string(RowShape), string(TrendShape), string(Shares), string(Direction)}
		if e.Scale = cmp.Or(scale, None); e.Scale != None && !slices.Contains(shapes, e.Scale) {
			return &dataio.Error{Msg: fmt.Sprintf("the scale of column %q must be %s or empty, got %q", column, strings.Join(shapes, ", "), scale), Hint: "columns alone are scaled by {scale}"}
		}
		for other, o := range r.Edits {
			if o.Scale != "" && o.Scale != e.Scale {
				return &dataio.Error{Msg: fmt.Sprintf("columns %q and %q have different scales, %s and %s", other, column, o.Scale, e.Scale), Hint: "rows are compared in one way: give all numbers that are used the same"}
			}
		}
	}
	r.keepEdit(column, e)
	return nil
}

// edit adds what one line of a plan says of missing values and of the weight, for a column that is used.
func (r *Rules) edit(column, missing, weight string, said bool) *dataio.Error {
	if !slices.Contains(r.Number, column) && !slices.Contains(r.Category, column) && !slices.Contains(r.Date, column) && !r.Edits[column].Presence && !r.Edits[column].List {
		return nil
	}
	e := r.Edits[column]
	if said {
		e.Missing = []string{}
		for _, word := range strings.Split(missing, betweenMissing) {
			if word = strings.TrimSpace(word); word != "" {
				e.Missing = append(e.Missing, word)
			}
		}
	}
	if weight != "" {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil || !(w > 0) || math.IsInf(w, 0) {
			return &dataio.Error{Msg: fmt.Sprintf("the weight of column %q must be a number above 0, got %q", column, weight), Hint: "write drop as its role to leave it out"}
		}
		e.Weight = w
	}
	r.keepEdit(column, e)
	return nil
}

func (r *Rules) keepEdit(column string, e Edit) {
	if r.Edits == nil {
		r.Edits = map[string]Edit{}
	}
	r.Edits[column] = e
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

// Give gives a column a role, as a line of a plan does.
func (r *Rules) Give(column string, role Role) error {
	if err := r.addLine(column, role, "", ""); err != nil {
		return err
	}
	return nil
}

// Set gives a column a role and all its settings, as a line of a plan does, without a word about other columns: whether their
// logarithm is taken is found out.
func (r *Rules) Set(column string, role Role, s Settings) error {
	if err := r.addLine(column, role, "", s.Transform); err != nil {
		return err
	}
	if slices.Contains(r.Number, column) {
		e := r.Edits[column]
		if e.Log = None; slices.Contains(r.Log, column) {
			e.Log = logTransform
		}
		r.keepEdit(column, e)
		r.Log = slices.DeleteFunc(r.Log, func(name string) bool { return name == column })
	}
	if err := r.set(column, s, true, true); err != nil {
		return err
	}
	return nil
}

// addLine adds one line of a plan.
func (r *Rules) addLine(column string, role Role, used, transform string) *dataio.Error {
	of, lower := "", strings.ToLower(transform)
	if at := strings.Index(lower+" ", sinceTransform); role == Number && (at == 0 || at == len(logTransform)+1) && len(lower) == len(transform) {
		of, lower = strings.TrimSpace(transform[min(len(transform), at+len(sinceTransform)):]), strings.TrimSpace(lower[:at])
		if of == "" {
			return &dataio.Error{Msg: fmt.Sprintf("the transform of column %q must name a column of dates after since", column)}
		}
	}
	transform = lower
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
	case Describe:
		r.Profile = append(r.Profile, column)
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
		switch transform {
		case "":
			r.Category = append(r.Category, column)
		case presenceTransform:
			r.keepEdit(column, Edit{Presence: true})
		case listTransform:
			r.keepEdit(column, Edit{List: true})
		default:
			return &dataio.Error{Msg: fmt.Sprintf("the transform of a category must be presence, list or empty, got %q", transform)}
		}
	case Date:
		r.Date = append(r.Date, column)
	case Number:
		if of != "" {
			r.keepEdit(column, Edit{Since: of})
		}
		r.Number = append(r.Number, column)
		switch transform {
		case "":
		case logTransform:
			r.Log = append(r.Log, column)
		default:
			return &dataio.Error{Msg: fmt.Sprintf("the transform of a number must be log, since and a column of dates, or empty, got %q", transform)}
		}
	default:
		all := []string{string(ID), string(Label), string(Number), string(Category), string(Date), string(Text), string(Describe), string(Dropped)}
		return &dataio.Error{Msg: fmt.Sprintf("there is no role %q", role), Hint: hint.Sprintf("%s", strings.TrimSpace(suggest.DidYouMean(string(role), all)+" the roles are "+strings.Join(slices.Clone(all), ", ")))}
	}
	return nil
}
