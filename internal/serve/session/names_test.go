package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestShownNames(t *testing.T) {
	got := ShownNames([]string{"0", "", "1", "2", "3"}, map[string]string{"0": "gold", "2": "gold", "1": "3"})
	if want := []string{"gold", "", "3", "2", "3 (2)"}; !slices.Equal(got, want) {
		t.Errorf("ShownNames = %q, want %q", got, want)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		var own []string
		given := map[string]string{}
		for h := range 1 + rng.IntN(6) {
			own = append(own, fmt.Sprint(h))
			if rng.IntN(2) == 0 {
				given[own[h]] = fmt.Sprint(rng.IntN(8))
			}
		}
		seen := map[string]bool{}
		for _, name := range ShownNames(own, given) {
			if name == "" || seen[name] {
				t.Fatalf("own %q, given %q: %q is not unique", own, given, name)
			}
			seen[name] = true
		}
	}
}
