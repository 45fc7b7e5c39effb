package csp

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/internal/method/spectral"
)

// A Cut is what CSP reports about the cut it made: Result.Learned is one.
type Cut struct {
	Rule      string  `json:"rule"` // auto, one, eq19, a fraction, or unconstrained
	Beta      float64 `json:"beta"`
	BetaShare float64 `json:"beta_share"` // of lambda_max·vol
	LambdaMax float64 `json:"lambda_max"` // the largest eigenvalue of Q̄
	Vol       float64 `json:"vol"`
	Vector            // the first that was used
	// Guaranteed reports that alpha > beta holds of every vector that was used.
	Guaranteed bool `json:"guaranteed"`
	// Feasible counts the vectors with λ > 0; AtLeast reports that there may be
	// more.
	Feasible  int     `json:"feasible"`
	AtLeast   bool    `json:"at_least,omitempty"`
	Satisfied float64 `json:"satisfied"` // share of the constraints, views apart, that the clusters satisfy
	// OneSided reports that the vector has one sign, so that all points are one
	// cluster; Localised that it lives on the constrained nodes alone; Loose
	// that iterations ended before it was exact (see Residual).
	OneSided  bool `json:"one_sided,omitempty"`
	Localised bool `json:"localised,omitempty"`
	Loose     bool `json:"loose,omitempty"`
	// Unconstrained reports that the clusters are those without constraints, because the
	// constraints did not speak clearly for those of the vectors.
	Unconstrained bool `json:"unconstrained,omitempty"`
	// Vectors are all that were used, where that is more than one.
	Vectors []Vector `json:"vectors,omitempty"`
	// View is what it cost to use views; nil without any.
	View    *Transfer `json:"view,omitempty"`
	bare    bool      // views are the only constraints
	Tried   int       `json:"tried"`              // values of β
	Steps   int       `json:"steps,omitempty"`    // of iteration, in all
	Joined  int       `json:"joined,omitempty"`   // faint edges between parts of the graph
	LeftOut int       `json:"left_out,omitempty"` // points without edges
}

// String describes it in a line.
func (c *Cut) String() string {
	if c.Rule == unconstrained {
		return "no constraints on the nodes: cut without constraints"
	}
	s := fmt.Sprintf("beta %.4g (%.3g of the largest possible), alpha %.4g, lambda %.4g, cost %.4g, residual %.1g",
		c.Beta, c.BetaShare, c.Alpha, c.Lambda, c.Cost, c.Residual)
	if !c.bare {
		s += fmt.Sprintf("; the clusters satisfy %.4g %% of the constraints", 100*c.Satisfied)
	}
	if c.OneSided {
		s += "; the vector has one sign, so all is one cluster: try another beta"
	}
	if c.Localised {
		s += "; the vector lives on the constrained nodes alone and says little of the others: try a smaller beta, or auto"
	}
	if c.Joined > 0 {
		s += fmt.Sprintf("; the graph is in %d parts, which were joined by faint edges", c.Joined+1)
	}
	return s
}

const unconstrained = "unconstrained"

// A Vector is one feasible vector v with vᵀv = vol, for which
// Cost = Lambda·(Alpha − Beta).
type Vector struct {
	Lambda   float64 `json:"lambda"`
	Cost     float64 `json:"cost"`     // vᵀL̄v
	Alpha    float64 `json:"alpha"`    // vᵀQ̄v
	Residual float64 `json:"residual"` // ‖L̄v − λBv‖ relative to its two parts
	// Indicator is u = D^{-1/2}v by point, 0 for points without edges.
	Indicator []float64 `json:"-"`
}

// setResult takes the clusters of the best attempt.
func (c *cspSolver) setResult(ctx context.Context) (int, error) {
	if moved, done := c.SingletonClusters(); done {
		return moved, nil
	}
	if c.pencil == nil {
		c.Report = &Cut{Rule: unconstrained, Satisfied: 1, LeftOut: c.Problem.Len() - len(c.Nodes.Points)}
		return c.ClusterEmbeddings(ctx)
	}
	report := c.cutReport(c.best)
	c.Report = report
	of := c.best.clusters
	if c.csp.Beta.Rule == BetaAuto && c.views == nil && c.Env.Effort.Searches() {
		other, err := c.unconstrainedIfBetter(ctx)
		if err != nil {
			return 0, err
		}
		if other != nil {
			of, report.Unconstrained = other, true
			report.Satisfied, _ = c.scoreClusters(of)
		}
	}
	return c.SetClusters(of), nil
}

// unconstrainedIfBetter returns the clusters of the nodes without constraints if they are better
// than the best ones with them, or if the constraints do not prefer the latter; else nil.
func (c *cspSolver) unconstrainedIfBetter(ctx context.Context) ([]int, error) {
	labels, err := c.ClusterUnconstrained(ctx, c.csp, c.Nodes.Input)
	if err != nil {
		return nil, err
	}
	t := &candidate{clusters: c.ClustersOfNodes(labels)}
	if spectral.SameClusters(t.clusters, c.best.clusters, c.Problem.K) {
		return nil, nil
	}
	t.satisfied, t.cut = c.scoreClusters(t.clusters)
	with := c.Nodes.ClustersOfPoints(c.best.clusters, c.Problem.K, c.PlaceIsolated)
	if c.isBetter(t, c.best) || !c.ConstraintsPrefer(c.Nodes.Input, with, labels) {
		return t.clusters, nil
	}
	return nil, nil
}

// finite returns x, or the largest number in place of an infinity: weights near the ends
// of what numbers hold have reciprocals beyond them.
func finite(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }

// cutReport describes t, in the unit of the weights as they were given.
func (c *cspSolver) cutReport(t *candidate) *Cut {
	unit := c.Nodes.Scale
	out := &Cut{
		Rule: t.rule, Beta: finite(t.b * t.vol), BetaShare: t.b / c.spectrum.largest(), LambdaMax: finite(c.spectrum.largest() / unit), Vol: t.vol * unit,
		Guaranteed: true, Feasible: t.feasibleCount, AtLeast: !t.countIsExact, Satisfied: t.satisfied, Localised: t.localised, Loose: !t.converged,
		Tried: c.tried, Steps: c.pencil.iterations, Joined: c.joinedEdges, LeftOut: c.Problem.Len() - len(c.Nodes.Points),
	}
	for _, s := range t.vectors[:t.used] {
		v := Vector{Lambda: finite(s.lambda * unit), Cost: finite(s.cost * unit), Alpha: finite(s.alpha), Residual: s.residual, Indicator: make([]float64, c.Problem.Len())}
		for at, i := range c.Nodes.Points {
			v.Indicator[i] = s.v[at] * t.constraints.InvSqrtDegree[at]
		}
		out.Guaranteed = out.Guaranteed && v.Alpha > out.Beta
		out.Vectors = append(out.Vectors, v)
	}
	out.bare = c.views != nil && len(c.givenConstraints.Support) == 0
	out.Vector = out.Vectors[0]
	out.OneSided = t.oneSided
	if t.used == 1 {
		out.Vectors = nil
	}
	return out
}

// Notes says what points without edges mean for the result, and whether the constraints
// changed anything.
func (c *Cut) Notes() []string {
	if c.Unconstrained {
		return append(spectral.IsolatedNotes(c.LeftOut), spectral.KeptNote)
	}
	return spectral.IsolatedNotes(c.LeftOut)
}
