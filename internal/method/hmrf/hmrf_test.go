package hmrf_test

import (
	"context"
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
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// The first three are settings of the last.
func TestPC(t *testing.T)   { clustertest.Sample(t, hmrf.NewPC()) }
func TestM(t *testing.T)    { clustertest.Sample(t, hmrf.NewM()) }
func TestMPC(t *testing.T)  { clustertest.Sample(t, hmrf.NewMPC()) }
func TestHMRF(t *testing.T) { clustertest.Run(t, hmrf.NewHMRF()) }

// Every metric with every potential and every inference keeps the contract.
// Metrics are not asked to earn their numbers, so that every form is used. To
// save time the clauses take turns; INKLING_FULL=1 holds every variant to all of
// them, -short three of the variants to one.
func TestHMRFVariants(t *testing.T) {
	t.Parallel()
	full := longtest.Full()
	every := map[string]bool{"ObjectiveNeverRises": true, "ContradictionHasAnAnswer": true}
	n := 0
	for _, m := range []metric.FormName{"none", "diagonal", "full", "per-cluster-diagonal", "per-cluster-full"} {
		for _, pot := range []metric.Penalty{"hmrf", "mpc", "constant"} {
			for _, inf := range []hmrf.Inference{hmrf.ICM, hmrf.BP, hmrf.LP} {
				a := hmrf.NewHMRF()
				a.Metric, a.Penalty, a.Inference, a.Weight = m, pot, inf, cluster.ByRule(cluster.RuleAuto)
				a.Complexity = []hmrf.Complexity{hmrf.NoComplexity, hmrf.BIC}[n%2]
				a.Shrinkage = float64(n%3 - 1)
				for c, check := range clustertest.Checks() {
					switch {
					case testing.Short():
						if n%16 > 0 || check.Name != "SameBitsOnAnyWorkers" {
							continue
						}
					case !full && !every[check.Name] && c%8 != n%8:
						continue // each clause in its turn: together they meet every part
					}
					if err := check.Do(a); err != nil {
						t.Errorf("%+v: %s: %v", *a, check.Name, err)
					}
				}
				n++
			}
		}
	}
}

// positive shows an algorithm e^x in place of every number x, so that problems
// with numbers below 0 are problems for divergences too.
type positive struct{ *hmrf.HMRF }

type positiveModel struct{ *hmrf.Model }

func exp(p *cluster.Problem) *cluster.Problem {
	if p.X == nil {
		return p
	}
	q := *p
	q.X = expRows(p.X, 0, p.X.Len())
	return &q
}

func expRows(x data.Rows, lo, hi int) *data.Dense {
	out := &data.Dense{Cols: x.Dim()}
	for i := lo; i < hi; i++ {
		for _, y := range data.Copy(x, i) {
			out.V = append(out.V, math.Exp(max(-20, min(20, y/4))))
		}
	}
	return out
}

func (a positive) Check(p *cluster.Problem) error { return a.HMRF.Check(exp(p)) }

func (a positive) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r, err := a.HMRF.Start(ctx, exp(p), e)
	if err != nil {
		return nil, err
	}
	return positiveRun{r}, nil
}

func (a positive) StartFromResult(ctx context.Context, p *cluster.Problem, e *cluster.Env, res *cluster.Result) (cluster.Run, error) {
	q := *res
	q.Model = res.Model.(*positiveModel).Model
	r, err := a.HMRF.StartFromResult(ctx, exp(p), e, &q)
	if err != nil {
		return nil, err
	}
	return positiveRun{r}, nil
}

func (a positive) Fallback(ctx context.Context, p *cluster.Problem, e *cluster.Env, best, without *cluster.Result) (cluster.Run, error) {
	b, w := *best, *without
	b.Model, w.Model = best.Model.(*positiveModel).Model, without.Model.(*positiveModel).Model
	r, err := a.HMRF.Fallback(ctx, exp(p), e, &b, &w)
	if r == nil || err != nil {
		return nil, err
	}
	return positiveRun{r}, nil
}

type positiveRun struct{ cluster.Run }

func (r positiveRun) Tracked() cluster.Terms { return r.Run.(cluster.Tracker).Tracked() }
func (r positiveRun) Model() cluster.Model {
	return &positiveModel{r.Run.Model().(*hmrf.Model)}
}

func (m *positiveModel) Place(x data.Rows, lo, hi int, labels []int) {
	m.Model.Place(expRows(x, lo, hi), 0, hi-lo, labels)
}

// Prepare keeps Predict from placing rows with the embedded model.
func (m *positiveModel) Prepare(data.Rows) cluster.Model { return m }

