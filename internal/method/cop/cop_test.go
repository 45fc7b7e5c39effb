package cop_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/cop"
)

// One batch of trials is enough here, and the suite makes many fits: with -short
// only those with different numbers of workers.
func TestCOPKeepsTheContract(t *testing.T) {
	for _, c := range clustertest.Checks() {
		if testing.Short() && c.Name != "SameBitsOnAnyWorkers" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(&cop.COP{Assignment: cop.AssignmentSearch, Trials: 8}); err != nil {
				t.Error(err)
			}
		})
	}
}

// Without trials there are other stages.
func TestCOPWithoutTrialsKeepsTheContract(t *testing.T) {
	clustertest.Sample(t, &cop.COP{Assignment: cop.AssignmentSearch})
}

// noCannot keeps cannot-links from an algorithm: by labels and must-links
// alone the greedy assignment cannot get stuck.
type noCannot struct{ *cop.COP }

func (a noCannot) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	q := *p
	if p.Constraints != nil {
		q.Constraints = &constraint.Set{Must: p.Constraints.Must, Labels: p.Constraints.Labels}
	}
	return a.COP.Start(ctx, &q, e)
}

func TestGreedyCOPKeepsTheContract(t *testing.T) {
	clustertest.Sample(t, noCannot{&cop.COP{Assignment: cop.AssignmentGreedy}})
}

// With cannot-links, too, a check passes or the error is a StuckError, and more often
// than not it passes.
func TestGreedyCOPPassesOrIsStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all checks to compare their numbers: not in short mode")
	}
	passed, stuck := 0, 0
	for _, c := range clustertest.Checks() {
		err := c.Do(&cop.COP{Assignment: cop.AssignmentGreedy})
		var s *cop.StuckError
		switch {
		case err == nil:
			passed++
		case errors.As(err, &s):
			stuck++
		default:
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	t.Logf("%d checks pass, in %d the greedy assignment gets stuck", passed, stuck)
	if passed < stuck || stuck == 0 {
		t.Errorf("%d checks pass, %d get stuck", passed, stuck)
	}
}

// violations counts the violated constraints.
func violations(constraints *constraint.Set, labels []int) (bad int) {
	for _, q := range constraints.Must {
		if labels[q.I] != labels[q.J] {
			bad++
		}
	}
	for _, q := range constraints.Cannot {
		if labels[q.I] == labels[q.J] {
			bad++
		}
	}
	for _, l := range constraints.Labels {
		if labels[l.I] != l.Class {
			bad++
		}
	}
	return bad
}

func pair(i, j int) constraint.Pair { return constraint.Pair{I: i, J: j, W: 1} }

// Six points on a line, 0 1 2 | 10 11 12, weights 1 1 1 1 1 2; 1 and 2 cannot
// be together, 2 and 3 must. By hand: {2, 10} is a chunklet at 6 of weight 2 with 32
// inside. It joins 11 and 12: their mean is (12+11+24)/5 = 47/5, so that
// Σ w x² − (Σ w x)²/m = 4+100+121+288 − 47²/5 = 71.2, and 0 and 1 cost 0.5. (With
// 0 and 1 in the other cluster it could not be: 1 has a cannot-link with the chunklet.)
func TestCOPObjectiveByHand(t *testing.T) {
	p := &cluster.Problem{
		X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 12}}, K: 2, Weight: []float64{1, 1, 1, 1, 1, 2},
		Constraints: &constraint.Set{Cannot: []constraint.Pair{pair(1, 2)}, Must: []constraint.Pair{pair(3, 2)}},
	}
	r := fit(t, p, cop.New(), nil)
	if got, want := r.Objective.Sum(), 513-47.0*47/5+0.5; math.Abs(got-want) > 1e-12*want {
		t.Errorf("J = %v, by hand %v", got, want)
	}
	if l := r.Labels; l[0] != l[1] || l[1] == l[2] || l[2] != l[3] || l[3] != l[4] || l[4] != l[5] {
		t.Errorf("labels %v, by hand 0 0 1 1 1 1", l)
	}
}

