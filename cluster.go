package inkling

import (
	"context"
	"encoding/json"
	"io"
	"iter"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// Cluster clusters the rows of t. Nil constraints are those of t's label column.
//
// When ctx ends during the fit, Cluster returns the best result so far and ctx's
// error; when it ends before there is one worth having, the result is nil.
// Options.Timeout ends the call without an error where there is such a result, and
// with a *TimeLimitError where there is none. An *OptionError, *InputError or
// *ConstraintError says what is wrong with what was given; any other error is an
// internal error.
func Cluster(ctx context.Context, t *Table, c *Constraints, o Options) (*Result, error) {
	r, err := door.Cluster(ctx, t.behind(), c.behind(), o.behind())
	return newResult(r), publicError(err)
}

// NewProblem prepares t, c and the views as Cluster does and returns the problem
// that it would fit, for programs that use package cluster themselves. id returns
// the id of a row of the problem. K is 0 where neither o nor the labels say it.
func NewProblem(ctx context.Context, t *Table, c *Constraints, o Options) (p *cluster.Problem, id func(row int) string, err error) {
	p, id, err = door.NewProblem(ctx, t.behind(), c.behind(), o.behind())
	return p, id, publicError(err)
}

// A Result is a clustering of a table. Its JSON is that of `inkling cluster
// --json`, which adds times.
type Result struct {
	Method     string
	Parameters json.RawMessage
	N          int // rows that were clustered
	Dim        int // features, 0 for graphs and kernels
	K          int // clusters
	KEffective int // clusters with rows
	// Reliability says how far the clusters can be relied on; nil where the options name a method.
	Reliability  *Reliability
	Seed         uint64
	Runs         int // that were made; the best is the result
	Distinct     int // how many of them started from different clusters
	Status       cluster.Status
	Iterations   int
	Objective    Objective
	Trace        []float64 // the objective after each iteration
	Clusters     []string  // their names
	Sizes        []int
	Satisfaction                // how far the constraints are satisfied
	Ignored      []cluster.Kind // kinds of constraints that the method does not use
	Cuts         *Cuts          // of a graph
	Terms        [][]string     // of texts: the words that distinguish each cluster
	Dropped      int            // rows left out for missing values, or nodes outside the largest component
	Components   *GraphParts    // of a graph
	Beside       int            // how many of the K clusters are components of a graph beside those that were fitted
	View         *ViewEffect    // where views were given
	// Suspects are the constraints that look wrong, with a score above LooksWrong, the
	// likeliest first; Judged is how many were judged, 0 where that was left out.
	Suspects []Suspect
	Judged   int
	Obeyed   *Obeyed // suspects that a method satisfied because it satisfies everything
	// Unconstrained compares with a fit without constraints, where it was asked
	// for.
	Unconstrained *Unconstrained
	Plan          []PlannedColumn  // of a table: what its columns are for
	Chosen        *Choice          // how the method was chosen; nil where the options name one
	Learned       cluster.Findings // what was learned
	Remarks       []string         // of the method on its run
	Notes         []Note           // decisions and warnings, in the order in which they were made

	r *door.Result
}

func newResult(r *door.Result) *Result {
	if r == nil {
		return nil
	}
	out := mirror.To[Result](*r)
	out.r = r
	return &out
}

// MarshalJSON writes the result as `inkling cluster --json` does, without times.
func (r *Result) MarshalJSON() ([]byte, error) { return json.Marshal(r.r) }

// A Reliability says how far a clustering can be relied on: low, fair or good.
type Reliability struct {
	Level     string   // low, fair or good
	Why       []string // reasons against it, the weightiest first; none where it is good
	Border    *float64 // share of rows near the border of their cluster; nil, as below: not measured
	HeldOut   *float64 // balanced accuracy on held-out pairs: 1 always, 0.5 as by chance
	HeldOutSE *float64 // its standard error
	Relevant  *int     // columns that the other columns predict
	Columns   *int     // columns of which that was measured
}

// An Objective is what was minimised: the sum of its terms.
type Objective struct {
	Total float64            `json:"total"`
	Terms map[string]float64 `json:"terms"`
}

// A Satisfaction says how far the constraints are satisfied.
type Satisfaction struct {
	score.Kept
	SoftSeeds  int         // rows with weighted labels of several classes: neither satisfied nor violated
	Violations []Violation // most costly first
	Misplaced  []Misplaced // most costly first
}

// Violated returns how many constraints are violated.
func (s *Satisfaction) Violated() int {
	behind := mirror.To[door.Satisfaction](*s)
	return behind.Violated()
}

// A Violation is a given link that is violated.
//
// Penalty is its own term in the objective as it is: 0 where the objective has
// none, as for must-links in kernel methods that reward satisfied ones and for
// constraints that a choice left out as doubtful; nil for methods that never
// violate the constraints that they use, and for spectral ones, whose constraints
// shape eigenvectors.
//
// Cost is by how much the objective would rise if the cheaper of its rows moved to
// satisfy it, every term counted; all other rows, the centres and a learned metric
// stay. In a local minimum it is not negative; below 0 the search ended before
// every single move was tried, or does not make them. nil where no move of one row
// satisfies the link.
type Violation struct {
	A       string   `json:"a"`
	B       string   `json:"b"`
	Kind    LinkKind `json:"kind"`
	Weight  float64  `json:"weight"`
	Penalty *float64 `json:"penalty"`
	Cost    *float64 `json:"cost"`
}

// A Misplaced row is not in the cluster named after its label. Penalty and Cost
// are as in a Violation: the term of the label, and what moving the row to that
// cluster would add to the objective.
type Misplaced struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Cluster string   `json:"cluster"`
	Weight  float64  `json:"weight"`
	Penalty *float64 `json:"penalty"`
	Cost    *float64 `json:"cost"`
}

