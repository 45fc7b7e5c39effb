package score

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// minStretch is the fewest points worth a goroutine.
const minStretch = 1 << 16

// forEachStretch calls f on about equal parts of 0..n, one goroutine each.
func forEachStretch(n, parts int, f func(lo, hi int)) {
	_ = blocks.Tasks(context.Background(), parts, parts, func(p int) {
		f(n/parts*p+min(p, n%parts), n/parts*(p+1)+min(p+1, n%parts))
	})
}

// runBoth runs f and g side by side and waits for both.
func runBoth(f, g func()) {
	_ = blocks.Tasks(context.Background(), 2, 2, func(i int) {
		if i == 0 {
			f()
		} else {
			g()
		}
	})
}
