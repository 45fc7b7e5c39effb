package prepare

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Known classes have rows prepared again only where they make it a feature that a value is missing, or no longer one.
func TestKnownClassesThatChangeNothingKeepTheRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range 60 {
		if i%3 == 0 {
			fmt.Fprintf(&b, "%d,\n", i%7)
		} else {
			fmt.Fprintf(&b, "%d,%d\n", i%7, i%5)
		}
	}
	ds, plan := openMixed(t, b.String(), dataio.Options{}, columns.Rules{})
	alike, telling := make([]int, 60), make([]int, 60)
	for i := range alike {
		alike[i] = i % 2
		if telling[i] = 0; i%3 == 0 {
			telling[i] = 1
		}
	}
	var kept Kept
	fit := func(known []int) *Prepared {
		opt := Options{Plan: plan, Missing: Fill, Known: known}
		recipe, ready, err := kept.Fit(ds, opt)
		if err != nil {
			t.Fatal(err)
		}
		again, fresh, err := Fit(ds, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(recipe, again) || !reflect.DeepEqual(ready.X, fresh.X) {
			t.Errorf("classes %v: other rows than without a memory", known)
		}
		return ready
	}
	first := fit(nil)
	if fit(alike) != first || fit(nil) != first {
		t.Error("rows were prepared again")
	}
	second := fit(telling)
	if second == first {
		t.Error("that a value is missing tells the classes, and is no feature")
	}
	if fit(telling) != second || fit(alike) == second {
		t.Error("other rows are kept")
	}
}
