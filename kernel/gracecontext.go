package kernel

import "context"

// graceWork is how many multiplications may still be made after a context has
// ended: about a second's worth.
const graceWork = 2e8

// graceContext returns a context for work that every run needs. Cheap work is
// done even if ctx has ended, so that there is a clustering to return; expensive
// work ends with ctx, and then there is no run.
func graceContext(ctx context.Context, cost float64) context.Context {
	if cost > graceWork {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