// The greedy assignment by hand: whatever the centres, points 0 and 1 take the
// two clusters, and none is left for point 2, which has cannot-links with both.
func TestGreedyCOPNamesThePointThatIsStuck(t *testing.T) {
	p := &cluster.Problem{
		X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 9}}, K: 3,
		Constraints: &constraint.Set{
			Cannot: []constraint.Pair{pair(0, 1), pair(0, 2), pair(1, 2), pair(2, 3)},
			Labels: []constraint.Label{{I: 2, Class: 0, W: 1}, {I: 3, Class: 2, W: 1}},
		},
	}
	if r := fit(t, p, cop.New(), nil); violations(p.Constraints, r.Labels) > 0 {
		t.Errorf("search violates something: %v", r.Labels)
	}
	// 3 can be with 0 or 1: the greedy assignment does not fail here.
	if r := fit(t, p, &cop.COP{Assignment: cop.AssignmentGreedy}, nil); violations(p.Constraints, r.Labels) > 0 {
		t.Errorf("greedy violates something: %v", r.Labels)
	}
	// With 2 last and k = 2, 0 and 1 on two sides: 2 has cannot-links with both.
	p = &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 100, 50}}, K: 2,
		Constraints: &constraint.Set{Cannot: []constraint.Pair{pair(0, 2), pair(2, 1)}}}
	if r := fit(t, p, cop.New(), nil); r.Labels[0] != r.Labels[1] || r.Labels[1] == r.Labels[2] {
		t.Errorf("search gives %v", r.Labels)
	}
	s := cluster.Default()
	stuck := 0
	for seed := range uint64(20) {
		s.Seed, s.Restarts = seed, 1
		r, err := cluster.Fit(context.Background(), p, &cop.COP{Assignment: cop.AssignmentGreedy}, s)
		if err == nil {
			continue // both centres on one side: the first two go together
		}
		stuck++
		var e *cop.StuckError
		if !errors.As(err, &e) || r != nil {
			t.Fatalf("result %v, error %v", r, err)
		}
		want := []int{0, 1}
		if slices.Sort(e.Blocks); e.Point != 2 || !slices.Equal(e.Blocks, want) || !strings.Contains(err.Error(), "point 2") {
			t.Errorf("%v: point %d blocked by %v, wanted 2 blocked by %v", err, e.Point, e.Blocks, want)
		}
	}
	if stuck == 0 {
		t.Error("never stuck")
	}
}

// Real data with true pairs: nothing is violated, nothing fails.
func TestCOPNeverViolatesNorFails(t *testing.T) {
	problems := 100
	if testing.Short() {
		problems = 10
	}
	for _, name := range []string{"iris", "wine"} {
		set, err := example.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		truth, classes := set.Classes()
		for _, pairs := range []int{30, 100, 200, 500, 2000} {
			t.Run(fmt.Sprintf("%s/pairs=%d", name, pairs), func(t *testing.T) {
				greedy := 0
				for seed := range uint64(problems) {
					p := &cluster.Problem{X: set.X, K: len(classes), Constraints: constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(seed, 9)))}
					s := cluster.Default()
					s.Seed, s.Restarts = seed, 1
					a := cop.New()
					if seed%10 > 0 {
						a.Trials = 0 // what comes after the descent takes long and can fail no more
					}
					r, err := cluster.Fit(context.Background(), p, a, s)
					if err != nil {
						t.Fatalf("problem %d: %v", seed, err)
					}
					if bad := violations(p.Constraints, r.Labels); bad > 0 {
						t.Fatalf("problem %d: %d violations", seed, bad)
					}
					r, err = cluster.Fit(context.Background(), p, &cop.COP{Assignment: cop.AssignmentGreedy}, s)
					var stuck *cop.StuckError
					switch {
					case errors.As(err, &stuck):
						greedy++
					case err != nil:
						t.Fatalf("greedy, problem %d: %v", seed, err)
					case violations(p.Constraints, r.Labels) > 0:
						t.Fatalf("greedy, problem %d: something is violated", seed)
					}
				}
				t.Logf("search: 0 of %d fail, 0 violations; greedy: %d of %d get stuck", problems, greedy, problems)
			})
		}
	}
}

