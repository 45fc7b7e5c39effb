package kernel

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// objectiveOfLabels is J of any labels under the objective of a on p.
func objectiveOfLabels(t *testing.T, p *cluster.Problem, a *KernelHMRF, label []int) float64 {
	t.Helper()
	run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := run.(*kmeansRun)
	for i, c := range label {
		r.label[i] = int32(c)
	}
	if err := r.recompute(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r.Tracked().Sum()
}

// randomConstraints returns pairs by random classes, labels of them, and beliefs, all of
// random weights: they know nothing of the data.
func randomConstraints(rng *rand.Rand, n, k int) *constraint.Set {
	s := randomPairs(rng, n, k)
	for q := range s.Must {
		s.Must[q].W = rng.ExpFloat64() + 0.01
	}
	for q := range s.Cannot {
		s.Cannot[q].W = rng.ExpFloat64() + 0.01
	}
	for range rng.IntN(n) {
		s.Labels = append(s.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(k), W: rng.ExpFloat64() + 0.01})
	}
	for range rng.IntN(5) {
		s.Beliefs = append(s.Beliefs, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 2*rng.Float64() - 1})
	}
	return s
}

// randomPairs returns pairs by random classes: they know nothing of the data.
func randomPairs(rng *rand.Rand, n, k int) *constraint.Set {
	truth := make([]int, n)
	for i := range truth {
		truth[i] = rng.IntN(k)
	}
	return constraint.RandomPairs(truth, 1+rng.IntN(n), rng)
}

// With constraints J is no higher than that of the clusters that the same fit finds
// without them, whatever the constraints say.
func TestObjectiveIsNoHigherThanThatOfUnconstrainedClusters(t *testing.T) {
	t.Parallel()
	problems := longtest.Size[uint64](20, 48, 200)
	for at := range problems {
		rng := rand.New(rand.NewPCG(at, 14))
		n, k := 8+rng.IntN(40), 2+rng.IntN(3)
		graph := smallProblem(rng, n, k)
		if graph.Constraints = randomPairs(rng, n, k); at%4 > 0 {
			graph.Constraints = randomConstraints(rng, n, k)
		}
		rows := &cluster.Problem{X: &data.Dense{Cols: 2}, K: k, Constraints: graph.Constraints}
		for range n {
			rows.X.(*data.Dense).V = append(rows.X.(*data.Dense).V, rng.NormFloat64()+3*float64(rng.IntN(k)), rng.NormFloat64())
		}
		soft := *graph
		soft.Constraints = &constraint.Set{Cannot: graph.Constraints.Cannot, Beliefs: graph.Constraints.Beliefs}
		for _, q := range graph.Constraints.Must { // those of graph-cut are hard, as are two labels of a class
			soft.Constraints.Beliefs = append(soft.Constraints.Beliefs, constraint.Pair{I: q.I, J: q.J, W: min(q.W, 1)})
		}
		for class, i := range rng.Perm(n)[:rng.IntN(k+1)] {
			soft.Constraints.Labels = append(soft.Constraints.Labels, constraint.Label{I: i, Class: class, W: rng.ExpFloat64() + 0.01})
		}
		cut, ss, hmrf := NewGraphCut(), NewSSKernelKMeans(), NewKernelHMRF()
		objective := objectives[at%3]
		cut.Objective, ss.Objective, hmrf.Objective = objective, objective, objective
		if cut.Weight = cluster.Fixed(rng.ExpFloat64()); at%2 == 0 {
			ss.Weight, hmrf.Weight = cut.Weight, cut.Weight
		}
		for name, c := range map[string]struct {
			a cluster.Algorithm
			p *cluster.Problem
		}{"graph-cut": {cut, &soft}, "ss-kernel-kmeans": {ss, graph}, "kernel-hmrf-kmeans": {hmrf, rows}} {
			s := cluster.Default()
			s.Seed, s.Effort, s.Audit = at, cluster.EffortNormal, true
			plain := *c.p
			plain.Constraints = nil
			without, err := cluster.Fit(context.Background(), &plain, c.a, s)
			if err != nil {
				t.Fatal(err)
			}
			with, err := cluster.Fit(context.Background(), c.p, c.a, s)
			if err != nil {
				t.Fatal(err)
			}
			var bound float64
			if name == "kernel-hmrf-kmeans" {
				bound = objectiveOfLabels(t, c.p, hmrf, without.Labels)
			} else {
				of, err := ObjectiveFunc(c.p, c.a)
				if err != nil {
					t.Fatal(err)
				}
				bound = of(without.Labels)
			}
			if got := with.Objective.Sum(); got > bound+1e-9*(1+abs(bound)) {
				t.Errorf("problem %d, %s, %s, n = %d, k = %d: J is %v, of the clusters without constraints %v", at, name, objective, n, k, got, bound)
			}
		}
	}
}

// Nor is it higher where many restarts are asked for: the start without constraints has as
// many as a fit without them.
func TestManyRestartsAreNoHigherThanUnconstrainedClusters(t *testing.T) {
	t.Parallel()
	for _, at := range []uint64{8, 12} {
		rng := rand.New(rand.NewPCG(at, 14))
		x, truth := &data.Dense{Cols: 3}, make([]int, 120)
		for i := range truth {
			truth[i] = rng.IntN(8)
			x.V = append(x.V, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		p := &cluster.Problem{X: x, K: 8, Constraints: constraint.RandomPairs(truth, 200, rng)}
		plain := *p
		plain.Constraints = nil
		a, s := NewKernelHMRF(), cluster.Default()
		a.Weight = cluster.Fixed(0.001)
		s.Seed, s.Effort, s.Restarts = 1, cluster.EffortNormal, 60
		with, err := cluster.Fit(context.Background(), p, a, s)
		if err != nil {
			t.Fatal(err)
		}
		without, err := cluster.Fit(context.Background(), &plain, a, s)
		if err != nil {
			t.Fatal(err)
		}
		if got, bound := with.Objective.Sum(), objectiveOfLabels(t, p, a, without.Labels); got > bound*(1+1e-9) {
			t.Errorf("problem %d: J is %v, of the clusters without constraints %v", at, got, bound)
		}
	}
}

// Two circles of a thousand rows each, the paper's example at a size, and 200 pairs (with 60
// wrong clusters have the lowest J, 1764 and not 1770): the start from a
// graph of neighbours has the lowest J, and is right.
func TestTwoCirclesAtASize(t *testing.T) {
	x, truth, err := example.TwoCircles(2000, 0.05, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, 200, rand.New(rand.NewPCG(4, 4)))}
	a := NewKernelHMRF()
	a.Width = cluster.Fixed(0.2)
	r := fitOnce(t, p, a, cluster.EffortNormal, 1)
	if ari, err := score.ARI(truth, r.Labels); err != nil || ari < 0.99 {
		t.Errorf("the adjusted Rand index is %v (%v)", ari, err)
	}
}
