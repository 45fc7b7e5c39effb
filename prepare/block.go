package prepare

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// blockLen is the number of rows that are worked on together. It is fixed, so
// that sums merged block by block have the same bits for any number of workers.
const blockLen = 256

func blocks(n int) int { return (n + blockLen - 1) / blockLen }

// each calls do for every block b of rows lo ≤ i < hi, on several goroutines,
// and returns the error of the first block that has one. A block after a
// failed one may be left out.
func each(n, workers int, do func(b, lo, hi int) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, blocks(n))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range min(workers, len(errs)) {
		wg.Go(func() {
			// Blocks are taken in order, so every block before a failed one
			// has been taken and its error, too, will be seen.
			for !failed.Load() {
				b := int(next.Add(1)) - 1
				if b >= len(errs) {
					return
				}
				errs[b] = do(b, b*blockLen, min((b+1)*blockLen, n))
				if errs[b] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
