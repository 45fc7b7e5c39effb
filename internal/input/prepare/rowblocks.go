package prepare

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// blockLen is the number of rows that are worked on together. It is fixed, so
// that sums merged block by block have the same bits for any number of workers.
const blockLen = 256

func countBlocks(n int) int { return (n + blockLen - 1) / blockLen }

// eachBlock calls do for every block b of rows lo ≤ i < hi, on several goroutines,
// and returns the error of the first block that has one. A block after a
// failed one may be left out. A panic, in rows of a kind from elsewhere,
// reaches the caller.
func eachBlock(n, workers int, do func(b, lo, hi int) error) error {
	errs := make([]error, countBlocks(n))
	var failed atomic.Int64 // the first block that failed so far
	failed.Store(math.MaxInt64)
	err := blocks.Tasks(context.Background(), workers, len(errs), func(b int) {
		if int64(b) > failed.Load() {
			return
		}
		if errs[b] = do(b, b*blockLen, min((b+1)*blockLen, n)); errs[b] == nil {
			return
		}
		for was := failed.Load(); int64(b) < was && !failed.CompareAndSwap(was, int64(b)); {
			was = failed.Load()
		}
	})
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return err
}
