package inkling_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/inklinghq/inkling"
)

// A table with links between rows: cluster it, show what is violated, save the
// model and place rows with it. Ctrl-C ends the fit with the best so far.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := must(inkling.Open(ctx, "example:iris.csv", inkling.Source{}))
	c := must(inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Links: []string{"example:iris-links.csv"}}))
	iterations := 0
	r, err := inkling.Cluster(ctx, t, c, inkling.Options{K: 3, Method: "pc-kmeans", Parameters: map[string]any{"weight": 0.5},
		Progress: func(p inkling.Progress) { iterations = max(iterations, p.Iteration) }})
	if r == nil {
		log.Fatal(err) // with err and r, r is the best so far
	}
	fmt.Println(r.Status, r.Sizes, "progress was reported:", iterations > 0)
	for _, v := range r.Violations {
		fmt.Printf("%s and %s %s be together: satisfying it costs %.2f\n", v.A, v.B, v.Kind, *v.Cost)
	}
	var file bytes.Buffer // or a file
	if err := r.Save(&file); err != nil {
		log.Fatal(err)
	}
	for row := range must(must(inkling.Load(&file)).Predict(ctx, t, 0)).Rows() {
		fmt.Println("row", row.ID, "is in cluster", row.Cluster)
		break
	}
	// Output:
	// converged [54 50 46] progress was reported: true
	// 97 and 121 cannot be together: satisfying it costs 0.59
	// 66 and 119 cannot be together: satisfying it costs 0.59
	// 75 and 113 cannot be together: satisfying it costs 0.33
	// row 0 is in cluster 1
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
