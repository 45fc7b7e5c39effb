package csp

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// fastgeSolver is the work of FastGE between the graph and the clusters.
type fastgeSolver struct {
	fastge *FastGE
	*spectral.Run
	mustGraph        *data.Graph                // G, in one piece
	pencil           *pencil                    // of G and L_C
	givenConstraints *spectral.ConstraintMatrix // the constraints, to measure how much of them is satisfied
	start            [][]float64                // where iterations begin
	joinedEdges      int
	best             *fastgeCandidate
	tried            int
}

// A fastgeCandidate is the solution for one c.
type fastgeCandidate struct {
	*candidate
	c, phi float64
}

// prepare makes G and H. Where there are no constraints on the nodes there is no pencil.
func (b *fastgeSolver) prepare(ctx context.Context) error {
	b.PlaceIsolatedByConstraints()
	if len(b.Nodes.Points) <= b.Problem.K || b.Problem.Constraints.Empty() {
		return nil
	}
	if err := b.CheckMemory(); err != nil {
		return err
	}
	l := newLinkEdges(b.Nodes, b.Problem.Constraints, b.fastge.LinkWeight)
	whole := *b.Nodes
	var err error
	if whole.Graph, err = data.NewGraph(len(whole.Points), append(spectral.EdgesOf(b.Nodes.Graph), l.mustEdges(b.Problem.Constraints)...)); err != nil {
		return err
	}
	if b.mustGraph, b.joinedEdges, err = whole.JoinComponents(); err != nil {
		return err
	}
	lap, err := eigen.NewLaplacian(b.mustGraph, eigen.Normalised)
	if err != nil {
		return err
	}
	lap.Workers = b.Env.Workers
	if b.givenConstraints, err = spectral.NewConstraintMatrix(b.Nodes, b.Problem.Constraints, nil, b.Problem.K, lap.Degree); err != nil || len(b.givenConstraints.Support) == 0 {
		return err
	}
	h, err := l.cannotLaplacian(b.Problem.Constraints, lap.Degree)
	if err != nil {
		return err
	}
	b.pencil = newPencil(lap, h)
	if lap.Dim() <= denseNodes {
		return nil
	}
	top, err := newConstraintSpectrum(ctx, h, 1, b.Seed, b.Env.Workers)
	if err != nil {
		return err
	}
	low, err := eigen.Smallest(ctx, lap, eigen.Options{K: b.Problem.K + 4, Tol: 1e-3, Rel: 0.1, Seed: b.Seed, Workers: b.Env.Workers})
	if err != nil {
		return err
	}
	b.start = append(low.Vectors[1:], top.vectors...)
	return nil
}

// solve finds the vectors, for the c that is given or for several.
func (b *fastgeSolver) solve(ctx context.Context) error {
	list := []float64{b.fastge.Demand.Value}
	if b.fastge.Demand.Rule != "" {
		list = []float64{1 / float64(b.pencil.laplacian.Dim())}
		for _, c := range []float64{1e-3, 1e-2, 0.1, 1, 10} {
			if c > list[0] && b.fastge.Demand.Rule != DemandPaper {
				list = append(list, c)
			}
		}
	}
	idle := 0
	for _, c := range list {
		t, err := b.solveAt(ctx, c, 1e-3, 60)
		if err != nil {
			return err
		}
		if b.keepIfBetter(t) {
			idle = 0
		} else if idle++; idle > patience && !b.best.localised {
			break
		}
	}
	if b.best == nil || b.pencil.laplacian.Dim() <= denseNodes {
		return nil
	}
	t, err := b.solveAt(ctx, b.best.c, 1e-5, 100)
	if err == nil && t.clusters != nil && t.localised == b.best.localised {
		b.best = t
	}
	return err
}

// solveAt solves for one c and makes clusters of the vectors, if there are enough.
func (b *fastgeSolver) solveAt(ctx context.Context, c, tol float64, steps int) (*fastgeCandidate, error) {
	s, need := b.pencil.withShift(-c), b.Problem.K-1
	t := &fastgeCandidate{candidate: &candidate{schurComplement: s, rule: BetaAuto, constrainedNodes: s.constraints.Support}, c: c}
	b.tried++
	var err error
	if s.Dim() <= denseNodes {
		t.converged = true
		t.vectors, err = s.solveDense(ctx, need)
	} else {
		t.vectors, t.converged, err = s.solveIteratively(ctx, b.start, need, steps, tol)
	}
	if err != nil || len(t.vectors) < need {
		return t, err
	}
	t.rankVectors(ByLambda, 0)
	t.used = need
	for _, y := range t.vectors[:need] {
		t.localised = t.localised || t.isLocalised(y.v)
	}
	if t.clusters, err = b.discretise(ctx, t); err != nil {
		return nil, err
	}
	t.satisfied, t.cut = b.scoreClusters(t.clusters)
	return t, nil
}

