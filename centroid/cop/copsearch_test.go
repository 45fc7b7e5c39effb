package cop

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/constraint"
)

// hasty is COP with the effort that is left on very large data: only what is
// tied is exchanged, and nothing is tried.
type hasty struct{ *COP }

func (a hasty) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		return nil, err
	}
	return startSearch(ctx, p, e, newLumps(p, closed), a.Trials, effort{})
}

func TestCOPOnLargeDataKeepsTheContract(t *testing.T) { clustertest.Sample(t, hasty{New()}) }
