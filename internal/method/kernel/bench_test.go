package kernel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/example"
)

func BenchmarkGraphCut(b *testing.B) {
	for _, size := range []struct{ n, k int }{{10_000, 10}, {50_000, 100}} {
		g, _, err := example.PlantedPartition(size.n, size.k, 10, 10, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			b.Fatal(err)
		}
		s := cluster.Default()
		s.Restarts = 1
		b.Run(fmt.Sprintf("n=%d/edges=%d/k=%d", size.n, g.Edges(), size.k), func(b *testing.B) {
			for b.Loop() {
				if _, err := cluster.Fit(context.Background(), &cluster.Problem{Graph: g, K: size.k}, NewGraphCut(), s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkKernelKMeans(b *testing.B) {
	const n, d, k = 2000, 16, 10
	x, _, err := example.Blobs(n, k, d, 1.5, 1, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	s := cluster.Default()
	s.Restarts = 1
	for _, memory := range []int{1000, 0} {
		b.Run(fmt.Sprintf("n=%d/d=%d/k=%d/memory=%d", n, d, k, memory), func(b *testing.B) {
			a := NewKernelKMeans()
			a.Memory = memory
			for b.Loop() {
				if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: k}, a, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
