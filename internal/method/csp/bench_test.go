package csp

import (
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// byOne fits on one processor.
func byOne(b *testing.B, p *cluster.Problem, a cluster.Algorithm) *cluster.Result {
	b.Helper()
	s := cluster.Default()
	s.Workers = 1
	r, err := cluster.Fit(background, p, a, s)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkCSP cuts two moons with 300 true pairs, β auto, from rows to
// clusters, and reports the share of points that end up right.
func BenchmarkCSP(b *testing.B) {
	for _, n := range []int{1000, 2000, 10000, 100000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, truth := cuttest.Crescents(b, n, 0.1, 1)
			p := &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, 300, cuttest.Rand(2))}
			for b.Loop() {
				r := byOne(b, p, NewCSP())
				right := cuttest.Agree(truth, r.Labels)
				b.ReportMetric((2*right-1)*(2*right-1), "ari") // of two halves
				b.ReportMetric(float64(r.Learned.(*Cut).Tried), "betas")
			}
		})
	}
}

// BenchmarkSpectral cuts the same without constraints.
func BenchmarkSpectral(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, _ := cuttest.Crescents(b, n, 0.1, 1)
			for b.Loop() {
				byOne(b, &cluster.Problem{X: x, K: 2}, spectral.NewSpectral())
			}
		})
	}
}

// BenchmarkViews cuts blurred moons with clearer ones of the same classes as a
// view, from rows to clusters.
func BenchmarkViews(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, truth := cuttest.Crescents(b, n, 0.25, 1)
			clear, _ := cuttest.Crescents(b, n, 0.1, 2)
			p := &cluster.Problem{X: x, K: 2, Views: []cluster.View{{X: clear}}}
			for b.Loop() {
				r := byOne(b, p, NewCSP())
				cut := r.Learned.(*Cut)
				b.ReportMetric(cuttest.Agree(truth, r.Labels), "right")
				b.ReportMetric(cuttest.Agree(truth, cut.View.ClustersWithoutViews), "alone")
				b.ReportMetric(cuttest.Agree(truth, cut.View.Views[0].OwnClusters), "view")
				b.ReportMetric(float64(cut.Tried), "betas")
			}
		})
	}
}
