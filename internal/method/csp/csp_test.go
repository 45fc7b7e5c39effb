package csp

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

var background = context.Background()

func TestCSPKeepsTheContract(t *testing.T) { cuttest.Contract(t, NewCSP()) }

func TestSixNodesSpectrum(t *testing.T) {
	p, _ := cuttest.Six(t)
	pen, top := world(t, p, false)
	if pen.vol != 14 {
		t.Errorf("vol %v, want 14", pen.vol)
	}
	want := []float64{8.0 / 3, 0, 0, 0, 0, 0}
	for i, y := range top.values {
		if math.Abs(y-want[i]) > 1e-12 {
			t.Errorf("eigenvalue %d of Q̄ is %v, want %v", i, y, want[i])
		}
	}
}

// The vectors of figure 3, from an independent implementation: of nodes 4 and 5
// the indicators are 0.44 and -0.21 for β = vol, 0.40 and -0.91 for 2 vol.
func TestSixNodesVectors(t *testing.T) {
	p, truth := cuttest.Six(t)
	for _, c := range []struct{ times, four, five float64 }{{1, 0.44, -0.21}, {2, 0.40, -0.91}} {
		a := NewCSP()
		a.Beta = number(strconv.FormatFloat(c.times*3/8, 'g', -1, 64)) // β = times·vol
		r := cuttest.Fit(t, p, a)
		got := r.Learned.(*Cut)
		if math.Abs(got.Beta-14*c.times) > 1e-9 || math.Abs(got.LambdaMax-8.0/3) > 1e-12 || got.Feasible != 1 || got.AtLeast {
			t.Errorf("%+v", got)
		}
		u := got.Indicator
		if u[0] < 0 {
			for i := range u {
				u[i] = -u[i]
			}
		}
		if math.Abs(u[3]-c.four) > 0.005 || math.Abs(u[4]-c.five) > 0.005 || math.Abs(u[5]-u[4]) > 1e-9 || math.Abs(u[0]-u[1]) > 1e-9 {
			t.Errorf("β = %v vol: indicator %.3f", c.times, u)
		}
		sum := 0.0
		for i, y := range u {
			sum += p.Graph.Degree(i) * y * y
		}
		if math.Abs(sum-14) > 1e-9 {
			t.Errorf("vᵀv is %v, want vol = 14", sum)
		}
		if math.Abs(got.Cost-got.Lambda*(got.Alpha-got.Beta)) > 1e-9 || !got.Guaranteed || got.Alpha <= got.Beta {
			t.Errorf("cost %v, λ %v, α %v, β %v", got.Cost, got.Lambda, got.Alpha, got.Beta)
		}
		if !slices.Equal(r.Labels, truth) {
			t.Errorf("β = %v vol: %v, want %v", c.times, r.Labels, truth)
		}
	}
}

// For β = 0.5 vol the vector has one sign: one cluster, and that is said.
func TestOneSided(t *testing.T) {
	p, _ := cuttest.Six(t)
	a := NewCSP()
	a.Beta = number(strconv.FormatFloat(0.5*3/8, 'g', -1, 64))
	r := cuttest.Fit(t, p, a)
	if got := r.Learned.(*Cut); !got.OneSided || slices.Max(r.Labels) != 0 {
		t.Errorf("%+v with labels %v", got, r.Labels)
	}
	auto := cuttest.Fit(t, p, NewCSP())
	if got := auto.Learned.(*Cut); got.OneSided || got.Satisfied != 1 {
		t.Errorf("auto: %+v", got)
	}
}

// Must-links between all points have a vector that satisfies them best: the
// trivial one.
func TestNoFeasibleCut(t *testing.T) {
	p, _ := cuttest.Six(t)
	for i := range p.Constraints.Labels {
		p.Constraints.Labels[i].Class = 0
	}
	// Q = 11ᵀ is 1ᵀQ1 = 36, and Q̄ is of rank one; 0.8λ_max·vol is more than 36?
	a := NewCSP()
	a.Beta = cluster.Fixed(0.8)
	_, err := cluster.Fit(background, p, a, cluster.Default())
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Feasible != 0 || none.Wanted != 1 {
		t.Fatalf("error %v", err)
	}
	a.Beta = cluster.Fixed(1.5)
	if _, err := cluster.Fit(background, p, a, cluster.Default()); !errors.As(err, &none) || none.Beta < none.Most {
		t.Errorf("error %v", err)
	}
	r := cuttest.Fit(t, p, NewCSP())
	if got := r.Learned.(*Cut); got.Beta >= 0 || !got.Guaranteed {
		t.Errorf("auto: %+v", got)
	}
}

