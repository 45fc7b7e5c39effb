package reproduce

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

// BenchmarkSpherical fits spherical k-means to all of 20 Newsgroups from seeds,
// with no iteration and with ten: an iteration takes a tenth of the difference.
func BenchmarkSpherical(b *testing.B) {
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "20news")); err != nil {
		b.Skip("20 Newsgroups is not there (INKLING_DATA names the folder of 20news): ", err)
	}
	counts, err := (&Lab{Data: dir}).newsgroups()
	if err != nil {
		b.Fatal(err)
	}
	m, err := counts.weigh()
	if err != nil {
		b.Fatal(err)
	}
	st := newSeedStudy(m, seedReading{}, 1)
	known, err := st.seeds(seedSetting{Method: seeded, Seeds: 0.1}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, what := range []struct {
		method         string
		workers, iters int
	}{{seeded, 1, 0}, {seeded, 1, 10}, {seeded, 2, 0}, {seeded, 2, 10}, {constrained, 1, 10}, {cop, 1, 0}, {cop, 1, 10}} {
		name := fmt.Sprintf("%s/n=%d/d=%d/k=%d/workers=%d/iterations=%d", what.method, m.X.Len(), m.X.Dim(), m.k(), what.workers, what.iters)
		b.Run(name, func(b *testing.B) {
			s := cluster.Settings{Seed: 1, Restarts: 1, MaxIter: what.iters, Workers: what.workers}
			p := &cluster.Problem{X: m.X, Constraints: known, K: m.k()}
			for b.Loop() {
				r, err := cluster.Fit(context.Background(), p, st.algorithm(what.method), s)
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
