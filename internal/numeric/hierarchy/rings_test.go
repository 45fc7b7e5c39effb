package hierarchy

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows of many features are searched by rings.
func TestSpanningOfManyFeaturesIsThatOfAllPairs(t *testing.T) {
	ctx := context.Background()
	for seed, n := range []int{2, 17, 255, 300, 700} {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		x := drawn(t, rng, n, 70)
		for i := 0; i < n; i += 9 { // noise, and equal rows
			for f := range 70 {
				x.V[i*70+f] = 30*rng.Float64() - 10
				if i%2 == 0 {
					x.V[i*70+f] = x.V[f]
				}
			}
		}
		for _, minPoints := range []int{1, 6} {
			core := plainCore(x, minPoints)
			want := plainSpanning(x, core)
			for _, workers := range []int{1, 2, 3, 7} {
				_, edges, err := Build(ctx, x, minPoints, workers, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(edges, want) {
					t.Fatalf("n = %d, %d workers: another tree than that of all pairs", n, workers)
				}
			}
		}
	}
}
