// Package spectral clusters graphs, and rows through the graph of their
// nearest neighbours, by eigenvectors of the graph's Laplacian: plainly
// (Spectral), and with constraints written into the affinities (SpectralLearning).
// Package csp, which weighs constraints against the cut, is built on its Run.
//
// All of them relax the normalized cut
//
//	Ncut = Σ_c cut(c, rest) / vol(c)
//
// to vectors of real numbers, and make clusters of these. The objective that
// is reported is the normalized cut of the clusters. It is not what is
// minimised, but what all of it is about, and methods can be compared by it. An
// empty cluster counts as 1, as if all its edges were cut, and once more in a
// term of its own, so that nothing costs more than the start, which has all
// points in one cluster.
//
// Weights of points multiply edges at both ends: a point of weight 2 is as good
// as two points in the same place. Nodes without edges have no place in any
// spectrum. They are left out, and placed at the end: by their constraints,
// with the neighbours that they would have, or in the largest cluster.
//
// In comments n is the number of nodes, k that of clusters, A are the
// affinities, D the degrees, vol their sum, L̄ = I − D^{-1/2} A D^{-1/2}, v a
// vector and u = D^{-1/2} v the indicator that belongs to it.
package spectral

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Spectral is spectral clustering without constraints (Shi and Malik 2000, Ng,
// Jordan and Weiss 2001): the k lowest eigenvectors of L̄, their rows brought
// to unit length, and k-means on these, from up to 40 starts on small graphs,
// ten on larger ones and three where they are costly, fewer where they find nothing
// lower, and four times as many at high effort. The same is done with one eigenvector
// more, and with two. From the best of these clusters k-means goes on to the rows of u,
// which are not of unit length; for two clusters also splits by a threshold on one
// eigenvector are looked at. Of all these the clustering with the lowest normalized cut
// is taken.
//
// A graph of k components or more can be cut for nothing: the k of largest
// volume are clusters of their own, and each other one joins the cluster that
// is then smallest. (The eigenvectors cannot decide that: eigenvalue 0 has as
// many of them as there are components.)
type Spectral struct {
	KNN      int      `json:"knn" help:"neighbours of a row in the graph that is made of rows"`
	Affinity Affinity `json:"affinity" help:"how edges between rows are weighed"`
	Width    float64  `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: the median distance to the farthest neighbour in the graph"`
}

// NewSpectral returns it for graphs of ten neighbours.
func NewSpectral() *Spectral { return &Spectral{KNN: 10, Affinity: SelfTuning} }

func (a *Spectral) graphOptions() GraphOptions { return GraphOptions{a.KNN, a.Affinity, a.Width} }

// Capabilities: rows or a graph; no constraints.
func (a *Spectral) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph},
	}
}

// Check refuses graphs with negative weights, and parameters out of range.
func (a *Spectral) Check(p *cluster.Problem) error { return a.graphOptions().CheckProblem(p) }

// Deterministic reports that one run is enough: what is left to chance, the starts of
// k-means, is repeated within it.
func (a *Spectral) Deterministic(*cluster.Problem) bool { return true }

// Start puts all points into one cluster; the stages do the rest.
func (a *Spectral) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := NewRun(p, e)
	r.Steps = []cluster.Stage{
		r.GraphStage(a.graphOptions()),
		{Name: "eigenvectors", Do: func(ctx context.Context) (int, error) {
			return 0, r.Embed(ctx, eigen.Normalised)
		}},
		{Name: "clusters", Do: r.ClusterEmbeddings},
	}
	return r, nil
}
