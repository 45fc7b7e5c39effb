package inkling

import (
	"path/filepath"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/format"
	"github.com/inklinghq/inkling/report"
	"github.com/inklinghq/inkling/score"
)

// movedShown is how many rows that lie elsewhere a page names.
const movedShown = 10

// compareAll compares the clusters with the truth, another run and the given labels.
func (o *assignment) compareAll(p *report.Page, f ReportOptions, said *notes) error {
	for _, c := range []struct{ path, with, there, note string }{
		{f.Truth, "the truth", "true class", "Rows are true classes, columns clusters."},
		{f.Against, "the other run", "lay in", "Rows are the clusters of " + filepath.Base(f.Against) + ", columns those of this one."},
	} {
		if c.path == "" {
			continue
		}
		classes, names, err := o.classesOf(c.path, said)
		if err != nil {
			return err
		}
		found := o.compare(classes, names)
		found.Title, found.With, found.There, found.Note = "Compared with "+c.with, c.with, c.there, c.note
		p.Compared = append(p.Compared, found)
	}
	if o.p.Constraints != nil && len(o.p.Constraints.Labels) > 0 {
		p.Compared = append(p.Compared, &report.Comparison{Title: "The labels that were given",
			Note: "Rows are labels, columns clusters.", Table: labelTable(o.p.Constraints, o.fitted.Labels, o.names).Tidy()})
	}
	return nil
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

// compare counts, scores, and names rows that lie elsewhere.
func (o *assignment) compare(classes []int, names []string) *report.Comparison {
	c := &report.Comparison{}
	table := &report.Crosstab{Rows: names, Columns: o.names, N: make([][]int, len(names))}
	for r := range table.N {
		table.N[r] = make([]int, len(o.names))
	}
	known := o.constrained()
	var all, fresh sides
	as := &constraint.Set{}
	for i, class := range classes {
		if class < 0 {
			continue
		}
		table.N[class][o.fitted.Labels[i]]++
		as.Labels = append(as.Labels, constraint.Label{I: i, Class: class, W: 1})
		all.addRow(class, o.fitted.Labels[i])
		if !known[i] {
			fresh.addRow(class, o.fitted.Labels[i])
		}
	}
	c.Table = table.Tidy()
	c.Agreement = append(c.Agreement, all.agreement("all "+o.t.point()+"s"))
	if n := len(fresh.a); n > 0 && n < len(all.a) {
		c.Agreement = append(c.Agreement, fresh.agreement(o.t.point()+"s in no constraint"))
	}
	home := score.NameClusters(o.fitted.Labels, len(o.names), as)
	for i, class := range classes {
		if class < 0 || home[o.fitted.Labels[i]] == class {
			continue
		}
		if c.MovedAll++; len(c.Moved) < movedShown {
			c.Moved = append(c.Moved, report.Move{ID: o.known.name(i), Class: names[class], Cluster: o.names[o.fitted.Labels[i]]})
		}
	}
	return c
}

// constrained says of each row whether a constraint involves it.
func (o *assignment) constrained() []bool {
	out := make([]bool, o.p.Len())
	if o.p.Constraints == nil {
		return out
	}
	for _, l := range o.p.Constraints.Labels {
		out[l.I] = true
	}
	for _, list := range [][]constraint.Pair{o.p.Constraints.Must, o.p.Constraints.Cannot, o.p.Constraints.Beliefs} {
		for _, p := range list {
			out[p.I], out[p.J] = true, true
		}
	}
	return out
}

// sides are the classes and clusters of some rows.
type sides struct{ a, b []int }

func (s *sides) addRow(a, b int) { s.a, s.b = append(s.a, a), append(s.b, b) }

func (s *sides) agreement(over string) report.Agreement {
	out := report.Agreement{Over: over, N: len(s.a)}
	table, err := score.NewTable(s.a, s.b)
	if err != nil {
		out.Undefined = true
		return out
	}
	card := table.Card()
	out.ARI, out.NMI, out.F = card.ARI, card.NMI, card.F
	return out
}

// labelTable counts the labelled rows of each class in each cluster.
func labelTable(known *constraint.Set, labels []int, clusters []string) *report.Crosstab {
	t := &report.Crosstab{Columns: clusters}
	for c := range known.Classes() {
		t.Rows = append(t.Rows, known.Name(c))
		t.N = append(t.N, make([]int, len(clusters)))
	}
	for _, l := range known.Labels {
		t.N[l.Class][labels[l.I]]++
	}
	return t
}
