package csp

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/inklinghq/inkling/internal/support/longtest"
	"pgregory.net/rapid"
)

// path4 is 0-1-2-3 with the given weights.
func path4(t cuttest.T, a, b, c float64) *data.Graph {
	t.Helper()
	g, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: a}, {U: 1, V: 2, W: b}, {U: 2, V: 3, W: c}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// By hand. The target is the ring 0-1-2-3 of weights 1: degrees 2, vol 8. Its
// Fiedler value, 1, is double, so it does not know whether to cut 01|23 or
// 03|12. The view has edges 0-1 and 2-3 of weight 3: volume 12, brought to 8 by
// 2/3, so entries of Q are 2 and Q̄ has 2/√(2·2) = 1 between 0 and 1 and between
// 2 and 3: eigenvalues 1, 1, -1, -1. z = (1,1,1,1)/2 has zᵀQ̄z = 1.
//
// At b = 1/2: above b are two eigenvalues, zᵀQ̄z is too: one feasible vector,
// v = √8·(1,1,-1,-1)/2. L̄v = 1·v, Bv = (1 - ½)v, so λ = 2, cost 8, α = 8 > β = 4.
// The clusters cut 2 of 8 edge ends in each half: Ncut = 2/4 + 2/4 = 1, and
// nothing of the view.
func TestViewByHand(t *testing.T) {
	ring, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 0, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, degrees := range []ViewDegrees{TargetDegrees, SourceDegrees} { // all degrees are equal in both
		a := NewCSP()
		a.Beta, a.ViewDegrees = cluster.Fixed(0.5), degrees
		p := &cluster.Problem{Graph: ring, K: 2, Views: []cluster.View{{Name: "pairs", Graph: path4(t, 3, 0, 3)}}}
		r := cuttest.Fit(t, p, a)
		if !slices.Equal(r.Labels, []int{0, 0, 1, 1}) {
			t.Errorf("labels %v", r.Labels)
		}
		cut := r.Learned.(*Cut)
		for name, v := range map[string][2]float64{
			"vol": {cut.Vol, 8}, "λ_max": {cut.LambdaMax, 1}, "β": {cut.Beta, 4}, "α": {cut.Alpha, 8}, "λ": {cut.Lambda, 2}, "cost": {cut.Cost, 8},
			"cut": {cut.View.Cut, 1}, "alone": {cut.View.Alone, 1}, "price": {cut.View.Cost, 0}, "relaxed": {cut.View.Relaxed, 1},
			"relaxed alone": {cut.View.RelaxedAlone, 1}, "of the view": {cut.View.Views[0].Cut, 0}, "of the view alone": {cut.View.Views[0].Alone, 0},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", degrees, name, v[0], v[1])
			}
		}
		if cut.Feasible != 1 || cut.AtLeast || cut.Satisfied != 1 || cut.View.Views[0].Name != "pairs" || cut.View.Views[0].Edges != 2 {
			t.Errorf("%s: %+v", degrees, cut)
		}
	}
}

