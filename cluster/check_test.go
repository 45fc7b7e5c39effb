package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// Slices that a literal can have, and no constructor makes, are refused before
// anything is read from them.
func TestLiteralsThatAreNoProblem(t *testing.T) {
	for _, c := range []struct {
		field, says string
		p           cluster.Problem
	}{
		{"x", "nil", cluster.Problem{X: (*data.Dense)(nil)}},
		{"x", "nil", cluster.Problem{X: (*data.Dense32)(nil)}},
		{"x", "nil", cluster.Problem{X: (*data.Sparse)(nil)}},
		{"x", "7 values do not fill rows of 2", cluster.Problem{X: &data.Dense{Cols: 2, V: make([]float64, 7)}}},
		{"x", "7 values do not fill rows of 2", cluster.Problem{X: &data.Dense32{Cols: 2, V: make([]float32, 7)}}},
		{"x", "3 values do not fill rows of 5", cluster.Problem{X: &data.Dense{Cols: 5, V: make([]float64, 3)}}},
		{"x", "-1 columns", cluster.Problem{X: &data.Dense{Cols: -1, V: make([]float64, 3)}}},
		{"x", "0 columns", cluster.Problem{X: &data.Dense{V: make([]float64, 3)}}},
		{"graph", "node 0 has neighbour 7", cluster.Problem{Graph: &data.Graph{Start: []int{0, 1, 2}, To: []int32{7, 0}, W: []float64{1, 1}}}},
		{"graph", "not the other way round", cluster.Problem{Graph: &data.Graph{Start: []int{0, 1, 1}, To: []int32{1}, W: []float64{1}}}},
		{"graph", "NaN", cluster.Problem{Graph: &data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{math.NaN(), math.NaN()}}}},
		{"view", "nil", cluster.Problem{X: line(2).X, Views: []cluster.View{{X: (*data.Dense)(nil)}}}},
		{"view", "do not fill rows", cluster.Problem{X: line(2).X, Views: []cluster.View{{X: &data.Dense{Cols: 2, V: make([]float64, 5)}}}}},
		{"view", "not the other way round", cluster.Problem{X: line(2).X, Views: []cluster.View{{Graph: &data.Graph{Start: []int{0, 1, 1}, To: []int32{1}, W: []float64{1}}}}}},
	} {
		c.p.K = 1
		_, err := cluster.Fit(background, &c.p, &script{costs: [][]float64{{1}}}, cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: the error is %v, it should be about %s and say %q", c.p, err, c.field, c.says)
		}
	}
}

func TestNothingToFit(t *testing.T) {
	var bad *cluster.ProblemError
	if _, err := cluster.Fit(background, nil, centroid.NewKMeans(), cluster.Default()); !errors.As(err, &bad) {
		t.Errorf("no problem: %v", err)
	}
	var parameter *cluster.ParameterError
	for name, a := range map[string]cluster.Algorithm{"nil": nil, "a nil pointer": (*centroid.KMeans)(nil)} {
		if _, err := cluster.Fit(background, line(4), a, cluster.Default()); !errors.As(err, &parameter) {
			t.Errorf("%s for a method: %v", name, err)
		}
	}
	var none context.Context
	if _, err := cluster.Fit(none, line(4), centroid.NewKMeans(), cluster.Default()); err == nil {
		t.Error("no context, and no error")
	}
	for _, s := range []cluster.Settings{{Restarts: -1}, {MaxIter: -1}, {Tol: math.NaN()}} {
		if _, err := cluster.Fit(background, line(4), centroid.NewKMeans(), s); !errors.As(err, &parameter) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// Whoever writes KMeans{} for NewKMeans() is told what he did.
func TestZeroMethodsAreNamed(t *testing.T) {
	_, err := cluster.Fit(background, line(4), &centroid.KMeans{}, cluster.Default())
	if err == nil || !strings.Contains(err.Error(), "zero KMeans") {
		t.Errorf("the error is %v", err)
	}
	a := centroid.NewKMeans()
	a.Init = "nonsense"
	if _, err := cluster.Fit(background, line(4), a, cluster.Default()); err == nil || strings.Contains(err.Error(), "zero") {
		t.Errorf("the error is %v", err)
	}
}

// Contradictory knowledge is a fault of the problem, wherever an algorithm
// notices it, and not of its parameters.
func TestContradictionsAreOfTheProblem(t *testing.T) {
	_, conflict := constraint.Close(3, &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}, Cannot: []constraint.Pair{{I: 1, J: 0, W: 1}}})
	if conflict == nil {
		t.Fatal("no contradiction")
	}
	told := fmt.Errorf("script: %w", conflict)
	for name, a := range map[string]*script{
		"check": {check: told},
		"start": {costs: [][]float64{{1}}, start: func(context.Context, int) error { return told }},
		"stage": {costs: [][]float64{{2, 1}}, stage: func(context.Context, int, int, string) error { return told }},
	} {
		_, err := cluster.Fit(background, line(4), a, settings(1, 10))
		var bad *cluster.ProblemError
		var cause *constraint.ConflictError
		var parameter *cluster.ParameterError
		if !errors.As(err, &bad) || bad.Field != "constraints" || !errors.As(err, &cause) || errors.As(err, &parameter) {
			t.Errorf("%s: %T %v", name, err, err)
		}
	}
}

