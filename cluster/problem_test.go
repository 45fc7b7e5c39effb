package cluster_test

import (
	"errors"
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

func TestBadProblemsNameTheirField(t *testing.T) {
	nodes := func(n int) *data.Graph { g, _ := data.NewGraph(n, nil); return g }
	for _, c := range []struct {
		field string
		spoil func(p *cluster.Problem)
	}{
		{"x", func(p *cluster.Problem) { p.X = nil }},
		{"x", func(p *cluster.Problem) { p.X = &data.Dense{Cols: 1} }},
		{"x", func(p *cluster.Problem) { p.X = &data.Sparse{Start: make([]int, 5)} }},
		{"x", func(p *cluster.Problem) { p.X.(*data.Dense).V[2] = math.NaN() }},
		{"graph", func(p *cluster.Problem) { p.Graph = nodes(5) }},
		{"k", func(p *cluster.Problem) { p.K = 0 }},
		{"k", func(p *cluster.Problem) { p.K = 5 }},
		{"weight", func(p *cluster.Problem) { p.Weight = []float64{1, 1, 1} }},
		{"weight", func(p *cluster.Problem) { p.Weight = []float64{1, 1, 1, -1} }},
		{"weight", func(p *cluster.Problem) { p.Weight = []float64{1, 1, 1, math.Inf(1)} }},
		{"weight", func(p *cluster.Problem) { p.Weight = make([]float64, 4) }},
		{"weight", func(p *cluster.Problem) {
			p.Weight = []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}
		}},
		{"constraints", func(p *cluster.Problem) { p.Constraints = &constraint.Set{Must: []constraint.Pair{{I: 0, J: 4, W: 1}}} }},
	} {
		p := line(4)
		c.spoil(p)
		_, err := cluster.Fit(background, p, &script{costs: [][]float64{{1}}}, cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != c.field {
			t.Errorf("%+v: the error is %v, it should name %s", p, err, c.field)
		}
	}
}

func TestGoodProblems(t *testing.T) {
	g, err := data.NewGraph(4, []data.Edge{{U: 0, V: 3, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	both := line(4)
	both.Graph, both.Weight = g, []float64{0, 0, 0, 2}
	for _, p := range []*cluster.Problem{line(4), {Graph: g, K: 4}, both} {
		if err := p.Check(); err != nil || p.Len() != 4 {
			t.Errorf("%+v: %d points, %v", p, p.Len(), err)
		}
	}
	if both.W(0) != 0 || both.W(3) != 2 || line(4).W(3) != 1 {
		t.Error("weights are not those given, or 1 where none are")
	}
}

// The cause of a refusal can be asked for, through the ProblemError.
func TestProblemErrorKeepsItsCause(t *testing.T) {
	p := line(4)
	p.X.(*data.Dense).V[3] = math.Inf(-1)
	var nf *data.NonFiniteError
	if err := p.Check(); !errors.As(err, &nf) || nf.Row != 3 {
		t.Errorf("the cause is %+v of %v", nf, err)
	}
}

func TestAutoRestarts(t *testing.T) {
	dense := func(n, d int) data.Rows { return &data.Dense{Cols: d, V: make([]float64, n*d)} }
	empty := &data.Sparse{Cols: 1 << 30, Start: make([]int, 1001)} // wide, but with nothing in it
	g, err := data.NewGraph(1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		p    *cluster.Problem
		want int
	}{
		{"small", &cluster.Problem{X: dense(150, 4), K: 3}, 10},
		{"just cheap", &cluster.Problem{X: dense(10000, 20), K: 100}, 10},
		{"no longer cheap", &cluster.Problem{X: dense(10000, 20), K: 101}, 1},
		{"wide and empty", &cluster.Problem{X: empty, K: 20}, 10},
		{"graph", &cluster.Problem{Graph: g, K: 2}, 10},
	} {
		if got := cluster.AutoRestarts(c.p, &script{}, cluster.EffortLow); got != c.want {
			t.Errorf("%s: %d restarts, wanted %d", c.name, got, c.want)
		}
	}
	if got := cluster.AutoRestarts(line(4), decided{}, cluster.EffortLow); got != 1 {
		t.Errorf("an algorithm whose runs are all the same is run %d times", got)
	}
	a := &script{costs: make([][]float64, 10)}
	for i := range a.costs {
		a.costs[i] = []float64{float64(20 - i)}
	}
	r, err := cluster.Fit(background, line(4), a, cluster.Default())
	if err != nil || r.Runs != 10 || r.Run != 9 {
		t.Errorf("settings that do not say make %+v, %v", r, err)
	}
}

// decided leaves nothing to chance.
type decided struct{ *script }

func (decided) Deterministic(*cluster.Problem) bool { return true }

// Rows that are known to be finite are not searched again, and only those.
func TestFiniteRowsAreNotSearchedAgain(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, math.NaN(), 2}}
	single := &data.Dense32{Cols: 1, V: []float32{0, float32(math.NaN()), 2}}
	for _, p := range []cluster.Problem{{X: x, Finite: x, K: 2}, {X: single, Finite: single, K: 2}} {
		if err := p.Check(); err != nil {
			t.Errorf("%T was searched although it is said to be finite: %v", p.X, err)
		}
	}
	for _, p := range []cluster.Problem{{X: x, K: 2}, {X: x, Finite: &data.Dense{Cols: 1, V: x.V}, K: 2}, {X: single, Finite: x, K: 2}} {
		if p.Check() == nil {
			t.Errorf("a NaN in %T was not found", p.X)
		}
	}
}
