package inkling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// ErrNotModel is the error of Load for a file that is not a saved model at all.
var ErrNotModel = door.ErrNotModel

// A Model places new rows in the clusters of a fit, exactly as the fit would
// have: it keeps how the rows were prepared, what was learned and the names of the
// clusters.
type Model struct{ m *door.Model }

func newModel(m *door.Model, err error) (*Model, error) {
	if err != nil {
		return nil, publicError(err)
	}
	return &Model{m}, nil
}

// Model returns the model of a result. Methods on graphs and kernels learn
// none: an *OptionError says so.
func (r *Result) Model() (*Model, error) { return newModel(r.r.Model()) }

// Save writes the model of r, for Load.
func (r *Result) Save(w io.Writer) error { return publicError(r.r.Save(w)) }

// Load reads a model that Save wrote. What is not a model, of another version,
// cut short or changed, is refused. Methods of the caller, by which the model may
// have been made, are given as in Options.Methods.
func Load(r io.Reader, methods ...Method) (*Model, error) {
	var own []catalog.Method
	for _, m := range methods {
		own = append(own, m.behind())
	}
	return newModel(door.Load(r, own...))
}

// Save writes the model, for Load.
func (m *Model) Save(w io.Writer) error { return publicError(m.m.Save(w)) }

// Learned returns what places rows once they are prepared, such as the centres; it must not be changed.
func (m *Model) Learned() cluster.Model { return m.m.Learned() }

// Method returns the name of the method of the fit.
func (m *Model) Method() string { return m.m.Method() }

// Clusters returns the names of the clusters.
func (m *Model) Clusters() []string { return m.m.Clusters() }

// FittedRows returns how many rows the model was fitted on.
func (m *Model) FittedRows() int { return m.m.FittedRows() }

// Open reads a table as that of the fit was read, except where s says otherwise:
// the same id and text columns (see NoColumn), and of the others only the features. Missing
// values are treated as in the fit.
func (m *Model) Open(ctx context.Context, path string, s Source) (*Table, error) {
	return newTable(m.m.Open(ctx, path, s.behind()))
}

// A Prediction is where a model places the rows of a table.
type Prediction struct {
	Clusters []string // their names
	Sizes    []int
	Dropped  int // rows left out for missing values
	Notes    []Note

	p *door.Prediction
}

// Predict places the rows of t on so many workers, one per processor if below 1.
// Columns are found by name.
func (m *Model) Predict(ctx context.Context, t *Table, workers int) (*Prediction, error) {
	p, err := m.m.Predict(ctx, t.behind(), workers)
	if p == nil {
		return nil, publicError(err)
	}
	out := mirror.To[Prediction](*p)
	out.p = p
	return &out, publicError(err)
}

// Rows returns the rows in the order of the table.
func (p *Prediction) Rows() iter.Seq[Row] { return publicRows(p.p.Rows()) }

// Len returns the number of rows that were placed.
func (p *Prediction) Len() int { return p.p.Len() }

// Costs returns what each row, in the order of Rows, costs in each cluster, row
// after row: in plain k-means the squared distance from its centre. nil for models
// that do not say it.
func (p *Prediction) Costs() []float64 { return p.p.Costs() }

// Details returns the rows in the order of the table, with their confidences by
// margins.
func (p *Prediction) Details(ctx context.Context) ([]RowDetail, ConfidenceSource, error) {
	d, s, err := p.p.Details(ctx)
	return mirror.To[[]RowDetail](d), ConfidenceSource(s), publicError(err)
}

// WriteCSV writes id,cluster for every row.
func (p *Prediction) WriteCSV(w io.Writer) error { return p.p.WriteCSV(w) }

// WriteRows writes id,cluster,confidence,second,margin for every row.
func (p *Prediction) WriteRows(ctx context.Context, w io.Writer) error {
	return publicError(p.p.WriteRows(ctx, w))
}

// Evaluate places the rows of t as Predict does, and checks the constraints c,
// which are not used: the result has no objective and no trace.
func (m *Model) Evaluate(ctx context.Context, t *Table, c *Constraints, workers int) (*Result, error) {
	r, err := m.m.Evaluate(ctx, t.behind(), c.behind(), workers)
	return newResult(r), publicError(err)
}

// An Explanation says why a row is in its cluster, why two rows are together or
// apart, or what a cluster is. String is for people; its JSON is that of `inkling
// explain --json`.
type Explanation struct {
	text string
	data any
}

// String returns the explanation for people.
func (e *Explanation) String() string { return e.text }

// MarshalJSON writes the explanation with all its numbers.
func (e *Explanation) MarshalJSON() ([]byte, error) { return json.Marshal(e.data) }

func newExplanation[T fmt.Stringer](data T, err error) (*Explanation, error) {
	if err != nil {
		return nil, publicError(err)
	}
	return &Explanation{data.String(), data}, nil
}

// ExplainRow says why the row of t with this id is where the model places it:
// which columns decide between its cluster and the next best, which labelled rows
// are near, and what would have to change. The constraints c, which may be nil, are
// those of the fit.
func (m *Model) ExplainRow(ctx context.Context, t *Table, c *Constraints, id string) (*Explanation, error) {
	return newExplanation(m.m.ExplainRow(ctx, t.behind(), c.behind(), id))
}

// ExplainPair says why the rows of t with these ids are together or apart: the
// chain of must-links and labels between them if there is one, and what their
// distance is made of.
func (m *Model) ExplainPair(ctx context.Context, t *Table, c *Constraints, a, b string) (*Explanation, error) {
	return newExplanation(m.m.ExplainPair(ctx, t.behind(), c.behind(), a, b))
}

