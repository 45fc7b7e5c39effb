package prepare_test

import (
	"testing"

	"github.com/inklinghq/inkling/internal/input/prepare"
)

func TestFeaturesAreCalledByTheirNames(t *testing.T) {
	words := &prepare.Recipe{Dim: 2, Text: &prepare.TFIDF{Vocabulary: []string{"ant", "bee"}}}
	columns := &prepare.Recipe{Dim: 2, Columns: []string{"width", "height"}}
	for _, c := range []struct {
		r    *prepare.Recipe
		f    int
		want string
	}{
		{words, 1, "bee"}, {words, -1, "-1"}, {words, 2, "2"}, {columns, 1, "height"}, {columns, 2, "2"}, {&prepare.Recipe{Dim: 3}, 2, "2"},
	} {
		if got := c.r.Name(c.f); got != c.want {
			t.Errorf("feature %d is called %q, not %q", c.f, got, c.want)
		}
	}
}
