package reliability

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// Of tables with many columns a single one makes little difference, but there may be several ways to divide the rows that
// fit about as well. Which of them is found then hangs on where the search began.
const (
	otherStarts = 8
	asLow       = 1.01 // times the lowest objective
)

// otherMinima returns how well k-means from different starts agrees with the lowest minimum found, on average over those
// that fit about as well; nil where the clusters are not those of k-means. That the starts agree is no evidence for clusters.
func otherMinima(ctx context.Context, x *data.Dense, labels []int, in Input) (*float64, error) {
	m, _ := catalog.Find("kmeans")
	alg, _, err := m.Configure(nil)
	if err != nil {
		return nil, err
	}
	fits := make([]*cluster.Result, otherStarts)
	lowest := 0
	for q := range fits {
		s := cluster.Default()
		s.Seed, s.Workers, s.Effort, s.Restarts = in.Seed+uint64(q), in.Workers, cluster.EffortLow, 1
		if fits[q], err = cluster.Fit(ctx, &cluster.Problem{X: x, K: min(in.Problem.K, x.Len())}, alg, s); err != nil {
			return nil, err
		}
		if fits[q].Objective.Sum() < fits[lowest].Objective.Sum() {
			lowest = q
		}
	}
	own, sum, count := 0.0, 0.0, 0.0
	for q, f := range fits {
		if f.Objective.Sum() > asLow*fits[lowest].Objective.Sum() {
			continue
		}
		given, err := score.ARI(f.Labels, labels)
		if err != nil {
			return nil, err
		}
		own = max(own, given)
		if q != lowest {
			same, err := score.ARI(f.Labels, fits[lowest].Labels)
			if err != nil {
				return nil, err
			}
			sum, count = sum+same, count+1
		}
	}
	if own < asKMeans || count == 0 {
		return nil, nil
	}
	return pointer(sum / count), nil
}
