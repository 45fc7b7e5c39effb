// Package cluster is the contract between a clustering problem, an algorithm
// and whoever watches: Fit runs any Algorithm on any Problem, and owns the only
// loop, the only restarts and the only randomness there is.
//
// An Algorithm is a bag of hyperparameters. Its Start makes a Run, one descent
// under way, whose Stages Fit calls in turn until the objective stops falling,
// a limit is reached or the context ends. Labels, model, objective and trace of
// the Result all come from the same iteration of the same run.
package cluster

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/data"
)

// An Algorithm is a bag of hyperparameters: exported fields with json and help
// tags, no state. The command line makes its flags from them.
type Algorithm interface {
	// Capabilities say what the algorithm takes and uses, as it is set.
	Capabilities() Capabilities
	// Check reports the first hyperparameter that is wrong in itself or for p.
	// Problem.Check has passed before, and p has a form that the algorithm takes.
	Check(p *Problem) error
	// Start initialises one run: its labels and model are valid from then on.
	// When ctx ends it should settle for any valid start that is quickly made,
	// so that there is something to return.
	Start(ctx context.Context, p *Problem, e *Env) (Run, error)
}

// A Run is one descent under way.
type Run interface {
	// Stages returns the steps of the next iteration, in order. Each lowers the
	// objective, or leaves it, while the rest stands still. None means that the
	// run has converged.
	Stages() []Stage
	// Objective computes the terms of what is being minimised from nothing but
	// the current labels and model.
	Objective(ctx context.Context) (Terms, error)
	// Labels returns the cluster, from 0 to K-1, of every point; the caller
	// must not change it, and it is good until the next stage.
	Labels() []int
	// Model returns a copy of what has been learned so far, or nil where the
	// method cannot place new points.
	Model() Model
}

// A Tracker is a Run that knows its objective at the end of an iteration from
// the work just done. Fit then need not compute it; an audit compares the two.
type Tracker interface {
	Tracked() Terms
}

// A Relabeler is a Run that knows which points have moved, so that Fit need not
// go through all where few move. What Labels returns is then the caller's, and
// Relabel brings it up to date: labels that are those of the last call of either.
type Relabeler interface {
	Run
	Relabel(labels []int)
}

// A Reporter is a Run that has something to tell of what it learned beside a
// model, or in place of one: plain data with json tags, which later stages do
// not write to.
type Reporter interface {
	Learned() any
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

// Env is what a run may use of the world: its own randomness, and hands.
type Env struct {
	Rand    *rand.Rand
	Workers int
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

// A PointCoster is a Model that knows what a point of weight 1 would add to the
// objective in cluster h, everything else left as it is.
type PointCoster interface {
	PointCost(v data.Vec, h int) float64
}