// Entries of Q̄ are those of D_T^{-1/2} A_S D_T^{-1/2}, at the target's volume,
// or of D_S^{-1/2} A_S D_S^{-1/2}, whose largest eigenvalue is 1.
func TestViewDegrees(t *testing.T) {
	for seed := range uint64(20) {
		target, source := cuttest.Random(t, 30, 2, seed).Graph, cuttest.Random(t, 30, 2, seed+100).Graph
		f := spectral.NewNodeGraph(target, nil)
		l, err := eigen.NewLaplacian(f.Graph, eigen.Normalised)
		if err != nil {
			t.Fatal(err)
		}
		volT, volS := 0.0, 0.0
		for i := range 30 {
			volT, volS = volT+target.Degree(i), volS+source.Degree(i)
		}
		for _, by := range []ViewDegrees{TargetDegrees, SourceDegrees} {
			a := NewCSP()
			a.ViewDegrees = by
			c := &cspSolver{csp: a, Run: spectral.NewRun(&cluster.Problem{Graph: target, K: 2, Views: []cluster.View{{Graph: source}}}, env(seed))}
			c.Nodes = f
			if err := c.buildViews(background); err != nil {
				t.Fatal(err)
			}
			q, err := spectral.NewConstraintMatrix(f, nil, nil, 2, l.Degree)
			if err != nil {
				t.Fatal(err)
			}
			if q, err = c.addViews(q, l.Degree); err != nil {
				t.Fatal(err)
			}
			table := eigen.ToDense(context.Background(), q)
			for i := range 30 {
				want := make([]float64, 30)
				to, w := source.Neighbours(i)
				for e, j := range to {
					want[j] = w[e] / math.Sqrt(source.Degree(i)*source.Degree(int(j)))
					if by == TargetDegrees {
						want[j] = w[e] * volT / volS / math.Sqrt(target.Degree(i)*target.Degree(int(j))) * f.Scale
					} else {
						want[j] *= f.Scale
					}
				}
				for j := range want {
					if math.Abs(table.V[i*30+j]-want[j]) > 1e-12*(1+want[j]) {
						t.Fatalf("%s: Q̄ has %v at %d, %d, want %v", by, table.V[i*30+j], i, j, want[j])
					}
				}
			}
			top, err := newConstraintSpectrum(background, q, 1, 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			if by == SourceDegrees && math.Abs(top.largest()/f.Scale-1) > 1e-9 {
				t.Errorf("largest eigenvalue %v", top.largest()/f.Scale)
			}
		}
	}
}

// planted draws a graph of two blocks, and of other chances and draws a second.
func planted(t cuttest.T, n int, seed uint64) (target, source *data.Graph, truth []int) {
	t.Helper()
	target, truth, err := example.PlantedPartition(n, 2, 6, 2.5, cuttest.Rand(seed))
	if err == nil {
		source, _, err = example.PlantedPartition(n, 2, 12, 2, cuttest.Rand(seed+1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return target, source, truth
}

// Iterations and dense algebra agree on problems with views, with and without
// pairs, and the number of feasible vectors is what the spectrum says.
func TestViewSparseAgainstDense(t *testing.T) {
	t.Parallel()
	count := longtest.Size[uint64](6, 12, 30)
	for seed := range count {
		n := 130 + int(seed)
		target, source, truth := planted(t, n, 7*seed)
		p := &cluster.Problem{Graph: target, K: 2, Views: []cluster.View{{Graph: source}}}
		if seed%2 == 1 {
			p.Constraints = constraint.RandomPairs(truth, 20, cuttest.Rand(seed))
		}
		a := NewCSP()
		a.Beta = number([]string{"one", "0.3", "0.05"}[seed%3])
		if seed%5 == 4 {
			a.ViewDegrees = SourceDegrees
		}
		r := spectral.NewRun(p, env(seed))
		c := &cspSolver{csp: a, Run: r}
		var err error
		if r.Nodes, err = a.graphOptions().BuildNodeGraph(background, p, r.Env); err != nil {
			t.Fatal(err)
		}
		for _, do := range []func(context.Context) error{c.buildViews, c.prepare, c.solve} {
			if err := do(background); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		want, err := c.best.solveDense(background, c.best.Dim()-1)
		if err != nil {
			t.Fatal(err)
		}
		if c.best.countIsExact && len(want) != c.best.feasibleCount || len(want) < c.best.feasibleCount {
			t.Errorf("seed %d: %d feasible vectors, counted %d (exact: %v)", seed, len(want), c.best.feasibleCount, c.best.countIsExact)
		}
		near := slices.ContainsFunc(want[:min(3, len(want))], func(s feasibleVector) bool {
			return math.Abs(s.lambda-c.best.vectors[0].lambda) < 1e-6*s.lambda && math.Abs(s.cost-c.best.vectors[0].cost) < 1e-4*s.cost
		})
		if !near {
			t.Errorf("seed %d: λ %v, cost %v; dense %v, %v", seed, c.best.vectors[0].lambda, c.best.vectors[0].cost, want[0].lambda, want[0].cost)
		}
	}
}

// A view that is the graph itself asks for what the graph wants: the vectors
// are those of L̄, whatever β is, and λ is μ/((1 − b) − μ).
func TestViewOfItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ofItself(t, rapid.IntRange(6, 40).Draw(t, "n"), rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]string{"0.3", "0", "-2"}).Draw(t, "beta"),
			rapid.SampledFrom([]ViewDegrees{TargetDegrees, SourceDegrees}).Draw(t, "degrees"))
	})
}

// In this graph few nodes have most of the vector. That does not make it one of
// constrained nodes alone: there are none but by the view.
func TestViewOfItselfOnFewNodes(t *testing.T) { ofItself(t, 22, 0x946, "0", TargetDegrees) }

