package score

import "sync"

// minStretch is the fewest points worth a goroutine.
const minStretch = 1 << 16

// forEachStretch calls f on about equal parts of 0..n, one goroutine each.
func forEachStretch(n, parts int, f func(lo, hi int)) {
	if parts == 1 {
		f(0, n)
		return
	}
	var wg sync.WaitGroup
	for p := range parts {
		lo, hi := n/parts*p+min(p, n%parts), n/parts*(p+1)+min(p+1, n%parts)
		wg.Go(func() { f(lo, hi) })
	}
	wg.Wait()
}

// runBoth runs f and g side by side and waits for both.
func runBoth(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	g()
	wg.Wait()
}
