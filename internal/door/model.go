package door

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/saved"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Version is the version of this module.
const Version = "0.1.0-dev"

// ErrNotModel is the error of Load for a file that is not a saved model at all.
var ErrNotModel = saved.ErrNotModel

// A Model places new rows in the clusters of a fit, exactly as the fit would
// have: it keeps how the rows were prepared, what was learned and the names of the
// clusters.
type Model struct {
	fit *saved.Fit
	own []catalog.Method // of the caller
}

// Model returns the model of a result. Methods on graphs and kernels learn
// none: an *OptionError says so.
func (r *Result) Model() (*Model, error) {
	if r.fit == nil || r.fit.Model == nil {
		return nil, noModel(r.Method)
	}
	return &Model{r.fit, r.own}, nil
}

func noModel(method string) error {
	return optionError("save", "{output} keeps the clusters", "%s cannot place new rows, so there is no model to save", method)
}

// Save writes the model of r, for Load.
func (r *Result) Save(w io.Writer) error {
	m, err := r.Model()
	if err != nil {
		return err
	}
	return m.Save(w)
}

// Save writes the model, for Load.
func (m *Model) Save(w io.Writer) error { return saved.Write(w, m.fit, m.own...) }

// Load reads a model that Save wrote. What is not a model, of another version,
// cut short or changed, is refused. The model may be one of a method of the caller.
func Load(r io.Reader, own ...catalog.Method) (*Model, error) {
	if r == nil {
		return nil, ErrNotModel
	}
	fit, err := saved.Read(r, own...)
	if err != nil {
		return nil, err
	}
	return &Model{fit, own}, nil
}

// Learned returns what places rows once they are prepared, such as the centres; it must not be changed.
func (m *Model) Learned() cluster.Model { return m.fit.Model }

// Method returns the name of the method of the fit.
func (m *Model) Method() string { return m.fit.Method }

// Clusters returns the names of the clusters.
func (m *Model) Clusters() []string { return slices.Clone(m.fit.Clusters) }

// FittedRows returns how many rows the model was fitted on.
func (m *Model) FittedRows() int { return m.fit.Rows }

// Open reads a table as that of the fit was read, except where s says otherwise:
// the same id and text columns (see NoColumn), and of the others only the features. Missing
// values are treated as in the fit.
func (m *Model) Open(ctx context.Context, path string, s Source) (*Table, error) {
	if err := checkSource(s); err != nil {
		return nil, err
	}
	if s.Missing != "" {
		return nil, optionError("missing", "the model treats missing values as its fit did", "missing cannot be changed for a saved model")
	}
	opt := s.options()
	opt.Watch, opt.Transpose = s.Watch, s.Transpose || m.fit.Input.Transpose
	opt.IfNamed = s.ID == "" && s.Text == ""
	opt.ID, opt.Text = columnOr(s.ID, m.fit.Input.ID), columnOr(s.Text, m.fit.Input.Text)
	recipe := m.fit.Recipe
	opt.Mixed = recipe.Encoding != nil
	if recipe.Text == nil {
		opt.Features = recipe.Sources()
	}
	opt.Missing, opt.TableMissing = recipe.Missing == prepare.Drop || recipe.Missing == prepare.Mean, recipe.Missing != ""
	t, err := open(ctx, path, Source{ID: opt.ID, Text: opt.Text, Missing: recipe.Missing, planned: true}, opt)
	var bad *InputError
	if !errors.As(err, &bad) {
		return t, err
	}
	switch {
	case bad.Hint.Names("missing"):
		bad.Hint = "fill the cell; a model that is fitted with {missing=drop} or {missing=mean} takes it as it is"
	case bad.Hint.Names("text") && recipe.Text != nil && opt.Text == "":
		bad.Hint = "the model was fitted on documents; name their column with {text}"
	}
	return nil, err
}

// NoColumn as the ID or Text of a Source for Model.Open says that there is no such
// column, where the model would name one.
const NoColumn = "\x00"

func columnOr(given, fitted string) string {
	switch given {
	case "":
		return fitted
	case NoColumn:
		return ""
	}
	return given
}

// A Prediction is where a model places the rows of a table.
type Prediction struct {
	Clusters []string // their names
	Sizes    []int
	Dropped  int // rows left out for missing values
	// Unassigned are the rows without a cluster, by reason: they have nothing to be placed by.
	Unassigned []Unassigned
	Notes      []Note

	a assignment
}

// Rows returns the rows in the order of the table.
func (p *Prediction) Rows() iter.Seq[Row] { return p.a.rows() }

// Len returns the number of rows that have a cluster.
func (p *Prediction) Len() int { return len(p.a.fitted.Labels) }

// Costs returns what each row, in the order of Rows, costs in each cluster, row after row: in plain
// k-means the squared distance from its centre. nil for models that do not say it.
func (p *Prediction) Costs() []float64 {
	return confidence.Costs(p.a.fitted.Model, p.a.p.X, p.a.workers)
}

// WriteCSV writes id,cluster for every row.
func (p *Prediction) WriteCSV(w io.Writer) error { return p.a.writeCSV(w) }

