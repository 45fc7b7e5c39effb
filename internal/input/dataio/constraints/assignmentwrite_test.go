package constraints

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"pgregory.net/rapid"
)

func TestWriteAssignmentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c0-9 ,;"\n\t|é]{0,4}[a-c0-9"]`), 1, 20, rapid.ID).Draw(t, "ids")
		names := []string{"x", "y, z", `"`, "NAN"}
		labels := rapid.SliceOfN(rapid.IntRange(0, len(names)-1), len(ids), len(ids)).Draw(t, "labels")
		var b bytes.Buffer
		if err := WriteAssignment(&b, func(i int) string { return ids[i] }, labels, names); err != nil {
			t.Fatal(err)
		}
		a, err := ReadAssignment(&b, "f", 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ids {
			if a.ID(i) != ids[i] || a.Label(i) != names[labels[i]] {
				t.Fatalf("row %d: %q, %q, want %q, %q", i, a.ID(i), a.Label(i), ids[i], names[labels[i]])
			}
		}
	})
}

func TestWriteAssignment(t *testing.T) {
	var b strings.Builder
	ds := &source.Dataset{X: &data.Dense{Cols: 1, V: []float64{1, 2}}}
	if err := WriteAssignment(&b, ds.ID, []int{1, 0}, nil); err != nil || b.String() != "id,cluster\n0,1\n1,0\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := WriteAssignment(io.Discard, ds.ID, []int{2}, []string{"a", "b"}); err == nil {
		t.Error("a cluster without a name was written")
	}
}
