package csp

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// buildViews makes the graphs of the views, those of rows as that of the problem's.
func (c *cspSolver) buildViews(ctx context.Context) error {
	if c.csp.ViewWeight == 0 {
		return nil
	}
	for _, v := range c.Problem.Views {
		g := v.Graph
		if g == nil {
			var err error
			if g, err = c.csp.graphOptions().PointGraph(ctx, &cluster.Problem{X: v.X}, c.Env); err != nil {
				return err
			}
		}
		w := &view{name: v.Name, NodeGraph: spectral.NewNodeGraph(g, c.Problem.Weight)}
		for i := range w.Points {
			w.degree = append(w.degree, w.Graph.Degree(i))
			w.vol += w.degree[i]
		}
		c.views = append(c.views, w)
	}
	return nil
}

// constraintEntries returns what the view says as entries of Q between nodes of f.
// Equation (17) has A_S, (18) a normalised one; u = D_T^{-1/2}v leads from the
// one to the other with the degrees of the target, which are the default: A_S
// is brought to the target's volume, so that a link of weight 1 weighs as much
// as an edge of that weight. By its own degrees Q̄ is D_S^{-1/2}A_S D_S^{-1/2},
// whose largest eigenvalue, 1, is that of a trivial cut, as the paper says; by
// the target's it need not be.
func (v *view) constraintEntries(f *spectral.NodeGraph, degree []float64, a *CSP) (list []data.Edge) {
	vol := 0.0
	for _, d := range degree {
		vol += d
	}
	for s, i := range v.Points {
		from := f.NodeOf[i]
		if from < 0 {
			continue
		}
		to, w := v.Graph.Neighbours(s)
		for q, r := range to {
			at := f.NodeOf[v.Points[r]]
			if int(r) < s || at < 0 {
				continue
			}
			scale := vol / v.vol
			if a.ViewDegrees == SourceDegrees {
				scale = math.Sqrt(degree[from] / v.degree[s] * (degree[at] / v.degree[r]))
			}
			list = append(list, data.Edge{U: from, V: at, W: a.ViewWeight * f.Scale * scale * w[q]})
		}
	}
	return list
}

// addViews adds the views to Q.
func (c *cspSolver) addViews(q *spectral.ConstraintMatrix, degree []float64) (*spectral.ConstraintMatrix, error) {
	c.givenConstraints = q
	if len(c.views) == 0 {
		return q, nil
	}
	c.placeIsolatedByViews()
	var more []data.Edge
	for _, v := range c.views {
		more = append(more, v.constraintEntries(c.Nodes, degree, c.csp)...)
	}
	if c.Problem.K == 2 {
		if err := c.joinViews(more); err != nil {
			return nil, err
		}
	}
	return q.WithEntries(more, c.vectorsNeeded()+3)
}

// joinViews makes the graph of all edges, those of the views as Q weighs them.
func (c *cspSolver) joinViews(more []data.Edge) (err error) {
	edges := spectral.EdgesOf(c.Nodes.Graph)
	for _, e := range more {
		e.W /= c.Nodes.Scale
		edges = append(edges, e)
	}
	c.jointGraph, err = data.NewGraph(c.Nodes.Graph.Len(), edges)
	return err
}

// bestThreshold returns the two sides, or what a threshold on the same vector does
// better where what is cut decides.
func (c *cspSolver) bestThreshold(sides []int, t *candidate) []int {
	objective := c.clusterObjective()
	if objective == nil {
		return sides
	}
	u := make([]float64, len(sides))
	for i, y := range t.vectors[0].v {
		u[i] = y * t.constraints.InvSqrtDegree[i]
	}
	least := objective(sides)
	for _, g := range []*data.Graph{c.Nodes.Graph, c.jointGraph} {
		if of := spectral.SweepNcut(g, u); objective(of) < least {
			sides, least = of, objective(of)
		}
	}
	return sides
}

