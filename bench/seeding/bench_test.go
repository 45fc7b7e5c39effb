package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

// BenchmarkSpherical fits spherical k-means to all of 20 Newsgroups from seeds,
// with no iteration and with ten: an iteration takes a tenth of the difference.
func BenchmarkSpherical(b *testing.B) {
	c := newsgroups(b)
	fold := deal(c.Class, 10, stream(1, foldStream, 0))
	known, err := c.seeds(setting{Method: seeded, Seeds: 0.1}, fold, 0, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, what := range []struct {
		method         string
		workers, iters int
	}{{seeded, 1, 0}, {seeded, 1, 10}, {seeded, 2, 0}, {seeded, 2, 10}, {constrained, 1, 10}} {
		name := fmt.Sprintf("%s/n=%d/d=%d/k=%d/workers=%d/iterations=%d", what.method, c.X.Len(), c.X.Dim(), c.k(), what.workers, what.iters)
		b.Run(name, func(b *testing.B) {
			s := cluster.Settings{Seed: 1, Restarts: 1, MaxIter: what.iters, Workers: what.workers}
			p := &cluster.Problem{X: c.X, Known: known, K: c.k()}
			for b.Loop() {
				r, err := cluster.Fit(context.Background(), p, algorithm(what.method), s)
				if err != nil {
					b.Fatal(err)
				}
				if r.Iterations != what.iters {
					b.Fatalf("%d iterations, want %d", r.Iterations, what.iters)
				}
			}
		})
	}
}
