package prepare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/prepare"
)

func TestLargest(t *testing.T) {
	words := &prepare.Recipe{Dim: 4, Text: &prepare.TFIDF{Vocabulary: []string{"ant", "bee", "cat", "dog"}}}
	columns := &prepare.Recipe{Dim: 2, Columns: []string{"width", "height"}}
	for _, c := range []struct {
		r    *prepare.Recipe
		v    []float64
		n    int
		want []string
	}{
		{words, []float64{0.1, 0, 0.7, 0.2}, 2, []string{"cat", "dog"}},
		{words, []float64{0.5, 0.5, 0.7, 0.5}, 3, []string{"cat", "ant", "bee"}}, // equal ones in their order
		{words, []float64{0.1, 0, -3, math.NaN()}, 9, []string{"ant"}},           // only what is above 0
		{words, []float64{1, 2, 3, 4}, 0, nil},
		{words, []float64{1, 2, 3, 4}, -1, nil},
		{words, nil, 3, nil},
		{columns, []float64{1, 2}, 5, []string{"height", "width"}},
		{&prepare.Recipe{Dim: 3}, []float64{3, 0, 9}, 5, []string{"2", "0"}},
		{columns, []float64{1, 2, 3}, 1, []string{"2"}}, // more numbers than the recipe has names
	} {
		if got := c.r.Largest(c.v, c.n); !slices.Equal(got, c.want) {
			t.Errorf("the %d largest of %v are %q, not %q", c.n, c.v, c.want, got)
		}
	}
	if words.Name(-1) != "-1" || columns.Name(1) != "height" {
		t.Error("features are not called by their names")
	}
}
