package kernel

import (
	"context"
	"errors"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// Work that takes long is not done once the time is over, even where nothing
// can be returned without it. The contract of all methods wants a clustering
// for problems on which it takes a moment.
func TestLongStartsEndWithTheContext(t *testing.T) {
	rows := func(n, d int) *cluster.Problem {
		v := make([]float64, n*d)
		for i := range v {
			v[i] = float64(i * 7919 % 10007)
		}
		return &cluster.Problem{X: &data.Dense{Cols: d, V: v}, K: 3}
	}
	cut, ss := NewGraphCut(), NewSSKernelKMeans()
	cut.KNN, ss.KNN = 5, 5
	features := NewKernelKMeans()
	features.Features = 500
	tall, wide := rows(15_000, 1), rows(1_001, 1_000)
	for name, c := range map[string]struct {
		a cluster.Algorithm
		p *cluster.Problem
	}{
		"kernel-kmeans":      {NewKernelKMeans(), tall},
		"kernel-hmrf-kmeans": {NewKernelHMRF(), tall},
		"features":           {features, tall},
		"graph-cut":          {cut, wide},
		"ss-kernel-kmeans":   {ss, wide},
	} {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		r, err := cluster.Fit(ctx, c.p, c.a, cluster.Default())
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, although the time was over", name, err)
		}
		var bad *cluster.ProblemError
		if errors.As(err, &bad) {
			t.Errorf("%s: the end of the time is put down to %s", name, bad.Field)
		}
	}
}
