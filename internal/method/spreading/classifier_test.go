package spreading

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// What is said of a label given the others is what a fit without that label says of it.
func TestLeaveOneOutIsARefitWithoutTheLabel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const m, classes = 9, 3
	points := make([]float64, 2*m)
	f := &classFit{prior: []float64{0.5, 0.3, 0.2}}
	for i := range m {
		points[2*i], points[2*i+1] = rng.NormFloat64(), rng.NormFloat64()
		f.taught = append(f.taught, taughtRow{row: i, class: i % classes, weight: 0.5 + rng.Float64(), count: 1})
	}
	kernel := make([]float64, m*m)
	for i := range m {
		for j := range m {
			kernel[i*m+j] = math.Exp(-distance2(points[2*i:2*i+2], points[2*j:2*j+2]))
		}
	}
	held, _, err := f.solve(context.Background(), kernel, m, 0.3, true)
	if err != nil {
		t.Fatal(err)
	}
	for out := range m {
		rest := &classFit{prior: f.prior}
		var at []int
		for i := range m {
			if i != out {
				at = append(at, i)
				rest.taught = append(rest.taught, f.taught[i])
			}
		}
		small := make([]float64, (m-1)*(m-1))
		for i, a := range at {
			for j, b := range at {
				small[i*(m-1)+j] = kernel[a*m+b]
			}
		}
		_, alpha, err := rest.solve(context.Background(), small, m-1, 0.3, false)
		if err != nil {
			t.Fatal(err)
		}
		for h := range classes {
			want := f.prior[h]
			for i, a := range at {
				want += kernel[out*m+a] * alpha[i*classes+h]
			}
			if got := held[out*classes+h]; math.Abs(got-want) > 1e-6 {
				t.Errorf("label %d, class %d: %v, a fit without it says %v", out, h, got, want)
			}
		}
	}
}