func ofItself(t cuttest.T, n int, seed uint64, beta string, degrees ViewDegrees) {
	t.Helper()
	g := cuttest.Random(t, n, 2, seed).Graph
	a := NewCSP()
	a.Beta, a.ViewDegrees = number(beta), degrees
	p := &cluster.Problem{Graph: g, K: 2, Views: []cluster.View{{Graph: g}}}
	r, err := cluster.Fit(background, p, a, cluster.Default())
	if none := new(InfeasibleError); errors.As(err, &none) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	cut := r.Learned.(*Cut)
	if cut.OneSided {
		t.Fatalf("one sided: %+v", cut)
	}
	mu := cut.View.RelaxedAlone
	if math.Abs(cut.View.Relaxed-mu) > 1e-7 || math.Abs(cut.Cost/cut.Vol-mu) > 1e-7 {
		t.Fatalf("cost %v and %v, want the Fiedler value %v", cut.View.Relaxed, cut.Cost/cut.Vol, mu)
	}
	b := cut.Beta / cut.Vol
	if want := mu / (1 - b - mu); math.Abs(cut.Lambda-want) > 1e-6*want {
		t.Fatalf("λ %v, want %v", cut.Lambda, want)
	}
}

// A view that weighs nothing changes nothing, and one that weighs next to
// nothing leaves what pairs say as it is.
func TestViewWithoutWeight(t *testing.T) {
	target, source, truth := planted(t, 200, 3)
	for _, known := range []*constraint.Set{nil, constraint.RandomPairs(truth, 60, cuttest.Rand(9))} {
		plain := cuttest.Fit(t, &cluster.Problem{Graph: target, K: 2, Constraints: known}, NewCSP())
		a := NewCSP()
		a.ViewWeight = 0
		p := &cluster.Problem{Graph: target, K: 2, Constraints: known, Views: []cluster.View{{Graph: source}}}
		if r := cuttest.Fit(t, p, a); !slices.Equal(r.Labels, plain.Labels) || r.Learned.(*Cut).View != nil {
			t.Errorf("a view of weight 0 changes the result")
		}
		if known == nil {
			continue
		}
		a.Beta, a.ViewWeight = cluster.Fixed(0.05), 1e-9
		b := NewCSP()
		b.Beta = cluster.Fixed(0.05)
		x, y := cuttest.Fit(t, p, a).Learned.(*Cut), cuttest.Fit(t, &cluster.Problem{Graph: target, K: 2, Constraints: known}, b).Learned.(*Cut)
		if math.Abs(x.Cost-y.Cost) > 1e-4*y.Cost || math.Abs(x.Alpha-y.Alpha) > 1e-4*y.Alpha {
			t.Errorf("cost %v, α %v; without the view %v, %v", x.Cost, x.Alpha, y.Cost, y.Alpha)
		}
	}
}

// What a clear view says is carried over, alone and beside pairs, by every rule
// and way to cut; what it cost is told.
func TestTransfer(t *testing.T) {
	t.Parallel()
	target, source, truth := planted(t, 400, 11)
	p := &cluster.Problem{Graph: target, K: 2, Views: []cluster.View{{Graph: source}}}
	plain := cuttest.Agree(truth, cuttest.Fit(t, &cluster.Problem{Graph: target, K: 2}, NewCSP()).Labels)
	for _, c := range []struct {
		name string
		set  func(*CSP)
	}{
		{"auto", func(*CSP) {}},
		{"source", func(a *CSP) { a.ViewDegrees = SourceDegrees }},
		{"one", func(a *CSP) { a.Beta, a.ViewDegrees = cluster.ByRule(BetaOne), SourceDegrees }},
		{"k-way", func(a *CSP) { a.Cut = KWay }},
		{"a half", func(a *CSP) { a.Beta = cluster.Fixed(0.5) }},
	} {
		a := NewCSP()
		c.set(a)
		for _, known := range []*constraint.Set{nil, constraint.RandomPairs(truth, 40, cuttest.Rand(12))} {
			if testing.Short() && (c.name != "auto" || known != nil) && (c.name != "k-way" || known == nil) {
				continue
			}
			if (c.name == "source" || c.name == "one") && known != nil && !longtest.Full() {
				continue
			}
			p.Constraints = known
			r := cuttest.Fit(t, p, a)
			cut := r.Learned.(*Cut)
			got := cuttest.Agree(truth, r.Labels)
			if got < plain || got < 0.95 {
				t.Errorf("%s: %v right, without the view %v; %v", c.name, got, plain, cut)
			}
			v := cut.View
			if !cut.Guaranteed || cut.Alpha <= cut.Beta || math.Abs(v.Cut-r.Objective.Sum()) > 1e-12 || v.Cost != v.Cut-v.Alone ||
				v.Relaxed < v.RelaxedAlone-1e-6 || v.Views[0].Cut < v.Views[0].Alone-0.1 || len(v.ClustersWithoutViews) != 400 || len(v.Views[0].OwnClusters) != 400 {
				t.Errorf("%s: α %v, β %v, %+v", c.name, cut.Alpha, cut.Beta, v)
			}
		}
	}
}