// ExplainCluster says what this cluster of the rows of t is, and which constraints
// concern it.
func (m *Model) ExplainCluster(ctx context.Context, t *Table, c *Constraints, name string) (*Explanation, error) {
	return newExplanation(m.m.ExplainCluster(ctx, t.behind(), c.behind(), name))
}

// A SuspectReport ranks the constraints on a table by how likely they are wrong.
// Its JSON is that of `inkling suspect --json`.
type SuspectReport struct {
	N        int       `json:"n"`        // rows
	K        int       `json:"k"`        // clusters, 0 where the number is not known
	Sample   int       `json:"sample"`   // rows that the constraints were judged on; all where it equals n
	Suspects []Suspect `json:"suspects"` // all constraints but beliefs, the likeliest to be wrong first
	Notes    []Note    `json:"-"`

	r *door.SuspectReport
}

// Suspects ranks the constraints c on t by how likely they are wrong. Each is
// judged by fits that have not seen it; contradictory constraints are judged too.
// Of the options, K, those about preparation, Seed, Workers and Notify count.
func Suspects(ctx context.Context, t *Table, c *Constraints, o Options) (*SuspectReport, error) {
	r, err := door.Suspects(ctx, t.behind(), c.behind(), o.behind())
	if r == nil {
		return nil, publicError(err)
	}
	out := mirror.To[SuspectReport](*r)
	out.r = r
	return &out, publicError(err)
}

// Above returns how many constraints have a score above a bound.
func (r *SuspectReport) Above(bound float64) int { return r.r.Above(bound) }

// WriteLabels writes the labels whose score is at most a bound as id,label,weight;
// those that could not be judged, on rows left out for missing values, stay.
func (r *SuspectReport) WriteLabels(w io.Writer, bound float64) error {
	return r.r.WriteLabels(w, bound)
}

// WriteLinks writes the must-links and cannot-links whose score is at most a bound
// as a,b,kind,weight. Beliefs have another form and stay in their own files.
func (r *SuspectReport) WriteLinks(w io.Writer, bound float64) error {
	return r.r.WriteLinks(w, bound)
}

// A ConstraintReport is what CheckConstraints finds. Its JSON is that of
// `inkling check --json`.
type ConstraintReport struct {
	N, Labels, Must, Cannot, Beliefs int
	Classes                          []string
	Components                       int // of rows that must be together
	Largest                          int // rows in the largest component
	Conflicts                        []Conflict
	Drop                             []Drop // the fewest constraints found to remove
	Feasible                         Feasibility
	Why                              string // it is not feasible, or unknown
	Problems                         []Fault
	Views                            []ViewSummary
	More                             bool // there are more contradictions than are listed

	r *door.ConstraintReport
}

// A Feasibility says whether the constraints can be satisfied.
type Feasibility string

// The answers.
const (
	FeasibleYes     Feasibility = "yes"
	FeasibleNo      Feasibility = "no"
	FeasibleUnknown Feasibility = "unknown" // the search was given up
)

// A Conflict is a contradiction: a and b cannot be in one cluster, but the chain
// of must-links and equal labels between them says that they must.
type Conflict struct {
	A     string   `json:"a"`
	B     string   `json:"b"`
	Chain []string `json:"chain"`
	Text  string   `json:"text"`
	Where []string `json:"where"`
}

// A Drop is a constraint to remove: a pair, or the label of a, b being its class.
type Drop struct {
	Kind string `json:"kind"` // must, cannot or label
	A    string `json:"a"`
	B    string `json:"b"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Fault is something wrong with one constraint: unknown-id, unknown-kind,
// weight, view or duplicate.
type Fault struct {
	Kind    string `json:"kind"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
	Hint    Hint   `json:"-"`
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

// CheckConstraints looks for ids that no row has, pairs given twice or as both
// kinds, rows paired with themselves, contradictions, each with the shortest chain
// that proves it, and the fewest constraints found to remove so that none is left.
// With o.K it says whether k clusters can satisfy the constraints, and with o.Views
// whether these have the rows of t. The other options are ignored, except Workers
// and Notify; rows that Source.Missing or Names.Missing drops are left out.
func CheckConstraints(ctx context.Context, t *Table, c *Constraints, o Options) (*ConstraintReport, error) {
	r, err := door.CheckConstraints(ctx, t.behind(), c.behind(), o.behind())
	if r == nil {
		return nil, publicError(err)
	}
	out := mirror.To[ConstraintReport](*r)
	out.r = r
	return &out, publicError(err)
}

// MarshalJSON writes the report as `inkling check --json` does.
func (r *ConstraintReport) MarshalJSON() ([]byte, error) { return json.Marshal(r.r) }

// Err returns an error for the worst that was found: an *InputError for an id
// that does not exist, a *ConstraintError for a contradiction or too few clusters,
// else nil.
func (r *ConstraintReport) Err() error { return publicError(r.r.Err()) }

// ScoreOptions say what Score measures beside the agreement of two files.
type ScoreOptions struct {
	Common  bool     // leave out ids that only one file has or labels, instead of refusing them
	Links   []string // files of links, to count those that the prediction satisfies
	Data    *Table   // the rows that were clustered, for the silhouette
	Prepare Options  // how Data is prepared: of these options only those for preparation count
	Workers int
	Notify  func(Note)
}

// Score compares two files of id,label (or id,cluster), matched by id.
func Score(ctx context.Context, truthPath, predPath string, o ScoreOptions) (*score.Card, error) {
	s, err := door.Score(ctx, truthPath, predPath, door.ScoreOptions{Common: o.Common, Links: o.Links, Data: o.Data.behind(),
		Prepare: o.Prepare.behind(), Workers: o.Workers, Notify: notify(o.Notify)})
	return s, publicError(err)
}
