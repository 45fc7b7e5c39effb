package engine

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// An Op is what a request asks for.
type Op string

// The operations.
const (
	OpMethods  Op = "methods"
	OpFit      Op = "fit"
	OpPredict  Op = "predict"
	OpDetails  Op = "details"
	OpSuspects Op = "suspects"
	OpExplain  Op = "explain"
	OpReport   Op = "report"
	OpScore    Op = "score"
	OpAsk      Op = "ask"
	OpNext     Op = "next"
	OpAnswer   Op = "answer"
	OpForget   Op = "forget"
	OpRelease  Op = "release"
	OpCancel   Op = "cancel"
)

// A Request is a message to the engine. Which fields it needs depends on Op; an
// unknown field is an error.
type Request struct {
	ID       uint64 `json:"id"` // of the reply, and of cancel; the caller counts
	Op       Op     `json:"op"`
	Progress bool   `json:"progress,omitempty"` // send events

	Data        *Data        `json:"data,omitempty"`
	Constraints *Constraints `json:"constraints,omitempty"`
	Options     *Options     `json:"options,omitempty"`
	Details     bool         `json:"details,omitempty"` // fit, predict: with the confidence of each row
	Keep        bool         `json:"keep,omitempty"`    // fit: keep the result for questions about it, however large it is
	Costs       bool         `json:"costs,omitempty"`   // predict: with what each row costs in each cluster

	Folder string `json:"folder,omitempty"` // for large arrays of the reply, which are files there then

	Of     uint64 `json:"of,omitempty"`     // cancel: the id of the request
	Handle uint64 `json:"handle,omitempty"` // of a result or of questions that the engine keeps
	Model  []byte `json:"model,omitempty"`  // of a fit, as its reply has it
	Rows   []int  `json:"rows,omitempty"`   // explain: one row or two; answer: the two of the question

	Strategy string `json:"strategy,omitempty"` // ask
	Answer   string `json:"answer,omitempty"`   // same, different, unsure or skip

	Title string `json:"title,omitempty"` // report: the name of the data

	Truth *Array `json:"truth,omitempty"` // score
	Pred  *Array `json:"pred,omitempty"`
}

// Data are what is clustered. One of Rows, Sparse, Graph, Kernel, Texts and Table is
// given.
type Data struct {
	Name    string       `json:"name,omitempty"` // for messages
	Rows    *Array       `json:"rows,omitempty"` // n × d, <f8 or <f4
	Sparse  *Sparse      `json:"sparse,omitempty"`
	Graph   *Sparse      `json:"graph,omitempty"`  // symmetric
	Kernel  *Array       `json:"kernel,omitempty"` // n × n, <f8, symmetric
	Texts   []string     `json:"texts,omitempty"`
	Table   *Table       `json:"table,omitempty"`
	IDs     []string     `json:"ids,omitempty"`     // of the rows, for messages; nil: their numbers
	Columns []string     `json:"columns,omitempty"` // of Rows and Sparse
	Missing door.Missing `json:"missing,omitempty"`
	Weights *Array       `json:"weights,omitempty"` // of the rows, <f8
}

// Sparse are rows in compressed form (CSR): the numbers of row i are Values[Start[i]:Start[i+1]],
// in the columns Index[Start[i]:Start[i+1]], ascending.
type Sparse struct {
	Cols   int    `json:"cols"`
	Start  *Array `json:"start"`  // <i8
	Index  *Array `json:"index"`  // <i4
	Values *Array `json:"values"` // <f8
}

// A Table is a file with columns, whose roles the engine recognises as the command line
// does.
type Table struct {
	Path     string      `json:"path"`
	Format   door.Format `json:"format"` // csv, tsv, jsonl, parquet, …
	ID       string      `json:"id,omitempty"`
	Text     string      `json:"text,omitempty"`
	Drop     []string    `json:"drop,omitempty"`
	Number   []string    `json:"number,omitempty"`
	Category []string    `json:"category,omitempty"`
	Date     []string    `json:"date,omitempty"`
}

