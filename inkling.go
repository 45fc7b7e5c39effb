// Package inkling clusters data with what you know about it: labels of some
// rows, pairs that must or cannot be in one cluster, beliefs about pairs, a
// second graph or table of the same rows. It is the front door of the module:
// the command line uses it, and so can any Go program.
//
//	t, err := inkling.Open(ctx, "customers.csv", inkling.Source{ID: "customer"})
//	c, err := inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Links: []string{"pairs.csv"}})
//	r, err := inkling.Cluster(ctx, t, c, inkling.Options{K: 5})
//	for row := range r.Rows() {
//		fmt.Println(row.ID, row.Cluster)
//	}
//
// A Table is what is clustered: rows of numbers, texts, a graph or a kernel,
// each row with an id. Open reads one from a file; FromRows, FromMatrix,
// FromGraph, FromKernel and FromTexts make one of what is in memory.
//
// Constraints are what you know about the rows of one table. They come from
// files (ReadConstraints) or from calls (NewConstraints, Must, Cannot, Label,
// Belief). Nil constraints are those of the table's label column, if it has one.
//
// Cluster prepares the rows, chooses a method unless Options names one, and fits
// it. The zero Options are the defaults. The Result has the cluster of every row
// by name, the constraints that are violated, each with the cost of satisfying
// it, and the model. Save writes the model, Load reads it, and Model.Predict
// places new rows exactly as the fit would have.
//
// # Errors
//
// Errors that a program may want to tell apart are types: *InputError (a file
// is wrong: file, line and column), *OptionError (an option is wrong),
// *ConstraintError (the constraints contradict each other, or k clusters cannot
// satisfy them). Advice finds what a user can do about an error, as a Hint that
// names options and that a program words for its users.
//
// # Contexts and progress
//
// Every call that can take long takes a context. When it ends during a fit,
// Cluster returns the best result so far together with the context's error.
// Options.Progress is called, on the goroutine that called Cluster, after every
// step.
//
// # Concurrency
//
// A Table, a Result and a Model are never changed once they are made, and may be
// used by any number of goroutines. Constraints may be used by many goroutines
// as long as none adds to them.
//
// # Methods of your own
//
// Options.Methods takes methods of the caller: a name and a cluster.Algorithm. They
// are used by name like those that are built in. Programs that want their own loop
// use package cluster (Problem, Algorithm, Fit) with cluster/constraint, cluster/data
// and cluster/score.
package inkling

