package hmrf_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// softMethods returns the methods of the family, with every metric.
func softMethods() map[string]*hmrf.HMRF {
	list := map[string]*hmrf.HMRF{"pc": hmrf.NewPC(), "m": hmrf.NewM(), "mpc": hmrf.NewMPC(), "hmrf": hmrf.NewHMRF()}
	for _, form := range []metric.FormName{"none", "diagonal", "per-cluster-diagonal", "per-cluster-full"} {
		a := hmrf.NewHMRF()
		a.Metric = form
		list["hmrf "+string(form)] = a
	}
	bp := hmrf.NewHMRF()
	bp.Inference = hmrf.BP
	list["hmrf bp"] = bp
	always := hmrf.NewMPC()
	always.Complexity = hmrf.NoComplexity
	list["mpc without BIC"] = always
	cosine := hmrf.NewPC()
	cosine.Distortion = hmrf.Cosine
	list["pc cosine"] = cosine
	return list
}

// randomProblem returns a few rows in loose groups, as they are or with features of
// other scales, and pairs, labels and beliefs, of which a fifth are wrong or all are
// drawn without the groups, so that they contradict each other.
func randomProblem(rng *rand.Rand) *cluster.Problem {
	n, d, k := 12+rng.IntN(30), 1+rng.IntN(4), 2+rng.IntN(3)
	x, truth := &data.Dense{Cols: d}, make([]int, n)
	scale := make([]float64, d)
	for f := range scale {
		scale[f] = math.Pow(10, float64(rng.IntN(2)*rng.IntN(4)))
	}
	for i := range truth {
		truth[i] = rng.IntN(k)
		for f := range d {
			x.V = append(x.V, scale[f]*(2*float64((truth[i]+f)%k)+rng.NormFloat64()+3))
		}
	}
	p := &cluster.Problem{X: x, K: k}
	if rng.IntN(4) == 0 {
		for range n {
			p.Weight = append(p.Weight, 0.1+rng.Float64())
		}
	}
	known := constraint.RandomPairs(truth, 5+rng.IntN(40), rng)
	if rng.IntN(2) == 0 {
		known, _ = constraint.FlipPairs(known, 0.2+0.5*float64(rng.IntN(2)), rng)
	}
	for q := range known.Must {
		known.Must[q].W = math.Pow(10, float64(rng.IntN(3)-1))
	}
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(5) {
			known.Labels = append(known.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(k), W: 1})
		}
	}
	if rng.IntN(3) == 0 {
		known.Beliefs = append(known.Beliefs, constraint.Pair{I: 0, J: n - 1, W: rng.Float64()*2 - 1})
	}
	p.Constraints = known
	return p
}

// The objective with constraints is never above that of the labels found without them,
// with the centres and the metric that are best for these labels.
func TestNeverAboveTheUnconstrainedLabels(t *testing.T) {
	t.Parallel()
	problems := longtest.Size(12, 12, 200)
	for name, a := range softMethods() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(problems) {
				p := randomProblem(rand.New(rand.NewPCG(seed, 14)))
				s := cluster.Default()
				s.Seed, s.Effort, s.Workers = seed, cluster.EffortNormal, 1
				if s.Restarts = 2 + int(seed%2); seed%20 == 0 {
					s.Restarts = 0 // as many as pay
				}
				if err := neverAbove(p, a, s); err != nil {
					t.Fatalf("problem %d: %v", seed, err)
				}
			}
		})
	}
}

func neverAbove(p *cluster.Problem, a *hmrf.HMRF, s cluster.Settings) error {
	ctx := context.Background()
	with, err := cluster.Fit(ctx, p, a, s)
	if err != nil {
		return err
	}
	q := *p
	q.Constraints = nil
	without, err := cluster.Fit(ctx, &q, a, s)
	if err != nil {
		return err
	}
	run, err := a.StartFromResult(ctx, p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Effort: s.Effort}, without)
	if err != nil {
		return err
	}
	terms, err := run.Objective(ctx)
	if err != nil {
		return err
	}
	bound := terms.Sum()
	if tracked := run.(cluster.Tracker).Tracked().Sum(); math.Abs(tracked-bound) > 1e-9*math.Abs(bound) {
		return fmt.Errorf("the start tracks %v, its labels and model cost %v", tracked, bound)
	}
	if got := with.Objective.Sum(); got > bound+1e-9*math.Abs(bound) {
		return fmt.Errorf("the objective is %v, that of the unconstrained labels %v", got, bound)
	}
	return nil
}