func (m *positiveModel) PointCost(v data.Vec, h int) float64 {
	one := &data.Dense{Cols: m.Dim(), V: v.Full(make([]float64, m.Dim()))}
	return m.Model.PointCost(expRows(one, 0, 1).Row(0, nil), h)
}

func (m *positiveModel) UnmarshalJSON(b []byte) error {
	m.Model = new(hmrf.Model)
	return m.Model.UnmarshalJSON(b)
}

func TestHMRFDistortions(t *testing.T) {
	t.Parallel()
	for n, c := range []struct{ distortion, metric, potential, inference string }{
		{"cosine", "none", "hmrf", "icm"}, {"cosine", "none", "constant", "bp"},
		{"kl", "none", "constant", "icm"}, {"kl", "diagonal", "hmrf", "icm"},
		{"i-divergence", "none", "hmrf", "bp"}, {"i-divergence", "per-cluster-diagonal", "hmrf", "icm"},
		{"itakura-saito", "none", "mpc", "icm"}, {"itakura-saito", "diagonal", "constant", "icm"},
	} {
		t.Run(strings.Join([]string{c.distortion, c.metric, c.potential, c.inference}, "-"), func(t *testing.T) {
			a := hmrf.NewHMRF()
			a.Distortion, a.Metric, a.Penalty, a.Inference, a.Weight = hmrf.Distortion(c.distortion), metric.FormName(c.metric), metric.Penalty(c.potential), hmrf.Inference(c.inference), cluster.ByRule(cluster.RuleAuto)
			if c.distortion == "cosine" {
				clustertest.Sample(t, a)
				return
			}
			for at, check := range clustertest.Checks() {
				switch check.Name {
				case "RefusesBadProblems", "FindsSeparateBlobs": // about other numbers, and about squares
					continue
				case "KeepsNoState", "SameBitsOnAnyWorkers", "TimeoutIsReported": // the distortion is that of metrics for each cluster
					if !longtest.Full() {
						continue
					}
				}
				if testing.Short() && (n%3 > 0 || check.Name != "TraceIsOfTheResult") {
					continue
				}
				if every := check.Name == "ObjectiveNeverRises" || check.Name == "DegenerateInputHasAnAnswer"; !every && at%2 != n%2 && !testing.Short() && !longtest.Full() {
					continue // in turn, as in TestHMRFVariants: each divergence is here twice, at an even and at an odd place
				}
				if err := check.Do(positive{a}); err != nil {
					t.Errorf("%s: %v", check.Name, err)
				}
			}
		})
	}
}

// four points in two groups; the labels are theirs whatever the few pairs say.
func four(known *constraint.Set) *cluster.Problem {
	return &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 10, 11}}, K: 2, Constraints: known}
}

// Objectives computed by hand. Within the groups the scatter is 4·½² = 1.
func TestObjectivesByHand(t *testing.T) {
	pairs := func(list ...[2]int) (out []constraint.Pair) {
		for _, q := range list {
			out = append(out, pair(q[0], q[1]))
		}
		return out
	}
	with := func(a *hmrf.HMRF, weight float64) *hmrf.HMRF {
		a.Weight = cluster.Fixed(weight)
		return a
	}
	for _, c := range []struct {
		name  string
		a     *hmrf.HMRF
		known *constraint.Set
		want  map[string]float64
	}{
		// A must-link at 3, and a belief of −½ that costs half of that.
		{"pc", with(hmrf.NewPC(), 3),
			&constraint.Set{Must: pairs([2]int{1, 2}), Beliefs: []constraint.Pair{{I: 2, J: 3, W: -0.5}}},
			map[string]float64{"distortion": 1, "must-links": 3, "cannot-links": 1.5}},
		// 1 and 10 are to be together, at 0.1·81a: S = 1 + 8.1, a = 4/S, and one
		// number costs log 4.
		{"mpc", with(hmrf.NewMPC(), 0.1), &constraint.Set{Must: pairs([2]int{1, 2})},
			map[string]float64{"distortion": 4 / 9.1, "must-links": 4 * 8.1 / 9.1, "log-det": -4 * math.Log(4/9.1), "prior": math.Log(4)}},
		// 0 and 1 are to be apart, at 0.1·(121 − 1)a, the farthest rows being 11
		// apart: S = 1 + 12.
		{"hmrf", with(hmrf.NewHMRF(), 0.1), &constraint.Set{Cannot: pairs([2]int{0, 1})},
			map[string]float64{"distortion": 4. / 13, "cannot-links": 48. / 13, "log-det": -4 * math.Log(4./13), "prior": math.Log(4)}},
		// Must-links 0–11, the farthest, which costs nothing, and 1–10, which costs
		// 0.05·(121 − 81)a: S = 1 + 2.
		{"m", with(hmrf.NewM(), 0.05), &constraint.Set{Must: pairs([2]int{0, 3}, [2]int{2, 1})},
			map[string]float64{"distortion": 4. / 3, "must-links": 8. / 3, "log-det": -4 * math.Log(4./3)}},
		// A label of class 1 for a point that the pair 0–1 holds in cluster 0.
		{"labels", with(hmrf.NewPC(), 1),
			&constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 1, W: 0.25}, {I: 3, Class: 1, W: 1}}},
			map[string]float64{"distortion": 1, "labels": 0.25}},
	} {
		r := fit(t, four(c.known), c.a, func(s *cluster.Settings) { s.Tol, s.Audit, s.Restarts = 0, true, 20 })
		if l := r.Labels; l[0] != l[1] || l[2] != l[3] || l[0] == l[2] {
			t.Errorf("%s: labels %v", c.name, l)
		}
		for _, term := range r.Objective {
			if math.Abs(term.Value-c.want[term.Name]) > 1e-9 {
				t.Errorf("%s: %s is %v, by hand it is %v", c.name, term.Name, term.Value, c.want[term.Name])
			}
		}
	}
}

