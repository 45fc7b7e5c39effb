package door

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/effect"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/support/format"
)

// ReportOptions say what a report compares with and what it quotes.
type ReportOptions struct {
	Truth   string // a file of id,label with the true classes
	Against string // a file of id,cluster of another run
	Command string // the command that made the result, to be quoted
	Source  string // the path of the data, whose checksum is quoted
	Program string // the version of the program; "": Version
}

// Check reads the files to compare with, so that what is wrong with one is
// reported before a fit and not after it.
func (o ReportOptions) Check(workers int) error {
	for _, path := range []string{o.Truth, o.Against} {
		if path == "" || path == "-" || path == "/dev/stdin" {
			continue // standard input can be read only once
		}
		if _, err := openAssignment(path, workers); err != nil {
			return err
		}
	}
	return nil
}

func (o ReportOptions) program() string {
	if o.Program == "" {
		return Version
	}
	return o.Program
}

// openAssignment reads a file of id and class, a built-in one too.
func openAssignment(path string, workers int) (*dataio.Assignment, error) {
	if b, found, err := Builtin(path); found {
		if err != nil {
			return nil, err
		}
		return dataio.ReadAssignment(bytes.NewReader(b), path, workers)
	}
	return dataio.OpenAssignment(path, workers)
}

// Report returns a page about the result: plain data, which Page.Write writes as
// one HTML file and Page.Charts as charts.
func (r *Result) Report(ctx context.Context, f ReportOptions) (*report.Page, []Note, error) {
	var said notes
	c := r.a.clustering(r)
	c.Title = fmt.Sprintf("%s in %s", filepath.Base(strings.TrimPrefix(r.a.t.Name(), BuiltinPrefix)), format.Count(r.K, "cluster"))
	c.Facts, c.Command = r.a.facts(r, f), f.Command
	c.Sure, _ = r.a.confidences(ctx) // the page is worth having without
	for _, with := range []report.Classes{
		{With: "the truth", There: "true class", Note: "Rows are true classes, columns clusters."},
		{With: "the other run", There: "lay in", Note: "Rows are the clusters of " + filepath.Base(f.Against) + ", columns those of this one."},
	} {
		path := f.Truth
		if with.With == "the other run" {
			path = f.Against
		}
		if path == "" {
			continue
		}
		var err error
		if with.Of, with.Names, err = r.a.classesOf(path, &said); err != nil {
			return nil, said.list, err
		}
		with.Title = "Compared with " + with.With
		c.Classes = append(c.Classes, with)
	}
	p, warnings, err := report.NewPage(ctx, c)
	for _, w := range warnings {
		said.warn("%s", w)
	}
	return p, said.list, err
}

// Describe returns the clusters as Report describes them, sooner than a whole page.
func (r *Result) Describe(ctx context.Context) ([]report.Cluster, error) {
	c := r.a.clustering(r)
	c.Sure, _ = r.a.confidences(ctx) // the descriptions are worth having without
	return report.Describe(ctx, c)
}

// clustering returns what a page is made of.
func (o *assignment) clustering(s *Result) *report.Clustering {
	c := &report.Clustering{Method: s.Method, Point: o.t.point(), Problem: o.p, Labels: o.fitted.Labels, Model: o.fitted.Model,
		Names: o.names, Columns: o.columns, Docs: o.docs(), Terms: s.Terms, ID: o.known.name, Seed: s.Seed, Workers: o.workers,
		Status: s.Status, Trace: s.Trace}
	var recipe *prepare.Recipe
	if s.fit != nil {
		recipe = s.fit.Recipe
	}
	c.AddTable(o.t.ds, o.t.plan, recipe, o.rowsLeft)
	if s.Components != nil {
		c.About = s.Components.Sentences(o.fitted.Labels)
	}
	for _, u := range s.Unassigned {
		if u.Reason == noiseRow {
			c.About = append(c.About, fmt.Sprintf("%s no cluster: noise, between the clusters or far from all of them.", have(u.Rows, o.t.point())))
		}
	}
	if o.saved != nil {
		c.FittedRows = o.saved.Rows
	}
	if u := s.Unconstrained; u != nil {
		c.Unconstrained = &report.Unconstrained{Moved: u.Moved, ARI: u.ARI}
	}
	c.Satisfied, c.Violations = s.satisfied()
	for _, x := range s.Suspects {
		c.Suspects = append(c.Suspects, report.Suspect{Constraint: x.String(), Why: x.Why, Score: x.Score})
	}
	return c
}

// have counts things that have something.
func have(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return report.Thousands(n) + " " + noun + "s have"
}

