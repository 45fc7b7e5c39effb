package spreading

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Classifier places every row in the class that a classifier of the labelled rows finds
// likeliest. With q_i(h) the probability of class h it minimises
//
//	J = −Σ_i w_i log q_i(l_i) + Σ w·v   over the cannot-linked pairs that are together
//
// with labels and must-links satisfied always: their rows move as one. Where constraints
// contradict each other, the fewest that make the others agree are left out.
//
// The classifier is a mixture. Its parts are kernel ridge regressions on the indicators of
// the classes, with a linear kernel and with Gaussian ones of three widths (Rasmussen and
// Williams 2006, section 6.5), and the shares of the classes among the labels of each cluster
// of k-means, with k and with 3k clusters, which carry what the rows without labels show. The
// ridge of each part, its temperature and its share of uniform probability are those with
// the highest likelihood of every label given the others, leave-one-out in closed form
// (equation 5.12 there), with a prior on the latter two; so are the weights of the parts, by the EM algorithm with one
// label for each part as its prior (stacking: Wolpert 1992). The only label of its class takes no part in this: nothing can
// predict it from the others.
//
// Where fewer classes than k are labelled, the largest clusters of k-means without a label are the
// other clusters.
//
// A row of weight 3 counts as three equal rows; of equal rows with the same label the likelihood
// leaves out all at once.
//
// Rows in pairs without a label of their class move together or apart, and teach the
// classifier nothing: it is for labels.
type Classifier struct {
	Weight cluster.Number `json:"weight" rules:"auto" help:"cost of a violated cannot-link: a number, or auto: 10, as much as two rows that are sure to be elsewhere"`
}

// NewClassifier returns it with the weight of cannot-links by rule.
func NewClassifier() *Classifier { return &Classifier{Weight: cluster.ByRule(cluster.RuleAuto)} }

// Capabilities: rows; labels and links.
func (a *Classifier) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks},
	}
}

// Check refuses a weight out of range and labels of more classes than clusters.
func (a *Classifier) Check(p *cluster.Problem) error {
	if err := a.Weight.Check("weight", 0, cluster.RuleAuto); err != nil {
		return err
	}
	if c := p.Constraints.Classes(); c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	return nil
}

// Deterministic: all runs are equal.
func (a *Classifier) Deterministic(*cluster.Problem) bool { return true }

// Start fits the classifier. Where ctx ends before, all clusters are equally likely.
func (a *Classifier) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	n, k := p.Len(), p.K
	if err := e.CheckMemory("the probabilities of the classifier", 8*float64(n)*float64(k+1), "a smaller {k}, or fewer rows"); err != nil {
		return nil, err
	}
	closed, err := constraint.Close(n, constraint.Repaired(n, p.Constraints))
	if err != nil {
		return nil, err
	}
	weight := float64(autoWeight)
	if a.Weight.Rule == "" {
		weight = a.Weight.Value
	}
	r := newRun(p, closed, weight)
	m, err := fitClassModel(ctx, p, closed, e)
	if err == nil {
		err = r.usePredictions(ctx, m, e.Workers)
	}
	if err != nil {
		if ctx.Err() == nil {
			return nil, problemError(p, err)
		}
		r.startUninformed(nil)
	}
	return r, nil
}

// Classify fits the classifier and returns the cluster of each of some rows: what a fit without links finds for
// them, at the price of these rows alone.
func (a *Classifier) Classify(ctx context.Context, p *cluster.Problem, rows []int, e *cluster.Env) ([]int, error) {
	closed, err := constraint.Close(p.Len(), constraint.Repaired(p.Len(), p.Constraints))
	if err != nil {
		return nil, err
	}
	m, err := fitClassModel(ctx, p, closed, e)
	if err != nil {
		return nil, err
	}
	out, q, s := make([]int, len(rows)), make([]float64, p.K), m.newScratch()
	for at, i := range rows {
		if out[at] = closed.Class(closed.Component(i)); out[at] < 0 {
			m.probabilities(p.X.Row(i, s.buf), q, s)
			out[at] = likeliest(q)
		}
	}
	return out, ctx.Err()
}

// likeliest returns the first cluster of the highest probability.
func likeliest(q []float64) (best int) {
	for h, y := range q {
		if y > q[best] {
			best = h
		}
	}
	return best
}

// usePredictions computes the costs of all rows by a model, and starts from the likeliest
// classes.
func (r *run) usePredictions(ctx context.Context, m *ClassModel, workers int) error {
	n, k := len(r.labels), r.p.K
	q, best := make([]float64, n*k), make([]int, n)
	err := blocks.Tasks(ctx, workers, (n+rowsAtOnce-1)/rowsAtOnce, func(task int) {
		s := m.newScratch()
		for i := task * rowsAtOnce; i < min(n, (task+1)*rowsAtOnce); i++ {
			row := q[i*k : (i+1)*k]
			m.probabilities(r.p.X.Row(i, s.buf), row, s)
			best[i] = likeliest(row)
			toCosts(row, r.p.W(i))
		}
	})
	if err != nil {
		return err
	}
	r.cost, r.model = q, m
	for c := range r.closed.Components() {
		r.move(c, r.allowed(c, best[r.closed.Members(c)[0]]))
	}
	return nil
}
