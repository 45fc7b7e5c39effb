package prepare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// listTable has two numbers that go with two groups, and lists of values that each stand in a cell with the given
// probabilities, by group.
func listTable(n int, p [2]float64) string {
	rng := rand.New(rand.NewPCG(6, 1))
	kinds := []string{"Action", "Comedy", "Crime", "Drama", "Family", "War"}
	var b strings.Builder
	b.WriteString("size,width,kinds\n")
	for i := range n {
		var list []string
		for f, kind := range kinds {
			if rng.Float64() < p[(f+i)%2] {
				list = append(list, kind)
			}
		}
		if len(list) == 0 {
			list = kinds[i%6 : i%6+1]
		}
		size := 4*float64(i%2) + rng.NormFloat64()
		fmt.Fprintf(&b, "%.2f,%.2f,%s\n", size, size+rng.NormFloat64(), strings.Join(list, "|"))
	}
	return b.String()
}

// What a clustering is compared with has the values of lists shuffled independently, as the yes/no columns that they could be;
// and where the lists are the only columns that are related, that is no doubt.
func TestValuesOfListsAreColumns(t *testing.T) {
	for _, p := range [][2]float64{{0.1, 0.4}, {0.15, 0.65}, {0.3, 0.9}} {
		text := listTable(300, p)
		ds, plan := openMixed(t, text, dataio.Options{}, columns.Rules{})
		if list := &plan.Columns[2]; list.Spec.List == "" || list.Levels != 6 || !list.Used {
			t.Fatalf("%v: %+v", p, list)
		}
		r, _, err := Fit(ds, Options{Scale: Standard, Missing: Fill, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for _, c := range r.FeatureColumns() {
			seen[c] = true
		}
		if len(seen) != 8 {
			t.Errorf("the features are of columns %v, want 8 different ones", r.FeatureColumns())
		}
		if _, measured := plan.Relevant(); measured != 0 {
			t.Errorf("relevance was measured of %d columns beside a list, want none", measured)
		}
	}
}
