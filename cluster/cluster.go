// Package cluster is the contract between clustering problems, algorithms and
// their callers: Fit runs any Algorithm on any Problem, and has the only loop
// over iterations, the only restarts and the only source of randomness.
//
// An Algorithm is a struct of hyperparameters. Its Start returns a Run, one
// descent from one start, whose Stages Fit calls in turn until the objective
// stops decreasing, a limit is reached or the context ends. Labels, model, objective and trace of
// the Result all come from the same iteration of the same run.
package cluster

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/data"
)

// An Algorithm is a struct of hyperparameters: exported fields with json and help
// tags, no state. The command line makes its flags from them.
type Algorithm interface {
	// Capabilities say what the algorithm takes and uses, as it is set.
	Capabilities() Capabilities
	// Check reports the first hyperparameter that is wrong in itself or for p.
	// Problem.Check has passed before, and p has a form that the algorithm takes.
	Check(p *Problem) error
	// Start initialises one run: its labels and model are valid from then on.
	// When ctx ends it should return any valid start that is quick to compute,
	// so that Fit has a result to return.
	Start(ctx context.Context, p *Problem, e *Env) (Run, error)
}

// A Run is one descent from one start.
type Run interface {
	// Stages returns the steps of the next iteration, in order. No stage
	// increases the objective. An empty list means that the run has converged.
	Stages() []Stage
	// Objective computes the terms of the minimised function from the current
	// labels and model alone.
	Objective(ctx context.Context) (Terms, error)
	// Labels returns the cluster, from 0 to K-1, of every point, or -1 where the
	// algorithm leaves noise; the caller must not change it, and it is valid until
	// the next stage.
	Labels() []int
	// Model returns a copy of what has been learned so far, or nil where the
	// method cannot place new points.
	Model() Model
}

// A Tracker is a Run whose stages compute the objective at the end of an iteration
// as a by-product. Fit then does not compute it; an audit compares the two.
type Tracker interface {
	Tracked() Terms
}

// A Stub is a Run whose labels stand for nothing until a stage has computed them, as
// those of spectral methods do before there are eigenvectors.
type Stub interface {
	IsStub() bool
}

// A Relabeler is a Run that records which points have moved, so that Fit need not
// copy all labels if few points move. The caller then owns what Labels returns,
// and Relabel updates it: labels must be those of the last call of either.
type Relabeler interface {
	Run
	Relabel(labels []int)
}

// A Reporter is a Run that reports what it learned beside a model, or in place of
// one: plain data with json tags, which later stages do not change.
type Reporter interface {
	Learned() any
}

// A Grader is a Run that says how strongly points belong to their clusters and how
// far they are outside of all, each from 0 to 1.
type Grader interface {
	Memberships() []float64 // 0 for a point without a cluster
	Outliers() []float64
}

// A Stage is one named step; Do returns how many points changed cluster.
type Stage struct {
	Name string
	Do   func(ctx context.Context) (moved int, err error)
}

// A Term is one named part of an objective.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Terms is an objective: the sum of its parts.
type Terms []Term

// Sum returns the objective itself.
func (t Terms) Sum() (s float64) {
	for _, x := range t {
		s += x.Value
	}
	return s
}

// Env is what Fit gives a run: its own random numbers, how many goroutines it may
// use, and how long to search. Fit sets the effort; without one it is low.
type Env struct {
	Rand    *rand.Rand
	Workers int
	Effort  Effort
	Run     int // the number of the restart, from 0
	// Settings are those that Fit was given, without observer and audit: for fits
	// of the same kind on the way, such as FitUnconstrained. Nil: no Fit has made e.
	Settings *Settings

	shared map[string]any // by the runs of one Fit
	report func(share float64)
	source *rand.PCG // of Rand; nil: unknown
}

// Report tells the observer of Fit, if there is one, that about this share of Start, from 0 to 1, is done. It must be called
// by the goroutine that called Start. A Start that may take more than a second should call it.
func (e *Env) Report(share float64) {
	if e.report != nil {
		e.report(share)
	}
}

// Once returns what compute returns, and calls it once for all runs of a Fit that ask for
// the same key in Start: for what depends on the problem alone.
func (e *Env) Once(key string, compute func() any) any {
	if e.shared == nil {
		return compute()
	}
	value, ok := e.shared[key]
	if !ok {
		value = compute()
		e.shared[key] = value
	}
	return value
}

// A Model places new points. It is plain data: exported fields with json tags,
// written to disk by package saved, and safe for concurrent use.
type Model interface {
	// Dim returns the number of features that points must have.
	Dim() int
	// Clusters returns the number of clusters.
	Clusters() int
	// Place writes the cluster of each row lo ≤ i < hi of x to labels[i-lo].
	Place(x data.Rows, lo, hi int, labels []int)
}

// A PointCoster is a Model that computes what a point of weight 1 adds to the
// objective in cluster h, without constraints, while everything else stays as it is.
// A run whose objective has terms for constraints is a Pricer too.
type PointCoster interface {
	PointCost(v data.Vec, h int) float64
}
