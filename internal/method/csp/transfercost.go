package csp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// A Transfer is what it cost to use views.
type Transfer struct {
	Weight  float64     `json:"weight"`
	Degrees ViewDegrees `json:"degrees"`
	// Cut is the normalized cut of the graph by the clusters, Alone by those
	// that are found without the views, all else being equal (without any
	// constraints, where these alone have no feasible cut), and Cost what
	// the views add to it: the cost of transfer.
	Cut   float64 `json:"cut"`
	Alone float64 `json:"cut_alone"`
	Cost  float64 `json:"price"`
	// Relaxed is the same of the vectors before they were made clusters: the
	// trace of L̄ over what they span beside the trivial vector, and
	// RelaxedAlone the least that there is, the sum of as many eigenvalues.
	Relaxed      float64   `json:"relaxed"`
	RelaxedAlone float64   `json:"relaxed_alone"`
	Views        []ViewCut `json:"views"`
	// ClustersWithoutViews are the clusters that are found without the views.
	ClustersWithoutViews []int `json:"-"`
}

// A ViewCut is the cost of transfer of one view.
type ViewCut struct {
	Name  string  `json:"name,omitempty"`
	Edges int     `json:"edges"`
	Cut   float64 `json:"cut"`       // the normalized cut of the view by the clusters
	Alone float64 `json:"cut_alone"` // by those that are found in the view alone
	// OwnClusters are the clusters of the view alone.
	OwnClusters []int `json:"-"`
}

// ViewReport returns how the views were used, nil where there were none.
func (c *Cut) ViewReport() *cluster.ViewReport {
	if c.View == nil {
		return nil
	}
	v := c.View
	out := &cluster.ViewReport{Alpha: c.Alpha, Beta: c.Beta, Weight: v.Weight, Cut: v.Cut, CutAlone: v.Alone, Cost: v.Cost,
		Relaxed: v.Relaxed, RelaxedAlone: v.RelaxedAlone, LabelsAlone: v.ClustersWithoutViews}
	for _, s := range v.Views {
		out.Views = append(out.Views, cluster.ViewCut{Name: s.Name, Edges: s.Edges, Cut: s.Cut, CutAlone: s.Alone, LabelsAlone: s.OwnClusters})
	}
	return out
}

// String describes it in a line.
func (t *Transfer) String() string {
	return fmt.Sprintf("cost of transfer %.4g: normalized cut %.4g, without the views %.4g", t.Cost, t.Cut, t.Alone)
}

// cutWithoutViews cuts the graph without the views, and each view by itself.
func (c *cspSolver) cutWithoutViews(ctx context.Context) error {
	if len(c.views) == 0 || len(c.Nodes.Points) == 0 {
		return nil
	}
	plain, own := *c.Problem, &cluster.Env{Rand: rand.New(rand.NewPCG(c.Seed, 0)), Workers: c.Env.Workers}
	plain.Views = nil
	without := func() error {
		s := &cspSolver{csp: c.csp, Run: &spectral.Run{Problem: &plain, Env: own, Seed: c.Seed, Nodes: c.Nodes, Assigned: make([]int, c.Problem.Len())}}
		if err := s.prepare(ctx); err != nil {
			return err
		}
		if err := s.solve(ctx); err != nil {
			return err
		}
		_, err := s.setResult(ctx)
		c.clustersWithoutViews = s.Assigned
		return err
	}
	err := without()
	if none := new(InfeasibleError); errors.As(err, &none) {
		plain.Constraints = nil
		err = without()
	}
	if err != nil {
		return err
	}
	for _, v := range c.views {
		r := &spectral.Run{Problem: &plain, Env: own, Seed: c.Seed, Nodes: v.NodeGraph, Assigned: make([]int, c.Problem.Len())}
		if err := r.Embed(ctx, eigen.Normalised); err != nil {
			return err
		}
		if _, err := r.ClusterEmbeddings(ctx); err != nil {
			return err
		}
		v.ownClusters = r.Assigned
	}
	if c.pencil == nil {
		return nil
	}
	low, err := eigen.Smallest(ctx, c.pencil.laplacian, eigen.Options{K: c.vectorsNeeded() + 1, Tol: 1e-6, Seed: c.Seed, Workers: c.Env.Workers})
	if err != nil {
		return err
	}
	for _, y := range low.Values[min(1, len(low.Values)):] {
		c.relaxedWithoutViews += y
	}
	return nil
}

// trace returns that of L̄ over the span of the vectors, z left out.
func (p *pencil) trace(vectors []feasibleVector) (sum float64) {
	basis := [][]float64{p.z}
	for _, s := range vectors {
		x := slices.Clone(s.v)
		for range 2 {
			for _, b := range basis {
				addTo(x, -inner(b, x), b)
			}
		}
		size := math.Sqrt(inner(x, x))
		if size < 1e-6*math.Sqrt(p.vol) {
			continue
		}
		for i := range x {
			x[i] /= size
		}
		lx := make([]float64, len(x))
		p.laplacian.Apply(lx, x)
		sum += inner(x, lx)
		basis = append(basis, x)
	}
	return sum
}

// finishWithViews takes the clusters and says what the views cost.
func (c *cspSolver) finishWithViews(ctx context.Context) (int, error) {
	moved, err := c.setResult(ctx)
	cut, ok := c.Report.(*Cut)
	if err != nil || !ok || c.clustersWithoutViews == nil {
		return moved, err
	}
	t := &Transfer{Weight: c.csp.ViewWeight, Degrees: c.csp.ViewDegrees, ClustersWithoutViews: c.clustersWithoutViews,
		Cut: c.Nodes.NormalizedCut(c.Assigned, c.Problem.K), Alone: c.Nodes.NormalizedCut(c.clustersWithoutViews, c.Problem.K)}
	t.Cost = t.Cut - t.Alone
	if c.best != nil {
		t.Relaxed, t.RelaxedAlone = c.pencil.trace(c.best.vectors[:c.best.used]), c.relaxedWithoutViews
	}
	for _, v := range c.views {
		t.Views = append(t.Views, ViewCut{Name: v.name, Edges: v.Graph.Edges(), OwnClusters: v.ownClusters,
			Cut: v.NormalizedCut(c.Assigned, c.Problem.K), Alone: v.NormalizedCut(v.ownClusters, c.Problem.K)})
	}
	cut.View = t
	return moved, nil
}
