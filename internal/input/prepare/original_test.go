package prepare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Prepared values are brought back to the unit of the data, and columns keep their names.
func TestOriginalUnits(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,spend,kind,x\n")
	for i := range 100 {
		fmt.Fprintf(&b, "u%d,%.2f €,%s,%d\n", i, math.Exp(3+float64(i%25)/6), []string{"a", "b"}[i%2], i%25)
	}
	ds, plan := openMixed(t, b.String(), dataio.Options{}, columns.Rules{Number: []string{"spend", "x"}, Category: []string{"kind"}})
	r, got, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Encoding.Columns[0].Log || r.OriginalName(0) != "spend (€)" || r.OriginalName(1) != "kind=a" {
		t.Fatalf("%+v is called %s", r.Encoding.Columns[0], r.OriginalName(0))
	}
	buf := make([]float64, got.X.Dim())
	for i := 3; i < 20; i++ {
		v := got.X.Row(i, buf).Val
		if y, want := r.Original(0, v[0]), math.Round(100*math.Exp(3+float64(i%25)/6))/100; math.Abs(y-want) > 1e-6*want {
			t.Errorf("row %d: %v, want %v", i, y, want)
		}
		if y := r.Original(1+i%2, v[1+i%2]); math.Abs(y-1) > 1e-12 {
			t.Errorf("row %d: indicator %v", i, y)
		}
	}
	if !r.CanBe(0, 50) || r.CanBe(0, -5) || r.CanBe(0, 1e9) || r.CanBe(1, .5) {
		t.Error("values that cannot be are proposed")
	}
}

func TestRowShapes(t *testing.T) {
	row := []float64{1, 2, math.NaN(), 3}
	shapeRow(row, false)
	if want := math.Sqrt(1.5); math.Abs(row[0]+want) > 1e-12 || row[1] != 0 || row[2] != 0 || math.Abs(row[3]-want) > 1e-12 {
		t.Error(row)
	}
	line := []float64{1, 3, 5, 7, 9.5}
	shapeRow(line, true)
	mean, slope := 0.0, 0.0
	for f, y := range line {
		mean += y
		slope += y * float64(f-2)
	}
	if math.Abs(mean) > 1e-9 || math.Abs(slope) > 1e-9 {
		t.Error("what is left has a trend:", line)
	}
	flat := []float64{4, 4, 4}
	shapeRow(flat, true)
	if flat[0] != 0 || flat[2] != 0 {
		t.Error(flat)
	}
	counts := []float64{1, 0, 3, math.NaN()}
	if shareRow(counts) != -1 || counts[0] != .5 || counts[1] != 0 || counts[3] != 0 {
		t.Error(counts)
	}
	if shareRow([]float64{1, -1}) != 1 {
		t.Error("a negative value has a share")
	}
}