// randomProblem draws a small problem with any constraints.
func randomProblem(t *rapid.T, most int) *cluster.Problem {
	n, d := rapid.IntRange(2, most).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
	k := rapid.IntRange(1, min(4, n)).Draw(t, "k")
	p := &cluster.Problem{
		X: &data.Dense{Cols: d, V: rapid.SliceOfN(rapid.Float64Range(-5, 5), n*d, n*d).Draw(t, "x")}, K: k, Constraints: &constraint.Set{},
		Weight: rapid.SliceOfN(rapid.SampledFrom([]float64{1, 1, 2, 0.5}), n, n).Draw(t, "w"),
	}
	point := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, n).Draw(t, "cannot") {
		if i, j := point.Draw(t, "i"), point.Draw(t, "j"); i != j || i == 0 { // now and then a contradiction
			p.Constraints.Cannot = append(p.Constraints.Cannot, pair(i, j))
		}
	}
	for range rapid.IntRange(0, n/3).Draw(t, "must") {
		p.Constraints.Must = append(p.Constraints.Must, pair(point.Draw(t, "i"), point.Draw(t, "j")))
	}
	for range rapid.IntRange(0, 2).Draw(t, "labels") {
		p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: point.Draw(t, "i"), Class: rapid.IntRange(0, k-1).Draw(t, "class"), W: 1})
	}
	return p
}

// least returns the least J over all labelings that satisfy all constraints,
// infinite if there are none.
func least(p *cluster.Problem) float64 {
	n, best := p.Len(), math.Inf(1)
	labels := make([]int, n)
	for {
		if violations(p.Constraints, labels) == 0 {
			best = min(best, inertia(p, labels))
		}
		i := 0
		for ; i < n && labels[i] == p.K-1; i++ {
			labels[i] = 0
		}
		if i == n {
			return best
		}
		labels[i]++
	}
}

// inertia returns J of the labels with every centre at its mean.
func inertia(p *cluster.Problem, labels []int) (total float64) {
	d := p.X.Dim()
	mean, mass := make([]float64, p.K*d), make([]float64, p.K)
	for i, h := range labels {
		data.Add(mean[h*d:(h+1)*d], p.X.Row(i, nil), p.W(i))
		mass[h] += p.W(i)
	}
	for h, m := range mass {
		for f := range d {
			mean[h*d+f] /= m
		}
	}
	for i, h := range labels {
		total += p.W(i) * data.Dist2(p.X.Row(i, nil), mean[h*d:(h+1)*d], 0)
	}
	return total
}

// On tiny problems: constraints are satisfied if they can be, otherwise the error says
// so; J is never below the least possible, and one
// run, or the best of ten, nearly always reaches it.
func TestCOPAgainstBruteForce(t *testing.T) {
	tried, refused := 0, 0
	reached := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 8)
		want := least(p)
		for _, restarts := range []int{1, 10} {
			s := cluster.Default()
			s.Restarts, s.Tol, s.Audit = restarts, 0, true
			r, err := cluster.Fit(context.Background(), p, cop.New(), s)
			if math.IsInf(want, 1) {
				var conflict *constraint.ConflictError
				var infeasible *cop.InfeasibleError
				if !errors.As(err, &conflict) && !(errors.As(err, &infeasible) && infeasible.Verdict.Answer == constraint.No) {
					t.Fatalf("the constraints cannot be satisfied, the error is %v", err)
				}
				refused++
				return
			}
			if err != nil {
				t.Fatalf("the constraints can be satisfied: %v", err)
			}
			if bad := violations(p.Constraints, r.Labels); bad > 0 {
				t.Fatalf("%d violations", bad)
			}
			got := r.Objective.Sum()
			if got < want-1e-9*(1+want) {
				t.Fatalf("J is reported as %v, the least possible is %v", got, want)
			}
			if got <= want+1e-9*(1+want) {
				reached[restarts]++
			}
		}
		tried++
	})
	t.Logf("of %d tiny problems one run solves %d, the best of ten %d; %d cannot be solved", tried, reached[1], reached[10], refused)
	if reached[10]*100 < tried*95 || reached[1]*100 < tried*80 {
		t.Errorf("only %d and %d of %d reached the least J", reached[1], reached[10], tried)
	}
}

