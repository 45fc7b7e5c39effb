package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkICM(b *testing.B) {
	for _, parallel := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 1))
		f := kind{weight: 1}.draw(r, 100_000, 10, 100_000)
		b.Run(fmt.Sprintf("n=100000/m=100000/k=10/parallel=%v", parallel), func(b *testing.B) {
			for b.Loop() {
				if _, err := ICM(background, f, nil, ICMOptions{Rand: r, Parallel: parallel}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBeliefPropagation(b *testing.B) {
	for _, perLabel := range []bool{false, true} {
		f := kind{weight: 1, perLabel: perLabel}.draw(rand.New(rand.NewPCG(1, 1)), 20_000, 20, 20_000)
		b.Run(fmt.Sprintf("n=20000/m=20000/k=20/perlabel=%v", perLabel), func(b *testing.B) {
			for b.Loop() {
				if _, err := BeliefPropagation(background, f, nil, BPOptions{MaxIter: 20}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRelax(b *testing.B) {
	for _, n := range []int{20_000, 8_000} {
		f := kind{weight: 1}.draw(rand.New(rand.NewPCG(1, 1)), n, 10, 20_000)
		b.Run(fmt.Sprintf("n=%d/m=20000/k=10", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Relax(background, f, nil, RelaxOptions{MaxIter: 50, Polish: true}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkForest(b *testing.B) {
	f := kind{forest: true, weight: 1}.draw(rand.New(rand.NewPCG(1, 1)), 100_000, 10, 100_000)
	b.Run("n=100000/k=10", func(b *testing.B) {
		for b.Loop() {
			if _, err := BeliefPropagation(background, f, nil, BPOptions{}, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
