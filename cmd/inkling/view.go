package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/prepare"
)

// views holds the flags that name other looks at the same rows.
type views struct {
	files []string
	as    string
	id    string
}

func (v *views) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&v.files, "view", nil, "another graph or table of the same ids, as soft constraints (csp; repeatable)")
	f.StringVar(&v.as, "view-as", "", "take views as vectors|graph|text (default: by format)")
	f.StringVar(&v.id, "view-id", "", "the column that names the rows of views (default: as --id)")
	values(cmd, "view-as", "vectors", "graph", "text")
}

// check refuses what does not go together, before anything is read.
func (v *views) check(method string) error {
	if v.as != "" {
		if err := oneOf("--view-as", v.as, "vectors", "graph", "text"); err != nil {
			return err
		}
	}
	for flag, value := range map[string]string{"--view-as": v.as, "--view-id": v.id} {
		if value != "" && len(v.files) == 0 {
			return usagef("%s says how a view is read, but there is no --view", flag)
		}
	}
	if m, ok := catalog.Find(method); ok && len(v.files) > 0 {
		return heedsViews(m)
	}
	return nil
}

// heedsViews refuses a method that would pass over views.
func heedsViews(m catalog.Method) error {
	if m.Capabilities().UsesKind(cluster.Views) {
		return nil
	}
	return noViews(m.Name)
}

// noViews says that none of the methods takes views, and which do.
func noViews(methods ...string) error {
	var able []string
	for _, m := range catalog.Methods() {
		if m.Capabilities().UsesKind(cluster.Views) {
			able = append(able, m.Name)
		}
	}
	return usagef("--view does not apply to %s; it is for %s", few(methods, 10), few(able, 10))
}

// A viewer reads files as views of the points of DATA.
type viewer struct {
	app   *app
	in    *input
	views *views
	ds    *dataio.Dataset // DATA
	know  *knowledge      // of its points
	n     int             // how many there are
	spent float64         // seconds of reading
}

