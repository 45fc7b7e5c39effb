package dataio

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/internal/suggest"
)

// A role is what a column of a table is for.
type role uint8

const (
	feature role = iota
	ignored
	idRole
	labelRole
	textRole
)

// A layout is the columns of a table and the role of each.
type layout struct {
	names  []string
	roles  []role
	header bool // the names stand in the file; else they are c0, c1, …
}

// newLayout gives every column its role. Columns without a header may be
// asked for by number. at is where the names stand, for errors.
func newLayout(names []string, header bool, opt Options, at Error) (*layout, error) {
	l := &layout{names: names, roles: make([]role, len(names)), header: header}
	if err := l.checkNames(at); err != nil {
		return nil, err
	}
	if len(opt.Columns) > 0 || opt.Text != "" {
		for j := range l.roles {
			l.roles[j] = ignored
		}
	}
	if opt.Text == "" {
		for _, name := range opt.Columns {
			if err := l.set(name, feature, at); err != nil {
				return nil, err
			}
		}
	}
	if header && opt.Text == "" && len(opt.Columns) == 0 {
		l.keepFeatures(opt.Features)
	}
	for _, name := range opt.Drop {
		if slices.Contains(opt.Columns, name) {
			at.Msg = fmt.Sprintf("column %q is both to be kept and to be dropped", name)
			return nil, &at
		}
		if err := l.set(name, ignored, at); err != nil {
			return nil, err
		}
	}
	for _, want := range []struct {
		name string
		role role
	}{{opt.ID, idRole}, {opt.Label, labelRole}, {opt.Text, textRole}} {
		if want.name == "" {
			continue
		}
		if err := l.setOnce(want.name, want.role, opt, at); err != nil {
			return nil, err
		}
	}
	if opt.Text == "" && !slices.Contains(l.roles, feature) {
		at.Msg = "no column of numbers is left"
		at.Hint = hint.Sprintf("the columns are %s", listed(names))
		return nil, &at
	}
	return l, nil
}

// keepFeatures passes over the columns that hold none of the features, unless
// that leaves nothing. The features of a column of lists are called after it:
// name.0, name.1, …
func (l *layout) keepFeatures(features []string) {
	wanted := make(map[string]bool, 2*len(features))
	for _, f := range features {
		wanted[f] = true
		if at := strings.LastIndexByte(f, '.'); at > 0 {
			wanted[f[:at]] = true
		}
	}
	if !slices.ContainsFunc(l.names, func(name string) bool { return wanted[name] }) {
		return
	}
	for j, name := range l.names {
		if !wanted[name] {
			l.roles[j] = ignored
		}
	}
}

func (l *layout) checkNames(at Error) error {
	if !l.header {
		return nil
	}
	seen := make(map[string]int, len(l.names))
	for j, name := range l.names {
		if before, ok := seen[name]; ok {
			at.Msg = fmt.Sprintf("columns %d and %d are both called %q", before+1, j+1, name)
			at.Hint = "give every column its own name"
			return &at
		}
		seen[name] = j
	}
	return nil
}

// setOnce gives the named column a special role, which it may not share.
func (l *layout) setOnce(name string, r role, opt Options, at Error) error {
	j, err := l.find(name, at)
	if err != nil {
		return err
	}
	var other string
	switch {
	case l.roles[j] == idRole:
		other = "the ids"
	case l.roles[j] == labelRole:
		other = "the labels"
	case slices.Contains(opt.Drop, name):
		other = "dropped"
	default:
		l.roles[j] = r
		return nil
	}
	at.Msg = fmt.Sprintf("column %q cannot be %s and %s", name, other, r.use())
	return &at
}

func (r role) use() string {
	return [...]string{"a feature", "dropped", "the ids", "the labels", "the text"}[r]
}

func (l *layout) set(name string, r role, at Error) error {
	j, err := l.find(name, at)
	if err == nil {
		l.roles[j] = r
	}
	return err
}

func (l *layout) find(name string, at Error) (int, error) {
	if j := slices.Index(l.names, name); j >= 0 {
		return j, nil
	}
	if !l.header {
		if j, err := strconv.Atoi(name); err == nil && j >= 0 && j < len(l.names) {
			return j, nil
		}
	}
	at.Msg = fmt.Sprintf("there is no column %q", name)
	at.Hint = orElse(suggest.DidYouMean(name, l.names), "the columns are "+listed(l.names))
	return -1, &at
}

// features returns the names of the columns of numbers.
func (l *layout) features() []string {
	var names []string
	for j, r := range l.roles {
		if r == feature {
			names = append(names, l.names[j])
		}
	}
	return names
}

// left returns how many columns have nothing to say.
func (l *layout) left() (n int) {
	for _, r := range l.roles {
		if r == ignored {
			n++
		}
	}
	return n
}

// has reports whether a column has role r.
func (l *layout) has(r role) bool { return slices.Contains(l.roles, r) }

// defaultNames are the names of columns that have none.
func defaultNames(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = "c" + strconv.Itoa(j)
	}
	return names
}

// missingMark reports whether a cell says that there is no value.
func missingMark(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == '?'
	case 2, 3, 4:
		switch strings.ToLower(string(b)) {
		case "na", "nan", "null", "none", "n/a", "#n/a", "<na>":
			return true
		}
	}
	return false
}

// unknownLabel reports whether a label says that there is none.
func unknownLabel(b []byte) bool {
	return len(b) == 0 || len(b) == 1 && b[0] == '?' || len(b) == 2 && b[0] == 'N' && b[1] == 'A'
}

// asNumber parses a whole cell. Where it is no finite number the message says
// why, and the hint what to do.
func asNumber(b []byte) (v float64, msg string, advice hint.Hint) {
	v, next := scanFloat(b, 0)
	if next == len(b) && next > 0 {
		return v, "", ""
	}
	word := strings.TrimLeft(strings.ToLower(string(b[:min(len(b), 16)])), "+-")
	if word == "inf" || word == "infinity" {
		return 0, clip(b) + " is infinite, every value must be finite", ""
	}
	if _, err := strconv.ParseFloat(string(b), 64); errors.Is(err, strconv.ErrRange) {
		return 0, clip(b) + " is too large for a number", ""
	}
	advice = columnHint
	if comma := strings.Replace(string(b[:min(len(b), 40)]), ",", ".", 1); comma != string(b) {
		if _, next := scanFloat([]byte(comma), 0); next == len(b) {
			advice = "write a decimal point, not a comma, and nothing between thousands"
		}
	}
	return 0, clip(b) + " is not a number", advice
}

// notNumbers is the hint for columns, one at the least, that hold no numbers:
// all of them at once, so that nobody has to find them one by one.
func notNumbers(names []string) hint.Hint {
	const most = 12
	if len(names) == 1 {
		return columnHint
	}
	more := ""
	if left := len(names) - most; left > 0 {
		names, more = names[:most], fmt.Sprintf(", and %d more", left)
	}
	return hint.Sprintf("no numbers in %s either%s; name them with {label-col}, {id} or {text}, or leave them out: {drop=%s}",
		strings.Join(names[1:], ", "), more, strings.Join(names, ","))
}

// What to do about cells that are no numbers, and about those that are missing.
const (
	columnHint  hint.Hint = "name the column with {label-col}, {id} or {text}, or leave it out with {drop}"
	missingHint hint.Hint = "use {missing=drop} or {missing=mean}"
)
