package kernel

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
)

// multilevelLabels returns the labels at which the multilevel search of GraphCut
// ends on the graph of f without its constraints, or the best so far if ctx ends.
//
// The constraints do not take part in the search, although J would often be lower.
// Rewards are divided by the mass of the cluster, so that J is lowest where a few
// must-linked points are a cluster of their own. A search that merges and splits
// clusters finds that, as little as it has to do with the clusters of the graph; batch
// steps and moves from clusters of the graph do not.
func multilevelLabels(ctx context.Context, f *graphProblem, e *cluster.Env) ([]int32, error) {
	cycles := 1
	if e.Effort == cluster.EffortHigh {
		cycles = 4
	}
	return searchMultilevel(ctx, f.withoutConstraints(), cycles, e)
}

// descend makes batch steps, then moves if refine says so, until they gain hardly
// anything.
func (f *weightedKMeans) descend(ctx context.Context, refine bool) error {
	const most = 300
	for range most {
		was := f.quality()
		if moved, err := f.batchStep(ctx); err != nil {
			return err
		} else if moved == 0 || f.quality()-was <= 1e-6*abs(was) {
			break
		}
	}
	for range most {
		if !refine {
			break
		}
		was := f.quality()
		if moved, err := f.movePoints(ctx); err != nil {
			return err
		} else if moved == 0 || f.quality()-was <= 1e-9*abs(was) {
			break
		}
	}
	return nil
}
