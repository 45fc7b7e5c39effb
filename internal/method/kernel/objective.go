// Package kernel clusters graphs, and rows mapped by a kernel function, by the
// objectives that weighted kernel k-means can express (Kulis, Basu, Dhillon and
// Mooney 2009, Semi-supervised graph clustering: a kernel approach): ratio
// association, ratio cut and normalized cut, each with rewards or costs for
// constraints on pairs.
//
// All three have one form. With A the affinities, D the degrees, W the constraint
// matrix (symmetric, +w for a must-link, −w for a cannot-link), z_c the indicator
// of cluster c and α the node weights,
//
//	J = constant − Σ_c z_c'(B + W)z_c / α(c)
//
//	ratio association  B = A      α = 1        constant 0
//	ratio cut          B = A − D  α = 1        constant 0
//	normalized cut     B = A      α = degree   constant k
//
// so that one optimiser serves them all: it keeps the mass α(c) and the
// association z_c'(B + W)z_c of each cluster, and from them computes exactly what
// a move of one node changes. Sums over pairs are over ordered pairs, as in z'Wz:
// a pair counts twice. By default must-links also stand on the diagonal of W, as costs
// (see PairTerm).
//
// An empty cluster adds nothing to the sum; for the normalized cut it counts as
// 1, as if all its edges were cut. Node weights of the problem multiply α. A node
// without edges has α = 0 in the normalized cut and costs nothing in any cluster.
//
// There are two optimisers. A weightedKMeans clusters all nodes at once, on a
// graph or a kernel matrix (SSKernelKMeans, KernelHMRF, KernelKMeans). GraphCut
// contracts a large graph level by level and refines a partition of each level;
// SSKernelKMeans begins where that search ends.
//
// In comments n is the number of nodes, k the number of clusters, i and j are
// nodes, c is a cluster, s its mass and m its association.
//
// # Large graphs
//
// Nodes that have a reason to move wait in a queue. On many nodes the best move of
// each node of a batch is computed in parallel from the state before the batch;
// those that want to move are then computed again, one by one. So the result does
// not depend on the number of workers.
//
// A level is the graph at one coarseness. Contraction leaves the objective as it is,
// up to rounding, so a stage at any level can be audited at the finest. Must-links
// are contracted first; groups to be contracted never contain both ends of a
// cannot-link. The constraint matrix is kept apart from the affinities at every
// level.
//
// # Dense kernels
//
// Kernels are computed by tiles, from one float32 matrix in memory or on the fly,
// with the same bits; the sum of each point's affinities to each cluster is kept,
// n × k numbers. Features whose products approximate a kernel (affinity.Features)
// report the share of its trace that they miss; with them a pass needs only the k
// centres. A width taken from the data is the same in every run of a fit, because
// objectives under different kernels cannot be compared. Where a run has converged,
// a swapSearch looks for lower minima. papers/evidence/GRAPHS.md has what was measured.
package kernel

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// An Objective is what a method minimises.
type Objective string

// The objectives.
const (
	NormalizedCut    Objective = "normalized-cut"
	RatioCut         Objective = "ratio-cut"
	RatioAssociation Objective = "ratio-association"
)

// Values returns the names of all objectives.
func (Objective) Values() []string {
	return []string{string(NormalizedCut), string(RatioCut), string(RatioAssociation)}
}

// objectiveConstant is the part of J that does not depend on the labels: for the
// normalized cut an empty cluster costs as much as one whose edges are all cut.
func objectiveConstant(objective Objective, k int) float64 {
	if objective == NormalizedCut {
		return float64(k)
	}
	return 0
}

// quotient is what a cluster of association m and mass s adds to −J: 0 if it has
// no mass.
func quotient(m, s float64) float64 {
	if s <= 0 {
		return 0
	}
	return m / s
}

// Values are the values of all objectives for one clustering of a graph, as in
// table 1 of the paper. A good clustering has a large association and small cuts.
type Values struct {
	RatioAssociation float64 `json:"ratio_association"`
	RatioCut         float64 `json:"ratio_cut"`
	NormalizedCut    float64 `json:"normalized_cut"`
}

// Cuts computes the values of a clustering of g into clusters 0 to k−1. Empty
// clusters and, for the normalized cut, clusters without edges add nothing.
func Cuts(g *data.Graph, labels []int, k int) (v Values) {
	size, degree, links := make([]float64, k), make([]float64, k), make([]float64, k)
	for i, c := range labels {
		size[c]++
		to, w := g.Neighbours(i)
		for q, j := range to {
			degree[c] += w[q]
			if labels[j] == c {
				links[c] += w[q]
			}
		}
	}
	for c := range k {
		v.RatioAssociation += quotient(links[c], size[c])
		v.RatioCut += quotient(degree[c]-links[c], size[c])
		v.NormalizedCut += quotient(degree[c]-links[c], degree[c])
	}
	return v
}

// graphTermName names the term of J that depends on the graph. A large
// association is good, so that term is its negative and is named so.
func graphTermName(objective Objective) string {
	if objective == RatioAssociation {
		return "minus-ratio-association"
	}
	return string(objective)
}

func abs(x float64) float64 { return max(x, -x) }
