package kernel

import "context"

// patience is what may be computed after the time is over, in multiplications:
// about a second's worth.
const graceWork = 2e8

// spare returns a context for work without which there is no run at all. What
// costs little is done even when ctx has ended, so that there is a clustering
// to return; what costs much ends with ctx, and there is none.
func graceContext(ctx context.Context, cost float64) context.Context {
	if cost > graceWork {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
