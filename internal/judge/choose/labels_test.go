package choose

import "testing"

// TestByOneLabel: one held-out label more is no evidence against clusters that agree with nearly all; two are, and so is one where
// they agree with few.
func TestByOneLabel(t *testing.T) {
	of := func(right, n int) judged {
		j := judged{named: make([]float64, n)}
		for i := range right {
			j.named[i] = 1
		}
		return j
	}
	for _, c := range []struct {
		own, other, n int
		want          bool
	}{{30, 29, 30, true}, {30, 30, 30, true}, {30, 28, 30, false}, {50, 49, 50, true}, {20, 19, 30, false}, {10, 9, 10, true}, {9, 8, 10, false}} {
		if got := byOneLabel(of(c.own, c.n), of(c.other, c.n)); got != c.want {
			t.Errorf("%d and %d of %d: %v, want %v", c.own, c.other, c.n, got, c.want)
		}
	}
}
