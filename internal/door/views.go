package door

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A viewReader reads files as views of the rows of a table.
type viewReader struct {
	t     *Table
	name  func(row int) string
	n     int // rows that are left of the table
	prep  prepare.Options
	notes *notes
}

// readAll reads the views one after the other.
func (v *viewReader) readAll(ctx context.Context, sources []ViewSource) (out []cluster.View, err error) {
	for _, s := range sources {
		view, err := v.read(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, view)
	}
	return out, nil
}

// read reads one file as a view.
func (v *viewReader) read(ctx context.Context, s ViewSource) (cluster.View, error) {
	ds, err := v.open(ctx, s)
	if err != nil {
		return cluster.View{}, err
	}
	out := cluster.View{Name: s.Path, Graph: ds.Graph}
	var rows []int // of ds that are left
	if ds.Graph == nil {
		_, ready, err := prepare.Fit(ds, v.prep)
		if err != nil {
			return out, viewError(err)
		}
		for _, note := range ready.Notes {
			v.notes.say("%s: %s", ds.Name, note)
		}
		out.X, rows = ready.X, ready.Rows
	}
	m, err := v.match(ds, rows)
	if err != nil || m.inOrder {
		return out, err
	}
	if out.Graph == nil {
		out.X = data.Pick(out.X, m.of)
		return out, nil
	}
	if out.Graph, err = ds.Graph.Arranged(m.of); err != nil {
		return out, &InputError{File: ds.Name, Msg: err.Error()}
	}
	return out, nil
}

// open reads the file of a view. The id column of the table is asked for where
// the format has columns.
func (v *viewReader) open(ctx context.Context, s ViewSource) (*dataio.Dataset, error) {
	opt := dataio.Options{As: s.As, ID: s.ID, Missing: v.prep.Missing != "", Workers: v.prep.Workers}
	named := opt
	if named.ID == "" {
		named.ID = v.t.id
	}
	t, err := open(ctx, s.Path, Source{planned: true}, named)
	if err != nil && named.ID != opt.ID && s.Path != "-" {
		if plain, e := open(ctx, s.Path, Source{planned: true}, opt); e == nil && plain.ds.Columns == nil {
			t, err = plain, nil
		}
	}
	if err != nil {
		return nil, viewError(err)
	}
	for _, note := range t.ds.Notes {
		v.notes.say("%s: %s", t.ds.Name, note)
	}
	if t.ds.Kernel != nil {
		return nil, &InputError{File: t.ds.Name, Msg: "a matrix of similarities cannot be a view", Hint: "give it as a graph: {view-as=graph}"}
	}
	return t.ds, nil
}

// viewError makes the hint of an error one about a view: of the options that say
// how a table is read, views have an id of their own and missing, and no others.
func viewError(err error) error {
	var bad *InputError
	if !errors.As(err, &bad) {
		return err
	}
	names := bad.Hint.Names
	switch {
	case strings.HasPrefix(bad.Msg, "there is no column"):
		bad.Hint = "{view-id} names the column of ids; " + bad.Hint
	case names("id"):
		bad.Hint = "name the column of ids with {view-id}; columns without numbers must be removed from the file"
	case names("drop"):
		bad.Hint = "remove the column from the file"
	case names("columns"):
		bad.Hint = "every object must have the same keys"
	case names("format"):
		bad.Hint = "views are read by name and content: let the name end as the format is called, as in .csv"
	case names("text"):
		bad.Hint = "the documents of a view are the lines of a file, or the files of a folder"
	}
	return err
}

// matching says which point of a view is which row of the table.
type matching struct {
	of      []int // the point of the view of each row, -1: none
	inOrder bool  // each its own
	lacking int   // rows without a point
	unknown int   // points without a row
}