// Every rule, order, cut and discretisation keeps what it promises, and auto
// finds the moons.
func TestWaysToCut(t *testing.T) {
	t.Parallel()
	p, truth := cuttest.Moons(t, 400, 120)
	plain := cuttest.Agree(truth, cuttest.Fit(t, &cluster.Problem{X: p.X, K: 2}, spectral.NewSpectral()).Labels)
	for _, c := range []struct {
		name  string
		set   func(*CSP)
		least float64
	}{
		{"auto", func(*CSP) {}, 0.99},
		{"closure", func(a *CSP) { a.Closure = On }, 0.98},
		{"lambda", func(a *CSP) { a.Order = ByLambda }, 0.99},
		{"k-way", func(a *CSP) { a.Cut = KWay }, 0.99},
		{"sign", func(a *CSP) { a.Cut, a.Discretise = KWay, BySign }, 0.99},
		{"weighted", func(a *CSP) { a.Cut, a.Discretise = KWay, ByWeighted }, 0.99},
		{"one", func(a *CSP) { a.Beta = cluster.ByRule(BetaOne) }, 0},
		{"one, closed", func(a *CSP) { a.Beta, a.Closure = cluster.ByRule(BetaOne), On }, 0.97},
		{"eq19", func(a *CSP) { a.Beta = cluster.ByRule(BetaEq19) }, 0},
		{"a tenth", func(a *CSP) { a.Beta = cluster.Fixed(0.1) }, 0.97},
	} {
		if testing.Short() && c.name != "auto" && c.name != "weighted" && c.name != "one, closed" {
			continue
		}
		a := NewCSP()
		c.set(a)
		r := cuttest.Fit(t, p, a)
		cut := r.Learned.(*Cut)
		if got := cuttest.Agree(truth, r.Labels); got < c.least {
			t.Errorf("%s: %v right (without constraints %v), %+v", c.name, got, plain, cut.Vector.Lambda)
		}
		if !cut.Guaranteed || cut.Alpha <= cut.Beta || cut.Residual > 1e-3 || cut.Feasible < 1 {
			t.Errorf("%s: α %v, β %v, residual %v, %d feasible", c.name, cut.Alpha, cut.Beta, cut.Residual, cut.Feasible)
		}
		if d := cut.Cost - cut.Lambda*(cut.Alpha-cut.Beta); math.Abs(d) > 1e-3*cut.Cost {
			t.Errorf("%s: cost %v is not λ(α − β) = %v", c.name, cut.Cost, cut.Cost-d)
		}
		if a.Beta.Rule == BetaOne && cut.Feasible != 1 {
			t.Errorf("%s: %d feasible vectors", c.name, cut.Feasible)
		}
	}
}

// A k-way cut in two is no worse than the two-way cut, whatever β is: it
// honours as much, and where it honours no more it cuts no more.
func TestKWayInTwo(t *testing.T) {
	t.Parallel()
	count := longtest.Size[uint64](4, 12, 60)
	compared := 0
	for seed := range count {
		n := []int{12, 40, 60, 110, 160, 400}[seed%6]
		p := cuttest.Random(t, n, 2, seed)
		for at, beta := range []string{BetaAuto, BetaOne, "0.3", "0.05", "-0.3"} {
			two, k := NewCSP(), NewCSP()
			two.Cut, k.Cut, two.Beta, k.Beta = TwoWay, KWay, number(beta), number(beta)
			k.Discretise = []Discretisation{ByRows, BySign, ByWeighted}[(seed+uint64(at))%3]
			s := cluster.Default()
			a, err := cluster.Fit(background, p, two, s)
			b, err2 := cluster.Fit(background, p, k, s)
			if err != nil || err2 != nil {
				var none *InfeasibleError
				if !errors.As(err, &none) || !errors.As(err2, &none) {
					t.Fatal(err, err2)
				}
				continue
			}
			compared++
			x, y := a.Learned.(*Cut).Satisfied, b.Learned.(*Cut).Satisfied
			if beta == BetaAuto { // goes by hundredths
				x, y = math.Round(100*x), math.Round(100*y)
			}
			if y < x-1e-12 || y < x+1e-12 && b.Objective.Sum() > a.Objective.Sum()+1e-9 {
				t.Errorf("seed %d, %d nodes, β %s, %s: two-way honours %v at %v, k-way %v at %v", seed, n, beta, k.Discretise, x, a.Objective.Sum(), y, b.Objective.Sum())
			}
		}
	}
	if compared < int(count)*2 {
		t.Errorf("only %d cuts were compared", compared)
	}
}

