package main

import (
	"path/filepath"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/report"
	"github.com/inklinghq/inkling/score"
)

// movedShown is how many rows that lie elsewhere a page names.
const movedShown = 10

// compareAll holds the clusters against all that there is: the truth, another
// run, and the labels that were given.
func (o *outcome) compareAll(a *app, p *report.Page, f *pageFlags) error {
	for _, c := range []struct{ path, with, there, note string }{
		{f.truth, "the truth", "true class", "Lines are true classes, columns clusters."},
		{f.against, "the other run", "lay in", "Lines are the clusters of " + filepath.Base(f.against) + ", columns those of this one."},
	} {
		if c.path == "" {
			continue
		}
		classes, names, err := o.classesOf(a, c.path)
		if err != nil {
			return err
		}
		found := o.compare(classes, names)
		found.Title, found.With, found.There, found.Note = "Compared with "+c.with, c.with, c.there, c.note
		p.Compared = append(p.Compared, found)
	}
	if o.p.Constraints != nil && len(o.p.Constraints.Labels) > 0 {
		p.Compared = append(p.Compared, &report.Comparison{Title: "The labels that were given",
			Note: "Lines are labels, columns clusters.", Table: labelTable(o.p.Constraints, o.r.Labels, o.names).Tidy()})
	}
	return nil
}

// classesOf reads a file of id and class and matches it with the rows; a row
// that it does not name has class -1.
func (o *outcome) classesOf(a *app, path string) (classes []int, names []string, err error) {
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
		c, ok := code[o.know.name(i)]
		if classes[i] = -1; ok {
			classes[i] = int(c)
			found++
		}
	}
	switch {
	case found == 0:
		return nil, nil, &dataio.Error{File: path, Msg: "no id of it is in " + o.ds.Name, Hint: "{id} names the column of ids in the data"}
	case found < len(classes):
		a.say("%s: nothing about %s of %d", path, count(len(classes)-found, o.points()), len(classes))
	}
	return classes, file.Names, nil
}

// compare counts, scores, and names rows that lie elsewhere.
func (o *outcome) compare(classes []int, names []string) *report.Comparison {
	c := &report.Comparison{}
	table := &report.Crosstab{Rows: names, Columns: o.names, N: make([][]int, len(names))}
	for r := range table.N {
		table.N[r] = make([]int, len(o.names))
	}
	known := o.touched()
	var all, fresh sides
	as := &constraint.Set{}
	for i, class := range classes {
		if class < 0 {
			continue
		}
		table.N[class][o.r.Labels[i]]++
		as.Labels = append(as.Labels, constraint.Label{I: i, Class: class, W: 1})
		all.add(class, o.r.Labels[i])
		if !known[i] {
			fresh.add(class, o.r.Labels[i])
		}
	}
	c.Table = table.Tidy()
	c.Agreement = append(c.Agreement, all.agreement("all "+o.points()+"s"))
	if n := len(fresh.a); n > 0 && n < len(all.a) {
		c.Agreement = append(c.Agreement, fresh.agreement(o.points()+"s of which nothing is known"))
	}
	home := score.NameClusters(o.r.Labels, len(o.names), as)
	for i, class := range classes {
		if class < 0 || home[o.r.Labels[i]] == class {
			continue
		}
		if c.MovedAll++; len(c.Moved) < movedShown {
			c.Moved = append(c.Moved, report.Move{ID: o.know.name(i), Class: names[class], Cluster: o.names[o.r.Labels[i]]})
		}
	}
	return c
}

// touched says of each row whether a label or a pair speaks of it.
func (o *outcome) touched() []bool {
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

func (s *sides) add(a, b int) { s.a, s.b = append(s.a, a), append(s.b, b) }

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