// match finds the rows of the table in a view by their ids. A node that an edge
// list does not name is one without edges; otherwise every row has its point,
// and every point its row, even if it is one that was dropped for missing values.
// What it found comes with an error too.
func (v *viewReader) match(ds *dataio.Dataset, rows []int) (*matching, error) {
	id := func(i int) string {
		if rows != nil {
			i = rows[i]
		}
		return ds.ID(i)
	}
	n := ds.Len()
	if rows != nil {
		n = len(rows)
	}
	at := make(map[string]int, n)
	for i := range n {
		at[id(i)] = i
	}
	m := &matching{of: make([]int, v.n), inOrder: n == v.n}
	lacks, first := "", ""
	for i := range m.of {
		p, ok := at[v.name(i)]
		if !ok {
			p = -1
			if m.lacking == 0 {
				lacks = v.name(i)
			}
			m.lacking++
		}
		m.of[i], m.inOrder = p, m.inOrder && p == i
	}
	for i := range n {
		if _, ok := v.t.Row(id(i)); !ok {
			if m.unknown == 0 {
				first = id(i)
			}
			m.unknown++
		}
	}
	missing := fmt.Sprintf("no row for %d of the %s of %s, the first is %q", m.lacking, format.Count(v.n, v.t.point()), v.t.Name(), lacks)
	unknown := fmt.Sprintf("%s that %s does not have, the first is %q", format.Count(m.unknown, "id"), v.t.Name(), first)
	advice := Hint("ids must be equal in both files; {view-id} names the column of ids of a table")
	if rows != nil && len(rows) < ds.Len() {
		advice = hint.Sprintf("%s dropped for missing values; {missing=mean} keeps them", format.Count(ds.Len()-len(rows), "row"))
	}
	switch {
	case m.unknown > 0 && m.lacking > 0:
		return m, &InputError{File: ds.Name, Msg: missing + ", and " + unknown, Hint: advice}
	case m.unknown > 0:
		return m, &InputError{File: ds.Name, Msg: unknown, Hint: advice}
	case m.lacking > 0 && ds.Format != "edges":
		return m, &InputError{File: ds.Name, Msg: missing, Hint: advice}
	case m.lacking > 0:
		v.notes.say("%s: no edges at %s, the first is %s", ds.Name, format.Count(m.lacking, v.t.point()), lacks)
	}
	return m, nil
}

// A ViewSummary describes a view before it is used.
type ViewSummary struct {
	File    string `json:"file"`
	Kind    string `json:"kind"` // graph, rows or documents
	N       int    `json:"n"`
	Edges   int    `json:"edges,omitempty"`
	Missing int    `json:"missing"` // rows of the table that it lacks
	Unknown int    `json:"unknown"` // ids that the table lacks
}

func (v ViewSummary) String() string {
	switch v.Kind {
	case "graph":
		return fmt.Sprintf("%s, a graph of %s and %s", v.File, format.Count(v.N, "node"), format.Count(v.Edges, "edge"))
	case "documents":
		return fmt.Sprintf("%s, %s", v.File, format.Count(v.N, "document"))
	}
	return fmt.Sprintf("%s, %s", v.File, format.Count(v.N, "row"))
}

// addViews checks the ids of the views.
func (r *ConstraintReport) addViews(ctx context.Context, t *Table, b *bound, n int, o Options) error {
	v := &viewReader{t: t, name: b.name, n: n, prep: prepare.Options{Missing: t.prepareMissing(), Workers: o.Workers}, notes: &notes{tell: o.Notify}}
	for _, s := range o.Views {
		report, fault, err := v.check(ctx, s)
		if err != nil {
			return err
		}
		if r.Views = append(r.Views, report); fault != nil {
			r.Problems = append(r.Problems, *fault)
		}
	}
	return nil
}

// check says whether a file can be a view: wrong ids are a fault, a file that
// cannot be read is an error.
func (v *viewReader) check(ctx context.Context, s ViewSource) (out ViewSummary, fault *Fault, err error) {
	ds, err := v.open(ctx, s)
	if err != nil {
		return out, nil, err
	}
	out = ViewSummary{File: s.Path, Kind: "rows", N: ds.Len()}
	var rows []int
	switch {
	case ds.Graph != nil:
		out.Kind, out.Edges = "graph", ds.Graph.Edges()
	case ds.Docs != nil:
		out.Kind = "documents"
	case v.prep.Missing == prepare.Drop:
		_, ready, err := prepare.Fit(ds, prepare.Options{Missing: prepare.Drop, Workers: v.prep.Workers})
		if err != nil {
			return out, nil, viewError(err)
		}
		rows = ready.Rows
	}
	m, err := v.match(ds, rows)
	out.Missing, out.Unknown = m.lacking, m.unknown
	var bad *InputError
	if errors.As(err, &bad) {
		return out, &Fault{Kind: FaultView, File: s.Path, Message: bad.Msg, Hint: bad.Hint}, nil
	}
	return out, nil, err
}
