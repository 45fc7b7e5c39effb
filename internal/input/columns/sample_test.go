package columns

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

// TestSample: a sample of a column has the numbers that reading the whole column has at those rows.
func TestSample(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c,d\n")
	for i := range 500 {
		when := fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1)
		switch {
		case i%9 == 0:
			when = "20240105"
		case i%31 == 0:
			when = "soon"
		}
		fmt.Fprintf(&text, "%d,%d.%03d,%s,%s\n", i*i%101, i%7, i%1000, []string{"12 mm", "3 cm", "", "-", "77", "x"}[i%6], when)
	}
	ds, err := dataio.Read(strings.NewReader(text.String()), "t.csv", dataio.Options{Mixed: true, TableMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	specs := []Spec{
		{Role: Number, Reading: currentReading, Sentinels: []float64{99, 4}},
		{Role: Number, Reading: currentReading, Groups: true},
		{Role: Number, Reading: currentReading, Unit: "mm", Units: map[string]Conversion{"cm": {Factor: 10}}},
		{Role: Date, Reading: currentReading},
	}
	for j, s := range specs {
		all, _ := s.Numbers(ds, j)
		for _, m := range []int{1, 3, 77, 499, 500, 800} {
			got, want := s.sample(ds, j, m), evenly(all, m)
			if !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("column %d, %d rows: %v, want %v", j, m, got, want)
			}
		}
	}
}
