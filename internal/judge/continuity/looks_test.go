package continuity

import (
	"slices"
	"testing"
)

func TestLooks(t *testing.T) {
	for n, want := range map[int][]int{0: nil, 4: nil, 5: {5}, 9: {5, 6, 8}, 21: {5, 6, 8, 10, 12, 15, 20}} {
		if got := Looks(n); !slices.Equal(got, want) {
			t.Errorf("Looks(%d) = %v, want %v", n, got, want)
		}
	}
	all := Looks(1_000_000)
	for i, n := range all[1:] {
		if n <= all[i] || float64(n) > 1.34*float64(all[i]) {
			t.Errorf("%d follows %d", n, all[i])
		}
	}
}
