package kernel_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// Two triangles joined by an edge fall apart there, unless a constraint says that
// they must not.
func ExampleGraphCut() {
	g, err := data.NewGraph(6, []data.Edge{
		{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 1, V: 2, W: 1},
		{U: 2, V: 3, W: 1},
		{U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}, {U: 4, V: 5, W: 1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &cluster.Problem{Graph: g, K: 2}
	r, err := cluster.Fit(context.Background(), p, kernel.NewGraphCut(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels[2] == r.Labels[3])

	p.Constraints = &constraint.Set{Must: []constraint.Pair{{I: 2, J: 3, W: 1}}, Cannot: []constraint.Pair{{I: 3, J: 4, W: 1}}}
	r, err = cluster.Fit(context.Background(), p, kernel.NewGraphCut(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels[2] == r.Labels[3], r.Labels[3] == r.Labels[4])
	// Output:
	// false
	// true false
}

// The three values of a clustering of two joined pairs.
func ExampleCuts() {
	g, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 3}, {U: 2, V: 3, W: 3}, {U: 1, V: 2, W: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := kernel.Cuts(g, []int{0, 0, 1, 1}, 2)
	fmt.Printf("association %.0f, ratio cut %.0f, normalized cut %.3f\n", v.RatioAssociation, v.RatioCut, v.NormalizedCut)
	// Output: association 6, ratio cut 1, normalized cut 0.286
}

// A ring around a blob: k-means would cut both, an rbf kernel of the right width
// tells them apart.
func ExampleKernelKMeans() {
	x := &data.Dense{Cols: 2}
	for i := range 40 {
		c, s := circle(i, 40)
		x.V = append(x.V, c*5, s*5, c*0.5, s*0.5)
	}
	a := kernel.NewKernelKMeans()
	a.Width = cluster.Fixed(1.5)
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, a, cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	apart := true
	for i := 0; i < len(r.Labels); i += 2 { // ring and blob take turns
		apart = apart && r.Labels[i] == r.Labels[0] && r.Labels[i+1] == r.Labels[1]
	}
	fmt.Println(apart && r.Labels[0] != r.Labels[1])
	// Output: true
}