// discretise makes clusters of the vectors: two where φ is lowest, more by
// k-means on rows, as they are or of unit length.
func (b *fastgeSolver) discretise(ctx context.Context, t *fastgeCandidate) (best []int, err error) {
	u := make([][]float64, t.used)
	for f, y := range t.vectors[:t.used] {
		u[f] = make([]float64, len(y.v))
		for i, x := range y.v {
			u[f][i] = x * t.constraints.InvSqrtDegree[i]
		}
	}
	if b.Problem.K == 2 {
		best, t.phi = t.sweepPhi(b.mustGraph, t.c, u[0])
		return best, nil
	}
	plain, unit := spectral.NewEmbedding(u), spectral.NewEmbedding(u)
	unit.ScaleRowsToUnit()
	for _, space := range []*spectral.Embedding{plain, unit} {
		of, err := space.KMeans(ctx, b.Problem.K, space.KMeansStarts(b.Problem.K, b.Env.Effort), b.Env, nil)
		if err != nil {
			return nil, err
		}
		if best == nil || b.betterClusters(of, best) {
			best = of
		}
	}
	return best, nil
}

// scoreClusters returns how much of the constraints a clustering satisfies, and its cut.
func (b *fastgeSolver) scoreClusters(of []int) (satisfied, cut float64) {
	labels := make([]int, b.Problem.Len())
	for at, i := range b.Nodes.Points {
		labels[i] = of[at]
	}
	cut, empty := spectral.NCut(b.Nodes, labels, b.Problem.K)
	return b.givenConstraints.SatisfiedShare(of, b.Problem.K), cut + float64(empty)
}

func (b *fastgeSolver) betterClusters(x, y []int) bool {
	h1, c1 := b.scoreClusters(x)
	h2, c2 := b.scoreClusters(y)
	return h1 > h2 || h1 == h2 && c1 < c2
}

// keepIfBetter keeps t if it is better than the best so far, and says so.
func (b *fastgeSolver) keepIfBetter(t *fastgeCandidate) bool {
	switch {
	case t.clusters == nil:
		return false
	case b.best != nil && t.localised != b.best.localised:
		if t.localised {
			return false
		}
	case b.best != nil:
		x, y := math.Round(100*t.satisfied), math.Round(100*b.best.satisfied)
		if x < y || x == y && t.cut >= b.best.cut {
			return false
		}
	}
	b.best = t
	return true
}

// setResult takes the clusters of the best c.
func (b *fastgeSolver) setResult(ctx context.Context) (int, error) {
	if moved, done := b.SingletonClusters(); done {
		return moved, nil
	}
	report := &GeneralizedCut{Satisfied: 1, LeftOut: b.Problem.Len() - len(b.Nodes.Points)}
	b.Report = report
	if b.best == nil {
		if b.pencil != nil { // too few vectors stand out of the rounding
			if err := b.Embed(ctx, eigen.Normalised); err != nil {
				return 0, err
			}
		}
		return b.ClusterEmbeddings(ctx)
	}
	t := b.best
	*report = GeneralizedCut{Demand: t.c, Satisfied: t.satisfied, Phi: t.phi, Localised: t.localised, Loose: !t.converged,
		Tried: b.tried, Steps: b.pencil.iterations, Joined: b.joinedEdges, LeftOut: report.LeftOut}
	for _, y := range t.vectors[:t.used] {
		report.Lambda = append(report.Lambda, y.lambda)
	}
	return b.SetClusters(slices.Clone(t.clusters)), nil
}

// sweepPhi splits the nodes in two where φ = cut_G/cut_H is lowest, of all splits
// by a threshold on u, and returns φ. H is L_C and c times the demand graph.
func (t *fastgeCandidate) sweepPhi(g *data.Graph, c float64, u []float64) (of []int, phi float64) {
	q := t.constraints
	groups := q.GroupsOfNodes()
	in, all := make([]float64, len(q.Groups)), make([]float64, len(q.Groups))
	for h, m := range q.Groups {
		for _, w := range m.W {
			all[h] += w
		}
	}
	between := func() (s float64) { // classes
		for _, y := range q.Couplings {
			s -= y.W * (in[y.G]*(all[y.H]-in[y.H]) + in[y.H]*(all[y.G]-in[y.G]))
		}
		return s
	}
	var left, cut, apart, classes float64
	return spectral.BestSweep(u, func(of []int, i int) float64 {
		cut += spectral.CutChange(g, of, i)
		apart -= spectral.CutChange(q.Pairs, of, i) // cannot-links stand below 0
		if list := groups[int32(i)]; len(list) > 0 {
			for _, y := range list {
				in[y.G] += y.W
			}
			classes = between()
		}
		left += t.laplacian.Degree[i]
		return max(0, cut) / (max(0, apart) + classes + float64(c*left)*(t.vol-left)/t.vol)
	})
}

// Start puts all points into one cluster; the stages do the rest.
func (a *FastGE) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	p = spectral.RenumberClasses(p)
	r := spectral.NewRun(p, e)
	b := &fastgeSolver{fastge: a, Run: r}
	r.Steps = []cluster.Stage{
		r.GraphStage(a.graphOptions()),
		{Name: "constraints", Do: func(ctx context.Context) (int, error) { return 0, b.prepare(ctx) }},
		{Name: "eigenvectors", Do: func(ctx context.Context) (int, error) {
			if b.pencil == nil {
				return 0, b.Embed(ctx, eigen.Normalised)
			}
			return 0, b.solve(ctx)
		}},
		{Name: "clusters", Do: b.setResult},
	}
	return r, nil
}

// Notes says what points without edges mean for the result.
func (g *GeneralizedCut) Notes() []string { return spectral.IsolatedNotes(g.LeftOut) }