// The shares of tiny problems with true pairs that are solved to the least J
// there is: by descent alone, by one run, and by the best of ten.
func TestCOPShareOfTinyProblemsSolved(t *testing.T) {
	problems := 50
	if testing.Short() {
		problems = 2
	}
	ways := []struct {
		name     string
		trials   int
		restarts int
		share    int // of a hundred, at least
	}{{"descent", 0, 1, 50}, {"one run", 16, 1, 90}, {"ten runs", 16, 10, 98}}
	for k := 2; k <= 4; k++ {
		for _, pairs := range []int{2, 4, 8, 16} {
			solved := make([]int, len(ways))
			for seed := range uint64(problems) {
				p := tiny(k, pairs, rand.New(rand.NewPCG(seed, uint64(pairs))))
				want := least(p)
				for w, way := range ways {
					s := cluster.Default()
					s.Restarts, s.Seed = way.restarts, seed
					r, err := cluster.Fit(context.Background(), p, &cop.COP{Assignment: cop.AssignmentSearch, Trials: way.trials}, s)
					if err != nil || violations(p.Constraints, r.Labels) > 0 {
						t.Fatalf("k = %d, %d pairs, problem %d: labels %v, error %v", k, pairs, seed, r, err)
					}
					if r.Objective.Sum() <= want*(1+1e-9) {
						solved[w]++
					}
				}
			}
			line := fmt.Sprintf("k = %d, %2d pairs:", k, pairs)
			for w, way := range ways {
				share := float64(solved[w]) / float64(problems) * 100
				line += fmt.Sprintf("  %s %5.1f %%", way.name, share)
				if share < float64(way.share) && !testing.Short() { // of so few it says little
					t.Errorf("k = %d, %d pairs: %s solves %v of a hundred, wanted %d", k, pairs, way.name, share, way.share)
				}
			}
			t.Log(line)
		}
	}
}

// tiny draws eight points of k classes without any shape, and true pairs.
func tiny(k, pairs int, r *rand.Rand) *cluster.Problem {
	const n = 8
	x, truth := &data.Dense{Cols: 2}, make([]int, n)
	for i := range n {
		truth[i] = r.IntN(k)
		x.V = append(x.V, r.NormFloat64(), r.NormFloat64())
	}
	return &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, pairs, r)}
}

// The greedy assignment never violates anything either, and never claims less
// than the least J.
func TestGreedyCOPAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 7)
		s := cluster.Default()
		s.Restarts, s.Audit = 1, true
		r, err := cluster.Fit(context.Background(), p, &cop.COP{Assignment: cop.AssignmentGreedy}, s)
		var stuck *cop.StuckError
		var conflict *constraint.ConflictError
		want := least(p)
		switch {
		case errors.As(err, &stuck):
		case errors.As(err, &conflict):
			if !math.IsInf(want, 1) {
				t.Fatalf("no contradiction: %v", err)
			}
		case err != nil:
			t.Fatal(err)
		case violations(p.Constraints, r.Labels) > 0:
			t.Fatalf("labels %v violate something", r.Labels)
		case r.Objective.Sum() < want-1e-9*(1+want):
			t.Fatalf("J is reported as %v, the least possible is %v", r.Objective.Sum(), want)
		}
	})
}

// impatient is a context that is over after so many looks at it.
type impatient struct {
	context.Context
	left int
}

func (c *impatient) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever a run is cut short, in the middle of stages too, the result satisfies
// all constraints and is of one iteration.
func TestCOPCutShortAnywhere(t *testing.T) {
	set, err := example.Load("wine")
	if err != nil {
		t.Fatal(err)
	}
	truth, classes := set.Classes()
	p := &cluster.Problem{X: set.X, K: len(classes), Constraints: constraint.RandomPairs(truth, 150, rand.New(rand.NewPCG(5, 5)))}
	s := cluster.Default()
	s.Restarts, s.Workers, s.Seed = 1, 1, 3
	cut, step := 0, 7
	if testing.Short() {
		step = 21
	}
	for looks := 1; looks < 400; looks += step {
		r, err := cluster.Fit(&impatient{context.Background(), looks}, p, cop.New(), s)
		if err == nil {
			break
		}
		if r == nil {
			continue // before the first labelling
		}
		cut++
		if !errors.Is(err, context.Canceled) || violations(p.Constraints, r.Labels) > 0 {
			t.Fatalf("after %d looks: %d violations, %v", looks, violations(p.Constraints, r.Labels), err)
		}
		m, sum := r.Model.(*centroid.Centres), 0.0
		for i, h := range r.Labels {
			sum += m.PointCost(p.X.Row(i, nil), h)
		}
		if math.Abs(sum-r.Objective.Sum()) > 1e-9*sum {
			t.Fatalf("after %d looks: labels and model cost %v, the objective says %v", looks, sum, r.Objective.Sum())
		}
	}
	if cut < 5 {
		t.Errorf("only %d runs were cut short", cut)
	}
}

