package spectral_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

func ExampleSpectral() {
	x, truth, err := example.TwoMoons(300, 0.05, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2}, spectral.NewSpectral(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(truth[:10])
	fmt.Println(r.Labels[:10])
	// Output:
	// [0 1 0 1 0 1 0 1 0 1]
	// [0 1 0 1 0 1 0 1 0 1]
}

func ExampleSpectralLearning() {
	g, _, err := example.SixNodes()
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &cluster.Problem{Graph: g, K: 2, Constraints: &constraint.Set{
		Must:   []constraint.Pair{{I: 3, J: 0, W: 1}, {I: 3, J: 1, W: 1}},
		Cannot: []constraint.Pair{{I: 3, J: 4, W: 1}, {I: 3, J: 5, W: 1}},
	}}
	r, err := cluster.Fit(context.Background(), p, spectral.NewSpectralLearning(), cluster.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels)
	// Output: [0 0 0 0 1 1]
}
