package main

import (
	"testing"
	"time"
)

// What is left for writing grows with what was read, and is never most of the limit.
func TestTimeToEnd(t *testing.T) {
	const s = time.Second
	for _, c := range []struct{ limit, reading, want time.Duration }{
		{1 * s, 0, s / 20}, {20 * s, 0, s / 10}, {20 * s, s / 10, s / 10}, {20 * s, 12 * s, 2 * s}, {3 * s, 12 * s, 3 * s / 4},
	} {
		if got := timeToEnd(c.limit, c.reading); got != c.want {
			t.Errorf("of %v after %v of reading: %v, want %v", c.limit, c.reading, got, c.want)
		}
	}
}

// Reading and writing count: of 15 s after 6 s of reading 9 s are left, and the fit gets 8 of them. It gets a moment
// where none are left, so that it says so itself.
func TestTimeToFit(t *testing.T) {
	const s = time.Second
	for _, c := range []struct{ limit, reading, want time.Duration }{
		{15 * s, 6 * s, 8 * s}, {1 * s, 0, 19 * s / 20}, {3 * s, 12 * s, 1}, {1, 0, 1},
	} {
		if got := timeToFit(c.limit, c.reading); got != c.want {
			t.Errorf("of %v after %v of reading: %v, want %v", c.limit, c.reading, got, c.want)
		}
	}
}
