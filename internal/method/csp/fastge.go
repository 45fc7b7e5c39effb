package csp

import (
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// FastGE is clustering by a generalized cut (Cucuringu, Koutis, Chawla, Miller
// and Peng 2016, Simple and Scalable Constrained Clustering; solved as by
// Jiang, Xie and Bai 2015): two graphs stand over the same nodes, G, whose
// edges should not be cut, and H, whose edges should be. A part S is good if
//
//	φ(S) = cut_G(S) / cut_H(S)
//
// is small. G is the graph with the must-links as further edges. H are the
// cannot-links and, so that clusters without any are of use too, c times the
// demand graph, in which every two nodes i, j are joined by d_i·d_j/vol: with H
// the demand graph alone, φ is the normalized cut of two clusters. Relaxed to
// vectors,
//
//	L_G x = λ L_H x,
//
// the k−1 lowest of them, the constant one left out, are cut in two where φ is
// lowest or made k clusters of by k-means. No β is needed: λ₁ bounds φ from
// below, and every vector is feasible.
//
// Both matrices have the constant vector as null vector. In coordinates D^{1/2}x,
// D being the degrees of G, L_G becomes a normalised Laplacian, the demand
// graph the identity off the null vector, and what is left is the pencil of CSP
// with L_C in place of Q and −c in place of β/vol, on the same solver. Where G is
// only weakly connected, L_G is nearly singular; so a small multiple of the demand
// graph is added to it, a shift of the eigenvalues that Jiang, Xie and Bai make
// for the same purpose.
//
// Where we differ, with reasons. A link of weight 1 weighs LinkWeight times √(d_i·d_j),
// d being the degrees of the graph as it is: as much as all edges of its ends.
// (By the least and the largest degree, as is usual, one outlier without a near
// neighbour would weigh on all.) The usual c is 1/n; it lets vectors live on
// the constrained nodes alone where these are few. Auto tries it and larger
// ones, and takes the one whose clusters satisfy most of the constraints, to a
// hundredth, and among equals cut least. Labels are must-links between the
// first, second, fourth, … neighbours of a class in the order of the points,
// and cannot-links between all points of two classes, weighing the product of the labels'
// weights by the largest weight, if that is above 1.
type FastGE struct {
	Demand     cluster.Number    `json:"demand" rules:"auto,paper" help:"how much of the demand graph stands beside the cannot-links: auto, paper (1/n), or a factor above 0, which takes over as it grows"`
	LinkWeight float64           `json:"link-weight" help:"how heavy a link of weight 1 is, by the mean of the degrees of its ends"`
	KNN        int               `json:"knn" help:"neighbours of a row in the graph that is made of rows"`
	Affinity   spectral.Affinity `json:"affinity" help:"how edges between rows are weighed"`
	Width      float64           `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: the median distance to the farthest neighbour in the graph"`
}

// NewFastGE returns FastGE with the rule auto for c, which compares candidates by
// their clusters.
func NewFastGE() *FastGE {
	return &FastGE{Demand: cluster.ByRule(cluster.RuleAuto), LinkWeight: 1, KNN: 10, Affinity: spectral.SelfTuning}
}

func (a *FastGE) graphOptions() spectral.GraphOptions {
	return spectral.GraphOptions{KNN: a.KNN, Affinity: a.Affinity, Width: a.Width}
}

// Capabilities: rows or a graph; every kind of constraint but views.
func (a *FastGE) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph},
		Uses:   []cluster.Kind{cluster.Labels, cluster.SoftSeeds, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs},
	}
}

// Check refuses graphs with negative weights, and parameters out of range.
func (a *FastGE) Check(p *cluster.Problem) error {
	if err := checkDemand(a.Demand); err != nil {
		return err
	}
	if !(a.LinkWeight > 0) || a.LinkWeight > 1e6 {
		return fmt.Errorf("link-weight must be above 0 and at most 1e6, got %v", a.LinkWeight)
	}
	return a.graphOptions().CheckProblem(p)
}

// Deterministic reports that one run is enough, as for Spectral.
func (a *FastGE) Deterministic(*cluster.Problem) bool { return true }

// A GeneralizedCut is what FastGE reports about its cut: Result.Learned is one.
type GeneralizedCut struct {
	// Demand is c. It is 0 if there are no constraints on the nodes, which are then
	// cut as by Spectral.
	Demand    float64   `json:"demand"`
	Lambda    []float64 `json:"lambda,omitempty"` // of the vectors that were used
	Satisfied float64   `json:"satisfied"`        // share of the constraints that the clusters satisfy
	// Phi is cut_G/cut_H of two clusters, and at least the first of Lambda.
	Phi       float64 `json:"phi,omitempty"`
	Localised bool    `json:"localised,omitempty"` // a vector lives on the cannot-linked nodes alone
	Loose     bool    `json:"loose,omitempty"`     // iterations ended before all was exact
	Tried     int     `json:"tried,omitempty"`     // values of c
	Steps     int     `json:"steps,omitempty"`     // of iteration, in all
	Joined    int     `json:"joined,omitempty"`    // faint edges between parts of the graph
	LeftOut   int     `json:"left_out,omitempty"`  // points without edges
}

// String describes it in a line.
func (g *GeneralizedCut) String() string {
	if g.Demand == 0 {
		return "no constraints on the nodes: cut without constraints"
	}
	s := fmt.Sprintf("demand graph by %.3g, lambda %.4g; the clusters satisfy %.4g %% of the constraints", g.Demand, g.Lambda[0], 100*g.Satisfied)
	if g.Localised {
		s += "; a vector lives on the cannot-linked nodes alone and says little of the others: try a larger demand, or auto"
	}
	if g.Joined > 0 {
		s += fmt.Sprintf("; the graph is in %d parts, which were joined by faint edges", g.Joined+1)
	}
	return s
}
