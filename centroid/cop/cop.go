// Package cop is COP-KMeans: k-means that never violates a constraint.
package cop

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// COP is COP-KMeans (Wagstaff, Cardie, Rogers and Schroedl 2001): k-means in
// which labels, must-links and cannot-links are never violated. It minimises J
// of KMeans over all labelings that honour them. Cluster h stands for class h.
//
// The assignment "search", the default, draws what must be together into
// weighted lumps and assigns whatever hangs together by cannot-links at once:
// exactly where it is a tree, a clique, or k is 2, otherwise by moves,
// interchanges and cascades from a legal labelling. It then lets centres and
// labels move together as long as J falls, and tries to get out of a local
// minimum by moving one centre elsewhere. It does not fail where the knowledge
// can be honoured, as far as that can be found out (see constraint.Closure,
// Feasible); otherwise the error is an *InfeasibleError, in a *cluster.ProblemError.
//
// The assignment "greedy" is the one of the paper, for comparison: the first
// centres are random points, and in every iteration points, in their order, go
// to the nearest cluster that holds nothing they cannot be with so far. Where
// there is none it fails with a *StuckError, also when the knowledge can well be
// honoured. (Basu, Banerjee and Mooney 2002 use it so, with the cosine, which
// search does not know.)
type COP struct {
	Assignment string `json:"assignment" enum:"search,greedy" help:"search honours whatever can be honoured; greedy is the paper's, and gets stuck"`
	Distortion string `json:"distortion" enum:"euclidean,cosine" help:"how far a row is from a centre; cosine needs greedy"`
	Trials     int    `json:"trials" help:"attempts to get out of a local minimum without success after which a run of search ends; fewer on large data"`
}

// New returns COP-KMeans by search.
func New() *COP { return &COP{Assignment: "search", Distortion: lloyd.Euclidean, Trials: 16} }

// Capabilities: rows; labels and links, which are kept.
func (a *COP) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks},
		Hard:   true,
	}
}

// Check refuses problems without rows, knowledge that contradicts itself, and
// more classes than clusters.
func (a *COP) Check(p *cluster.Problem) error {
	if p.X == nil {
		return lloyd.NeedsRows()
	}
	if a.Assignment != "search" && a.Assignment != "greedy" {
		return fmt.Errorf("assignment %q, it must be search or greedy", a.Assignment)
	}
	if a.Distortion != "" { // of a literal without it: euclidean
		if err := lloyd.Distortion(a.Distortion).Check(); err != nil {
			return err
		}
	}
	if a.Distortion == lloyd.Cosine && a.Assignment != "greedy" {
		return fmt.Errorf("distortion cosine, the assignment %s knows euclidean only; use greedy", a.Assignment)
	}
	if a.Trials < 0 {
		return fmt.Errorf("%d trials, it must be 0 or more", a.Trials)
	}
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		return err
	}
	if list := closed.Labelled(); len(list) > 0 {
		if last := closed.Class(int(list[len(list)-1])); last >= p.K {
			return cluster.Problemf("constraints", "there are labels of class %d, but k is %d: classes are clusters 0 to %d", last, p.K, p.K-1)
		}
	}
	return nil
}

// Start chooses the first centres and a first labelling that honours
// everything.
func (a *COP) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		return nil, err
	}
	if a.Assignment == "greedy" {
		return startGreedy(ctx, lloyd.NewSpace(p, a.Distortion == lloyd.Cosine), e, closed)
	}
	return startSearch(ctx, p, e, newLumps(p, closed), a.Trials, usual)
}
