package experiment_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

func ExampleRun() {
	x, truth, err := example.Blobs(160, 8, 2, 8, 1, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		panic(err)
	}
	methods, err := experiment.ParseMethods("kmeans:init=random,seeded-kmeans")
	if err != nil {
		panic(err)
	}
	curve := &experiment.Curve{
		Problem: &cluster.Problem{X: x, K: 8}, Truth: truth, Methods: methods,
		Vary: experiment.Seeds, Amounts: []experiment.Amount{{Seeds: 0.05}, {Seeds: 0.2}},
		Folds: 5, Repeats: 2, Measure: "nmi", Settings: cluster.Default(),
	}
	curve.Settings.Restarts = 1
	var log bytes.Buffer // a file, in earnest
	if _, err := experiment.Run(context.Background(), curve, nil, &log); err != nil {
		panic(err)
	}

	// The same again makes no fit: all are in the log.
	past, _, err := experiment.ReadLog(&log)
	if err != nil {
		panic(err)
	}
	curve.Observe = func(experiment.Progress) { fmt.Println("a fit was made") }
	table, err := experiment.Run(context.Background(), curve, past, nil)
	if err != nil {
		panic(err)
	}
	if err := table.WriteText(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// nmi on the rows of the fold: mean ± standard error over 2 repeats of 5 folds
	//
	// seeds   kmeans:init=random   seeded-kmeans
	//  0.05        0.805 ± 0.017   0.832 ± 0.017
	//   0.2        0.805 ± 0.017   0.820 ± 0.012
	//
	// Compared with kmeans:init=random, fit by fit
	//
	// seeds          method       difference       p   p corrected   better/equal/worse
	//  0.05   seeded-kmeans   +0.027 ± 0.009   0.017          0.15                8/1/1
	//   0.2   seeded-kmeans   +0.016 ± 0.014    0.28          0.56                6/0/4
	//
	// Folds share most of their rows, so standard errors and p are on the small side;
	// p corrected allows for that (Nadeau and Bengio 2003). Many comparisons are made: some
	// small p are chance.
}
