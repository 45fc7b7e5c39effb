package spectral

import (
	"cmp"
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// SpectralLearning is SPECTRAL-LEARNING (Kamvar, Klein and Manning 2003, as
// described by Kulis, Basu, Dhillon and Mooney 2009, section 2.2.2): the affinity of
// must-linked points becomes 1 and that of cannot-linked points 0, then the k
// top eigenvectors of the normalised affinities are made clusters of, as in
// Spectral.
//
// The paper takes "the top k eigenvectors of A", which must be of N; A is
// offered as well, and L̄, which is what "spectral learning" is compared with
// elsewhere (Wang, Qian and Davidson, section 7.3). D and d_max are of the
// edited A, which is also the graph that the objective is of. N is inclined to
// cut off outliers.
//
// Unless the effort is low, clusters are compared by the normalized cut of the edited graph
// plus k times the share of the constraints that they violate, and the clusters without
// constraints are among them: an edge that was taken away says nothing against putting
// its ends together. Those are also kept where the constraints do not speak clearly enough for
// others (minPreference) when every point is judged by its neighbours (constraintsPrefer). The
// paper does not compare. An affinity of 1 is as much as many edges of a sparse graph, so
// the eigenvectors can satisfy a must-link by its two points alone, and with true pairs a
// tenth of the results were worse than without any.
//
// 1 stands for the largest affinity there is, if that is more. A link of weight
// below 1, and a belief, goes that share of the way. A label is a must-link to
// the others of its class, to the nearest fifty in their order if there are
// more, and takes away the edges to points of other classes, by the smaller weight of
// the two labels where that is below 1.
type SpectralLearning struct {
	Normalise Normalisation `json:"normalise" help:"the matrix whose eigenvectors are taken: additive normalisation, normalised Laplacian, or the affinities as they are"`
	KNN       int           `json:"knn" help:"neighbours of a row in the graph that is made of rows"`
	Affinity  Affinity      `json:"affinity" help:"how edges between rows are weighed"`
	Width     float64       `json:"width" help:"width of the rbf kernel exp(-d²/(2·width²)); 0: the median distance to the farthest neighbour in the graph"`
}

// NewSpectralLearning returns it with the additive normalisation.
func NewSpectralLearning() *SpectralLearning {
	return &SpectralLearning{Normalise: Additive, KNN: 10, Affinity: SelfTuning}
}

func (a *SpectralLearning) graphOptions() GraphOptions {
	return GraphOptions{a.KNN, a.Affinity, a.Width}
}

// Capabilities: rows or a graph; labels, links and beliefs.
func (a *SpectralLearning) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs},
	}
}

// Check refuses graphs with negative weights, and parameters out of range.
func (a *SpectralLearning) Check(p *cluster.Problem) error {
	if err := enum.Check("normalise", a.Normalise); err != nil {
		return err
	}
	return a.graphOptions().CheckProblem(p)
}

// Deterministic reports that one run is enough, as for Spectral.
func (a *SpectralLearning) Deterministic(*cluster.Problem) bool { return true }

// Start puts all points into one cluster; the stages do the rest.
func (a *SpectralLearning) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p = RenumberClasses(p)
	r := NewRun(p, e)
	r.Steps = []cluster.Stage{
		{Name: "graph", Do: func(ctx context.Context) (int, error) {
			g, err := a.graphOptions().PointGraph(ctx, p, e)
			if err == nil && e.Effort.Searches() && !p.Constraints.Empty() {
				r.unedited = g
				r.otherClusters, err = r.ClusterUnconstrained(ctx, a, g)
			}
			if err = cmp.Or(err, ctx.Err()); err == nil {
				g, err = editAffinities(g, p.Constraints)
			}
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return 0, err
			}
			f := NewNodeGraph(g, p.Weight)
			if err := f.reorderNodes(ctx, e.Workers); err != nil {
				return 0, err
			}
			r.Nodes = f
			r.PlaceIsolatedByConstraints()
			if r.otherClusters != nil {
				degree := make([]float64, len(f.Points))
				for i := range degree {
					degree[i] = f.Graph.Degree(i)
				}
				r.constraintsToMeet, err = NewConstraintMatrix(f, p.Constraints, nil, p.K, degree)
			}
			return 0, err
		}},
		{Name: "eigenvectors", Do: func(ctx context.Context) (int, error) {
			switch a.Normalise {
			case Laplacian:
				return 0, r.Embed(ctx, eigen.Normalised)
			case Additive: // the top of N is the bottom of D − A
				return 0, r.Embed(ctx, eigen.Plain)
			}
			return 0, r.embedTop(ctx)
		}},
		{Name: "clusters", Do: r.ClusterEmbeddings},
	}
	return r, nil
}

// embedTop makes points of the nodes by the k top eigenvectors of A.
func (r *Run) embedTop(ctx context.Context) error {
	if len(r.Nodes.Points) == 0 {
		return nil
	}
	a := eigen.Adjacency(r.Nodes.Graph)
	a.Workers = r.Env.Workers
	pairs, err := eigen.Few(ctx, a, eigen.Options{K: r.Problem.K, End: eigen.High, Tol: 1e-4, Seed: r.Seed, Workers: r.Env.Workers})
	if err != nil {
		return err
	}
	space := NewEmbedding(pairs.Vectors)
	space.ScaleRowsToUnit()
	r.embeddings = []*Embedding{space}
	return nil
}
