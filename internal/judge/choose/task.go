package choose

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// A Task is what a method is chosen for.
type Task struct {
	// Problem has the rows without scaling by column, where Scalable, and all
	// constraints. Its K is ignored where Ks names several.
	Problem    *cluster.Problem
	Ks         []int            // numbers of clusters to choose from, ascending; empty: K of the problem
	Scalable   bool             // the rows may be standardised; the choice says whether they are
	Texts      bool             // the rows were made of texts: cosine distances where a method has them
	NeedModel  bool             // only methods that learn a model
	Parameters map[string]any   // of every candidate: methods without them are left out
	Own        []catalog.Method // methods of the caller, compared with the others
	AsGiven    bool             // no candidate leaves out doubtful constraints
	Beyond     int              // up to here larger numbers than those in Ks are tried, where the largest of Ks is the best; 0: none
}

// Options say how candidates are compared. The zero value is the default.
type Options struct {
	Seed       uint64
	Workers    int            // goroutines; below 1: one per processor. The choice does not depend on it
	Effort     cluster.Effort // of the fits; "": low
	Delivered  cluster.Effort // of the fit that is delivered where there are no constraints, for the reference; "": Effort
	Rows       int            // most rows that are compared on; 0: 3,000 where there are more than 5,000
	Candidates []Candidate    // nil: those of Candidates
	Budget     time.Duration  // for the comparison; what is not done by then is left out. 0: no limit
	// Memory, if not nil, keeps what judging constraints needs.
	Memory *suspect.Memory
	// Progress, if not nil, is called before each fit, on the goroutine of the
	// caller.
	Progress func(Progress)
}

// Progress says which candidate is being fitted.
type Progress struct {
	Fit, Fits int // the fit, from 1, of how many
	Candidate string
}

// A Candidate is a method with its parameters.
type Candidate struct {
	Method      string         `json:"method"`
	Parameters  map[string]any `json:"parameters"` // those that differ from the defaults
	Scale       prepare.Scale  `json:"scale"`      // none or standard; "" where rows are not scaled by column
	K           int            `json:"k"`
	Constrained bool           `json:"constrained"` // the fit uses the constraints
	// Robust says what becomes of doubtful constraints before the fit: nothing, or
	// they are dropped.
	Robust suspect.Rule `json:"robust,omitempty"`

	own []catalog.Method // of the caller
}

// find returns the method of this name, of the catalog or of the caller.
func find(name string, own []catalog.Method) (catalog.Method, bool) {
	return append(catalog.Methods(), own...).Find(name)
}

// String describes the candidate: method, parameters, scaling, use of constraints.
func (c Candidate) String() string {
	words := []string{c.Method}
	for _, name := range slices.Sorted(maps.Keys(c.Parameters)) {
		words = append(words, name+" "+catalog.ParameterText(c.Parameters[name]))
	}
	if c.Scale == prepare.Standard {
		words = append(words, "standardised")
	}
	if m, ok := find(c.Method, c.own); ok && !c.Constrained && len(m.Uses()) > 0 {
		words = append(words, "without constraints")
	}
	if c.Robust == suspect.RuleDrop {
		words = append(words, "without doubtful constraints")
	}
	return strings.Join(words, ", ")
}

// A Trial is a candidate with its balanced accuracy on held-out pairs.
type Trial struct {
	Candidate
	Mean  float64 `json:"mean"`  // balanced accuracy on held-out pairs
	SE    float64 `json:"se"`    // its standard error
	Folds int     `json:"folds"` // fewer than the others have where the candidate could not be taken any more
}

// A Choice is the candidate that was chosen, and why.
type Choice struct {
	Candidate
	Why      string   `json:"why"`
	Trials   []Trial  `json:"candidates"`         // that were compared; the reference first
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
	Settled []suspect.Suspect `json:"settled,omitempty"`

	// Named says of each row with a held-out label, by its number in the problem, whether it is in the cluster that the
	// other labels name after its class (1) or not (0), by the candidate that the rule takes without that label's fold.
	Named map[int]float64 `json:"-"`

	judged float64    // the accuracy of the candidate itself, where the claim is less
	next   []fallback // where the claim is refuted
}

// A KChoice says how the number of clusters was chosen.
type KChoice struct {
	K     int      `json:"k"`
	By    string   `json:"by"`   // what the numbers were compared by
	Near  []int    `json:"near"` // numbers that are about as good, the best first
	Why   string   `json:"why"`
	Tried []KTrial `json:"tried"`
	Null  float64  `json:"null,omitempty"`  // the mean silhouette of K clusters where the columns are shuffled
	Doubt string   `json:"doubt,omitempty"` // why even two clusters are not supported; "" where they are
}

// A KTrial is one number of clusters: its balanced accuracy on held-out pairs, or
// its mean silhouette, or the bits for each edge by which it shortens the description of a graph.
type KTrial struct {
	K    int     `json:"k"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`

	few    bool      // half of the clusters or more are exceptions
	values []float64 // the silhouettes of the same rows in all trials
}

// others names the best of the numbers that are about as good.
func (kc *KChoice) others() string {
	var words []string
	for _, k := range kc.Near {
		if k != kc.K && len(words) < nearShown {
			words = append(words, fmt.Sprint(k))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "; about as good: " + strings.Join(words, ", ")
}

// atEnd says that the number is the last or, but for 1 and 2, the first of those that were compared, which is no sign of an optimum.
func (kc *KChoice) atEnd(ks []int) string {
	switch {
	case len(ks) < 3:
	case kc.K == ks[len(ks)-1]:
		return "; it is the largest number tried"
	case kc.K == ks[0] && kc.K > 2:
		return "; it is the smallest number tried"
	}
	return ""
}

// Algorithm returns the algorithm of a candidate.
func (c Candidate) Algorithm() (cluster.Algorithm, error) {
	m, ok := find(c.Method, c.own)
	if !ok {
		return nil, fmt.Errorf("there is no method %q", c.Method)
	}
	alg, _, err := m.Configure(c.Parameters)
	return alg, err
}
