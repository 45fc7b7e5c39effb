// Package csp clusters graphs, and rows through the graph of their nearest neighbours, by vectors that weigh
// what is cut against what constraints ask: constrained spectral clustering (CSP), and the generalized cut of a
// graph and a second one whose edges are to be cut (FastGE). Both solve a pencil of two matrices, the Laplacian
// and that of the constraints. Graphs, embeddings and the normalized cut are those of package spectral, in whose
// letters the comments are.
package csp

import (
	"cmp"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// CSP is constrained spectral clustering (Wang, Qian and Davidson, On
// Constrained Spectral Clustering and Its Applications): among the vectors v
// with vᵀv = vol that satisfy the constraint matrix Q to at least α, it looks
// for that of the lowest cost vᵀL̄v (equation 2). Candidates solve
//
//	L̄v = λ(Q̄ − β/vol·I)v    (13)
//
// with λ > 0, which implies α > β (lemma 1). Two clusters are the signs of
// u = D^{-1/2}v for one v; k clusters are made of k−1 of them (algorithm 2).
//
// Beta says how hard Q is pressed. One leaves a single feasible vector, as in
// section 7.3: (0.9λ₁ + 0.1λ₂)·vol for the two largest eigenvalues of Q̄, or
// the next two where the trivial vector is counted, or for k−1 vectors. Eq19
// is equation (19), with all entries of Q counted. A number is a fraction of
// λ₁·vol. Auto tries values from large to small, and takes the one whose
// clusters satisfy most of Q, to a hundredth, and among equals cut least; for more
// than two clusters the one with the least sum of cut and violations. It
// refuses vectors that live on the constrained nodes alone, which a large β
// makes where these are few, and goes below 0 if need be, where Q counts less
// and less; so it always has an answer. Unless the effort is low, the clusters without
// constraints are an answer too: they stay where they are better by the same measure, and where
// the constraints do not speak clearly enough for the others (minPreference) when every point
// is judged by its neighbours (constraintsPrefer).
//
// Where we differ, with reasons. Vectors are scaled by √vol, for v·vol/‖v‖
// (line 9) does not have vᵀv = vol. That β < λ₁·vol guarantees a solution is
// not so: the feasible vectors are counted (see InfeasibleError). A vector of one
// sign makes one cluster of all; auto skips it if another is feasible, with a given β
// it is taken and reported, like one that lives on the constrained nodes.
// Up to 120 nodes all feasible vectors are known and the cheapest are taken;
// beyond, the cheapest of the few of lowest λ, found by iteration. Order says
// whether they are compared by cost or by λ. Equation (16) as printed is
// equation (15), since a positive diagonal within sign() changes nothing:
// weighted is kmeans(sign(D^{-1/2}V)(VᵀL̄V)^{-1}), which must be meant.
//
// Parts of the graph without a way between them are joined by faint edges:
// otherwise cuts between them cost nothing, have λ = 0, and would not be
// feasible however well they satisfy Q. Without constraints this is Spectral.
//
// The views of a problem are constraints, too (section 6.3): the affinities of
// a view, all of them, are added to Q (see Problem.Views). They are all
// must-links, so what is left of the eigenvalues of Q̄ without the trivial cut
// decides what β is feasible. Auto then takes, among β that satisfy equally
// much of the other constraints, the one whose clusters have the lowest
// normalized cut in the graph and in the views together.
type CSP struct {
	Beta       cluster.Number    `json:"beta" rules:"auto,one,eq19" help:"how strongly the constraints count: auto, one (just as many feasible vectors as are needed), eq19, or a fraction of the largest possible"`
	Order      VectorOrder       `json:"order" help:"which feasible vectors are best"`
	Closure    ClosureMode       `json:"closure" help:"count what follows from the constraints as well"`
	Cut        CutMode           `json:"cut" help:"by the sign of one vector, or by k-1 vectors; auto: two-way for two clusters"`
	Discretise Discretisation    `json:"discretise" help:"what a k-way cut is made of: rows of the vectors, their signs, or signs weighted by cost"`
	KNN        int               `json:"knn" help:"neighbours of a row in the graph that is made of rows"`
	Affinity   spectral.Affinity `json:"affinity" help:"how edges between rows are weighed"`
	Width      float64           `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: the median distance to the farthest neighbour in the graph"`

	ViewWeight  float64     `json:"view_weight" help:"what a view counts beside links and labels, and with beta auto beside the graph; 0: nothing"`
	ViewDegrees ViewDegrees `json:"view_degrees" help:"whose degrees a view is normalised by: the graph's, or its own"`
}

// NewCSP returns CSP with the rule auto for β, which compares candidates by their
// clusters.
func NewCSP() *CSP {
	return &CSP{Beta: cluster.ByRule(BetaAuto), Order: ByCost, Closure: Off, Cut: CutAuto, Discretise: ByRows, KNN: 10, Affinity: spectral.SelfTuning,
		ViewWeight: 1, ViewDegrees: TargetDegrees}
}

func (a *CSP) graphOptions() spectral.GraphOptions {
	return spectral.GraphOptions{KNN: a.KNN, Affinity: a.Affinity, Width: a.Width}
}

// twoWay reports that the cut is by signs of one vector.
func (a *CSP) twoWay(k int) bool { return a.Cut == TwoWay || a.Cut == CutAuto && k == 2 }

// Capabilities: rows or a graph; every kind of constraint.
func (a *CSP) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph},
		Uses:   []cluster.Kind{cluster.Labels, cluster.SoftSeeds, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs, cluster.Views},
	}
}

// Check refuses graphs with negative weights, parameters out of range and,
// where the closure is wanted, contradictory constraints.
func (a *CSP) Check(p *cluster.Problem) error {
	if err := cmp.Or(enum.Check("order", a.Order), enum.Check("closure", a.Closure), enum.Check("cut", a.Cut),
		enum.Check("discretise", a.Discretise), checkBeta(a.Beta)); err != nil {
		return err
	}
	if a.Cut == TwoWay && p.K != 2 && p.K != 1 {
		return cluster.Problemf("k", "a two-way cut makes 2 clusters, but k is %d; use the k-way cut", p.K)
	}
	if err := a.checkViews(); err != nil {
		return err
	}
	if err := a.graphOptions().CheckProblem(p); err != nil {
		return err
	}
	if a.Closure == On {
		_, err := constraint.Close(p.Len(), p.Constraints)
		return err
	}
	return nil
}

// Deterministic reports that one run is enough, as for Spectral.
func (a *CSP) Deterministic(*cluster.Problem) bool { return true }

func (a *CSP) checkViews() error {
	if !(a.ViewWeight >= 0) || math.IsInf(a.ViewWeight, 0) {
		return fmt.Errorf("view-weight must be finite and at least 0, got %v", a.ViewWeight)
	}
	return enum.Check("view-degrees", a.ViewDegrees)
}
