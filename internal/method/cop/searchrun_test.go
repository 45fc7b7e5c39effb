package cop

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// lowEffort is COP with the effort of very large data: only constrained chunklets are
// exchanged, and there are no perturbations.
type lowEffort struct{ *COP }

func (a lowEffort) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		return nil, err
	}
	return startSearch(ctx, p, e, newChunklets(p, closed), nil, a.Trials, effortLimits{})
}

func TestCOPOnLargeDataKeepsTheContract(t *testing.T) { clustertest.Sample(t, lowEffort{New()}) }
