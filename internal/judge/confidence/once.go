package confidence

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/cluster"
)

// A Once keeps the confidences of one result, which several ask for, where they take long: up to
// the number of rows for which the posterior is computed.
type Once struct {
	mu   sync.Mutex
	rows *Rows
}

// Estimate returns what the function Estimate does, computed once. The rows are shared: nobody
// changes them.
func (k *Once) Estimate(ctx context.Context, p *cluster.Problem, r *cluster.Result, o Options) (*Rows, error) {
	if k == nil || p.Len() > maxRows {
		rows, _, err := Estimate(ctx, p, r, o)
		return rows, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rows == nil {
		rows, _, err := Estimate(ctx, p, r, o)
		if err != nil {
			return nil, err
		}
		k.rows = rows
	}
	return k.rows, nil
}
