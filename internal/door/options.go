package door

import (
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
	"github.com/inklinghq/inkling/internal/support/progress"
)

// A Scale says how columns, or rows, are scaled.
type Scale = prepare.Scale

// Options say how Cluster works. The zero value is the default: one cluster for
// each class among the labels, a method chosen from what is given.
type Options struct {
	K      int    // the number of clusters; 0: one for each class among the labels, or what the method finds (density)
	Method string // by its name in the catalog; "" or "auto": chosen by held-out constraints; "answers": see MethodAnswers

	// NoSpread says that answers move only the rows that they name. Only where Method is "answers".
	NoSpread bool

	// Methods are methods of the caller, beside those of the catalog.
	Methods []catalog.Method

	// KMin to KMax are numbers of clusters to choose from, by held-out constraints,
	// or by silhouette, of graphs by description length, where there are too few. KMax 0: K; AutoKMax: by the number of rows.
	KMin, KMax int

	// Parameters of the method by name, as `inkling methods NAME` lists them:
	// texts, numbers or booleans. "init" may be the path of a table of k centres.
	Parameters map[string]any

	// Settings says which values parameters have that Parameters does not name: "" and
	// recommended are ours; published are those of the method's paper, with one run that
	// ends in the first local minimum. `inkling methods NAME` lists both.
	Settings string

	// Preparation of rows and texts.
	Scale       Scale   // auto, none, standard, minmax, l2, rows, detrend or shares; "": auto, or chosen where the method is
	StopWords   string  // languages or words separated by commas, or none; "": the languages of the texts, and frequent words where clusters are clearer without them
	MinDF       int     // leave out words in fewer texts than this; 0: 1
	MaxDF       float64 // leave out words in more than this fraction of the texts; 0: 1
	MaxFeatures int     // keep only the most common words; 0: all
	NGrams      int     // terms of texts: 1: words, 2: also words that follow each other; 0: 1

	Components prepare.Components // of a graph: auto, as-is, largest or each; "": auto

	// Assign says what becomes of rows that have nothing to be placed by: texts without a word,
	// rows without one value, isolated nodes. "" or known: they have no cluster; all: every row has one.
	Assign Assign

	Views []ViewSource // other graphs or tables of the same rows, as soft constraints

	Seed     *uint64       // nil: 1. The same seed gives the same result
	Effort   Effort        // how long to search for a low minimum; "": normal
	Restarts int           // runs from different starts, the best is kept; 0: as many as pay, at most 10 (30 of texts and at high effort)
	MaxIter  int           // iterations of a run; 0: 300; below 0: none, the result is the start
	Tol      float64       // a relative decrease of the objective up to this counts as convergence; 0: 1e-7; below 0: 0
	ShiftTol float64       // of k-means alone: a squared shift of the centres up to this share of the mean variance of the columns counts as convergence too; 0: not used
	Timeout  time.Duration // ends the call with the best so far and the status timeout; 0: no limit
	Workers  int           // goroutines; below 1: one per processor. The result does not depend on it
	Device   string        // auto, cpu or gpu: where nearest centres are found; "": auto. The result does not depend on it

	// Robust says what becomes of doubtful constraints before the fit: none takes them
	// as they are given, weight multiplies their weights by (1 − p)⁴, drop leaves out those
	// with p above 0.1, where p is the score of Suspects. "": none, except that a choice of the
	// method leaves out doubtful ones where more than a tenth of all seem wrong.
	Robust suspect.Rule
	// Strict refuses constraints that contradict each other where the method is chosen;
	// otherwise the most doubtful one of each contradiction is left out, and said.
	Strict bool
	// NoSuspects leaves out Result.Suspects, which takes seconds for a thousand constraints.
	NoSuspects bool
	// Reliability judges the result also where Method names a method; else only where it is chosen.
	Reliability bool
	// Unjudged leaves out Result.Reliability in any case, for those who show it nobody.
	Unjudged bool

	// Kept, if not nil, keeps the prepared rows, and what methods compute from them alone,
	// for the next call on the same table. The result does not depend on it.
	Kept *prepare.Kept
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
}

// Progress says how far Cluster is.
type Progress = progress.Progress

// The stages of Progress.
const (
	StagePreparing = progress.Preparing
	StageChoosing  = progress.Choosing
	StageStarting  = progress.Starting
	StageFitting   = progress.Fitting
	StageComparing = progress.Comparing
	StageJudging   = progress.Judging
)

// An Assign says which rows have a cluster.
type Assign string

// Which rows have a cluster.
const (
	AssignKnown Assign = "known" // those that have something to be placed by
	AssignAll   Assign = "all"
)

// Values returns which rows can have a cluster.
func (Assign) Values() []string { return []string{string(AssignKnown), string(AssignAll)} }

// A ViewSource names another graph or table of the same rows.
type ViewSource struct {
	Path string
	As   As     // vectors, graph or text; "": by format
	ID   string // the column of ids; "": that of the table
}

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

// A Method is a clustering method: its name, what it does, its paper and, by
// Parameters, its parameters.
type Method = catalog.Method

// Methods returns all methods that Options.Method can name.
func Methods() []Method { return catalog.Methods() }

// The settings: see Options.Settings.
const (
	RecommendedSettings = "recommended"
	PublishedSettings   = "published"
)

// DefaultSeed is the seed of a fit whose options name none.
const DefaultSeed = 1

// methods returns the methods of the catalog and those of the caller.
func (o *Options) methods() catalog.List { return append(catalog.Methods(), o.Methods...) }

