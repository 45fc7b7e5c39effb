package door

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/effect"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// A Result is a clustering of a table. Its JSON is that of `inkling cluster
// --json`, which adds times.
type Result struct {
	Method     string          `json:"method"`
	Parameters json.RawMessage `json:"parameters"`
	N          int             `json:"n"`           // rows that were clustered
	Dim        int             `json:"dim"`         // features, 0 for graphs and kernels
	K          int             `json:"k"`           // clusters
	KEffective int             `json:"k_effective"` // clusters with rows
	// Reliability says how far the clusters can be relied on; nil where it was not judged.
	Reliability *Reliability   `json:"reliability,omitempty"`
	Seed        uint64         `json:"seed"`
	Runs        int            `json:"runs"`            // that were made; the best is the result
	Distinct    int            `json:"distinct_starts"` // how many of them started from different clusters
	Status      cluster.Status `json:"status"`
	Iterations  int            `json:"iterations"`
	Objective   Objective      `json:"objective"`
	Trace       []float64      `json:"trace"`    // the objective after each iteration
	Clusters    []string       `json:"clusters"` // their names
	Sizes       []int          `json:"sizes"`
	Satisfaction
	Ignored []cluster.Kind `json:"ignored"`         // kinds of constraints that the method does not use
	Cuts    *kernel.Values `json:"cuts,omitempty"`  // of a graph
	Terms   [][]string     `json:"terms,omitempty"` // of texts: the words that distinguish each cluster
	Dropped int            `json:"dropped"`         // rows left out for missing values, or nodes outside the largest component
	// Components are those of a graph.
	Components *prepare.GraphParts `json:"components,omitempty"`
	// Beside is how many of the K clusters are components of a graph beside those that were fitted.
	Beside int `json:"beside,omitempty"`
	// Unassigned are the rows without a cluster, by reason: they have nothing to be placed by.
	Unassigned []Unassigned `json:"unassigned,omitempty"`
	View       *ViewEffect  `json:"view,omitempty"` // where views were given
	// Suspects are the constraints that look wrong, with a score above LooksWrong, the
	// likeliest first; Judged is how many were judged, 0 where that was left out.
	Suspects []Suspect `json:"suspects"`
	Judged   int       `json:"judged"`
	Obeyed   *Obeyed   `json:"obeyed,omitempty"` // suspects that a method satisfied because it satisfies everything
	// Answered says what answers changed, where Method was "answers".
	Answered *Answered `json:"answers,omitempty"`
	// Unconstrained compares with a fit without constraints, where it was asked
	// for.
	Unconstrained *Unconstrained  `json:"twin,omitempty"`
	Plan          []PlannedColumn `json:"plan,omitempty"` // of a table: what its columns are for
	// Chosen says how the method was chosen; nil where the options name one.
	Chosen  *Choice          `json:"chosen"`
	Learned cluster.Findings `json:"model"`           // what was learned
	Remarks []string         `json:"notes,omitempty"` // of the method on its run
	Notes   []Note           `json:"-"`               // decisions and warnings, in the order in which they were made

	a   assignment
	fit *saved.Fit
	own []catalog.Method // of the caller
}

// Rows returns the rows in the order of the table; rows dropped for missing
// values are left out.
func (r *Result) Rows() iter.Seq[Row] { return r.a.rows() }

// Assignment returns the number of the cluster of each row, in the order of Rows; -1 for a row
// that has none.
func (r *Result) Assignment() []int { return r.a.labels() }

// Assignment32 is Assignment in half the memory.
func (r *Result) Assignment32() []int32 {
	if len(r.a.unplaced) == 0 {
		return r.a.fitted.Labels32()
	}
	labels := r.a.labels()
	out := make([]int32, len(labels))
	for i, h := range labels {
		out[i] = int32(h)
	}
	return out
}

// WriteCSV writes id,cluster for every row.
func (r *Result) WriteCSV(w io.Writer) error { return r.a.writeCSV(w) }

// TracePoint is the objective after one iteration, and how many rows changed
// their cluster in it.
type TracePoint = cluster.Point

// TracePoints returns the whole trace of the run.
func (r *Result) TracePoints() []TracePoint { return slices.Clone(r.a.fitted.Trace) }

// WriteTrace writes iter,objective,moved for every iteration.
func (r *Result) WriteTrace(w io.Writer) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"iter", "objective", "moved"})
	for _, t := range r.a.fitted.Trace {
		_ = c.Write([]string{strconv.Itoa(t.Iter), strconv.FormatFloat(t.Objective, 'g', -1, 64), strconv.Itoa(t.Moved)})
	}
	c.Flush()
	return c.Error()
}

// fill adds what follows from the assignment.
func (r *Result) fill() {
	p, f := r.a.p, r.a.fitted
	r.N, r.K, r.Runs, r.Distinct, r.Status, r.Iterations = p.Len(), p.K, f.Runs, f.Distinct, f.Status, f.Iterations
	r.Objective, r.Clusters, r.Sizes = effect.NewObjective(f.Objective), slices.Clone(r.a.names), f.Sizes(p.K)
	r.Satisfaction = r.a.satisfaction()
	r.Dropped = r.a.t.Len() - p.Len() - len(r.a.unplaced)
	r.Unassigned = r.a.unplaced.counts()
	r.View = effect.OfViews(p, f)
	r.Learned = f.Findings()
	if n, ok := f.Learned.(interface{ Notes() []string }); ok {
		r.Remarks = n.Notes()
	}
	if p.X != nil {
		r.Dim = p.X.Dim()
	}
	if p.Graph != nil {
		cuts := kernel.Cuts(p.Graph, f.Labels, p.K)
		r.Cuts = &cuts
	}
	for _, t := range f.Trace {
		r.Trace = append(r.Trace, t.Objective)
	}
	for _, n := range r.Sizes {
		if n > 0 {
			r.KEffective++
		}
	}
	if r.KEffective < r.K && p.X != nil {
		r.a.empty = prepare.WhyEmpty(p.X, r.K)
	}
}

// WhyEmpty says why some clusters have no rows; "" where all have some, or the
// reason is not known.
func (r *Result) WhyEmpty() Hint { return Hint(r.a.empty) }
