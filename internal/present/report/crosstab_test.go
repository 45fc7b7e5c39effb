package report_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/present/report"
)

// Classes stand in the order of the clusters that hold most of them.
func TestTidyMakesADiagonal(t *testing.T) {
	c := (&report.Crosstab{Rows: []string{"x", "y", "z"}, Columns: []string{"a", "b", "c"}, N: [][]int{{0, 1, 9}, {7, 0, 2}, {1, 5, 0}}}).Tidy()
	if got := fmt.Sprint(c.Rows, c.Columns, c.N); got != "[y z x] [a b c] [[7 0 2] [1 5 0] [0 1 9]]" {
		t.Error(got)
	}
}

// Whatever the table, no row is lost, and there are never too many lines.
func TestTidyKeepsAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, k := rapid.IntRange(1, 90).Draw(t, "classes"), rapid.IntRange(1, 90).Draw(t, "clusters")
		in, want := &report.Crosstab{Columns: make([]string, k)}, 0
		for range r {
			row := rapid.SliceOfN(rapid.IntRange(0, 5), k, k).Draw(t, "row")
			for _, n := range row {
				want += n
			}
			in.Rows, in.N = append(in.Rows, "c"), append(in.N, row)
		}
		out, got := in.Tidy(), 0
		for _, row := range out.N {
			if len(row) != len(out.Columns) {
				t.Fatal("a line has more or fewer cells than there are columns")
			}
			for _, n := range row {
				got += n
			}
		}
		if got != want || len(out.Rows) > 40 || len(out.Columns) > 40 || len(out.N) != len(out.Rows) {
			t.Fatalf("%d rows of %d in a table of %d × %d", got, want, len(out.Rows), len(out.Columns))
		}
		if strings.Contains(report.CrosstabChart(out).Inline(), "NaN") {
			t.Fatal("a place is no number")
		}
	})
}