// Constraints are what is known about rows, which are numbered from 0.
type Constraints struct {
	Labels  *Labels `json:"labels,omitempty"`
	Must    *Pairs  `json:"must,omitempty"`
	Cannot  *Pairs  `json:"cannot,omitempty"`
	Beliefs *Pairs  `json:"beliefs,omitempty"` // with weights from -1 to 1
}

// Labels are the classes of some rows.
type Labels struct {
	Rows    *Array   `json:"rows"`
	Classes *Array   `json:"classes"` // by row of Rows, numbers of Names
	Names   []string `json:"names"`
	Weights *Array   `json:"weights,omitempty"` // nil: 1 each
}

// Pairs are links between rows.
type Pairs struct {
	Rows    *Array `json:"rows"`              // m × 2
	Weights *Array `json:"weights,omitempty"` // nil: 1 each
}

// Options are those of inkling.Options.
type Options struct {
	Method     string             `json:"method,omitempty"`
	K          int                `json:"k,omitempty"`
	KMin       int                `json:"k_min,omitempty"`
	KMax       int                `json:"k_max,omitempty"`
	Parameters map[string]any     `json:"parameters,omitempty"`
	Scale      door.Scale         `json:"scale,omitempty"`
	Components prepare.Components `json:"components,omitempty"`
	Assign     door.Assign        `json:"assign,omitempty"`
	Seed       *uint64            `json:"seed,omitempty"`
	Effort     door.Effort        `json:"effort,omitempty"`
	Device     string             `json:"device,omitempty"`
	Settings   string             `json:"settings,omitempty"`
	Restarts   int                `json:"restarts,omitempty"`
	MaxIter    *int               `json:"max_iter,omitempty"`
	Tol        *float64           `json:"tol,omitempty"`
	ShiftTol   float64            `json:"shift_tol,omitempty"` // of k-means alone
	Seconds    float64            `json:"seconds,omitempty"`   // the time limit; 0: none
	Workers    int                `json:"workers,omitempty"`
	Robust     suspect.Rule       `json:"robust,omitempty"`
	NoSuspects bool               `json:"no_suspects,omitempty"`
	NeedModel  bool               `json:"need_model,omitempty"`
	BestEffort bool               `json:"best_effort,omitempty"`
}

// options are those of the front door.
func (o *Options) options() (door.Options, error) {
	if o == nil {
		return door.Options{}, nil
	}
	if !(o.Seconds >= 0 && o.Seconds < 1e9) {
		return door.Options{}, &door.OptionError{Option: "timeout", Msg: sprintf("timeout must be from 0 to 1e9 seconds, got %v", o.Seconds)}
	}
	out := door.Options{Method: o.Method, K: o.K, KMin: o.KMin, KMax: o.KMax, Parameters: wholeNumbers(o.Parameters), Scale: o.Scale,
		Components: o.Components, Assign: o.Assign, Seed: o.Seed, Effort: o.Effort, Device: o.Device, Settings: o.Settings, Restarts: o.Restarts, Timeout: time.Duration(o.Seconds * float64(time.Second)),
		Workers: o.Workers, Robust: o.Robust, NoSuspects: o.NoSuspects, NeedModel: o.NeedModel, BestEffort: o.BestEffort, ShiftTol: o.ShiftTol}
	if o.MaxIter != nil {
		out.MaxIter = orNegative(*o.MaxIter)
	}
	if o.Tol != nil {
		out.Tol = orNegative(*o.Tol)
	}
	return out, nil
}

// orNegative turns a 0 that was meant into what the options take for it.
func orNegative[T int | float64](x T) T {
	if x == 0 {
		return -1
	}
	return x
}

// wholeNumbers are the parameters with whole numbers as int: JSON does not tell the two
// apart.
func wholeNumbers(given map[string]any) map[string]any {
	out := make(map[string]any, len(given))
	for name, v := range given {
		if x, ok := v.(float64); ok && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			v = int(x)
		}
		out[name] = v
	}
	return out
}