// Predict places the rows of t on so many workers, one per processor if below 1.
// Columns are found by name.
func (m *Model) Predict(ctx context.Context, t *Table, workers int) (*Prediction, error) {
	a, notes, err := m.place(ctx, t, nil, workers, false)
	if err != nil {
		return nil, err
	}
	return &Prediction{Clusters: slices.Clone(a.names), Sizes: a.fitted.Sizes(len(a.names)), Dropped: t.Len() - len(a.fitted.Labels) - len(a.unplaced),
		Unassigned: a.unplaced.counts(), Notes: notes, a: *a}, nil
}

// place places the rows of t, with the constraints c to be checked.
func (m *Model) place(ctx context.Context, t *Table, c *Constraints, workers int, noise bool) (*assignment, []Note, error) {
	var said notes
	c, err := constraintsOn(t, c, &said)
	if err != nil {
		return nil, nil, err
	}
	if t, err = t.preparedBy(m.fit.Recipe.Encoding != nil); err != nil {
		return nil, nil, err
	}
	c = c.on(t)
	ready, err := m.fit.Recipe.Apply(t.ds)
	if err != nil {
		return nil, nil, err
	}
	unplaced := m.unplaced(t, ready)
	labels, err := m.labels(ctx, t, ready, workers)
	if err != nil {
		return nil, nil, err
	}
	if !noise {
		labels, unplaced = placeNoise(ready, labels, unplaced)
	}
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	m.noteColumns(t, &said)
	for _, note := range ready.Notes {
		said.say("%s: %s", t.Name(), note)
	}
	said.sayUnassigned(unplaced, t.point())
	a := &assignment{t: t, unplaced: unplaced, workers: workers, rowsLeft: ready.Rows, known: c.bind(ready.Rows), names: m.fit.Clusters, saved: m.fit, columns: m.fit.Recipe.Columns,
		p: &cluster.Problem{X: ready.X, K: len(m.fit.Clusters)}, fitted: &cluster.Result{Labels: labels, Model: m.fit.Model}}
	if n := a.known.dropped; n > 0 {
		said.warn("ignored %s on %s", format.Count(n, "constraint"), leftOut(unplaced))
	}
	if !a.known.set.Empty() {
		a.p.Constraints = a.known.set
	}
	return a, said.list, nil
}

// noteColumns says which columns of t the model does not use, and that the one of the ids is missing.
func (m *Model) noteColumns(t *Table, said *notes) {
	used := append(m.fit.Recipe.Sources(), m.fit.Input.ID, m.fit.Input.Text, t.id, t.text)
	var extra []string
	for _, name := range t.ds.Names {
		list := strings.LastIndexByte(name, '.')
		if !slices.Contains(used, name) && !(list > 0 && slices.Contains(used, name[:list])) && !slices.ContainsFunc(used, func(u string) bool { return strings.HasPrefix(u, name+".") }) {
			extra = append(extra, strconv.Quote(name))
		}
	}
	if left := len(extra) - 6; left > 0 {
		extra = append(extra[:6], fmt.Sprintf("and %d more", left))
	}
	if len(extra) > 0 && m.fit.Recipe.Text == nil {
		said.say("%s: columns that the model does not use: %s", t.Name(), strings.Join(extra, ", "))
	}
	if id := m.fit.Input.ID; id != "" && t.id == id && t.ds.IDs == nil && t.ds.Names != nil {
		said.say("%s: there is no column %q; rows are numbered from 0 ({id} names another)", t.Name(), id)
	}
}

// unplaced leaves the rows that have nothing to be placed by out of ready, where the fit did so, and
// returns them.
func (m *Model) unplaced(t *Table, ready *prepare.Prepared) noPlace {
	if m.fit.AssignAll {
		return nil
	}
	var specs []columns.Spec
	if e := m.fit.Recipe.Encoding; e != nil {
		for _, c := range e.Columns {
			specs = append(specs, c.Spec)
		}
	}
	u := findUnplaced(t, ready, specs)
	if len(u) > 0 {
		at, rows := withoutRows(ready, u)
		ready.X, ready.Finite, ready.Rows = data.Pick(ready.X, at), nil, rows
	}
	return u
}

// labels places prepared rows, and names the row that cannot be placed.
func (m *Model) labels(ctx context.Context, t *Table, ready *prepare.Prepared, workers int) ([]int, error) {
	labels, err := m.fit.Place(ctx, ready, workers)
	var far *cluster.TooFarError
	if errors.As(err, &far) {
		row := far.Row
		if ready.Rows != nil {
			row = ready.Rows[row]
		}
		return nil, &InputError{File: t.Name(), Msg: fmt.Sprintf("row %s has the value %g, too large to square", t.ID(row), far.Value),
			Hint: "correct the value, or leave out the row", Err: err}
	}
	return labels, err
}

// Evaluate places the rows of t as Predict does, and checks the constraints c,
// which are not used: the result has no objective and no trace.
func (m *Model) Evaluate(ctx context.Context, t *Table, c *Constraints, workers int) (*Result, error) {
	a, notes, err := m.place(ctx, t, c, workers, false)
	if err != nil {
		return nil, err
	}
	r := &Result{Method: m.fit.Method, Parameters: m.fit.Parameters, Seed: m.fit.Seed, Ignored: []cluster.Kind{}, Suspects: []Suspect{}, Notes: notes, a: *a, fit: m.fit, own: m.own}
	r.fill()
	if m.fit.Recipe.Text != nil {
		r.Terms = report.DocumentTerms(a.docs(), m.fit.Recipe.Text, a.p.X, a.fitted.Labels, a.p.K, workers)
	}
	return r, nil
}
