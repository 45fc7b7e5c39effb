// Package table reads tables with named columns: CSV, TSV, JSON lines and
// Parquet. Columns hold features, ids, labels or text, as the options say.
package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/suggest"
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
	Names     []string
	roles     []role
	HasHeader bool // the names stand in the file; else they are c0, c1, …
}

// newLayout gives every column its role. Columns without a header may be
// asked for by number. at is where the names stand, for errors.
func newLayout(names []string, header bool, opt source.Options, at source.Error) (*layout, error) {
	l := &layout{Names: names, roles: make([]role, len(names)), HasHeader: header}
	if err := l.checkNames(at); err != nil {
		return nil, err
	}
	alone := opt.Text != "" && !opt.Mixed // documents without features beside them
	if len(opt.Columns) > 0 || alone {
		for j := range l.roles {
			l.roles[j] = ignored
		}
	}
	if !alone {
		for _, name := range opt.Columns {
			if err := l.setRole(name, feature, at); err != nil {
				return nil, err
			}
		}
	}
	if header && !alone && len(opt.Columns) == 0 {
		l.keepFeatures(opt.Features)
	}
	for _, name := range opt.Drop {
		if slices.Contains(opt.Columns, name) {
			at.Msg = fmt.Sprintf("column %q is both to be kept and to be dropped", name)
			return nil, &at
		}
		if opt.Mixed && l.isPart(name) {
			continue
		}
		if err := l.setRole(name, ignored, at); err != nil {
			return nil, err
		}
	}
	for _, want := range []struct {
		name string
		role role
	}{{opt.ID, idRole}, {opt.Label, labelRole}, {opt.Text, textRole}} {
		if want.name == "" || want.role == idRole && !slices.Contains(names, want.name) && (opt.IfNamed && header || want.name == source.NoID) {
			continue
		}
		if err := l.setSpecialRole(want.name, want.role, opt, at); err != nil {
			return nil, err
		}
	}
	if opt.Text == "" && !opt.Any && !slices.Contains(l.roles, feature) {
		at.Msg = "no column of numbers is left"
		at.Hint = hint.Sprintf("the columns are %s", source.Listed(names))
		return nil, &at
	}
	return l, nil
}

// keepFeatures passes over the columns that hold none of the features, unless
// that leaves nothing. The features of a column of lists are called after it: name.0, name.1, …, and those of cells
// with a few numbers name_1, name_2, ….
func (l *layout) keepFeatures(features []string) {
	wanted := make(map[string]bool, 2*len(features))
	for _, f := range features {
		wanted[f] = true
		if at := strings.LastIndexAny(f, "._"); at > 0 {
			wanted[f[:at]] = true
		}
	}
	if !slices.ContainsFunc(l.Names, func(name string) bool { return wanted[name] }) {
		return
	}
	for j, name := range l.Names {
		if !wanted[name] {
			l.roles[j] = ignored
		}
	}
}

// isPart reports whether name can be one of the features of a column whose cells hold several numbers: name.0 or name_1.
func (l *layout) isPart(name string) bool {
	at := strings.LastIndexAny(name, "._")
	if at <= 0 || slices.Contains(l.Names, name) || !slices.Contains(l.Names, name[:at]) {
		return false
	}
	_, err := strconv.ParseUint(name[at+1:], 10, 32)
	return err == nil
}

func (l *layout) checkNames(at source.Error) error {
	if !l.HasHeader {
		return nil
	}
	seen := make(map[string]int, len(l.Names))
	for j, name := range l.Names {
		if before, ok := seen[name]; ok {
			at.Msg = fmt.Sprintf("columns %d and %d are both called %q", before+1, j+1, name)
			at.Hint = "give every column its own name"
			return &at
		}
		seen[name] = j
	}
	return nil
}

// setSpecialRole gives the named column a special role, which it may not share.
func (l *layout) setSpecialRole(name string, r role, opt source.Options, at source.Error) error {
	j, err := l.columnOf(name, at)
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
	at.Msg = fmt.Sprintf("column %q cannot be %s and %s", name, other, r.purpose())
	return &at
}

func (r role) purpose() string {
	return [...]string{"a feature", "dropped", "the ids", "the labels", "the text"}[r]
}

func (l *layout) setRole(name string, r role, at source.Error) error {
	j, err := l.columnOf(name, at)
	if err == nil {
		l.roles[j] = r
	}
	return err
}

func (l *layout) columnOf(name string, at source.Error) (int, error) {
	if j := slices.Index(l.Names, name); j >= 0 {
		return j, nil
	}
	if !l.HasHeader {
		if j, err := strconv.Atoi(name); err == nil && j >= 0 && j < len(l.Names) {
			return j, nil
		}
	}
	at.Msg = fmt.Sprintf("there is no column %q", name)
	at.Hint = source.QuestionAndFacts(suggest.DidYouMean(name, l.Names), "the columns are "+source.Listed(l.Names))
	return -1, &at
}

// featureNames returns the names of the columns of numbers.
func (l *layout) featureNames() []string {
	var names []string
	for j, r := range l.roles {
		if r == feature {
			names = append(names, l.Names[j])
		}
	}
	return names
}

// countIgnored returns how many columns have nothing to say.
func (l *layout) countIgnored() (n int) {
	for _, r := range l.roles {
		if r == ignored {
			n++
		}
	}
	return n
}

// hasRole reports whether a column has role r.
func (l *layout) hasRole(r role) bool { return slices.Contains(l.roles, r) }

// defaultNames are the names of columns that have none.
func defaultNames(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = "c" + strconv.Itoa(j)
	}
	return names
}
