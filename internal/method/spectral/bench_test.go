package spectral

import (
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
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
			x, truth := crescents(b, n, 0.1, 1)
			p := &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, 300, rng(2))}
			for b.Loop() {
				r := byOne(b, p, NewCSP())
				right := agree(truth, r.Labels)
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
			x, _ := crescents(b, n, 0.1, 1)
			for b.Loop() {
				byOne(b, &cluster.Problem{X: x, K: 2}, NewSpectral())
			}
		})
	}
}

// BenchmarkViews cuts blurred moons with clearer ones of the same classes as a
// view, from rows to clusters.
func BenchmarkViews(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, truth := crescents(b, n, 0.25, 1)
			clear, _ := crescents(b, n, 0.1, 2)
			p := &cluster.Problem{X: x, K: 2, Views: []cluster.View{{X: clear}}}
			for b.Loop() {
				r := byOne(b, p, NewCSP())
				cut := r.Learned.(*Cut)
				b.ReportMetric(agree(truth, r.Labels), "right")
				b.ReportMetric(agree(truth, cut.View.ClustersWithoutViews), "alone")
				b.ReportMetric(agree(truth, cut.View.Views[0].OwnClusters), "view")
				b.ReportMetric(float64(cut.Tried), "betas")
			}
		})
	}
}