import (
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// Version is the version of this module.
const Version = door.Version

// A Scale says how columns, or rows, are scaled: auto, none, standard, minmax, l2, rows, detrend or shares.
type Scale string

// Components says what becomes of a graph of several connected components.
type Components string

// What becomes of a graph of several connected components.
const (
	WholeGraph       Components = "as-is"
	LargestComponent Components = "largest"
	EachComponent    Components = "each"
)

// An Effort says how long a fit searches for a low minimum.
type Effort = cluster.Effort

// The efforts: low stops each run in its first local minimum, as the papers do;
// normal leaves local minima while that takes about as long as a few such runs; high
// searches much longer.
const (
	EffortLow    = cluster.EffortLow
	EffortNormal = cluster.EffortNormal
	EffortHigh   = cluster.EffortHigh
)

// DefaultSeed is the seed of a fit whose options name none.
const DefaultSeed = door.DefaultSeed

// Options say how Cluster works. The zero value is the default: one cluster for
// each class among the labels, a method chosen from what is given.
type Options struct {
	K      int    // the number of clusters; 0: one for each class among the labels, or what the method finds (density)
	Method string // by its name; "" or "auto": chosen by held-out constraints

	// Methods are methods of the caller, which Method may name and the choice may
	// take beside those that are built in. Names must differ from those.
	Methods []Method

	// KMin to KMax are numbers of clusters to choose from, by held-out constraints,
	// or by silhouette where there are too few. KMax 0: K; 1<<20: by the number of rows.
	KMin, KMax int

	// Parameters of the method by name, as `inkling methods NAME` lists them:
	// texts, numbers or booleans. "init" may be the path of a table of k centres.
	Parameters map[string]any

	// Settings says which values parameters have that Parameters does not name: "" and
	// "recommended" are ours; "published" are those of the method's paper, with one run that
	// ends in the first local minimum. `inkling methods NAME` lists both.
	Settings string

	// Preparation of rows and texts.
	Scale       Scale   // "": auto, or chosen where the method is
	StopWords   string  // languages or words separated by commas, or none; "": by the texts
	MinDF       int     // leave out words in fewer texts than this; 0: 1
	MaxDF       float64 // leave out words in more than this fraction of the texts; 0: 1
	MaxFeatures int     // keep only the most common words; 0: all
	NGrams      int     // terms of texts: 1: words, 2: also words that follow each other; 0: 1

	// Components of a graph; "": those too small to hold a cluster are groups beside the k, and
	// isolated nodes have no cluster.
	Components Components
	Assign     string // all: also rows that have nothing to be placed by have a cluster; "": they have none

	Views []ViewSource // other graphs or tables of the same rows, as soft constraints

	Seed     *uint64       // nil: 1. The same seed gives the same result
	Effort   Effort        // how long to search for a low minimum; "": normal
	Restarts int           // runs from different starts, the best is kept; 0: as many as pay, at most 10 (30 of texts and at high effort)
	MaxIter  int           // iterations of a run; 0: 300; below 0: none, the result is the start
	Tol      float64       // a relative decrease of the objective up to this counts as convergence; 0: 1e-7; below 0: 0
	Timeout  time.Duration // ends the call with the best so far and the status timeout; 0: no limit
	Workers  int           // goroutines; below 1: one per processor. The result does not depend on it
	Device   string        // auto, cpu or gpu: where nearest centres are found; "": auto. The result does not depend on it

	// Robust says what becomes of doubtful constraints before the fit: none takes them
	// as they are given, weight multiplies their weights by (1 − p)⁴, drop leaves out those
	// with p above 0.1, where p is the score of Suspects. "": none, except that a choice of the
	// method leaves out doubtful ones where more than a tenth of all seem wrong.
	Robust string
	// Strict refuses constraints that contradict each other where the method is chosen;
	// otherwise the most doubtful one of each contradiction is left out, and said.
	Strict bool
	// NoSuspects leaves out Result.Suspects, which takes seconds for a thousand constraints.
	NoSuspects bool

	// BestEffort returns what there is when the time is over, even if all rows are in
	// one cluster because there was no time for more.
	BestEffort bool
	// NeedModel refuses methods that learn no model, so that Save works.
	NeedModel bool
	// Unconstrained also fits without the constraints, and says in Result.Unconstrained
	// what they changed.
	Unconstrained bool
	// Audit recomputes the objective after every step; a rise is an error.
	Audit bool
	// Progress, if not nil, is called after every step, on the goroutine that
	// called Cluster, which waits for it.
	Progress func(Progress)
	// Notify, if not nil, is called with every note when it is made; Result.Notes
	// has them all.
	Notify func(Note)

	inner *door.Options // of a program of this module: the options, in place of all above
}

// Check refuses options that are wrong whatever the data: it is quick, and Cluster
// begins with it.
func (o *Options) Check() error {
	behind := o.behind()
	return publicError(behind.Check())
}

// behind returns the options for the implementation.
func (o *Options) behind() door.Options {
	if o.inner != nil {
		return *o.inner
	}
	var out door.Options
	mirror.Into(&out, *o)
	if tell := o.Progress; tell != nil {
		out.Progress = func(p door.Progress) { tell(mirror.To[Progress](p)) }
	}
	out.Notify = notify(o.Notify)
	out.Methods = nil
	for _, m := range o.Methods {
		out.Methods = append(out.Methods, m.behind())
	}
	return out
}

func notify(tell func(Note)) func(door.Note) {
	if tell == nil {
		return nil
	}
	return func(n door.Note) { tell(mirror.To[Note](n)) }
}

// The stages of Progress.
const (
	StagePreparing = door.StagePreparing
	StageChoosing  = door.StageChoosing
	StageStarting  = door.StageStarting
	StageFitting   = door.StageFitting
	StageComparing = door.StageComparing
	StageJudging   = door.StageJudging
)

// Progress says how far Cluster is.
type Progress struct {
	Stage     string // StagePreparing and so on
	Method    string
	Run, Runs int // the run, from 1, of how many at most
	Iteration int // of the run
	Objective float64
	Moved     int  // rows that changed their cluster in the iteration
	Ended     bool // an iteration has just ended
}

// A ViewSource names another graph or table of the same rows.
type ViewSource struct {
	Path string
	As   As     // vectors, graph or text; "": by format
	ID   string // the column of ids; "": that of the table
}

// A Method is a clustering method. What it takes and uses is declared by its
// algorithm; its parameters are the exported fields of the algorithm's struct, as
// their tags describe them: json names one, help explains it.
type Method struct {
	Name  string                   // for Options.Method
	Title string                   // what it does, in one line
	Paper string                   // where it was published
	New   func() cluster.Algorithm // with its default parameters
	// Saved returns an empty model to read a saved one into; nil: the method learns
	// none, and results cannot be saved.
	Saved func() cluster.Model
}

// A Parameter is a parameter of a method.
type Parameter struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"` // all allowed values, where they are listed
	Rules   []string `json:"rules,omitempty"`  // allowed in place of a number
	File    string   `json:"file,omitempty"`   // what a file in place of a value contains
	Help    string   `json:"help"`
}

// Parameters returns the parameters of m with their defaults.
func (m Method) Parameters() []Parameter { return mirror.To[[]Parameter](m.behind().Parameters()) }

// Capabilities returns what the method takes and uses with its default
// parameters.
func (m Method) Capabilities() cluster.Capabilities { return m.behind().Capabilities() }

func (m Method) behind() catalog.Method {
	return catalog.Method{Name: m.Name, Title: m.Title, Paper: m.Paper, New: m.New, Saved: m.Saved}
}

// Methods returns the methods that are built in.
func Methods() []Method {
	var out []Method
	for _, m := range door.Methods() {
		out = append(out, Method{Name: m.Name, Title: m.Title, Paper: m.Paper, New: m.New, Saved: m.Saved})
	}
	return out
}

// NewAlgorithm returns the built-in method of this name for package cluster, with
// parameters from a JSON object such as {"init": "random"}; nil names none.
func NewAlgorithm(name string, parameters []byte) (cluster.Algorithm, error) {
	return catalog.New(name, parameters)
}
