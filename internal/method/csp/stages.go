package csp

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Start puts all points into one cluster; the stages do the rest.
func (a *CSP) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p = spectral.RenumberClasses(p)
	r := spectral.NewRun(p, e)
	c := &cspSolver{csp: a, Run: r}
	r.Steps = []cluster.Stage{
		r.GraphStage(a.graphOptions()),
		{Name: "views", Do: func(ctx context.Context) (int, error) { return 0, c.buildViews(ctx) }},
		{Name: "constraints", Do: func(ctx context.Context) (int, error) { return 0, c.prepare(ctx) }},
		{Name: "eigenvectors", Do: func(ctx context.Context) (int, error) { return 0, c.solve(ctx) }},
		{Name: "alone", Do: func(ctx context.Context) (int, error) { return 0, c.cutWithoutViews(ctx) }},
		{Name: "clusters", Do: c.finishWithViews},
	}
	return r, nil
}

// prepare makes Q and finds the upper end of its spectrum. Without constraints
// nothing is left to do but what Spectral does.
func (c *cspSolver) prepare(ctx context.Context) error {
	c.PlaceIsolatedByConstraints()
	if len(c.Nodes.Points) <= c.Problem.K {
		return nil
	}
	if err := c.CheckMemory(); err != nil {
		return err
	}
	g, joined, err := c.Nodes.JoinComponents()
	if err != nil {
		return err
	}
	c.joinedEdges = joined
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		return err
	}
	l.Workers = c.Env.Workers
	var closed *constraint.Closure
	if c.csp.Closure == On && !c.Problem.Constraints.Empty() {
		if closed, err = constraint.Close(c.Problem.Len(), c.Problem.Constraints); err != nil {
			return err
		}
	}
	q, err := spectral.NewConstraintMatrix(c.Nodes, c.Problem.Constraints, closed, c.Problem.K, l.Degree)
	if err != nil {
		return err
	}
	if q, err = c.addViews(q, l.Degree); err != nil {
		return err
	}
	if c.spectrum, err = newConstraintSpectrum(ctx, q, c.vectorsNeeded(), c.Seed, c.Env.Workers); err != nil {
		return err
	}
	if c.spectrum.largest() > 0 {
		c.pencil = newPencil(l, q)
	}
	return nil
}