// price adds up J of PC-KMeans for fixed centres from the definition: every pair
// that follows counts once.
func price(p *cluster.Problem, closed *constraint.Closure, m *hmrf.Model, labels []int, w float64) (j float64) {
	for i, h := range labels {
		j += data.Dist2(p.X.Row(i, nil), m.At(h), 0)
		for k := range i {
			if closed.MustTogether(i, k) && labels[k] != h || closed.MustApart(i, k) && labels[k] == h {
				j += w
			}
		}
	}
	return j
}

// On tiny problems with centres as they are in the end: J is what its definition
// says, no single move lowers it, and it is the least of all labellings, nearly
// always.
func TestPCAgainstBruteForce(t *testing.T) {
	tried, best := map[hmrf.Inference]int{}, map[hmrf.Inference]int{}
	rapid.Check(t, func(t *rapid.T) {
		const n, k, w = 8, 2, 1.5
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x, truth := &data.Dense{Cols: 2}, make([]int, n)
		for i := range n {
			truth[i] = rng.IntN(k)
			x.V = append(x.V, rng.NormFloat64()+float64(truth[i]), rng.NormFloat64())
		}
		p := &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, rapid.IntRange(0, 9).Draw(t, "pairs"), rng)}
		closed, err := constraint.Close(n, p.Constraints)
		if err != nil {
			t.Fatal(err)
		}
		for _, inference := range []hmrf.Inference{hmrf.ICM, hmrf.BP, hmrf.LP} {
			a := hmrf.NewPC()
			a.Weight, a.Inference, a.Sweeps = cluster.Fixed(w), inference, 0
			s := cluster.Default()
			s.Restarts, s.Tol, s.Audit = 1, -1, true
			r, err := cluster.Fit(context.Background(), p, a, s)
			if err != nil {
				t.Fatal(err)
			}
			m := r.Model.(*hmrf.Model)
			got := price(p, closed, m, r.Labels, w)
			if math.Abs(got-r.Objective.Sum()) > 1e-9*(1+got) {
				t.Fatalf("%s: J is %v, by its definition %v", inference, r.Objective.Sum(), got)
			}
			least, labels := math.Inf(1), slices.Clone(r.Labels)
			for i := range n {
				labels[i] = 1 - labels[i]
				if y := price(p, closed, m, labels, w); y < got-1e-9 {
					t.Fatalf("%s: moving point %d makes J %v, it is %v", inference, i, y, got)
				}
				labels[i] = 1 - labels[i]
			}
			for code := range 1 << n {
				for i := range labels {
					labels[i] = code >> i & 1
				}
				least = min(least, price(p, closed, m, labels, w))
			}
			if got < least-1e-9 {
				t.Fatalf("%s: J is %v, the least possible is %v", inference, got, least)
			}
			tried[inference]++
			if got <= least+1e-9 {
				best[inference]++
			}
		}
	})
	for _, inference := range []hmrf.Inference{hmrf.ICM, hmrf.BP, hmrf.LP} {
		t.Logf("%s: the least J in %d of %d problems", inference, best[inference], tried[inference])
		if best[inference]*100 < 90*tried[inference] {
			t.Errorf("%s reaches the least J in %d of %d problems", inference, best[inference], tried[inference])
		}
	}
}