// By hand: without a metric the start costs the squared distances to the means of the
// given labels and the weight of every violated pair.
func TestStartFromResultByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 2, 10, 14}}, K: 2,
		Constraints: &constraint.Set{Must: []constraint.Pair{{I: 0, J: 2, W: 3}}, Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}}}}
	a := hmrf.NewPC()
	a.Weight, a.Closure = cluster.Fixed(2), hmrf.Off
	s := cluster.Default()
	s.Effort = cluster.EffortNormal
	q := *p
	q.Constraints = nil
	without, err := cluster.Fit(context.Background(), &q, a, s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := a.StartFromResult(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}, without)
	if err != nil {
		t.Fatal(err)
	}
	// {0, 2} and {10, 14}: 1 + 1 + 4 + 4, a must-link of 2·3 and a cannot-link of 2.
	if got := run.(cluster.Tracker).Tracked().Sum(); got != 18 {
		t.Errorf("the start costs %v, want 18", got)
	}
}

// Clusters are numbered so that they agree with the classes of labelled points.
func TestStartFromResultMatchesClasses(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 100, 101, 102, 200, 201, 202}}
	p := &cluster.Problem{X: x, K: 3, Constraints: &constraint.Set{Names: []string{"high", "low"},
		Labels: []constraint.Label{{I: 8, Class: 0, W: 1}, {I: 0, Class: 1, W: 1e100}, {I: 1, Class: 1, W: 1e100}}}}
	for seed := range uint64(5) {
		s := cluster.Default()
		s.Seed, s.Effort = seed, cluster.EffortNormal
		q := *p
		q.Constraints = nil
		a := hmrf.NewPC()
		without, err := cluster.Fit(context.Background(), &q, a, s)
		if err != nil {
			t.Fatal(err)
		}
		run, err := a.StartFromResult(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}, without)
		if err != nil {
			t.Fatal(err)
		}
		if l := run.Labels(); l[8] != 0 || l[0] != 1 || l[4] != 2 {
			t.Errorf("seed %d: labels %v, want class 0 for the last, 1 for the first", seed, l)
		}
	}
}

// Constraints that have nothing to do with the rows do not move centres: every row that
// is in none of them is where it is without them.
func TestConstraintsMustSpeakForCentres(t *testing.T) {
	t.Parallel()
	ctx, moved := context.Background(), 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 41))
		x, truth, err := example.Blobs(120, 4, 3, 2, 1, rng)
		if err != nil {
			t.Fatal(err)
		}
		arbitrary := make([]int, len(truth))
		for i := range arbitrary {
			arbitrary[i] = rng.IntN(4)
		}
		s := cluster.Default()
		s.Seed, s.Effort, s.Workers, s.Audit = seed, cluster.EffortNormal, 1, true
		fit := func(known *constraint.Set) *cluster.Result {
			r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 4, Constraints: known}, hmrf.NewMPC(), s)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		known := constraint.RandomPairs(arbitrary, 60, rng)
		without, with := fit(nil), fit(known)
		if !with.Learned.(*hmrf.Info).Unconstrained {
			continue // by chance they speak for something
		}
		moved++
		near, err := cluster.Predict(ctx, with.Model, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		linked, other := map[int]bool{}, 0
		for _, p := range slices.Concat(known.Must, known.Cannot) {
			linked[p.I], linked[p.J] = true, true
		}
		for i := range truth {
			if !linked[i] && near[i] != with.Labels[i] {
				t.Errorf("seed %d: row %d is in no pair and not at its nearest centre", seed, i)
			}
			for j := range i {
				if !linked[i] && !linked[j] && (with.Labels[i] == with.Labels[j]) != (without.Labels[i] == without.Labels[j]) {
					other++
				}
			}
		}
		if other > len(truth) { // of some thousand pairs of rows; the metric is learned again
			t.Errorf("seed %d: %d pairs of rows in no constraint are told otherwise than without constraints", seed, other)
		}
	}
	if moved < 5 {
		t.Errorf("of ten sets of arbitrary pairs %d were found to say nothing", moved)
	}
}
