package choose

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// TestByShare checks that random links rule out numbers of clusters by their share of must-links, and that picked ones do not.
func TestByShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	x, truth, err := example.Blobs(300, 5, 3, 3, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	numbers, share := []int{2, 3, 4, 5, 6, 9}, map[int]float64{}
	for _, k := range numbers {
		share[k] = 1 / float64(k)
	}
	compare := func(s *constraint.Set) (likely, near []int) {
		c := &comparison{sample: &cluster.Problem{X: x, Constraints: s}}
		return c.byShare(numbers, share, x)
	}
	random := constraint.RandomPairs(truth, 120, rng)
	likely, near := compare(random)
	if !slices.Contains(likely, 5) || slices.Contains(near, 2) || slices.Contains(near, 3) {
		t.Errorf("120 random links of five classes: likely %v, about as good %v", likely, near)
	}
	for _, k := range likely {
		if !slices.Contains(near, k) {
			t.Errorf("%d is likely but not about as good", k)
		}
	}
	few := &constraint.Set{Must: random.Must[:min(5, len(random.Must))], Cannot: random.Cannot[:30]}
	if likely, _ := compare(few); !slices.Equal(likely, numbers) {
		t.Errorf("35 links ruled numbers out: %v are left", likely)
	}
	// Links of rows that are next to each other.
	picked := &constraint.Set{}
	for i := range 120 {
		near, least := -1, 0.0
		for j := range x.Len() {
			if d := data.Dist2(x.Row(j, make([]float64, 3)), data.Copy(x, i), data.Norm2(data.Copy(x, i))); j != i && (near < 0 || d < least) {
				near, least = j, d
			}
		}
		if p := (constraint.Pair{I: i, J: near, W: 1}); truth[i] == truth[near] {
			picked.Must = append(picked.Must, p)
		} else {
			picked.Cannot = append(picked.Cannot, p)
		}
	}
	if likely, _ := compare(picked); !slices.Equal(likely, numbers) {
		t.Errorf("picked links ruled numbers out: %v are left", likely)
	}
}

// TestTogetherShare compares the share with that of all pairs of rows.
func TestTogetherShare(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, 2}
	together := 0
	for _, a := range labels {
		for _, b := range labels {
			if a == b {
				together++
			}
		}
	}
	if got, want := togetherShare(labels), float64(together)/36; got < want-1e-12 || got > want+1e-12 {
		t.Errorf("share %v, must be %v", got, want)
	}
}
