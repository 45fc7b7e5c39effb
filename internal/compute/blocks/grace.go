package blocks

import "context"

// graceWork is how many multiplications may still be made after a context has ended:
// some tenths of a second at most.
const graceWork = 1e8

// Grace returns a context for work that a result needs. Cheap work, by the number of its
// multiplications, is done even if ctx has ended, so that there is something to
// return; expensive work ends with ctx.
func Grace(ctx context.Context, work float64) context.Context {
	if work > graceWork {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
