package lloyd

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// longBlock is the number of rows in a block where a row costs a few nanoseconds:
// handing over a block of blocks.Len rows would take longer than the work on it.
const longBlock = 16 * blocks.Len

// LongBlocks is blocks.Each for such work: longer blocks of fixed length, whose parts
// are merged in order when all are done.
func LongBlocks[Part any](ctx context.Context, workers, n int, do func(lo, hi int) Part, merge func(lo, hi int, part Part)) error {
	parts := make([]Part, (n+longBlock-1)/longBlock)
	err := blocks.Tasks(ctx, workers, len(parts), func(b int) { parts[b] = do(b*longBlock, min(n, (b+1)*longBlock)) })
	if err != nil {
		return err
	}
	for b, part := range parts {
		merge(b*longBlock, min(n, (b+1)*longBlock), part)
	}
	return nil
}
