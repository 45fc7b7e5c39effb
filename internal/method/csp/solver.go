package csp

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// cspSolver is the work of CSP between the graph and the clusters.
type cspSolver struct {
	csp *CSP
	*spectral.Run
	pencil      *pencil
	spectrum    *constraintSpectrum
	start       [][]float64 // where iterations begin
	joinedEdges int
	best        *candidate
	tried       int

	views                []*view
	givenConstraints     *spectral.ConstraintMatrix // Q without the views
	jointGraph           *data.Graph                // graph and views in one; nil but for two clusters
	clustersWithoutViews []int                      // clusters of the points without the views
	relaxedWithoutViews  float64                    // what vectors without the views cost
}

// denseNodes is the number of nodes up to which all feasible vectors are found.
const denseNodes = 120

// A candidate is the solution for one β.
type candidate struct {
	*schurComplement
	rule             string
	constrainedNodes []int32 // the constrained nodes, ascending; views constrain none
	feasibleCount    int     // feasible vectors
	countIsExact     bool
	vectors          []feasibleVector // in order, the chosen ones first
	used             int
	localised        bool
	oneSided         bool  // the one vector that is used has one sign: all nodes are one cluster
	clusters         []int // clusters of the nodes
	satisfied        float64
	cut              float64
	converged        bool
}

// vectorsNeeded returns how many vectors a cut takes.
func (c *cspSolver) vectorsNeeded() int {
	if c.csp.twoWay(c.Problem.K) {
		return 1
	}
	return c.Problem.K - 1
}

// solveAt solves for one b, for extra vectors beside those that are needed. The
// candidate has no vectors if too few are feasible.
func (c *cspSolver) solveAt(ctx context.Context, b float64, rule string, extra int, tol float64, steps int) (*candidate, error) {
	s := c.pencil.withShift(b)
	t := &candidate{schurComplement: s, rule: rule, constrainedNodes: c.givenConstraints.Support}
	t.feasibleCount, t.countIsExact = c.spectrum.feasibleCount(s.b, c.pencil.zqz)
	c.tried++
	need := c.vectorsNeeded()
	if t.feasibleCount < need {
		return t, nil
	}
	var err error
	if s.Dim() <= denseNodes {
		t.vectors, err = s.solveDense(ctx, min(t.feasibleCount, s.Dim()-1))
		t.converged = true
	} else {
		t.vectors, t.converged, err = s.solveIteratively(ctx, c.start, min(t.feasibleCount, need+extra), steps, tol)
	}
	if err != nil {
		return nil, err
	}
	t.rankVectors(c.csp.Order, need)
	return t, nil
}

// rankVectors brings the vectors in order, by cost or by λ. Where β is searched for,
// those that are of use come first; a given β is the user's, and the cheapest vector
// is taken as it is (line 10 of algorithm 1).
func (t *candidate) rankVectors(order VectorOrder, need int) {
	rank := func(s feasibleVector) int {
		switch {
		case t.rule != BetaAuto:
			return 0
		case t.isLocalised(s.v):
			return 2
		case need == 1 && oneSigned(s.v):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(t.vectors, func(a, b feasibleVector) int {
		by := cmp.Compare(a.cost, b.cost)
		if order == ByLambda {
			by = cmp.Compare(a.lambda, b.lambda)
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), by)
	})
	t.used = min(need, len(t.vectors))
	t.oneSided = t.used == 1 && oneSigned(t.vectors[0].v)
	for _, s := range t.vectors[:t.used] {
		t.localised = t.localised || t.isLocalised(s.v)
	}
}

// isLocalised reports whether v lives on the constrained nodes: the others have much less
// of its mass than of the volume, and little of the graph has any. Where most of the
// volume is constrained it cannot: there is next to nothing else.
func (t *candidate) isLocalised(v []float64) bool {
	mass, share, fourth := 0.0, 0.0, 0.0 // mass and share of the other nodes
	rest := t.constrainedNodes
	for i, y := range v {
		fourth += float64(y*y) * float64(y*y) / t.laplacian.Degree[i]
		if len(rest) > 0 && int(rest[0]) == i {
			rest = rest[1:]
			continue
		}
		mass += float64(y * y)
		share += t.laplacian.Degree[i]
	}
	return 2*share > t.vol && mass < 0.7*share && t.vol < 0.05*fourth
}

func oneSigned(v []float64) bool {
	pos := 0
	for _, y := range v {
		if y > 0 {
			pos++
		}
	}
	return pos == 0 || pos == len(v)
}

// keepBetterClusters takes the clusters of was if they satisfy more, or as much and cut less.
func (t *candidate) keepBetterClusters(was *candidate) {
	if was.clusters != nil && (was.satisfied > t.satisfied || was.satisfied == t.satisfied && was.cut < t.cut) {
		t.clusters, t.satisfied, t.cut = was.clusters, was.satisfied, was.cut
	}
}

// scoreClusters returns how much of Q, the views apart, a clustering satisfies, and what
// it cuts of the graph and of the views.
func (c *cspSolver) scoreClusters(of []int) (satisfied, cut float64) {
	labels := make([]int, c.Problem.Len())
	for at, i := range c.Nodes.Points {
		labels[i] = of[at]
	}
	if c.views != nil {
		labels = c.Nodes.ClustersOfPoints(of, c.Problem.K, c.PlaceIsolated)
	}
	return c.givenConstraints.SatisfiedShare(of, c.Problem.K), c.Nodes.NormalizedCut(labels, c.Problem.K) + c.viewCuts(labels)
}

// infeasibleError describes a b that leaves too few feasible vectors.
func (c *cspSolver) infeasibleError(b float64, count int, exact bool) *InfeasibleError {
	most, vol := c.spectrum.largest(), c.pencil.vol
	return &InfeasibleError{Beta: b * vol, Most: most * vol, Trivial: c.pencil.zqz * vol, Feasible: count, Wanted: c.vectorsNeeded(), Uncertain: !exact,
		Enough: c.spectrum.feasibleBelow(c.vectorsNeeded(), c.pencil.zqz) / most, Views: c.views != nil}
}

// view is a second graph over the same points: A_S of equation (17).
type view struct {
	name string
	*spectral.NodeGraph
	vol         float64
	degree      []float64 // by node of its own
	ownClusters []int     // clusters of the points by this graph alone
}

// viewCuts returns what a clustering of the points cuts of the views, by their
// weight.
func (c *cspSolver) viewCuts(labels []int) (sum float64) {
	for _, v := range c.views {
		sum += c.csp.ViewWeight * v.NormalizedCut(labels, c.Problem.K)
	}
	return sum
}
