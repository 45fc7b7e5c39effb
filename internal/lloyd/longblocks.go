package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/internal/blocks"
)

// span is how many rows are worked on at a time where a row costs a few
// nanoseconds: a block is then done sooner than it is handed over.
const span = 16 * blocks.Len

// LongBlocks is blocks.Each for such work: longer blocks of fixed length, whose parts
// are merged in order when all are done.
func LongBlocks[Part any](ctx context.Context, workers, n int, do func(lo, hi int) Part, merge func(lo, hi int, part Part)) error {
	parts := make([]Part, (n+span-1)/span)
	err := blocks.Tasks(ctx, workers, len(parts), func(b int) { parts[b] = do(b*span, min(n, (b+1)*span)) })
	if err != nil {
		return err
	}
	for b, part := range parts {
		merge(b*span, min(n, (b+1)*span), part)
	}
	return nil
}