// classesOf reads a file of id and class and matches it with the rows; a row
// that it does not name has class -1.
func (o *assignment) classesOf(path string, said *notes) (classes []int, names []string, err error) {
	file, err := openAssignment(path, o.workers)
	if err != nil {
		return nil, nil, err
	}
	code := make(map[string]int32, file.Len())
	for i, c := range file.Codes {
		code[file.ID(i)] = c
	}
	classes, found := make([]int, o.p.Len()), 0
	for i := range classes {
		c, ok := code[o.known.name(i)]
		if classes[i] = -1; ok {
			classes[i] = int(c)
			found++
		}
	}
	switch {
	case found == 0:
		return nil, nil, &InputError{File: path, Msg: "none of its ids is in " + o.t.Name(), Hint: "{id} names the column of ids in the data"}
	case found < len(classes):
		said.say("%s: no class for %s of %d", path, format.Count(len(classes)-found, o.t.point()), len(classes))
	}
	return classes, file.Names, nil
}

func (o *assignment) facts(s *Result, f ReportOptions) []report.Fact {
	size := format.Count(s.N, o.t.point())
	if s.Dim > 0 {
		size += " × " + format.Count(s.Dim, "feature")
	}
	out := []report.Fact{{Name: "data", Value: o.t.Name() + ", " + size}}
	for _, u := range s.Unassigned {
		out = append(out, report.Fact{Name: "without a cluster", Value: format.Count(u.Rows, o.t.point()) + " with " + u.Reason})
	}
	if s.Dropped > 0 {
		out = append(out, report.Fact{Name: "dropped", Value: format.Count(s.Dropped, "row") + " with missing values"})
	}
	out = append(out, report.Fact{Name: "method", Value: s.Method}, report.Fact{Name: "parameters", Value: format.Parameters(s.Parameters)})
	if o.saved == nil {
		out = append(out, report.Fact{Name: "objective", Value: format.Number(s.Objective.Total) + format.Terms(s.Objective.Terms)},
			report.Fact{Name: "run", Value: fmt.Sprintf("%s after %s, %s", s.Status, format.Count(s.Iterations, "iteration"), format.Starts(s.Runs, s.Distinct))})
	} else {
		fitted := effect.NewObjective(o.saved.Objective)
		out = append(out, report.Fact{Name: "fit", Value: fmt.Sprintf("%s, objective %s%s, by inkling %s",
			format.Count(o.saved.Rows, "row"), format.Number(fitted.Total), format.Terms(fitted.Terms), o.saved.Program)})
	}
	out = append(out, report.Fact{Name: "seed", Value: strconv.FormatUint(s.Seed, 10)}, report.Fact{Name: "inkling", Value: f.program()})
	if v := s.View; v != nil {
		out = append(out, report.Fact{Name: "cost of transfer", Value: fmt.Sprintf("%s: normalized cut %s, without views %s", format.Signed(v.Cost), format.Number(v.Cut), format.Number(v.CutAlone))})
		for _, w := range v.Views {
			out = append(out, report.Fact{Name: "view", Value: fmt.Sprintf("%s: normalized cut %s, by its own clusters %s, ARI %.3f between the two", w.File, format.Number(w.Cut), format.Number(w.CutAlone), w.ARI)})
		}
	}
	if sum, ok := checksum(f.Source); ok {
		out = append(out, report.Fact{Name: "SHA-256 of the data", Value: sum})
	}
	return out
}

// checksum returns that of a file, if path is one, or of built-in data.
func checksum(path string) (string, bool) {
	if b, ok, err := Builtin(path); ok {
		return dataio.Checksum(bytes.NewReader(b)), err == nil
	}
	return dataio.FileChecksum(path)
}

// satisfied returns the constraints by kind, and all violations, most costly first.
func (s *Result) satisfied() (kinds []report.Satisfied, broken []report.Violation) {
	for _, k := range []report.Satisfied{
		{Kind: "labels", Satisfied: s.Labels.Kept, Given: s.Labels.Given}, {Kind: "must-links", Satisfied: s.Must.Satisfied, Given: s.Must.Given},
		{Kind: "cannot-links", Satisfied: s.Cannot.Satisfied, Given: s.Cannot.Given}, {Kind: "beliefs", Satisfied: s.Beliefs.Satisfied, Given: s.Beliefs.Given},
	} {
		if k.Given > 0 {
			kinds = append(kinds, k)
		}
	}
	for _, m := range s.Misplaced {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s is labelled %s, but is in %s", m.ID, m.Label, m.Cluster), Penalty: penaltyText(m.Penalty), Cost: format.Cost(m.Cost)})
	}
	for _, v := range s.Violations {
		broken = append(broken, report.Violation{Constraint: fmt.Sprintf("%s and %s: %s", v.A, v.B, v.Kind), Penalty: penaltyText(v.Penalty), Cost: format.Cost(v.Cost)})
	}
	return kinds, broken
}

// penaltyText writes a penalty, "" where there is none.
func penaltyText(penalty *float64) string {
	if penalty == nil {
		return ""
	}
	return format.Number(*penalty)
}
