package kernel

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
)

// planted returns a planted partition into k blocks, with so many true pairs.
func planted(t *testing.T, n, k, pairs int) *cluster.Problem {
	t.Helper()
	g, truth, err := example.PlantedPartition(n, k, 10, 8, rand.New(rand.NewPCG(4, 4)))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{Graph: g, K: k}
	if pairs > 0 {
		p.Constraints = constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(5, 5)))
	}
	return p
}

// From one start SSKernelKMeans cuts a planted partition as well as GraphCut does,
// with pairs and without, whatever is cut.
func TestMultilevelStartCutsAsGraphCutDoes(t *testing.T) {
	t.Parallel()
	for _, objective := range objectives {
		for _, pairs := range []int{0, 400} {
			p := planted(t, 4000, 12, pairs)
			cut, ss := NewGraphCut(), NewSSKernelKMeans()
			cut.Objective, ss.Objective, ss.Init = objective, objective, GraphInitMultilevel
			var value [2]float64
			for q, a := range []cluster.Algorithm{cut, ss} {
				s := cluster.Default()
				s.Restarts, s.Audit = 1, true
				r, err := cluster.Fit(context.Background(), p, a, s)
				if err != nil {
					t.Fatal(err)
				}
				v := Cuts(p.Graph, r.Labels, p.K)
				switch objective {
				case NormalizedCut:
					value[q] = v.NormalizedCut
				case RatioCut:
					value[q] = v.RatioCut
				case RatioAssociation:
					value[q] = -v.RatioAssociation
				}
			}
			if t.Logf("%s, %d pairs: graph-cut %v, ss-kernel-kmeans %v", objective, pairs, value[0], value[1]); value[1] > value[0]+0.005*abs(value[0]) {
				t.Errorf("%s, %d pairs: graph-cut reaches %v, ss-kernel-kmeans %v", objective, pairs, value[0], value[1])
			}
		}
	}
}

// A countdown is a context that ends when it has been asked so many times.
type countdown struct {
	context.Context
	left *int
}

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the context ends, a multilevel start has k filled clusters, and at once:
// it asks the context a few more times and then never again.
func TestMultilevelStartEndsWithTheContext(t *testing.T) {
	for _, pairs := range []int{0, 60} {
		p := planted(t, 600, 5, pairs)
		a := NewSSKernelKMeans()
		a.Init = GraphInitMultilevel
		for at := 0; ; at += 1 + at/4 {
			left := at
			run, err := a.Start(countdown{context.Background(), &left}, p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
			if err != nil {
				t.Fatalf("%d pairs, ended after %d questions: %v", pairs, at, err)
			}
			sizes := make([]int, p.K)
			for _, c := range run.Labels() {
				sizes[c]++
			}
			if filled(sizes) != p.K {
				t.Errorf("%d pairs, ended after %d questions: clusters of %v nodes", pairs, at, sizes)
			}
			if left < -20 {
				t.Errorf("%d pairs, ended after %d questions: asked %d times more", pairs, at, -left)
			}
			if left >= 0 {
				break // it ended by itself
			}
		}
	}
}

// Where some points must be together, a multilevel start never ends higher than
// the paper's own start; elsewhere, on graphs without any clusters, seldom.
func TestMultilevelStartIsNoWorseThanFarthestFirst(t *testing.T) {
	t.Parallel()
	const graphs = 90
	lower, higher := 0, 0
	for at := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(at, 8))
		n, k := 10+rng.IntN(60), 2+rng.IntN(4)
		p := smallProblem(rng, n, k)
		var value [2]float64
		a := NewSSKernelKMeans()
		for q, init := range []GraphInit{GraphInitFarthest, GraphInitMultilevel} {
			a.Objective, a.Init, a.Refine = objectives[at%3], init, at%5 != 0
			value[q] = fitted(t, p, a).Objective.Sum()
		}
		switch gap := value[1] - value[0]; {
		case gap < -1e-9*abs(value[0]):
			lower++
		case gap > 1e-9*abs(value[0]):
			higher++
			if a.Init = GraphInitFarthest; a.Deterministic(p) {
				t.Errorf("graph %d, %s, %d nodes, k = %d: J is %v from farthest-first, %v from a multilevel start", at, a.Objective, n, k, value[0], value[1])
			}
		}
	}
	if t.Logf("lower on %d, higher on %d of %d graphs", lower, higher, graphs); higher > lower/5 {
		t.Errorf("a multilevel start ends lower on %d of %d graphs, higher on %d", lower, graphs, higher)
	}
}

// Rewards are divided by the mass of the cluster, so that J is lowest where two
// must-linked nodes are a cluster of their own. A start that looked for the lowest
// J would put them there; one from clusters of the graph keeps the clusters.
func TestMultilevelStartKeepsClustersOfTheGraph(t *testing.T) {
	g, truth, err := example.PlantedPartition(200, 2, 10, 1, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{Graph: g, K: 2, Constraints: &constraint.Set{}}
	var two []int // of the same block
	for i, c := range truth {
		if c == truth[0] && len(two) < 2 {
			two = append(two, i)
		}
	}
	p.Constraints.Must = []constraint.Pair{{I: two[0], J: two[1], W: 1}}
	a := NewSSKernelKMeans()
	a.Init, a.PairTerm, a.Weight = GraphInitMultilevel, PairReward, cluster.ByRule(RulePaper)
	r := fitted(t, p, a)
	objectiveOf, err := ObjectiveFunc(p, a)
	if err != nil {
		t.Fatal(err)
	}
	alone := make([]int, len(truth))
	alone[two[0]], alone[two[1]] = 1, 1
	if of, err := ObjectiveFunc(p, NewSSKernelKMeans()); err != nil || of(alone) < of(truth) {
		t.Errorf("with penalties J is %v with two nodes alone, %v with the clusters of the graph (%v)", of(alone), of(truth), err)
	}
	if low := objectiveOf(alone); low > r.Objective.Sum() {
		t.Fatalf("J is %v with two nodes alone, %v with the clusters of the graph: the example shows nothing", low, r.Objective.Sum())
	}
	if ari, err := score.ARI(truth, r.Labels); err != nil || ari < 0.95 {
		t.Errorf("the adjusted Rand index is %v (%v)", ari, err)
	}
}