// An objective that is not finite names the number that is to blame.
func TestOverflowNamesTheCulprit(t *testing.T) {
	huge := 1e300
	for _, c := range []struct {
		field, says string
		spoil       func(p *cluster.Problem)
	}{
		{"x", "row 2, column 0 is 1e+300", func(p *cluster.Problem) { p.X.(*data.Dense).V[2] = huge }},
		{"weight", "the weight of point 1 is 1e+300", func(p *cluster.Problem) { p.Weight = []float64{1, huge, 1, 1} }},
		{"weight", "the weight of point 3 is 5e-324", func(p *cluster.Problem) { p.Weight = []float64{1, 1, 1, 5e-324} }},
		{"graph", "the edge 0-3 is 1e+300", func(p *cluster.Problem) {
			p.Graph, _ = data.NewGraph(4, []data.Edge{{U: 3, V: 0, W: huge}})
		}},
		{"constraints", "the weight of point 0 and point 2 must be above 0 and at most 1e+100, got 1e+300", func(p *cluster.Problem) {
			p.Constraints = &constraint.Set{Must: []constraint.Pair{{I: 0, J: 2, W: huge}}, Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}}}
		}},
		{"constraints", "the weight of point 0 and point 2 must be above 0 and at most 1e+100, got 1e+300", func(p *cluster.Problem) {
			p.Constraints = &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 2, W: huge}}}
		}},
		{"constraints", "the weight of point 3 as class 0 must be above 0 and at most 1e+100, got 1e+300", func(p *cluster.Problem) { p.Constraints = &constraint.Set{Labels: []constraint.Label{{I: 3, W: huge}}} }},
	} {
		p := line(4)
		c.spoil(p)
		_, err := cluster.Fit(background, p, &script{costs: [][]float64{{math.Inf(1)}}}, settings(1, 1))
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(err.Error(), c.says) {
			t.Errorf("the error is %v, it should be about %s and say %q", err, c.field, c.says)
		}
	}
}

func TestPredictRefusesWhatIsNotThere(t *testing.T) {
	m := &centroid.Centres{K: 2, D: 1, C: []float64{0, 10}}
	var none context.Context
	for name, c := range map[string]struct {
		ctx  context.Context
		m    cluster.Model
		x    data.Rows
		says string
	}{
		"no model":     {background, nil, line(4).X, "no model"},
		"no rows":      {background, m, nil, "no rows"},
		"nil rows":     {background, m, (*data.Dense)(nil), "nil"},
		"no context":   {none, m, line(4).X, "context"},
		"half a row":   {background, m, &data.Dense{Cols: 2, V: make([]float64, 3)}, "do not fill rows"},
		"no such cell": {background, m, &data.Sparse{Cols: 1, Start: []int{0, 1}, Idx: []int32{3}, Val: []float64{1}}, "index 3"},
		"a wide row":   {background, m, &data.Dense{Cols: 2, V: make([]float64, 4)}, "fitted on 1 features"},
	} {
		if labels, err := cluster.Predict(c.ctx, c.m, c.x, 0); err == nil || labels != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; the error should say %q", name, labels, err, c.says)
		}
	}
}

func TestPricesOfNoPoint(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 10, 11}}, K: 2}
	r, err := cluster.Fit(background, p, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	prices := r.Prices(p)
	for _, c := range [][2]int{{-1, 0}, {4, 0}, {0, -1}, {0, 4}} {
		if _, ok := prices.Together(c[0], c[1]); ok {
			t.Errorf("points %d and %d have a price together", c[0], c[1])
		}
		if _, ok := prices.Apart(c[0], c[1]); ok {
			t.Errorf("points %d and %d have a price apart", c[0], c[1])
		}
		if _, ok := prices.Move(c[0], c[1]); ok {
			t.Errorf("a move of point %d to cluster %d has a price", c[0], c[1])
		}
	}
	if _, ok := prices.Apart(2, 2); ok {
		t.Error("a point can be taken apart from itself")
	}
	if r.Prices(nil) != nil {
		t.Error("there are prices in no problem")
	}
	if s := r.Sizes(1); len(s) != 1 || s[0] != 2 {
		t.Errorf("the size of the first cluster of two is %v", s)
	}
	if s := r.Sizes(-1); len(s) != 0 {
		t.Errorf("sizes of fewer than no clusters are %v", s)
	}
}

// What an observer does with its event does not reach the result.
func TestObserversOwnTheirEvents(t *testing.T) {
	s := cluster.Default()
	s.Observe = func(e cluster.Event) {
		for i := range e.Objective {
			e.Objective[i].Value = -1e9
		}
	}
	r, err := cluster.Fit(background, line(6), centroid.NewKMeans(), s)
	if err != nil || r.Objective.Sum() < 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// When time is over during a stage, the next one is not begun.
func TestNoStageAfterTheEnd(t *testing.T) {
	ctx, stop := context.WithCancel(background)
	defer stop()
	var begun []string
	a := &script{costs: [][]float64{{4, 2, 1}}, stage: func(_ context.Context, _, iter int, name string) error {
		begun = append(begun, fmt.Sprint(iter, name))
		if iter == 2 && name == "half" {
			stop() // and the stage does not look
		}
		return nil
	}}
	r, err := cluster.Fit(ctx, line(4), a, settings(1, 10))
	if !errors.Is(err, context.Canceled) || r == nil || r.Iterations != 1 || r.Objective.Sum() != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := strings.Join(begun, " "); got != "1half 1rest 2half" {
		t.Errorf("the stages begun were %s", got)
	}
}