func TestCOPRefuses(t *testing.T) {
	four := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3}}
	ring := []constraint.Pair{pair(0, 1), pair(1, 2), pair(2, 0)}
	fit := func(p *cluster.Problem, a *cop.COP) error {
		_, err := cluster.Fit(context.Background(), p, a, cluster.Default())
		return err
	}
	for _, a := range []*cop.COP{{Assignment: "best"}, {Assignment: cop.AssignmentSearch, Trials: -1}} {
		if fit(&cluster.Problem{X: four, K: 2}, a) == nil {
			t.Errorf("%+v was taken", a)
		}
	}
	var bad *cluster.ProblemError
	if err := fit(&cluster.Problem{X: four, K: 2, Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 2, W: 1}}}}, cop.New()); !errors.As(err, &bad) || bad.Field != "constraints" {
		t.Errorf("a class beyond k: %v", err)
	}
	var no *cop.InfeasibleError
	err := fit(&cluster.Problem{X: four, K: 2, Constraints: &constraint.Set{Cannot: ring}}, cop.New())
	if !errors.As(err, &no) || no.Verdict.Answer != constraint.No || len(no.Points) != 3 || !strings.Contains(err.Error(), "point 2") {
		t.Errorf("a ring of three with two clusters: %v", err)
	}
	if err := fit(&cluster.Problem{X: four, K: 3, Constraints: &constraint.Set{Cannot: ring}}, cop.New()); err != nil {
		t.Errorf("a ring of three with three clusters: %v", err)
	}
}

func fit(t testing.TB, p *cluster.Problem, a cluster.Algorithm, tune func(*cluster.Settings)) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Audit = true
	if tune != nil {
		tune(&s)
	}
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Constraints that cannot be satisfied are a ProblemError, for whatever reason, so that
// a program need check for that alone.
func TestCOPBlamesTheConstraints(t *testing.T) {
	pair := func(i, j int) constraint.Pair { return constraint.Pair{I: i, J: j, W: 1} }
	for name, s := range map[string]*constraint.Set{
		"contradictory": {Must: []constraint.Pair{pair(0, 1)}, Cannot: []constraint.Pair{pair(1, 0)}},
		"too much":      {Cannot: []constraint.Pair{pair(0, 1), pair(1, 2), pair(2, 0)}},
		"out of range":  {Must: []constraint.Pair{pair(0, 9)}},
	} {
		p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8}}, K: 2, Constraints: s}
		_, err := cluster.Fit(context.Background(), p, cop.New(), cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != "constraints" {
			t.Errorf("%s: %T %v", name, err, err)
		}
	}
}

// The rows of TestSphericalByHand: (0,3) and (5,5) are of one class
// and (2,0) is of the other: now e2 and (5,5) lie 22.5° from their centre.
func TestSphericalCOPByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 2, V: []float64{2, 0, 0, 3, 5, 5, 0, 0}}, K: 2, Constraints: &constraint.Set{
		Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 1, W: 1}, {I: 2, Class: 1, W: 1}}}}
	for seed := range uint64(10) {
		r := fit(t, p, &cop.COP{Assignment: cop.AssignmentGreedy, Distortion: centroid.Cosine}, func(s *cluster.Settings) { s.Seed, s.Restarts = seed, 1 })
		if got, want := r.Objective.Sum(), 3-2*math.Cos(math.Pi/8); math.Abs(got-want) > 1e-12 {
			t.Errorf("seed %d: the end costs %v, by hand %v", seed, got, want)
		}
		if !slices.Equal(r.Labels[:3], []int{0, 1, 1}) {
			t.Errorf("seed %d: labels are %v, by hand 0 1 1", seed, r.Labels)
		}
	}
	search := cop.New()
	search.Distortion = centroid.Cosine
	if err := search.Check(p); err == nil {
		t.Error("search takes the cosine, which it does not support")
	}
}

func TestSphericalCOPKeepsTheContract(t *testing.T) {
	clustertest.Sample(t, noCannot{&cop.COP{Assignment: cop.AssignmentGreedy, Distortion: centroid.Cosine}})
}