// A problem scaled by a number gives the same labels where the weight follows
// from the data or a metric is learned; and knowledge of nothing changes nothing.
func TestHMRFIgnoresTheUnit(t *testing.T) {
	set, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	truth, classes := set.Classes()
	x := set.X.(*data.Dense)
	big := &data.Dense{Cols: x.Cols, V: make([]float64, len(x.V))}
	for i, y := range x.V {
		big.V[i] = 1024 * y
	}
	known := constraint.RandomPairs(truth, 60, rand.New(rand.NewPCG(3, 3)))
	for _, a := range []*hmrf.HMRF{hmrf.NewPC(), hmrf.NewMPC(), hmrf.NewHMRF()} {
		one := fit(t, &cluster.Problem{X: x, K: len(classes), Constraints: known}, a, nil)
		two := fit(t, &cluster.Problem{X: big, K: len(classes), Constraints: known}, a, nil)
		if !slices.Equal(one.Labels, two.Labels) {
			t.Errorf("%s/%s: rows 1024 times as large get other labels", a.Metric, a.Penalty)
		}
	}
}

// True pairs help: median ARI of a few draws. bench/hmrf has the whole table.
func TestTruePairsHelp(t *testing.T) {
	t.Parallel()
	for n, c := range []struct {
		set   string
		a     *hmrf.HMRF
		least float64
	}{{"iris", hmrf.NewMPC(), 0.9}, {"iris", hmrf.NewHMRF(), 0.94}, {"wine", hmrf.NewMPC(), 0.88}, {"wine", hmrf.NewHMRF(), 0.9}} {
		if testing.Short() && n > 0 {
			break
		}
		set, err := example.Load(c.set)
		if err != nil {
			t.Fatal(err)
		}
		truth, classes := set.Classes()
		var got []float64
		for seed := range uint64(5) {
			p := &cluster.Problem{X: set.X, K: len(classes), Constraints: constraint.RandomPairs(truth, 100, rand.New(rand.NewPCG(seed, 17)))}
			ari, err := score.ARI(truth, fit(t, p, c.a, nil).Labels)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ari)
		}
		slices.Sort(got)
		if got[2] < c.least {
			t.Errorf("%s, %s metric: the median ARI is %.3f, wanted %.2f", c.set, c.a.Metric, got[2], c.least)
		}
	}
}

// Few pairs on round clusters must not do harm: the metric stays round.
func TestFewPairsDoNoHarm(t *testing.T) {
	if testing.Short() {
		t.Skip("it tells how good labels are, which -short does not ask")
	}
	t.Parallel()
	x, truth, err := example.Blobs(1000, 10, 16, 1.5, 1, rand.New(rand.NewPCG(1, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	ari := func(a cluster.Algorithm, seed uint64) float64 {
		p := &cluster.Problem{X: x, K: 10, Constraints: constraint.RandomPairs(truth, 100, rand.New(rand.NewPCG(seed, 17)))}
		y, err := score.ARI(truth, fit(t, p, a, func(s *cluster.Settings) { s.Seed = seed }).Labels)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	plain, soft := 0.0, 0.0
	for seed := range uint64(3) {
		plain += ari(centroid.NewKMeans(), seed) / 3
		soft += ari(hmrf.NewMPC(), seed) / 3
	}
	if soft < plain-0.005 {
		t.Errorf("with pairs the mean ARI is %.3f, without %.3f", soft, plain)
	}
}

func TestHMRFRefuses(t *testing.T) {
	p := four(nil)
	for _, change := range []func(*hmrf.HMRF){
		func(a *hmrf.HMRF) { a.Metric = "round" },
		func(a *hmrf.HMRF) { a.Penalty = "" },
		func(a *hmrf.HMRF) { a.Inference = "em" },
		func(a *hmrf.HMRF) { a.Init = "best" },
		func(a *hmrf.HMRF) { a.Weight = cluster.Fixed(-1) },
		func(a *hmrf.HMRF) { a.Weight = cluster.ByRule("heavy") },
		func(a *hmrf.HMRF) { a.Weight = cluster.Fixed(math.Inf(1)) },
		func(a *hmrf.HMRF) { a.Closure = "open" },
		func(a *hmrf.HMRF) { a.Sweeps = -1 },
		func(a *hmrf.HMRF) { a.Shrinkage = math.NaN() },
		func(a *hmrf.HMRF) { a.Distortion = "cosine" },                          // with a metric
		func(a *hmrf.HMRF) { a.Distortion = "kl" },                              // with a full one
		func(a *hmrf.HMRF) { a.Distortion, a.Metric = "itakura-saito", "none" }, // rows with 0
	} {
		a := hmrf.NewHMRF()
		change(a)
		if a.Check(p) == nil {
			t.Errorf("%+v was taken", *a)
		}
	}
	if err := hmrf.NewPC().Check(four(&constraint.Set{Labels: []constraint.Label{{I: 0, Class: 2, W: 1}}})); err == nil {
		t.Error("a class beyond k was taken")
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

func pair(i, j int) constraint.Pair { return constraint.Pair{I: i, J: j, W: 1} }
