package experiment

import (
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

func BenchmarkFingerprint(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("n=%d/d=16", n), func(b *testing.B) {
			p := &cluster.Problem{X: &data.Dense{Cols: 16, V: make([]float64, 16*n)}}
			b.SetBytes(int64(8 * 16 * n))
			for b.Loop() {
				Fingerprint(p, make([]int, n))
			}
		})
	}
}
