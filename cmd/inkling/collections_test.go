package main

import "testing"

// TestCollectSeldom checks that the heap is collected when it reaches smallHeap, and above that when it has doubled, or has grown
// by half where a page is served, or by a fifth where it is a table of numbers.
func TestCollectSeldom(t *testing.T) {
	for _, large := range []int{usualPercent, servingPercent} {
		for live := uint64(4 << 20); live < 1<<30; live += 3 << 20 {
			for scanned, grown := range map[uint64]int{live: large, live / 2: max(large/2, numbersPercent), live / 100: numbersPercent, 2 * live: large} {
				at := live + live*uint64(percentFor(live, scanned, large))/100
				if want := max(smallHeap, live*uint64(100+grown)/100); at > want || float64(at) < 0.95*float64(want) {
					t.Errorf("%d MB in use, %d looked through: collected at %d MB, must be at %d MB", live>>20, scanned>>20, at>>20, want>>20)
				}
			}
		}
		if p := percentFor(0, 0, large); p > 100*smallHeap/(4<<20) {
			t.Errorf("nothing in use: %d percent", p)
		}
	}
}
