package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/centroid/cop"
	"github.com/inklinghq/inkling/centroid/hmrf"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/kernel"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/saved"
	"github.com/inklinghq/inkling/score"
	"github.com/inklinghq/inkling/spectral"
)

// The examples of this file are the code of docs/LIBRARY.md: a test compares
// the two.

var (
	ctx  = context.Background()
	rows = [][]float64{{1, 1}, {1, 2}, {2, 1}, {8, 8}, {8, 9}, {9, 8}}
)

// The shortest way from rows to clusters.
func Example_shortest() {
	x, err := data.FromRows(rows) // rows is a [][]float64
	if err != nil {
		panic(err)
	}
	r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Sizes(2), r.Status, r.Labels[0] == r.Labels[2], r.Labels[0] == r.Labels[3])
	// Output: [3 3] converged true false
}

// Rows that hold few of many features, by the angle between them.
func Example_sparse() {
	x, err := data.NewSparse(1000, []int{0, 2, 4, 6, 8},
		[]int32{7, 30, 7, 30, 512, 900, 512, 900},
		[]float64{1, 2, 10, 20, 3, 1, 9, 4})
	if err != nil {
		panic(err)
	}
	a := centroid.NewKMeans()
	a.Distortion = centroid.Cosine // spherical k-means
	r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 2}, a, cluster.Default())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels[0] == r.Labels[1], r.Labels[2] == r.Labels[3], r.Labels[0] == r.Labels[2])
	// Output: true true false
}

// Labels name the clusters, pairs keep points together or apart.
func Example_knowledge() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8, 9, 10}}
	known := &constraint.Set{
		Names:  []string{"small", "large"},
		Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 5, Class: 1, W: 1}},
		Must:   []constraint.Pair{{I: 2, J: 3, W: 1}},
		Cannot: []constraint.Pair{{I: 1, J: 2, W: 1}},
	}
	p := &cluster.Problem{X: x, K: 2, Constraints: known}
	r, err := cluster.Fit(ctx, p, cop.New(), cluster.Default())
	if err != nil {
		panic(err)
	}
	for i, h := range r.Labels {
		fmt.Print(i, " ", known.Name(h), "; ")
	}
	// Output: 0 small; 1 small; 2 large; 3 large; 4 large; 5 large;
}

// Pairs that may be wrong have a price. What was not honoured is listed, with
// what it would cost to honour it after all.
func Example_soft() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8, 9, 10}}
	known := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 0, J: 5, W: 1}},
		Cannot: []constraint.Pair{{I: 4, J: 5, W: 1}},
	}
	p := &cluster.Problem{X: x, K: 2, Constraints: known}
	r, err := cluster.Fit(ctx, p, hmrf.NewPC(), cluster.Default())
	if err != nil {
		panic(err)
	}
	for _, v := range score.Violations(known, r.Labels) {
		price, _ := r.CostTogether(p, v.A, v.B)
		if r.Labels[v.A] == r.Labels[v.B] { // they should be apart
			price, _ = r.CostApart(p, v.A, v.B)
		}
		fmt.Printf("%s %d, %d is not honoured; to honour it costs %.0f\n", v.Kind, v.A, v.B, price)
	}
	fmt.Println("of the objective:", r.Objective[1].Name, r.Objective[1].Value > 0)
	// Output:
	// must 0, 5 is not honoured; to honour it costs 80
	// cannot 4, 5 is not honoured; to honour it costs 64
	// of the objective: must-links true
}

// Errors that a program tells apart.
func Example_errors() {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8, 9, 10}}
	name := func(i int) string { return "order-" + string(rune('a'+i)) }
	known := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 0, J: 2, W: 1}},
	}
	_, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 2, Constraints: known}, cop.New(), cluster.Default())

	var problem *cluster.ProblemError      // what was sent is wrong: Field says where
	var parameter *cluster.ParameterError  // what was configured is wrong
	var conflict *constraint.ConflictError // these contradict each other
	var impossible *cop.InfeasibleError    // these need more clusters than K
	switch {
	case errors.As(err, &conflict):
		fmt.Println(conflict.Describe(name))
		for _, step := range conflict.Chain {
			fmt.Println("must-link", step.Must, "joins", name(step.From), "and", name(step.To))
		}
	case errors.As(err, &impossible):
		fmt.Println(impossible.Describe(name))
	case errors.As(err, &problem):
		fmt.Println("bad request:", problem.Field, err)
	case errors.As(err, &parameter):
		fmt.Println("bad configuration:", err)
	}
	// Output:
	// order-a and order-c cannot be together, yet order-a = order-b = order-c
	// must-link 0 joins order-a and order-b
	// must-link 1 joins order-b and order-c
}

// An observer is told of every stage while the fit goes on.
func Example_progress() {
	x, _ := data.FromRows(rows)
	s := cluster.Default()
	var status string
	s.Observe = func(e cluster.Event) {
		if e.Objective != nil { // the end of an iteration
			status = fmt.Sprintf("run %d of %d, iteration %d: %.2f", e.Run+1, e.Restarts, e.Iter, e.Objective.Sum())
		}
	}
	_, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), s)
	fmt.Println(status, err)
	// Output: run 10 of 10, iteration 1: 2.67 <nil>
}

