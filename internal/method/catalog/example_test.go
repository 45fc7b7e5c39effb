package catalog_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// A service that takes the method from its configuration.
func ExampleNew() {
	a, err := catalog.New("kmeans", []byte(`{"init": "k-means||"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	x := &data.Dense{Cols: 1, V: []float64{1, 2, 3, 101, 102, 103}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, a, cluster.Default())
	fmt.Println(r.Sizes(2), err)

	_, err = catalog.New("kmeans", []byte(`{"inits": "random"}`))
	fmt.Println(err)
	// Output:
	// [3 3] <nil>
	// there is no parameter "inits"; did you mean "init"?
}

// What there is for problems with must-links that must hold.
func ExampleMethods() {
	for _, m := range catalog.Methods() {
		for _, kind := range m.Uses() {
			if kind == cluster.MustLinks && m.Hard() {
				fmt.Println(m.Name, "takes", m.Inputs())
			}
		}
	}
	// Output: cop-kmeans takes [rows]
}