func fitClasses(t *testing.T, p *cluster.Problem) *cluster.Result {
	t.Helper()
	r, err := cluster.Fit(context.Background(), p, NewClassifier(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The classes differ in a column in which k-means does not see them: labels do.
func TestClassifierFindsWhatClustersDoNotShow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	const n = 400
	x, truth := &data.Dense{Cols: 3}, make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(2)
		x.V = append(x.V, 3*rng.NormFloat64(), 3*rng.NormFloat64(), float64(2*truth[i]-1)+0.3*rng.NormFloat64())
	}
	known := &constraint.Set{Names: []string{"a", "b"}}
	for i := range 40 {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
	}
	r := fitClasses(t, &cluster.Problem{X: x, K: 2, Constraints: known})
	right := 0
	for i := 40; i < n; i++ {
		if r.Labels[i] == truth[i] {
			right++
		}
	}
	if right < 9*(n-40)/10 {
		t.Errorf("%d of %d rows are right", right, n-40)
	}
	placed, err := cluster.Predict(context.Background(), r.Model, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(placed[40:], r.Labels[40:]) {
		t.Error("the model places rows without labels elsewhere than the fit")
	}
}

// Three blobs, labels of two of them: the third is a cluster of its own.
func TestClassifierLeavesRoomForClassesNobodyLabelled(t *testing.T) {
	x, truth, err := example.Blobs(300, 3, 4, 20, 1, rand.New(rand.NewPCG(5, 3)))
	if err != nil {
		t.Fatal(err)
	}
	known := &constraint.Set{Names: []string{"a", "b"}}
	for i, h := range truth {
		if h < 2 && i%10 == 0 {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: h, W: 1})
		}
	}
	r := fitClasses(t, &cluster.Problem{X: x, K: 3, Constraints: known})
	for i, h := range truth {
		if r.Labels[i] != h {
			t.Fatalf("row %d of class %d is in cluster %d", i, h, r.Labels[i])
		}
	}
	text, err := json.Marshal(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	read := new(ClassModel)
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	if err := read.Check(); err != nil {
		t.Error(err)
	}
	v := x.Row(7, nil)
	if got, want := read.Probabilities(v), r.Model.(*ClassModel).Probabilities(v); !reflect.DeepEqual(got, want) {
		t.Errorf("a model that was read says %v, it said %v", got, want)
	}
	read.Classes[0] = 9
	if read.Check() == nil {
		t.Error("a class that is not there was accepted")
	}
}

// A row of weight 3 is three rows, and one of weight 0 is none, in whatever order they stand.
func TestClassifierWeightsCountAsRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 34))
	x, truth, err := example.Blobs(60, 3, 2, 2, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	weighted := &cluster.Problem{X: x, K: 3, Constraints: &constraint.Set{}}
	repeated := &cluster.Problem{K: 3, Constraints: &constraint.Set{}}
	rows := &data.Dense{Cols: 2}
	for i := range truth {
		weighted.Weight = append(weighted.Weight, float64(rng.IntN(4)))
		if i%2 == 0 {
			weighted.Constraints.Labels = append(weighted.Constraints.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
		}
	}
	for _, i := range rng.Perm(len(truth)) {
		for range int(weighted.Weight[i]) {
			if i%2 == 0 {
				repeated.Constraints.Labels = append(repeated.Constraints.Labels, constraint.Label{I: rows.Len(), Class: truth[i], W: 1})
			}
			rows.V = append(rows.V, x.V[2*i], x.V[2*i+1])
		}
	}
	repeated.X = rows
	model := func(p *cluster.Problem) *ClassModel {
		r, err := cluster.Fit(context.Background(), p, NewClassifier(), cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		return r.Model.(*ClassModel)
	}
	unweighted := *weighted
	unweighted.Weight = nil
	a, b, other := model(weighted), model(repeated), model(&unweighted)
	differ := false
	for i := range truth {
		v := data.Vec{Val: x.V[2*i : 2*i+2]}
		p, q, o := a.Probabilities(v), b.Probabilities(v), other.Probabilities(v)
		for h := range p {
			if math.Abs(p[h]-q[h]) > 1e-9 {
				t.Fatalf("row %d, cluster %d: %v with weights, %v with repeated rows", i, h, p[h], q[h])
			}
			differ = differ || math.Abs(p[h]-o[h]) > 1e-3
		}
	}
	if !differ {
		t.Error("the weights of rows do nothing")
	}
}

// Rows are classified as a fit without links places them.
func TestClassifyIsWhatAFitFinds(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(6, 2))
	for draw := range 20 {
		n, k := 40+rng.IntN(80), 2+rng.IntN(3)
		p := &cluster.Problem{X: &data.Dense{Cols: 3, V: make([]float64, 3*n)}, K: k, Constraints: &constraint.Set{}}
		for i := range p.X.(*data.Dense).V {
			p.X.(*data.Dense).V[i] = rng.NormFloat64() + 2*float64(rng.IntN(2))
		}
		for range 4 + rng.IntN(8) { // of one class fewer than there are clusters at times; one row may have two
			p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(k - draw%2), W: 1})
		}
		p.Constraints = constraint.Repaired(n, p.Constraints)
		settings := cluster.Default()
		settings.Seed, settings.Workers = uint64(draw), 2
		fit, err := cluster.Fit(ctx, p, NewClassifier(), settings)
		if err != nil {
			t.Fatal(err)
		}
		rows := rng.Perm(n)[:n/2]
		got, err := NewClassifier().Classify(ctx, p, rows, &cluster.Env{Workers: 1, Settings: &cluster.Settings{Seed: settings.Seed}})
		if err != nil {
			t.Fatal(err)
		}
		for at, i := range rows {
			if got[at] != fit.Labels[i] {
				t.Errorf("draw %d: row %d is put into %d, by a fit into %d", draw, i, got[at], fit.Labels[i])
			}
		}
	}
}
