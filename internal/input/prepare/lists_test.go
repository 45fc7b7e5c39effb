package prepare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
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

// The values of lists vary along their main direction as one number does, however many they are and whatever stands beside them.
func TestListsWeighAsTheirMainDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	var b strings.Builder
	b.WriteString("size,parts\n")
	for i := range 400 {
		list := []string{"part aa"}
		for v := 1; v < 40; v++ {
			p := 0.04
			if v%5 == i%7%5 {
				p = 0.5
			}
			if rng.Float64() < p {
				list = append(list, fmt.Sprintf("part %c%c", 'a'+v%5, 'a'+v/5))
			}
		}
		fmt.Fprintf(&b, "%.2f,%s\n", float64(i%3)+rng.NormFloat64(), strings.Join(list, "|"))
	}
	ds, plan := openMixed(t, b.String(), dataio.Options{}, columns.Rules{Number: []string{"size"}})
	_, done, err := Fit(ds, Options{Scale: Standard, Missing: Fill, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	x := done.X.(*data.Dense)
	v := make([]float64, x.Cols)
	for f := 1; f < x.Cols; f++ {
		v[f] = rng.NormFloat64()
	}
	mean := make([]float64, x.Cols)
	for i, y := range x.V {
		mean[i%x.Cols] += y / float64(x.Len())
	}
	most := 0.0
	for range 100 { // power iteration
		next := make([]float64, x.Cols)
		for i := range x.Len() {
			along := 0.0
			for f := 1; f < x.Cols; f++ {
				along += (x.V[i*x.Cols+f] - mean[f]) * v[f]
			}
			for f := 1; f < x.Cols; f++ {
				next[f] += along * (x.V[i*x.Cols+f] - mean[f]) / float64(x.Len())
			}
		}
		most = math.Sqrt(dot(next, next))
		for f := range next {
			v[f] = next[f] / most
		}
	}
	if x.Cols != 41 || math.Abs(most-1) > 0.01 {
		t.Errorf("%d features, along their main direction lists have variance %.3f, want 1", x.Cols, most)
	}
}

func dot(a, b []float64) (s float64) {
	for f, y := range a {
		s += y * b[f]
	}
	return s
}
