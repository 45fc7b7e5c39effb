package csp_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// The example of section 4.4: edges say {0, 1, 2} and {3, 4, 5}, labels say
// that node 3 belongs to the others.
func ExampleCSP() {
	g, truth, err := example.SixNodes()
	if err != nil {
		fmt.Println(err)
		return
	}
	known := &constraint.Set{}
	for i, c := range truth {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: c, W: 1})
	}
	p := &cluster.Problem{Graph: g, K: 2, Constraints: known}
	a := csp.NewCSP()
	a.Beta = cluster.Fixed(0.75) // 2·vol, of at most 8/3·vol
	r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	cut := r.Learned.(*csp.Cut)
	fmt.Println(r.Labels)
	fmt.Printf("β %.0f, α %.2f, λ %.3f, cost %.2f, %d feasible\n", cut.Beta, cut.Alpha, cut.Lambda, cut.Cost, cut.Feasible)
	fmt.Printf("Ncut %.2f\n", r.Objective.Sum())
	// Output:
	// [0 0 0 0 1 1]
	// β 28, α 34.93, λ 0.586, cost 4.06, 1 feasible
	// Ncut 0.70
}

// Two triangles with a bridge. Node 3 must be apart from node 5: the bridge is
// no longer the best place to cut.
func ExampleFastGE() {
	g, _, err := example.SixNodes()
	if err != nil {
		panic(err)
	}
	known := &constraint.Set{Cannot: []constraint.Pair{{I: 3, J: 4, W: 1}, {I: 3, J: 5, W: 1}}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{Graph: g, K: 2, Constraints: known}, csp.NewFastGE(), cluster.Default())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels)
	// Output: [0 0 0 0 1 1]
}

// A ring can be cut in two ways that cost the same. A second graph over the
// same nodes says which.
func ExampleCSP_views() {
	ring, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 0, W: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	other, err := data.NewGraph(4, []data.Edge{{U: 0, V: 3, W: 5}, {U: 1, V: 2, W: 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &cluster.Problem{Graph: ring, K: 2, Views: []cluster.View{{Graph: other}}}
	r, err := cluster.Fit(context.Background(), p, csp.NewCSP(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels)
	fmt.Println(r.Learned.(*csp.Cut).View)
	// Output:
	// [0 1 1 0]
	// cost of transfer 0: normalized cut 1, without the views 1
}
