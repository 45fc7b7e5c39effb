package spectral

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Start puts all points into one cluster; the stages do the rest.
func (a *CSP) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p = renumberClasses(p)
	r := newRun(p, e)
	c := &cspSolver{csp: a, spectralRun: r}
	r.stages = []cluster.Stage{
		r.graphStage(a.graphOptions()),
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
	c.placeIsolatedByConstraints()
	if len(c.nodes.points) <= c.problem.K {
		return nil
	}
	if err := c.checkMemory(); err != nil {
		return err
	}
	g, joined, err := c.nodes.joinComponents()
	if err != nil {
		return err
	}
	c.joinedEdges = joined
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		return err
	}
	l.Workers = c.env.Workers
	var closed *constraint.Closure
	if c.csp.Closure == On && !c.problem.Constraints.Empty() {
		if closed, err = constraint.Close(c.problem.Len(), c.problem.Constraints); err != nil {
			return err
		}
	}
	q, err := newConstraintMatrix(c.nodes, c.problem.Constraints, closed, c.problem.K, l.Degree)
	if err != nil {
		return err
	}
	if q, err = c.addViews(q, l.Degree); err != nil {
		return err
	}
	if c.spectrum, err = newConstraintSpectrum(ctx, q, c.vectorsNeeded(), c.seed, c.env.Workers); err != nil {
		return err
	}
	if c.spectrum.largest() > 0 {
		c.pencil = newPencil(l, q)
	}
	return nil
}