// When time is over there is a clustering all the same: the best so far.
func Example_deadline() {
	x, _ := data.FromRows(rows)
	s := cluster.Default()
	s.Restarts = 1_000_000
	ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	r, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), s)
	switch {
	case r == nil: // nothing to return: bad input, or no time for even a start
		fmt.Println(err)
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("best so far:", r.Status, r.Sizes(2))
	case err != nil: // a later run failed; r is the best of those before
		fmt.Println(err, r.Status)
	}
	// Output: best so far: timeout [3 3]
}

// A model is written once, and places rows that come later.
func Example_saving() {
	x, _ := data.FromRows(rows)
	p, a := &cluster.Problem{X: x, K: 2}, centroid.NewKMeans()
	r, err := cluster.Fit(ctx, p, a, cluster.Default())
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	f, err := saved.New("kmeans", a, p, r)
	if err == nil {
		err = saved.Write(&file, f)
	}
	if err != nil {
		panic(err)
	}

	f, err = saved.Read(&file) // elsewhere, later
	if err != nil {
		panic(err)
	}
	fresh, _ := data.FromRows([][]float64{{0, 0}, {10, 10}})
	labels, err := f.Place(ctx, &prepare.Prepared{X: fresh}, 0)
	fmt.Println(labels[0] == r.Labels[0], labels[1] == r.Labels[5], err)
	// Output: true true <nil>
}

// One problem, one method and one model serve any number of goroutines, and
// the same seed gives the same bits to each.
func Example_sharing() {
	x, _ := data.FromRows(rows)
	p, a, s := &cluster.Problem{X: x, K: 2}, centroid.NewKMeans(), cluster.Default()
	s.Seed, s.Workers = 7, 1 // one worker each: the requests are what runs side by side
	all := make([]*cluster.Result, 50)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i], _ = cluster.Fit(ctx, p, a, s) })
	}
	wg.Wait()
	same := true
	for _, r := range all {
		same = same && slices.Equal(r.Labels, all[0].Labels) && r.Objective.Sum() == all[0].Objective.Sum()
	}
	fmt.Println(same)
	// Output: true
}

// A method by its name, with parameters as a configuration has them.
func Example_configured() {
	config := struct {
		Method     string
		Parameters []byte
	}{"mpc-kmeans", []byte(`{"metric": "full"}`)}

	a, err := catalog.New(config.Method, config.Parameters)
	fmt.Printf("%T %v\n", a, err)
	_, err = catalog.New("mpc-kmean", nil)
	fmt.Println(err)
	for _, m := range catalog.Methods()[:2] {
		fmt.Println(m.Name, m.Inputs(), m.Uses())
	}
	// Output:
	// *hmrf.HMRF <nil>
	// there is no method "mpc-kmean"; did you mean "mpc-kmeans"?
	// kmeans [rows] []
	// seeded-kmeans [rows] [labels soft-seeds]
}

// Documents become rows by TF-IDF; the largest weights of a centre are the
// words that its cluster is about.
func Example_documents() {
	docs := []string{
		"the cat sat on the mat", "a cat on a warm mat", "one cat, one mat",
		"stocks fall as the market waits", "the market and its stocks", "stocks lift the market",
	}
	recipe, ready, err := prepare.Fit(&dataio.Dataset{Docs: docs}, prepare.Options{})
	if err != nil {
		panic(err)
	}
	a := centroid.NewKMeans()
	a.Distortion = centroid.Cosine
	r, err := cluster.Fit(ctx, &cluster.Problem{X: ready.X, K: 2}, a, cluster.Default())
	if err != nil {
		panic(err)
	}
	for _, doc := range []int{0, 5} {
		centre := r.Model.(*centroid.Centres).At(r.Labels[doc])
		fmt.Println(recipe.Largest(centre, 2))
	}
	later, err := recipe.Apply(&dataio.Dataset{Docs: []string{"my cat", "a stock market"}})
	if err != nil {
		panic(err)
	}
	labels, err := cluster.Predict(ctx, r.Model, later.X, 0)
	fmt.Println(labels[0] == r.Labels[0], labels[1] == r.Labels[5], err)
	// Output:
	// [cat mat]
	// [market stocks]
	// true true <nil>
}

// A graph in place of rows, with pairs, which a cut honours by construction and
// a spectral method as far as the graph bears it.
func Example_graph() {
	g, err := data.NewGraph(6, []data.Edge{
		{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 0, V: 2, W: 1}, {U: 2, V: 3, W: 0.5},
		{U: 3, V: 4, W: 1}, {U: 4, V: 5, W: 1}, {U: 3, V: 5, W: 1},
	})
	if err != nil {
		panic(err)
	}
	p := &cluster.Problem{Graph: g, K: 2, Constraints: &constraint.Set{Must: []constraint.Pair{{I: 2, J: 3, W: 1}}, Cannot: []constraint.Pair{{I: 0, J: 5, W: 1}}}}
	for _, a := range []cluster.Algorithm{kernel.NewGraphCut(), spectral.NewCSP()} {
		r, err := cluster.Fit(ctx, p, a, cluster.Default())
		if err != nil {
			panic(err)
		}
		kept := score.Satisfied(p.Constraints, r.Labels)
		fmt.Printf("%T: %d of %d must-links, %d of %d cannot-links\n", a, kept.Must.Satisfied, kept.Must.Given, kept.Cannot.Satisfied, kept.Cannot.Given)
	}
	// Output:
	// *kernel.GraphCut: 1 of 1 must-links, 1 of 1 cannot-links
	// *spectral.CSP: 0 of 1 must-links, 1 of 1 cannot-links
}
