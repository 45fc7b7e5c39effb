// Package spreading holds the methods whose clusters are classes that spread from the points
// of constraints to all others: label spreading, over the graph of neighbours, over
// distances and over the clusters that there are without constraints, and a classifier of
// the labelled rows.
package spreading

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// LabelSpreading estimates the probability q_i(h) that point i belongs to cluster h from
// the points of constraints, by the Gaussian process of package posterior, and minimises
//
//	J = −Σ_i w_i log q_i(l_i) + Σ w·v   over the cannot-linked pairs that are together
//
// with labels and must-links satisfied always: their points move as one. Where constraints
// contradict each other, the fewest that make the others agree are left out.
//
// It is the method of Zhou, Bousquet, Lal, Weston and Schölkopf 2004, Learning with Local
// and Global Consistency, with four differences. Its kernel is the mean of that of the
// graph, an RBF, the cosine and a cluster kernel, by the multilevel normalized cut of the
// graph without constraints. Predictions are those of a Gaussian process with noise, less
// of it where the known points predict each other better so. Pairs are used as well as
// labels: points that must be together form a component, and components without a label
// get the class in which they are smoothest (classes.go). And where fewer classes than
// clusters are known, clusters of the cut of which no point is in a constraint are clusters
// of the result; without constraints all are.
//
// It is for the answers to questions, which soon know a few points of every cluster. With
// a few pairs at random, classes are guesses, and other methods are better.
//
// Time is that of the neighbours, of the cut, and of m + k + 64 solves of 72 products with
// the graph each; memory is O(n k + m²) for m ≤ 1,500 points of constraints. Where there
// are more, so many of them speak for the rest.
type LabelSpreading struct {
	KNN    int            `json:"knn" help:"on rows: number of nearest rows that each row is joined with in the graph over which labels spread"`
	Weight cluster.Number `json:"weight" rules:"auto" help:"cost of a violated cannot-link: a number, or auto: 10, as much as two points that are sure to be elsewhere"`
}

// NewLabelSpreading returns it with ten neighbours.
func NewLabelSpreading() *LabelSpreading {
	return &LabelSpreading{KNN: 10, Weight: cluster.ByRule(cluster.RuleAuto)}
}

// autoWeight is the cost of a violated cannot-link of weight 1.
const autoWeight = 10

// Capabilities: rows or a graph; labels and links.
func (a *LabelSpreading) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks},
	}
}

// Check refuses parameters out of range, negative edges, and labels of more classes than
// clusters.
func (a *LabelSpreading) Check(p *cluster.Problem) error {
	if a.KNN < 1 {
		return fmt.Errorf("knn must be at least 1, got %d", a.KNN)
	}
	if err := a.Weight.Check("weight", 0, cluster.RuleAuto); err != nil {
		return err
	}
	if p.Graph != nil && p.X == nil {
		for i := range p.Graph.Len() {
			_, w := p.Graph.Neighbours(i)
			for _, y := range w {
				if y < 0 {
					return cluster.Problemf("graph", "an edge of node %d has the weight %v; labels spread over weights of 0 or more", i+1, y)
				}
			}
		}
	}
	if c := p.Constraints.Classes(); c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	return nil
}

// Deterministic: all runs are equal.
func (a *LabelSpreading) Deterministic(*cluster.Problem) bool { return true }

// Start computes the probabilities. Where ctx ends before they are known, all clusters
// are equally likely, and the labels are those of the cut, if there is one by then.
func (a *LabelSpreading) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	n, k := p.Len(), p.K
	if err := e.CheckMemory("the probabilities of label spreading", 8*float64(n)*float64(4*k+20), "a smaller {k}, or fewer rows"); err != nil {
		return nil, err
	}
	closed, err := constraint.Close(n, constraint.Repaired(n, p.Constraints))
	if err != nil {
		return nil, err
	}
	r := newRun(p, closed, a.weight())
	f, err := NewKernel(ctx, p, a.KNN, e)
	if err == nil {
		err = r.spread(ctx, f, e.Workers)
	}
	if err != nil {
		if ctx.Err() == nil {
			return nil, problemError(p, err)
		}
		r.startUninformed(f)
	}
	return r, nil
}

// problemError says that err is about the points of p.
func problemError(p *cluster.Problem, err error) error {
	var said *cluster.ProblemError
	if errors.As(err, &said) {
		return err
	}
	field := "x"
	if p.X == nil {
		field = "graph"
	}
	return &cluster.ProblemError{Field: field, Err: err}
}

func (a *LabelSpreading) weight() float64 {
	if a.Weight.Rule != "" {
		return autoWeight
	}
	return a.Weight.Value
}

// NewKernel returns the kernel over which labels spread, with the clusters of the
// normalized cut of its graph.
func NewKernel(ctx context.Context, p *cluster.Problem, neighbours int, e *cluster.Env) (*posterior.Kernel, error) {
	set := cluster.Default()
	if e.Settings != nil {
		set.Seed = e.Settings.Seed
	}
	set.Effort, set.Workers = cluster.EffortLow, e.Workers
	points := &cluster.Problem{X: p.X, Graph: p.Graph, K: p.K}
	if p.X != nil {
		points.Graph = nil
	}
	type key struct {
		x             any
		graph         *data.Graph
		k, neighbours int
		seed          uint64
	}
	kept, err := p.Derived.Get(key{points.X, points.Graph, p.K, neighbours, set.Seed}, func() (any, error) {
		return newKernel(ctx, points, neighbours, set)
	})
	if err != nil {
		return nil, err
	}
	return kept.(*posterior.Kernel), nil
}

// newKernel computes the kernel of points.
func newKernel(ctx context.Context, p *cluster.Problem, neighbours int, set cluster.Settings) (*posterior.Kernel, error) {
	return posterior.NewKernel(ctx, p, posterior.Options{Neighbours: neighbours, Seed: set.Seed, Workers: set.Workers,
		Clusters: func(ctx context.Context, g *data.Graph) ([]int, error) {
			r, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, K: min(p.K, p.Len())}, kernel.NewGraphCut(), set)
			if err != nil {
				return nil, err
			}
			return r.Labels, nil
		}})
}