// Four blocks whose edges say little are found with labels, and no two
// vectors fewer will do.
func TestKWay(t *testing.T) {
	g, truth, err := example.PlantedPartition(400, 4, 7, 3, cuttest.Rand(7))
	if err != nil {
		t.Fatal(err)
	}
	known, err := constraint.LabelFraction(truth, 0.15, cuttest.Rand(8))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{Graph: g, K: 4, Constraints: known}
	right := func(a cluster.Algorithm, p *cluster.Problem) float64 {
		r := cuttest.Fit(t, p, a)
		same := 0
		for i := range truth {
			for j := range i {
				if (truth[i] == truth[j]) == (r.Labels[i] == r.Labels[j]) {
					same++
				}
			}
		}
		return float64(same) / float64(len(truth)*(len(truth)-1)/2)
	}
	with, without := right(NewCSP(), p), right(spectral.NewSpectral(), p)
	if with < without-0.01 || with < 0.85 {
		t.Errorf("pairs judged rightly: %v with labels, %v without", with, without)
	}
	r := cuttest.Fit(t, p, NewCSP())
	if cut := r.Learned.(*Cut); len(cut.Vectors) != 3 || cut.Vectors[0].Cost > cut.Vectors[1].Cost+1e-9 || cut.Vectors[1].Cost > cut.Vectors[2].Cost+1e-9 {
		t.Errorf("vectors %d, costs not in order", len(cut.Vectors))
	}
	// One cannot-link has one direction.
	p.Constraints = &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}}}
	a := NewCSP()
	a.Beta = cluster.Fixed(0.5)
	_, err = cluster.Fit(background, p, a, cluster.Default())
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Feasible != 1 || none.Wanted != 3 {
		t.Errorf("error %v", err)
	}
}

// Two parts without a way between them, and a node alone, have an answer that
// is told: knowledge may part them or not.
func TestPartsAreJoined(t *testing.T) {
	var edges []data.Edge
	for _, at := range []int{0, 5, 10} {
		for i := range 5 {
			for j := range i {
				edges = append(edges, data.Edge{U: at + i, V: at + j, W: 1})
			}
		}
	}
	g, err := data.NewGraph(16, edges)
	if err != nil {
		t.Fatal(err)
	}
	for _, third := range []int{0, 1} {
		known := &constraint.Set{
			Cannot: []constraint.Pair{{I: 0, J: 5, W: 1}, {I: 1, J: 6, W: 1}},
			Must:   []constraint.Pair{{I: 5 * third, J: 10, W: 1}, {I: 15, J: 6, W: 1}},
		}
		r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 2, Constraints: known}, NewCSP())
		cut := r.Learned.(*Cut)
		if cut.Joined != 2 || cut.LeftOut != 1 || r.Objective.Sum() > 1e-12 {
			t.Errorf("%+v at %v", cut, r.Objective)
		}
		for i := range 5 {
			if r.Labels[i] != 0 || r.Labels[5+i] != 1 || r.Labels[10+i] != third || r.Labels[15] != 1 {
				t.Fatalf("labels %v", r.Labels)
			}
		}
	}
}

// The unit of the weights changes nothing but what is measured in it.
func TestUnitOfWeights(t *testing.T) {
	p, _ := cuttest.Six(t)
	big := *p
	var edges []data.Edge
	for i := range 6 {
		to, w := p.Graph.Neighbours(i)
		for q, j := range to {
			if int(j) > i {
				edges = append(edges, data.Edge{U: i, V: int(j), W: 12 * w[q]})
			}
		}
	}
	var err error
	if big.Graph, err = data.NewGraph(6, edges); err != nil {
		t.Fatal(err)
	}
	a := NewCSP()
	a.Beta = cluster.Fixed(0.75)
	x, y := cuttest.Fit(t, p, a).Learned.(*Cut), cuttest.Fit(t, &big, a).Learned.(*Cut)
	for name, v := range map[string][2]float64{
		"beta": {x.Beta, y.Beta}, "alpha": {x.Alpha, y.Alpha}, "vol": {12 * x.Vol, y.Vol},
		"lambda": {12 * x.Lambda, y.Lambda}, "cost": {12 * x.Cost, y.Cost}, "lambda_max": {x.LambdaMax / 12, y.LambdaMax},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9*math.Abs(v[0]) {
			t.Errorf("%s: %v and %v", name, v[0], v[1])
		}
	}
}