// Where β leaves no cut, the error says from where on there is one, and there is.
func TestViewInfeasible(t *testing.T) {
	target, _, _ := planted(t, 100, 21) // of itself, where 1ᵀQ1 is λ_max·vol
	p := &cluster.Problem{Graph: target, K: 2, Views: []cluster.View{{Graph: target}}}
	a := NewCSP()
	a.Beta = cluster.Fixed(0.999)
	_, err := cluster.Fit(background, p, a, cluster.Default())
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Feasible != 0 || !strings.Contains(string(hint.Of(err)), "a view is all must-links") {
		t.Fatalf("error %v", err)
	}
	a.Beta = cluster.Fixed(none.Enough + 1e-6)
	if _, err := cluster.Fit(background, p, a, cluster.Default()); !errors.As(err, &none) {
		t.Errorf("a beta above %v is feasible", none.Enough)
	}
	a.Beta = cluster.Fixed(none.Enough - 1e-6)
	if r := cuttest.Fit(t, p, a); r.Learned.(*Cut).Feasible != 1 {
		t.Errorf("%d feasible vectors", r.Learned.(*Cut).Feasible)
	}
}

// A point without edges goes where the view has its neighbours.
func TestViewPlacesLonelyPoints(t *testing.T) {
	var edges, seen []data.Edge
	for _, at := range []int{0, 6} {
		for i := range 6 {
			for j := range i {
				edges = append(edges, data.Edge{U: at + i, V: at + j, W: 1})
			}
		}
		seen = append(seen, data.Edge{U: at, V: at + 1, W: 1})
	}
	edges = append(edges, data.Edge{U: 0, V: 6, W: 0.5})
	for _, with := range []int{0, 6} {
		g, err := data.NewGraph(13, edges)
		if err != nil {
			t.Fatal(err)
		}
		s, err := data.NewGraph(13, append(slices.Clone(seen), data.Edge{U: 12, V: with, W: 1}))
		if err != nil {
			t.Fatal(err)
		}
		r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 2, Views: []cluster.View{{Graph: s}}}, NewCSP())
		if r.Labels[12] != r.Labels[with] || r.Labels[0] == r.Labels[6] {
			t.Errorf("tied to %d: %v", with, r.Labels)
		}
	}
}

func TestBadViews(t *testing.T) {
	p := cuttest.Random(t, 5, 2, 1)
	p.Constraints = nil
	small, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	minus, err := data.NewGraph(5, []data.Edge{{U: 0, V: 1, W: -1}})
	if err != nil {
		t.Fatal(err)
	}
	rows := &data.Dense{Cols: 1, V: []float64{1, 2, math.NaN(), 4, 5}}
	for name, v := range map[string]cluster.View{"4 points": {Graph: small}, "not negative, got -1": {Graph: minus}, "rows or a graph": {}, "is NaN": {X: rows}} {
		p.Views = []cluster.View{v}
		_, err := cluster.Fit(background, p, NewCSP(), cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != "view" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.Views = []cluster.View{{Graph: p.Graph}}
	var bad *cluster.ProblemError
	if _, err := cluster.Fit(background, p, spectral.NewSpectral(), cluster.Default()); !errors.As(err, &bad) || bad.Field != "view" {
		t.Errorf("views for a method that does not use them: %v", err)
	}
	for _, weight := range []float64{-1, math.NaN(), math.Inf(1)} {
		a := NewCSP()
		a.ViewWeight = weight
		var param *cluster.ParameterError
		if _, err := cluster.Fit(background, p, a, cluster.Default()); !errors.As(err, &param) {
			t.Errorf("weight %v: %v", weight, err)
		}
	}
}

// viewed is CSP on problems whose rows, or graph, are a view of themselves too.
type viewed struct{ *CSP }

func (v viewed) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	q := *p
	q.Views = []cluster.View{{X: p.X}}
	if p.Graph != nil {
		q.Views[0] = cluster.View{Graph: p.Graph}
	}
	return v.CSP.Start(ctx, &q, e)
}

// INKLING_FULL=1 asks for every clause: those left out are about what CSP does with one view too.
func TestViewKeepsTheContract(t *testing.T) {
	t.Parallel()
	some := []string{"DegenerateInputHasAnAnswer", "RefusesBadProblems", "ContradictionHasAnAnswer", "StartsWithoutTime"}
	if !testing.Short() {
		some = append(some, "SameBitsOnAnyWorkers", "OrderOfPairNeverMatters")
	}
	for _, c := range clustertest.Checks() {
		if os.Getenv("INKLING_FULL") == "" && !slices.Contains(some, c.Name) {
			continue
		}
		if err := c.Do(viewed{NewCSP()}); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func env(seed uint64) *cluster.Env { return &cluster.Env{Rand: cuttest.Rand(seed), Workers: 2} }
