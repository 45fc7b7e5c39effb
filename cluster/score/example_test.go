package score_test

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
)

func ExampleARI() {
	truth := []int{0, 0, 0, 1, 1, 1}
	pred := []int{5, 5, 7, 7, 7, 7}
	ari, err := score.ARI(truth, pred)
	fmt.Printf("%.3f %v\n", ari, err)
	// Output: 0.324 <nil>
}

func ExampleNewTable() {
	t, err := score.NewTable([]int{0, 0, 1, 1}, []int{7, 7, 7, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("purity %.2f, pairwise F %.2f\n", t.Purity(), t.F())
	// Output:
	// purity 0.75, pairwise F 0.40
}

func ExampleSilhouette() {
	x, _ := data.NewDense(1, []float64{0, 1, 9, 10})
	s, err := score.Silhouette(context.Background(), x, []int{0, 0, 1, 1}, score.SilhouetteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f of %d rows\n", s.Mean, len(s.Rows))
	// Output: 0.889 of 4 rows
}

func ExampleSatisfied() {
	known := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 0, J: 3, W: 1}},
		Labels: []constraint.Label{{I: 3, Class: 0, W: 1}},
	}
	labels := []int{0, 0, 1, 1}
	kept := score.Satisfied(known, labels)
	fmt.Println("must", kept.Must.Satisfied, "of", kept.Must.Given)
	fmt.Println("cannot", kept.Cannot.Satisfied, "of", kept.Cannot.Given)
	fmt.Println("names", score.NameClusters(labels, 2, known))
	for _, v := range score.Violations(known, labels) {
		fmt.Println("broken:", v.Kind, v.A, v.B)
	}
	// Output:
	// must 1 of 2
	// cannot 1 of 1
	// names [-1 0]
	// broken: must 1 2
}