// checkMethods refuses methods of the caller without a name of their own.
func (o *Options) checkMethods() error {
	for i, m := range o.Methods {
		_, taken := append(catalog.Methods(), o.Methods[:i]...).Find(m.Name)
		switch {
		case m.Name == "" || m.Name == autoMethod:
			return optionError("methods", "", "a method must have a name, and not %q", m.Name)
		case taken:
			return optionError("methods", "", "the name of a method must be its own, and %s is that of another", m.Name)
		case m.New == nil:
			return optionError("methods", "", "method %s must have New, which returns its algorithm", m.Name)
		}
	}
	return nil
}

func (o *Options) settings() cluster.Settings {
	s := cluster.Default()
	s.Seed, s.Restarts, s.Workers, s.Audit, s.Effort = DefaultSeed, o.Restarts, o.Workers, o.Audit, o.Effort
	if s.Effort == "" {
		s.Effort = EffortNormal
	}
	if o.Settings == PublishedSettings {
		s.Effort, s.Restarts = EffortLow, max(o.Restarts, 1)
	}
	if o.Seed != nil {
		s.Seed = *o.Seed
	}
	switch {
	case o.MaxIter > 0:
		s.MaxIter = o.MaxIter
	case o.MaxIter < 0:
		s.MaxIter = 0
	}
	switch {
	case o.Tol > 0:
		s.Tol = o.Tol
	case o.Tol < 0:
		s.Tol = 0
	}
	return s
}

// Check refuses options that are wrong whatever the data: it is quick, and Cluster
// begins with it.
func (o *Options) Check() error {
	switch {
	case o.K < 0:
		return optionError("k", "", "k must be at least 1, got %d", o.K)
	case o.KMin < 0 || o.KMax < 0 || o.KMin > o.KMax:
		return optionError("k", "", "k must be a range from at least 1 upwards, got %d to %d", o.KMin, o.KMax)
	case o.Restarts < 0:
		return optionError("restarts", "", "restarts must not be negative, got %d", o.Restarts)
	case o.Timeout < 0:
		return optionError("timeout", "", "timeout must not be negative, got %s", o.Timeout)
	case o.Tol != o.Tol:
		return optionError("tol", "", "tol must be a number, got NaN")
	case !(o.ShiftTol >= 0):
		return optionError("tol", "", "the tolerance of the shift must not be negative, got %v", o.ShiftTol)
	case !(o.MaxDF >= 0 && o.MaxDF <= 1):
		return optionError("max-df", "", "max-df must be above 0 and at most 1, got %v", o.MaxDF)
	case o.MinDF < 0:
		return optionError("min-df", "", "min-df must not be negative, got %d", o.MinDF)
	case o.NGrams < 0 || o.NGrams > 2:
		return optionError("ngrams", "", "ngrams must be 1 or 2, got %d", o.NGrams)
	case o.MaxFeatures < 0:
		return optionError("max-features", "", "max-features must not be negative, got %d", o.MaxFeatures)
	}
	if err := oneOf("device", o.Device, DeviceNames()...); err != nil {
		return err
	}
	if err := oneOf("effort", string(o.Effort), o.Effort.Values()...); err != nil {
		return err
	}
	if err := oneOf("settings", o.Settings, RecommendedSettings, PublishedSettings); err != nil {
		return err
	}
	if o.Settings == PublishedSettings && o.automatic() {
		return optionError("settings", "use {method=NAME}; `inkling methods` lists them", "settings published needs a method")
	}
	if o.Settings == PublishedSettings && o.Effort == EffortHigh {
		return optionError("effort", "", "effort must be low with settings published, got %s", o.Effort)
	}
	if err := oneOf("robust", string(o.Robust), o.Robust.Values()...); err != nil {
		return err
	}
	if err := oneOf("components", string(o.Components), o.Components.Values()...); err != nil {
		return err
	}
	if err := oneOf("assign", string(o.Assign), o.Assign.Values()...); err != nil {
		return err
	}
	if err := oneOf("scale", string(o.Scale), o.Scale.Values()...); err != nil {
		return err
	}
	for _, v := range o.Views {
		if err := oneOf("view-as", string(v.As), "vectors", "graph", "text"); err != nil {
			return err
		}
	}
	if err := o.checkMethods(); err != nil {
		return err
	}
	if !o.automatic() {
		m, ok := o.methods().Find(o.Method)
		if !ok {
			return optionError("method", "`inkling methods` lists them", "there is no method %q%s", o.Method, didYouMean(o.Method, o.methods().Names()))
		}
		if len(o.Views) > 0 && !m.Capabilities().UsesKind(cluster.Views) {
			return NoViewsError(m.Name)
		}
	}
	if m, ok := catalog.List(o.Methods).Find(o.Method); ok {
		_, _, err := m.Configure(o.Parameters)
		return parameterError(err)
	}
	return parameterError(catalog.CheckParameters(o.named(), o.Parameters))
}

// tooManyClusters refuses more clusters than there are points.
func tooManyClusters(k, n int, point string) error {
	if n == 1 {
		return optionError("k", "", "k is %d, but there is only 1 %s", k, point)
	}
	return optionError("k", "", "k is %d, but there are only %s", k, format.Count(n, point))
}

// NoViewsError says that none of the methods uses views, and which do.
func NoViewsError(methods ...string) error {
	var able []string
	for _, m := range catalog.Methods() {
		if m.Capabilities().UsesKind(cluster.Views) {
			able = append(able, m.Name)
		}
	}
	return optionError("view", "", "view does not apply to %s; it is for %s", format.Few(methods, 10), format.Few(able, 10))
}