// readAll reads the views one after the other.
func (j *viewer) readAll() (out []cluster.View, err error) {
	for _, path := range j.views.files {
		v, err := j.read(path)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// read reads one file as a view.
func (j *viewer) read(path string) (cluster.View, error) {
	ds, err := j.open(path)
	if err != nil {
		return cluster.View{}, err
	}
	out := cluster.View{Name: path, Graph: ds.Graph}
	var rows []int // of ds that are left
	if ds.Graph == nil {
		_, ready, err := prepare.Fit(ds, j.in.prep)
		if err != nil {
			return out, ofView(err)
		}
		for _, note := range ready.Notes {
			j.app.say("%s: %s", ds.Name, renderHint(note))
		}
		out.X, rows = ready.X, ready.Rows
	}
	m, err := j.match(ds, rows)
	if err != nil || m.inOrder {
		return out, err
	}
	if out.Graph == nil {
		out.X = data.Pick(out.X, m.of)
		return out, nil
	}
	if out.Graph, err = m.graph(ds.Graph); err != nil {
		return out, &dataio.Error{File: ds.Name, Msg: err.Error()}
	}
	return out, nil
}

// open reads the file of a view. The column of --id is asked for where the
// format has columns.
func (j *viewer) open(path string) (*dataio.Dataset, error) {
	opt := dataio.Options{As: dataio.As(j.views.as), ID: j.views.id, Missing: j.in.read.Missing, Workers: j.in.read.Workers}
	named := opt
	if named.ID == "" {
		named.ID = j.in.read.ID
	}
	ds, spent, err := j.app.open(path, named)
	if err != nil && named.ID != opt.ID && path != "-" {
		if plain, more, e := j.app.open(path, opt); e == nil && plain.Columns == nil {
			ds, spent, err = plain, spent+more, nil
		}
	}
	j.spent += spent
	switch {
	case err != nil:
		return nil, ofView(err)
	case ds.Kernel != nil:
		return nil, &dataio.Error{File: ds.Name, Msg: "a matrix of similarities is no view", Hint: "give it as a graph: {view-as=graph}"}
	}
	return ds, nil
}

// ofView makes the hint of an error one about a view: of the flags that say how
// DATA is read, views have an id of their own and --missing, and no others.
func ofView(err error) error {
	var bad *dataio.Error
	if !errors.As(err, &bad) {
		return err
	}
	switch {
	case strings.HasPrefix(bad.Msg, "there is no column"):
		bad.Hint = "{view-id} names the column of ids; " + bad.Hint
	case bad.Hint.Names("id"):
		bad.Hint = "name the column of ids with {view-id}; columns that hold no numbers must be left out of the file"
	case bad.Hint.Names("drop"):
		bad.Hint = hint.Hint(strings.ReplaceAll(string(bad.Hint), "({drop})", "of the file"))
	case bad.Hint.Names("columns"):
		bad.Hint = "every object must have the same keys"
	case bad.Hint.Names("format"):
		bad.Hint = "views are read by name and content: let the name end as the format is called, as in .csv"
	case bad.Hint.Names("text"):
		bad.Hint = "documents of a view are the lines of a file, or the files of a folder"
	}
	return err
}

// matching says which point of a view is which row of the job.
type matching struct {
	of      []int // the point of the view of each row, -1: none
	inOrder bool  // each its own
	lonely  int   // rows without a point
	strange int   // points without a row
}

// match finds the rows of the job in a view by their ids. A node that an edge
// list does not name is one without edges; otherwise every row has its point,
// and every point its row, if only one that was dropped for missing values. What
// it found comes with an error too.
func (j *viewer) match(ds *dataio.Dataset, rows []int) (*matching, error) {
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
	m := &matching{of: make([]int, j.n), inOrder: n == j.n}
	lacks, first := "", ""
	for i := range m.of {
		p, ok := at[j.know.name(i)]
		if !ok {
			p = -1
			if m.lonely == 0 {
				lacks = j.know.name(i)
			}
			m.lonely++
		}
		m.of[i], m.inOrder = p, m.inOrder && p == i
	}
	known := make(map[string]bool, j.ds.Len())
	for i := range j.ds.Len() {
		known[j.ds.ID(i)] = true
	}
	for i := range n {
		if !known[id(i)] {
			if m.strange == 0 {
				first = id(i)
			}
			m.strange++
		}
	}
	missing := fmt.Sprintf("no counterpart here for %d of the %s of %s, the first is %q", m.lonely, count(j.n, j.know.point), j.ds.Name, lacks)
	unknown := fmt.Sprintf("%s unknown to %s, the first is %q", count(m.strange, "id"), j.ds.Name, first)
	advice := hint.Hint("ids are matched as they stand; {view-id} names the column of ids of a table")
	if rows != nil && len(rows) < ds.Len() {
		advice = hint.Sprintf("%s of it dropped for missing values; {missing=mean} keeps them", count(ds.Len()-len(rows), "row"))
	}
	switch {
	case m.strange > 0 && m.lonely > 0:
		return m, &dataio.Error{File: ds.Name, Msg: missing + ", and " + unknown, Hint: advice}
	case m.strange > 0:
		return m, &dataio.Error{File: ds.Name, Msg: unknown, Hint: advice}
	case m.lonely > 0 && ds.Format != dataio.Edges:
		return m, &dataio.Error{File: ds.Name, Msg: missing, Hint: advice}
	case m.lonely > 0:
		j.app.say("%s: no edges of %s, the first is %s", ds.Name, count(m.lonely, j.know.point), lacks)
	}
	return m, nil
}

// graph returns g with its nodes where the rows are.
func (m *matching) graph(g *data.Graph) (*data.Graph, error) {
	row := make([]int, g.Len())
	for i := range row {
		row[i] = -1
	}
	for i, p := range m.of {
		if p >= 0 {
			row[p] = i
		}
	}
	var edges []data.Edge
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, k := range to {
			if int(k) >= i && row[i] >= 0 && row[k] >= 0 {
				edges = append(edges, data.Edge{U: row[i], V: row[k], W: w[q]})
			}
		}
	}
	return data.NewGraph(len(m.of), edges)
}
