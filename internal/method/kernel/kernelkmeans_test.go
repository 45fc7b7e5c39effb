package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
)

// A kernel matrix in memory and one computed again in each step give the same
// labels and the same objective, to the bit.
func TestInMemoryAndOnTheFlyAreTheSame(t *testing.T) {
	t.Parallel()
	p := blobs(t, 300)
	for n, kernel := range []KernelFunction{RBF, Linear, Polynomial, Cosine} {
		for m, objective := range objectives {
			if objective == NormalizedCut && kernel != "rbf" {
				continue // affinities may be negative
			}
			if testing.Short() && m != n%3 {
				continue
			}
			var fits []*cluster.Result
			for _, memory := range []int{1000, 0} {
				a := NewKernelHMRF()
				a.Kernel, a.Objective, a.Memory = kernel, objective, memory
				s := cluster.Default()
				s.Restarts = 1
				r, err := cluster.Fit(context.Background(), p, a, s)
				if err != nil {
					t.Fatal(err)
				}
				fits = append(fits, r)
			}
			if !slices.Equal(fits[0].Labels, fits[1].Labels) || fits[0].Objective.Sum() != fits[1].Objective.Sum() {
				t.Errorf("%s, %s: in memory %v, on the fly %v", kernel, objective, fits[0].Objective, fits[1].Objective)
			}
		}
	}
}

// With the linear kernel J is that of k-means, computed here from the means.
func TestLinearKernelIsKMeans(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 15}}
	a := NewKernelKMeans()
	a.Kernel = "linear"
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, a, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	// {0, 1, 2} around 1 cost 2, {10, 11, 15} around 12 cost 4 + 1 + 9.
	if got := r.Objective.Sum(); math.Abs(got-16) > 1e-9 {
		t.Errorf("J is %v, by hand 16 (labels %v)", got, r.Labels)
	}
}

// Two circles with an rbf kernel and 200 pairs: the paper's figure 3, which
// ends near 1. Without pairs it is hard.
func TestTwoCircles(t *testing.T) {
	x, truth, err := example.TwoCircles(200, 0.03, rand.New(rand.NewPCG(5, 5)))
	if err != nil {
		t.Fatal(err)
	}
	a := NewKernelHMRF()
	a.Width = cluster.Fixed(0.33)
	p := &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, 200, rand.New(rand.NewPCG(6, 6)))}
	r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	ari, err := score.ARI(truth, r.Labels)
	if err != nil || ari < 0.9 {
		t.Errorf("the adjusted Rand index is %v (%v), wanted 0.9", ari, err)
	}
}

// The exact shift is minus the lowest eigenvalue: K + σ has a Cholesky factor
// just above it and none just below.
func TestExactShift(t *testing.T) {
	for at := range uint64(20) {
		rng := rand.New(rand.NewPCG(at, 7))
		p := smallProblem(rng, 5+rng.IntN(20), 2)
		for _, objective := range objectives {
			f, err := newGraphProblem(context.Background(), 1, p, objective, pairOptions{weight: cluster.Fixed(0.7), term: PairReward})
			if err != nil {
				t.Fatal(err)
			}
			l := f.finest
			fl := &weightedKMeans{matrix: graphMatrix{l.affinity}, pairWeights: l.pairWeights, k: 2, alpha: l.alpha, selfWeight: l.selfWeight, workers: 1}
			sigma, err := fl.exactShift(context.Background(), rng)
			if err != nil {
				t.Fatal(err)
			}
			k, alpha := kernelOf(p, objective, 0.7, 0)
			if !definite(k, alpha, sigma+1e-6) || sigma > 0 && definite(k, alpha, sigma-1e-6) {
				t.Errorf("graph %d, %s: σ = %v is not the least that makes K positive definite", at, objective, sigma)
			}
		}
	}
}

// definite says whether α^½(K + σα⁻¹)α^½ has a Cholesky factor.
func definite(k [][]float64, alpha []float64, sigma float64) bool {
	n := len(k)
	l := square(n)
	for i := range n {
		for j := range i + 1 {
			s := k[i][j] * math.Sqrt(alpha[i]*alpha[j])
			if i == j {
				s += sigma
			}
			for h := range j {
				s -= l[i][h] * l[j][h]
			}
			if i == j {
				if s <= 0 {
					return false
				}
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	return true
}

// Algorithm 3 by hand: on a line the largest component starts, then the one
// farthest in total, then every point joins the nearest mean.
func TestFarthestFirstByHand(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 30, 31, 5, 29}}
	p := &cluster.Problem{X: x, K: 3, Constraints: &constraint.Set{Must: []constraint.Pair{
		{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 3, J: 4, W: 1}, {I: 5, J: 6, W: 1},
	}}}
	a := NewKernelHMRF()
	a.Kernel, a.Weight = Linear, cluster.Fixed(1e-9)
	run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 0, 2, 2, 1, 1, 0, 1}; !slices.Equal(run.Labels(), want) {
		t.Errorf("the start is %v, by hand %v", run.Labels(), want)
	}
}

// Where some points must be together every run starts from them, and is the same:
// one is made. A single label, or nothing, leaves the start to chance.
func TestConstrainedStartsAreDeterministic(t *testing.T) {
	p := blobs(t, 90)
	p.Constraints = nil
	must := &constraint.Set{Must: []constraint.Pair{{I: 3, J: 50, W: 1}}}
	for _, a := range []cluster.Algorithm{NewKernelHMRF(), &KernelHMRF{Objective: RatioCut, Kernel: "rbf", Width: cluster.ByRule(RuleMedian), Weight: cluster.ByRule(cluster.RuleAuto), Shift: cluster.ByRule(cluster.RuleAuto), Init: InitFarthest, Refine: true}} {
		for known, one := range map[*constraint.Set]bool{
			nil: false, {Labels: []constraint.Label{{I: 3, Class: 1, W: 1}}}: false, must: a.(*KernelHMRF).Objective != RatioCut,
		} {
			if p.Constraints = known; (cluster.AutoRestarts(p, a, cluster.EffortLow) == 1) != one {
				t.Errorf("%s, knowing %v: %d runs", a.(*KernelHMRF).Objective, known, cluster.AutoRestarts(p, a, cluster.EffortLow))
			}
		}
	}
	p.Constraints = must
	var first *cluster.Result
	for seed := range uint64(5) {
		s := cluster.Default()
		s.Restarts, s.Seed = 1, seed
		r, err := cluster.Fit(context.Background(), p, NewKernelHMRF(), s)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if !slices.Equal(r.Labels, first.Labels) || r.Objective.Sum() != first.Objective.Sum() {
			t.Errorf("seed %d has other clusters than seed 0", seed)
		}
	}
}

// True pairs are satisfied, nearly all of them, and must-links all.
func TestGraphCutSatisfiesTruePairs(t *testing.T) {
	g, truth, err := example.PlantedPartition(2000, 8, 8, 6, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, objective := range objectives {
		a := NewGraphCut()
		a.Objective = objective
		known := constraint.RandomPairs(truth, 800, rand.New(rand.NewPCG(2, 2)))
		s := cluster.Default()
		s.Restarts = 1
		r, err := cluster.Fit(context.Background(), &cluster.Problem{Graph: g, K: 8, Constraints: known}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		kept := score.Satisfied(known, r.Labels)
		if kept.Must.Satisfied != kept.Must.Given || kept.Cannot.Satisfied < kept.Cannot.Given*99/100 {
			t.Errorf("%s: %+v", objective, kept)
		}
	}
}