// clusterUnitRows returns clusters of the vectors' rows at unit length, the trivial
// vector being one of them, as for Spectral, where these are better.
func (c *cspSolver) clusterUnitRows(ctx context.Context, t *candidate, of []int, starts int) ([]int, error) {
	list := [][]float64{t.z}
	for _, s := range t.vectors[:t.used] {
		v := slices.Clone(s.v)
		for i := range v {
			v[i] /= math.Sqrt(t.vol)
		}
		list = append(list, v)
	}
	space := spectral.NewEmbedding(list)
	space.ScaleRowsToUnit()
	objective := c.clusterObjective()
	other, err := space.KMeans(ctx, c.Problem.K, starts, c.Env, objective)
	if err != nil || objective(of) <= objective(other) {
		return of, err
	}
	return other, nil
}

// clusterObjective returns what clusters of the same vectors are chosen by: nil, or with
// β auto what they cut and do not satisfy, where views are used, and for more than two
// clusters unless the effort is low.
func (c *cspSolver) clusterObjective() func(of []int) float64 {
	if c.csp.Beta.Rule != BetaAuto || c.views == nil && (c.Problem.K == 2 || !c.Env.Effort.Searches()) {
		return nil
	}
	return func(of []int) float64 {
		satisfied, cut := c.scoreClusters(of)
		return cut + c.violationCost(satisfied)
	}
}

// violationCost returns what constraints that are not satisfied weigh beside what is cut,
// which is k at the most: all of them as much as that with views or at low effort, else
// half of it. (With as much, true pairs made more results worse.)
func (c *cspSolver) violationCost(satisfied float64) float64 {
	most := float64(c.Problem.K)
	if c.views == nil && c.Env.Effort.Searches() {
		most /= 2
	}
	return most * (1 - satisfied)
}

// placeIsolatedByViews lets views place points that have neither edges in the graph
// nor other constraints.
func (c *cspSolver) placeIsolatedByViews() {
	if len(c.Nodes.Points) == c.Problem.Len() {
		return
	}
	known := c.PlaceIsolated
	c.PlaceIsolated = func(of []int, point int) int {
		if known != nil {
			if h := known(of, point); h >= 0 {
				return h
			}
		}
		pull, best := make([]float64, c.Problem.K), -1
		for _, v := range c.views {
			to, w := v.Input.Neighbours(point)
			for q, j := range to {
				if at := c.Nodes.NodeOf[j]; at >= 0 {
					pull[of[at]] += w[q] / (v.vol * v.Scale)
				}
			}
		}
		for h, y := range pull {
			if y > 0 && (best < 0 || y > pull[best]) {
				best = h
			}
		}
		return best
	}
}

// viewShares are shares of λ₁ that views need: a graph has as many eigenvalues near
// the largest as it has clusters.
var viewShares = []float64{0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.4, 0.3}

// betaCandidates returns the b that auto tries. Where all points in one cluster
// satisfy Q better than b asks, they take the place of a feasible vector; if too few
// are left, the same share of the way from there to λ₁ is tried instead. With views,
// none is above that of the rule one: vectors that satisfy all must-links better than
// any cut does are almost trivial, and of one sign.
func (c *cspSolver) betaCandidates() []float64 {
	list := []float64{c.betaByRule(cluster.ByRule(BetaOne))}
	tried := betaShares
	if c.views != nil {
		tried = slices.Concat(viewShares, betaShares)
	}
	most, trivial := c.spectrum.largest(), c.pencil.zqz
	for _, f := range tried {
		b := f * most
		if c.views == nil && f > 0 && b < trivial && trivial < most && !c.leavesEnough(b) {
			b = trivial + f*(most-trivial)
		}
		if c.views == nil || b < list[0] {
			list = append(list, b)
		}
	}
	return list
}

// exhaustive reports whether there are views and the graph is so small that every
// candidate is tried without shortcuts: with views their scores are close.
func (c *cspSolver) exhaustive() bool {
	return c.views != nil && c.pencil.laplacian.Dim() <= exhaustiveNodes
}

const exhaustiveNodes = 1000