// Cuts are the values of all objectives for a clustering of a graph. A good one
// has a large association and small cuts.
type Cuts struct {
	RatioAssociation float64 `json:"ratio_association"`
	RatioCut         float64 `json:"ratio_cut"`
	NormalizedCut    float64 `json:"normalized_cut"`
}

// GraphParts are the connected components of a graph.
type GraphParts struct {
	Count        int     `json:"count"`         // components, isolated nodes among them
	Isolated     int     `json:"isolated"`      // nodes without edges
	Largest      int     `json:"largest"`       // nodes of the largest component
	LargestShare float64 `json:"largest_share"` // of all nodes
}

// A ViewEffect says how far views are satisfied, and at what cost.
type ViewEffect struct {
	Alpha  float64 `json:"alpha"` // what the vector satisfies
	Beta   float64 `json:"beta"`  // what was demanded of it
	Weight float64 `json:"weight"`
	// Cut is the normalized cut of the graph, CutAlone without the views, Cost
	// the difference; Relaxed and RelaxedAlone are the same of the vectors.
	Cut          float64     `json:"cut"`
	CutAlone     float64     `json:"cut_alone"`
	Cost         float64     `json:"price"`
	Relaxed      float64     `json:"relaxed"`
	RelaxedAlone float64     `json:"relaxed_alone"`
	ARI          float64     `json:"ari"` // of the clusters and those without the views
	Moved        int         `json:"moved"`
	Views        []ViewScore `json:"views"`
}

// A ViewScore is one view.
type ViewScore struct {
	File     string  `json:"file"`
	Edges    int     `json:"edges"`
	Cut      float64 `json:"cut"`       // its normalized cut by the clusters
	CutAlone float64 `json:"cut_alone"` // by its own clusters
	ARI      float64 `json:"ari"`       // of the clusters and its own
}

// LooksWrong is the score above which summaries call a constraint a suspect.
const LooksWrong = door.LooksWrong

// A Suspect is a constraint with how likely it is wrong.
type Suspect struct {
	Kind   string  `json:"kind"`  // label, must or cannot
	ID     string  `json:"id"`    // of the row that a label names
	Label  string  `json:"label"` // that it names
	A      string  `json:"a"`     // the rows of a link
	B      string  `json:"b"`
	Weight float64 `json:"weight"`
	Score  float64 `json:"score"` // an estimate of the probability that it is wrong, 0 to 1
	Why    string  `json:"why"`   // the evidence, in words
	File   string  `json:"file"`  // where it was given
	Line   int     `json:"line"`
}

// String returns what the constraint says.
func (s Suspect) String() string { return mirror.To[door.Suspect](s).String() }

// Obeyed says how many suspects a method that never violates constraints satisfied,
// and what that costs.
type Obeyed struct {
	Suspects int `json:"suspects"`
	// Cost is by how much the objective would fall if each row of a suspect were
	// in its cheapest cluster; nil where the method has no costs for single rows.
	Cost *float64 `json:"cost"`
}

