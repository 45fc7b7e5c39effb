//go:build unix

package hmrf_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

// One iteration of the family at scale, with as many true pairs as points,
// beside one of plain k-means on the same data: the metric to look at is
// ms/iteration of processor time, the start left out.
func BenchmarkHMRF(b *testing.B) {
	const d, k = 32, 50
	for _, n := range []int{100_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		x, truth, err := example.Blobs(n, k, d, 1.5, 1, rng)
		if err != nil {
			b.Fatal(err)
		}
		p := &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, n, rng)}
		for _, c := range []struct {
			name string
			a    cluster.Algorithm
		}{{"lloyd", centroid.NewKMeans()}, {"pc", hmrf.NewPC()}, {"mpc", hmrf.NewMPC()}} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("n=%d/d=%d/k=%d/pairs=%d/%s/workers=%d", n, d, k, n, c.name, workers), func(b *testing.B) {
					var spent time.Duration
					iterations := 0
					for b.Loop() {
						s := cluster.Default()
						s.Restarts, s.MaxIter, s.Tol, s.Workers = 1, 12, -1, workers
						var begun time.Duration
						s.Observe = func(e cluster.Event) {
							if e.Iter == 0 {
								begun = processorTime(b)
							}
						}
						r, err := cluster.Fit(context.Background(), p, c.a, s)
						if err != nil {
							b.Fatal(err)
						}
						spent += processorTime(b) - begun
						iterations += r.Iterations
					}
					b.ReportMetric(spent.Seconds()*1000/float64(iterations), "ms/iteration")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// processorTime returns what this process has used of all processors so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