// open makes the table of a request, with the weights of its rows.
func (d *Data) open(ctx context.Context, m *memory, openFile func(context.Context, string, door.Source) (*door.Table, error)) (*door.Table, error) {
	t, err := d.table(ctx, m, openFile)
	if err != nil || d.Weights == nil {
		return t, err
	}
	if err := checkShape("the weights", d.Weights, t.Len()); err != nil {
		return nil, err
	}
	w, err := numbers[float64](m, d.Weights, Float64)
	t.Weigh(w)
	return t, err
}

// table makes the table of a request. How a file is opened depends on the request: by
// inkling.Open, or as a model read its own.
func (d *Data) table(ctx context.Context, m *memory, openFile func(context.Context, string, door.Source) (*door.Table, error)) (*door.Table, error) {
	if d == nil {
		return nil, protocolError("there are no data")
	}
	names := door.Names{Name: d.name(), IDs: d.IDs, Columns: d.Columns, Missing: d.Missing}
	switch {
	case d.Rows != nil:
		if len(d.Rows.Shape) == 2 && d.Rows.cols() == 0 {
			return nil, d.refuse("the rows have no columns, their shape is %v", d.Rows.Shape)
		}
		x, err := denseRows(m, d.Rows)
		if err != nil {
			return nil, err
		}
		return door.FromMatrix(x, names)
	case d.Sparse != nil:
		x, err := d.Sparse.rows(m)
		if err != nil {
			return nil, err
		}
		return door.FromMatrix(x, names)
	case d.Graph != nil:
		x, err := d.Graph.rows(m)
		if err != nil {
			return nil, err
		}
		if x.Cols != x.Len() {
			return nil, d.refuse("a graph has as many rows as columns, not %d and %d", x.Len(), x.Cols)
		}
		g := &data.Graph{Start: x.Start, To: x.Idx, W: x.Val}
		if err := g.Check(); err != nil {
			return nil, d.refuse("%v", err)
		}
		return door.FromGraph(g, names)
	case d.Kernel != nil:
		if err := checkShape("the kernel matrix", d.Kernel, -1, -1); err != nil {
			return nil, err
		}
		if d.Kernel.rows() != d.Kernel.cols() {
			return nil, d.refuse("a kernel matrix has as many rows as columns, not %v", d.Kernel.Shape)
		}
		v, err := numbers[float64](m, d.Kernel, Float64)
		if err != nil {
			return nil, err
		}
		return door.FromKernel(&data.Dense{Cols: d.Kernel.cols(), V: v}, names)
	case d.Texts != nil:
		return door.FromTexts(d.Texts, names)
	case d.Table != nil:
		t := d.Table
		out, err := openFile(ctx, t.Path, door.Source{Format: t.Format, ID: t.ID, Text: t.Text, Drop: t.Drop, Number: t.Number,
			Category: t.Category, Date: t.Date, Missing: d.Missing})
		if err != nil || d.IDs == nil {
			return out, err
		}
		return out, door.NameRows(out, d.IDs)
	}
	return nil, protocolError("the data have neither rows, sparse, graph, kernel, texts nor table")
}

func (d *Data) name() string {
	if d == nil || d.Name == "" {
		return "data"
	}
	return d.Name
}

func (d *Data) refuse(format string, args ...any) error {
	return &door.InputError{File: d.name(), Msg: sprintf(format, args...)}
}

// called returns a message in which the table has its name, and not the path of the file that
// brought it here.
func (d *Data) called(message string) string {
	if d == nil || d.Table == nil || d.Table.Path == "" {
		return message
	}
	return strings.ReplaceAll(message, d.Table.Path, d.name())
}

func denseRows(m *memory, a *Array) (data.Rows, error) {
	if err := checkShape("the data", a, -1, -1); err != nil {
		return nil, err
	}
	if a.DType == Float32 {
		v, err := numbers[float32](m, a, Float32)
		if err != nil {
			return nil, err
		}
		return &data.Dense32{Cols: a.cols(), V: v}, nil
	}
	v, err := numbers[float64](m, a, Float64)
	if err != nil {
		return nil, err
	}
	return &data.Dense{Cols: a.cols(), V: v}, nil
}