// Unconstrained is the same method on the same rows without the constraints: it
// says what they changed.
type Unconstrained struct {
	Moved     int       `json:"moved"` // rows in another cluster than without constraints, clusters matched by their rows
	ARI       float64   `json:"ari"`   // of the two clusterings
	Objective Objective `json:"objective"`
	score.Kept
	Status cluster.Status `json:"status"`
}

// A Candidate is a method with its parameters.
type Candidate struct {
	Method      string         `json:"method"`
	Parameters  map[string]any `json:"parameters"` // those that differ from the defaults
	Scale       Scale          `json:"scale"`      // none or standard; "" where rows are not scaled by column
	K           int            `json:"k"`
	Constrained bool           `json:"constrained"`      // the fit uses the constraints
	Robust      string         `json:"robust,omitempty"` // what becomes of doubtful constraints before the fit
}

// A Trial is a candidate with its balanced accuracy on held-out pairs.
type Trial struct {
	Candidate
	Mean  float64 `json:"mean"`
	SE    float64 `json:"se"` // its standard error
	Folds int     `json:"folds"`
}

// A Choice says which method was chosen by held-out constraints, with which
// parameters and scaling, and why; Trials are the candidates that were compared,
// the reference first.
type Choice struct {
	Candidate
	Why      string   `json:"why"`
	Trials   []Trial  `json:"candidates"`
	LeftOut  []string `json:"left_out,omitempty"` // candidates that could not be compared, each with the reason
	Doubtful float64  `json:"doubtful"`           // the estimated share of the constraints that is wrong; 0 where it was not estimated
	Pairs    int      `json:"pairs"`              // held-out pairs that candidates were judged by
	Rows     int      `json:"rows"`               // rows that were compared on
	Of       int      `json:"of"`                 // rows that there are
	Clusters *KChoice `json:"k_choice,omitempty"` // how the number of clusters was chosen, where it was

	// Claimed is the accuracy of the candidate on held-out constraints, and Delivered that of
	// the clustering which was fitted with all of them, on all of them; nil where nothing was
	// compared. Where a fit without constraints was chosen, Delivered is that of its clusters before
	// rows in constraints moved.
	Claimed   *Accuracy `json:"claimed,omitempty"`
	Delivered *Accuracy `json:"delivered,omitempty"`
	// Where a fit without constraints was chosen: how many rows of constraints moved to satisfy
	// them, and how many constraints are violated because they are doubtful.
	Moved   int `json:"moved,omitempty"`
	Doubted int `json:"doubted,omitempty"`
	// Settled are constraints that were left out because they contradict others, each the most
	// doubtful of its contradiction.
	Settled []Suspect `json:"settled,omitempty"`
}

// An Accuracy is how far a clustering agrees with constraints, with its 95 % interval.
type Accuracy struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	By   string  `json:"by"` // pairs: balanced between must-links and cannot-links; labels: the share in the cluster of their class
}

// A KChoice says how the number of clusters was chosen.
type KChoice struct {
	K    int    `json:"k"`
	By   string `json:"by"`   // what the numbers were compared by
	Near []int  `json:"near"` // numbers that are about as good, the best first
	Why  string `json:"why"`
}

// Choose compares methods by held-out constraints as Cluster does where the
// options name none, and returns the table without fitting the winner.
func Choose(ctx context.Context, t *Table, c *Constraints, o Options) (*Choice, error) {
	found, err := door.Choose(ctx, t.behind(), c.behind(), o.behind())
	return mirror.To[*Choice](found), publicError(err)
}

// A Row is one row of a result.
type Row struct {
	ID           string
	Cluster      string // "" where the row has none
	ClusterIndex int    // of the cluster, from 0, as in Result.Clusters; -1 where the row has none
}

// A RowDetail is one row of a result with how sure it is of its cluster.
type RowDetail struct {
	Row
	// Confidence is from 0 to 1. ConfidenceSource says what it means: with labels it
	// estimates the probability that the row belongs in its cluster, without them it is a
	// heuristic.
	Confidence float64
	Second     string   // the next best cluster; "" where there is no other
	Margin     *float64 // by how much the objective would rise if the row moved there; nil where that is unknown
	Reason     string   // why the row has no cluster; "" where it has one
}

// A ConfidenceSource says where confidences come from.
type ConfidenceSource string