func TestBadParameters(t *testing.T) {
	p, _ := cuttest.Six(t)
	for name, a := range map[string]cluster.Algorithm{
		"beta":       &CSP{Beta: cluster.ByRule("much"), Order: ByCost, Closure: Off, Cut: CutAuto, Discretise: ByRows, KNN: 5, Affinity: spectral.RBF},
		"order":      &CSP{Beta: cluster.ByRule("one"), Closure: Off, Cut: CutAuto, Discretise: ByRows, KNN: 5, Affinity: spectral.RBF},
		"neighbours": &spectral.Spectral{Affinity: spectral.RBF},
		"affinity":   &spectral.Spectral{KNN: 5},
		"width":      &spectral.Spectral{KNN: 5, Affinity: spectral.RBF, Width: -1},
		"normalise":  &spectral.SpectralLearning{KNN: 5, Affinity: spectral.RBF},
	} {
		if err := a.Check(p); err == nil {
			t.Errorf("a bad %s was taken", name)
		}
	}
	three := *p
	three.K = 3
	a := NewCSP()
	a.Cut = TwoWay
	var bad *cluster.ProblemError
	if err := a.Check(&three); !errors.As(err, &bad) || bad.Field != "k" {
		t.Errorf("a two-way cut in three: %v", err)
	}
	g, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: -1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := NewCSP().Check(&cluster.Problem{Graph: g, K: 2}); !errors.As(err, &bad) || bad.Field != "graph" {
		t.Errorf("a negative weight: %v", err)
	}
}

// Several hands do the same as one, in more than one block.
func TestWorkers(t *testing.T) {
	p, _ := cuttest.Moons(t, 1100, 60)
	for _, a := range []cluster.Algorithm{spectral.NewSpectral(), spectral.NewSpectralLearning(), NewCSP(), NewFastGE()} {
		var labels [2][]int
		for at, workers := range []int{1, 3} {
			s := cluster.Default()
			s.Workers = workers
			r, err := cluster.Fit(background, p, a, s)
			if err != nil {
				t.Fatal(err)
			}
			labels[at] = r.Labels
		}
		if !slices.Equal(labels[0], labels[1]) {
			t.Errorf("%T: other labels on three workers", a)
		}
	}
}

// What is kept where the constraints do not speak for other clusters are the very clusters
// of the fit without them, of rows as of graphs.
func TestKeptClustersAreThoseWithoutConstraints(t *testing.T) {
	t.Parallel()
	kept := map[string]int{}
	for seed := range uint64(12) {
		x, _, err := example.Blobs(200, 5, 4, 1.5, 1, cuttest.Rand(seed))
		if err != nil {
			t.Fatal(err)
		}
		arbitrary, draw := make([]int, x.Len()), cuttest.Rand(seed+100)
		for i := range arbitrary {
			arbitrary[i] = draw.IntN(5)
		}
		p := &cluster.Problem{X: x, K: 5, Constraints: constraint.RandomPairs(arbitrary, 60, draw)}
		plain := *p
		plain.Constraints = nil
		s := cluster.Default()
		s.Effort, s.Seed, s.Workers = cluster.EffortNormal, seed, 1
		for name, a := range map[string]cluster.Algorithm{"spectral-learning": spectral.NewSpectralLearning(), "csp": NewCSP()} {
			with, err := cluster.Fit(background, p, a, s)
			if err != nil {
				t.Fatal(err)
			}
			switch r := with.Learned.(type) {
			case *spectral.KeptClusters:
			case *Cut:
				if !r.Unconstrained {
					continue
				}
			default:
				continue
			}
			kept[name]++
			without, err := cluster.Fit(background, &plain, a, s)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(with.Labels, without.Labels) {
				t.Errorf("%s, seed %d: the clusters kept are not those of the fit without constraints", name, seed)
			}
		}
	}
	if kept["spectral-learning"] == 0 || kept["csp"] == 0 {
		t.Errorf("of 12 sets of arbitrary pairs the clusters without them were never kept by one: %v", kept)
	}
}
