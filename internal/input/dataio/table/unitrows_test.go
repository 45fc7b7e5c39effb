package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

func TestLinesOfUnits(t *testing.T) {
	rows := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "s%d,%d.5,%d,north\n", i, i, 3*i)
		}
		return b.String()
	}
	const header = "site,temp,rain,side\n"
	for _, c := range []struct {
		name, above string
		n, lines    int
	}{
		{"none", "", 9, 0},
		{"units", ",°C,mm,\n", 9, 1},
		{"in brackets", ",[m/s],(m),\n", 9, 1},
		{"words", "-,Volts,Deg C,-\n", 9, 1},
		{"units and kinds", "TS,Volts,mm,\n,Avg,Smp,\n", 9, 2},
		{"one unit alone", ",mm,,\n", 9, 0},
		{"kinds without units", ",Avg,Smp,\n", 9, 0},
		{"missing cells", "a,NA,NA,north\n", 9, 0},
		{"unknown", "a,unknown,unknown,north\n", 9, 0},
		{"a unit and a number", ",mm,3,\n", 9, 0},
		{"too few rows", ",°C,mm,\n", 3, 0},
	} {
		ds, err := ReadCSV(strings.NewReader(header+c.above+rows(c.n)), "f.csv", source.Options{Mixed: true, TableMissing: true})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		extra := strings.Count(c.above, "\n") - c.lines
		if got := ds.X.Len(); got != c.n+extra {
			t.Errorf("%s: %d rows, want %d", c.name, got, c.n+extra)
		}
		if said := strings.Contains(fmt.Sprint(ds.Notes), "of units below it"); said != (c.lines > 0) {
			t.Errorf("%s: %v", c.name, ds.Notes)
		}
		if c.lines > 0 && ds.Lines(0) != 2+c.lines {
			t.Errorf("%s: the first row is on line %d", c.name, ds.Lines(0))
		}
	}
}