// The sources of confidences: the posterior given the labels, margins calibrated
// on labels, or a heuristic.
const (
	ConfidenceFromLabels  ConfidenceSource = "labels"
	ConfidenceFromMargins ConfidenceSource = "margins"
	ConfidenceHeuristic   ConfidenceSource = "heuristic"
)

func publicRows(rows iter.Seq[door.Row]) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for r := range rows {
			if !yield(Row(r)) {
				return
			}
		}
	}
}

// Rows returns the rows in the order of the table; rows dropped for missing
// values are left out.
func (r *Result) Rows() iter.Seq[Row] { return publicRows(r.r.Rows()) }

// Assignment returns the number of the cluster of each row, in the order of Rows.
func (r *Result) Assignment() []int { return r.r.Assignment() }

// Assignment32 is Assignment in half the memory.
func (r *Result) Assignment32() []int32 { return r.r.Assignment32() }

// Details returns the rows in the order of the table with their confidences,
// the next best clusters and the margins to them, and where the confidences come
// from.
func (r *Result) Details(ctx context.Context) ([]RowDetail, ConfidenceSource, error) {
	d, s, err := r.r.Details(ctx)
	return mirror.To[[]RowDetail](d), ConfidenceSource(s), publicError(err)
}

// WriteCSV writes id,cluster for every row.
func (r *Result) WriteCSV(w io.Writer) error { return r.r.WriteCSV(w) }

// WriteRows writes id,cluster,confidence,second,margin for every row.
func (r *Result) WriteRows(ctx context.Context, w io.Writer) error {
	return publicError(r.r.WriteRows(ctx, w))
}

// WriteTrace writes iter,objective,moved for every iteration.
func (r *Result) WriteTrace(w io.Writer) error { return r.r.WriteTrace(w) }

// TracePoints returns the whole trace of the run: the objective after each
// iteration, and how many rows changed their cluster in it.
func (r *Result) TracePoints() []cluster.Point { return r.r.TracePoints() }

// WhyEmpty says why some clusters have no rows; "" where all have some, or the
// reason is not known.
func (r *Result) WhyEmpty() Hint { return Hint(r.r.WhyEmpty()) }

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
	return publicError(mirror.To[door.ReportOptions](o).Check(workers))
}

// A Report is a page about a result.
type Report struct {
	Title   string
	Verdict []string // plain sentences, the most important first

	page *report.Page
}

// A Chart is one picture of a report.
type Chart struct {
	Name  string // of its file, without the ending
	Title string

	c report.Chart
}

// Report returns a page about the result.
func (r *Result) Report(ctx context.Context, f ReportOptions) (*Report, []Note, error) {
	page, notes, err := r.r.Report(ctx, mirror.To[door.ReportOptions](f))
	if page == nil {
		return nil, mirror.To[[]Note](notes), publicError(err)
	}
	return &Report{page.Title, page.Verdict, page}, mirror.To[[]Note](notes), publicError(err)
}

// Write writes the report as one HTML file that needs no network.
func (p *Report) Write(w io.Writer) error { return p.page.Write(w) }

// Charts returns the charts of the report, to be written as files of their own.
func (p *Report) Charts() (out []Chart) {
	for _, c := range p.page.Charts() {
		out = append(out, Chart{c.Name, c.Title, c})
	}
	return out
}

// WriteSVG writes the chart as SVG.
func (c Chart) WriteSVG(w io.Writer) error { return c.c.WriteSVG(w) }

// WritePNG writes the chart as PNG.
func (c Chart) WritePNG(w io.Writer) error { return c.c.WritePNG(w) }

// The packages beside this one convert through the implementation, so that no
// function here shows a type of it.
var _ = func() bool {
	b := &door.Bridge
	b.Table = func(t any) *door.Table { return t.(*Table).behind() }
	b.Options = func(o any) door.Options { own := o.(Options); return own.behind() }
	b.Source = func(s any) door.Source { return s.(Source).behind() }
	b.Error = publicError
	b.ToTable = func(t *door.Table) any { out, _ := newTable(t, nil); return out }
	b.ToResult = func(r *door.Result) any { return newResult(r) }
	b.ToOptions = func(o door.Options) any { return Options{inner: &o} }
	b.ToSource = func(s door.Source) any { return Source{inner: &s} }
	b.Constraints = func(c *door.Constraints) any { return &Constraints{c} }
	return true
}()
