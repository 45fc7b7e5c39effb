package main

import "testing"

// TestCollectSeldom checks that the heap is collected when it reaches smallHeap, and above that when it has doubled, or has grown
// by half where a page is served.
func TestCollectSeldom(t *testing.T) {
	for _, large := range []int{usualPercent, servingPercent} {
		for live := uint64(4 << 20); live < 1<<30; live += 3 << 20 {
			at := live + live*uint64(percentFor(live, large))/100
			if want := max(smallHeap, live*uint64(100+large)/100); at > want || float64(at) < 0.95*float64(want) {
				t.Errorf("%d MB in use: collected at %d MB, must be at %d MB", live>>20, at>>20, want>>20)
			}
		}
		if p := percentFor(0, large); p > 100*smallHeap/(4<<20) {
			t.Errorf("nothing in use: %d percent", p)
		}
	}
}