func (s *Sparse) rows(m *memory) (*data.Sparse, error) {
	start, err := integers(m, s.Start)
	if err != nil {
		return nil, err
	}
	index, err := numbers[int32](m, s.Index, Int32)
	if err != nil {
		return nil, err
	}
	values, err := numbers[float64](m, s.Values, Float64)
	if err != nil {
		return nil, err
	}
	x := &data.Sparse{Cols: s.Cols, Start: start, Idx: index, Val: values}
	if len(start) == 0 {
		return nil, protocolError("sparse rows without starts")
	}
	if err := x.Check(); err != nil {
		return nil, &door.InputError{File: "data", Msg: err.Error(), Err: err}
	}
	return x, nil
}

// on returns the constraints on the rows of t.
func (c *Constraints) on(m *memory, t *door.Table) (*door.Constraints, error) {
	out := door.NewConstraints(t)
	if c == nil {
		return out, nil
	}
	if err := c.Labels.add(m, t, out); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		pairs *Pairs
		kind  door.LinkKind
	}{{c.Must, door.MustLink}, {c.Cannot, door.CannotLink}, {c.Beliefs, door.BeliefLink}} {
		if err := of.pairs.add(m, t, out, of.kind); err != nil {
			return nil, err
		}
	}
	return out, out.Err()
}

// row returns the id of a row, and refuses one that does not exist.
func row(t *door.Table, i int, what cluster.Kind) (string, error) {
	if i < 0 || i >= t.Len() {
		return "", &door.InputError{File: t.Name(), Msg: sprintf("%s name row %d; the rows are numbered 0 to %d", what, i, t.Len()-1)}
	}
	return t.ID(i), nil
}

func weights(m *memory, a *Array, n int) (func(i int) float64, error) {
	if a == nil {
		return func(int) float64 { return 1 }, nil
	}
	if err := checkShape("the weights", a, n); err != nil {
		return nil, err
	}
	v, err := numbers[float64](m, a, Float64)
	return func(i int) float64 { return v[i] }, err
}

func (l *Labels) add(m *memory, t *door.Table, to *door.Constraints) error {
	if l == nil {
		return nil
	}
	rows, err := integers(m, l.Rows)
	if err != nil {
		return err
	}
	if err := checkShape("the classes", l.Classes, len(rows)); err != nil {
		return err
	}
	classes, err := integers(m, l.Classes)
	if err != nil {
		return err
	}
	weight, err := weights(m, l.Weights, len(rows))
	if err != nil {
		return err
	}
	for at, i := range rows {
		id, err := row(t, i, cluster.Labels)
		if err != nil {
			return err
		}
		if h := classes[at]; h < 0 || h >= len(l.Names) {
			return protocolError("class %d of %d", h, len(l.Names))
		}
		to.LabelWeighted(id, l.Names[classes[at]], weight(at))
	}
	return nil
}

func (p *Pairs) add(m *memory, t *door.Table, to *door.Constraints, kind door.LinkKind) error {
	if p == nil {
		return nil
	}
	what := map[door.LinkKind]cluster.Kind{door.MustLink: cluster.MustLinks, door.CannotLink: cluster.CannotLinks, door.BeliefLink: cluster.Beliefs}[kind]
	if err := checkShape(string(what), p.Rows, -1, 2); err != nil {
		return err
	}
	rows, err := integers(m, p.Rows)
	if err != nil {
		return err
	}
	weight, err := weights(m, p.Weights, len(rows)/2)
	if err != nil {
		return err
	}
	for at := range len(rows) / 2 {
		a, err := row(t, rows[2*at], what)
		if err != nil {
			return err
		}
		b, err := row(t, rows[2*at+1], what)
		if err != nil {
			return err
		}
		to.Add(door.Link{A: a, B: b, Kind: kind, Weight: weight(at)})
	}
	return nil
}
