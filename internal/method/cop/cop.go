// Package cop is COP-KMeans: k-means that never violates a constraint.
//
// Wagstaff, Cardie, Rogers and Schroedl (2001) assign points one after the other
// to the nearest cluster that violates nothing, and fail where no cluster is left.
// That is in greedyassignment.go. The default goes beyond the paper: chunklets.go
// contracts must-linked points, cannotcomponents.go finds the components of
// chunklets connected by cannot-links, and each component is assigned as a whole:
// exactly where its graph allows it (componentexact.go), otherwise by local search
// (localsearch.go) from a first labelling without violations
// (firstlabelling.go, componentcolouring.go, componentrepair.go).
// searchrun.go is the iteration around these, assigncomponent.go the choice between them, perturbation.go its way out of
// local minima.
package cop

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/support/enum"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// An Assignment is a way to assign constrained points to clusters.
type Assignment string

// The assignments of COP.
const (
	AssignmentSearch Assignment = "search" // components of cannot-linked chunklets as a whole
	AssignmentGreedy Assignment = "greedy" // the paper's: point after point, which can fail
)

// Values returns all assignments.
func (Assignment) Values() []string {
	return []string{string(AssignmentSearch), string(AssignmentGreedy)}
}

// COP is COP-KMeans (Wagstaff, Cardie, Rogers and Schroedl 2001): k-means that never
// violates a label, a must-link or a cannot-link. It minimises J of KMeans over all
// labelings that satisfy them. Cluster h stands for class h.
//
// AssignmentSearch, the default, contracts must-linked points into weighted
// chunklets and assigns each component of cannot-linked chunklets as a whole:
// exactly where the component is a tree or a clique, or k is 2, otherwise by local
// search (single moves, Kempe chains, ejection chains) from a labelling without
// violations. Then chunklets move while centres follow, as long as J falls, and
// perturbations of single centres try to leave the local minimum. It fails only if
// the constraints cannot be satisfied, or no labelling that satisfies them was
// found (see constraint.Closure, Feasible): the error is then an *InfeasibleError
// in a *cluster.ProblemError.
//
// AssignmentGreedy is the paper's, for comparison: the first centres are random
// points, and in every iteration each point, in order, goes to the nearest cluster
// that holds no point it cannot be with. If there is no such cluster it fails with
// a *StuckError, even if the constraints can be satisfied. Two things differ from
// the paper: labels are constraints too, and an assignment of the constrained
// points that raises J is discarded, so that iterations end. (Basu, Banerjee and
// Mooney 2002 use COP-KMeans with the cosine, which search does not support.)
type COP struct {
	Assignment Assignment       `json:"assignment" help:"search fails only if it finds no assignment without violations; greedy, the paper's, can fail although there is one"`
	Distortion lloyd.Distortion `json:"distortion" help:"how far a row is from a centre; cosine needs assignment greedy"`
	Trials     int              `json:"trials" help:"perturbations without success after which a run of search ends; fewer on large data"`
	Init       Init             `json:"init" file:"centres" help:"first centres; auto: from labels and k-means without cannot-links, with assignment greedy random rows; or a table of k centres"`

	// Centres, if not nil, are the first centres, and Init is not used.
	Centres *data.Dense `json:"-"`
}

// An Init is a way to choose the first centres.
type Init string

// InitAuto takes the means of labelled classes and k-means on the chunklets, or, with
// AssignmentGreedy, random points.
const InitAuto Init = "auto"

// Values returns all ways.
func (Init) Values() []string { return []string{string(InitAuto)} }

// StartFrom makes c the first centres.
func (a *COP) StartFrom(c *data.Dense) { a.Centres = c }

// New returns COP-KMeans by search.
func New() *COP {
	return &COP{Assignment: AssignmentSearch, Distortion: lloyd.Euclidean, Trials: 16, Init: InitAuto}
}

// Capabilities: rows; labels and links, which are never violated.
func (a *COP) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks},
		Hard:   true,
	}
}

// Check refuses problems without rows, contradictory constraints, and more classes
// than clusters.
func (a *COP) Check(p *cluster.Problem) error {
	if p.X == nil {
		return lloyd.NeedsRows()
	}
	if err := enum.Check("assignment", a.Assignment); err != nil {
		return err
	}
	if a.Distortion != "" { // a literal without it: euclidean
		if err := enum.Check("distortion", a.Distortion); err != nil {
			return err
		}
	}
	if a.Distortion == lloyd.Cosine && a.Assignment != AssignmentGreedy {
		return hint.Wrap(errors.New("distortion cosine needs assignment greedy"), "use {assignment=greedy} or {distortion=euclidean}")
	}
	if a.Init != "" { // a literal without it: auto
		if err := enum.Check("init", a.Init); err != nil {
			return err
		}
	}
	if err := lloyd.CheckFirst(p, a.Centres); err != nil {
		return err
	}
	if a.Trials < 0 {
		return fmt.Errorf("trials must be 0 or more, got %d", a.Trials)
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

// Start chooses the first centres and a first labelling that satisfies all
// constraints.
func (a *COP) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		return nil, err
	}
	if a.Assignment == AssignmentGreedy {
		return startGreedy(ctx, lloyd.NewSpace(p, a.Distortion.Distance()), e, closed, a.Centres)
	}
	return startSearch(ctx, p, e, newChunklets(p, closed), a.Centres, a.Trials, usualEffort)
}
