package columns_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// severalTable has two numbers that go with two groups, and a column v whose cells come from cell, which gets numbers of the group.
func severalTable(rows int, cell func(i int, x []float64) string) string {
	rng := rand.New(rand.NewPCG(9, 1))
	var b strings.Builder
	b.WriteString("size,width,v\n")
	for i := range rows {
		x := make([]float64, 6)
		for f := range x {
			x[f] = 3*float64((i+f)%2) + rng.NormFloat64()
		}
		fmt.Fprintf(&b, "%.2f,%.2f,\"%s\"\n", x[0], x[0]+rng.NormFloat64(), strings.ReplaceAll(cell(i, x), `"`, `""`))
	}
	return b.String()
}

func TestSeveralNumbersInCells(t *testing.T) {
	floats := func(form, between, before, after string, n int) func(int, []float64) string {
		return func(_ int, x []float64) string {
			var parts []string
			for _, y := range x[:n] {
				parts = append(parts, fmt.Sprintf(form, y))
			}
			return before + strings.Join(parts, between) + after
		}
	}
	pair := func(form string, at, spread float64) func(int, []float64) string {
		return func(_ int, x []float64) string { return fmt.Sprintf(form, at+spread*x[0], at/2+spread*x[1]) }
	}
	comma := func(f func(int, []float64) string) func(int, []float64) string {
		return func(i int, x []float64) string { return strings.ReplaceAll(f(i, x), ".", ",") }
	}
	sometimes := func(f func(int, []float64) string, other string) func(int, []float64) string {
		return func(i int, x []float64) string {
			if i%20 == 3 {
				return other
			}
			return f(i, x)
		}
	}
	vector, two := []string{"v.0", "v.5"}, []string{"v_1", "v_2"}
	for _, c := range []struct {
		name string
		cell func(i int, x []float64) string
		want []string // the first and the last column; nil: the column stays
	}{
		{"pandas", floats("%.3f", ", ", "[", "]", 6), vector},
		{"JSON", floats("%.3f", ",", "[", "]", 6), vector},
		{"numpy over lines", floats("%.3f", "\n  ", "[", "]", 6), vector},
		{"numpy's short numbers", floats("%.0f.", " ", "[", "]", 6), vector},
		{"exponents", floats("%.2e", " ", "[ ", "]", 6), vector},
		{"array", floats("%.3f", ", ", "array([", "], dtype=float32)", 6), vector},
		{"tuple", floats("%.3f", ", ", "(", ")", 6), vector},
		{"braces", floats("%.3f", ",", "{", "}", 6), vector},
		{"semicolons", floats("%.3f", ";", "", "", 6), vector},
		{"bars", floats("%.3f", " | ", "", "", 6), vector},
		{"blanks", floats("%.3f", " ", "", "", 6), vector},
		{"commas", floats("%.3f", ",", "", "", 6), vector},
		{"decimal commas", comma(floats("%.3f", ";", "", "", 6)), vector},
		{"missing vectors", sometimes(floats("%.3f", ", ", "[", "]", 6), "n/a"), vector},
		{"empty vectors", sometimes(floats("%.3f", ", ", "[", "]", 6), "[]"), vector},
		{"counts", func(_ int, x []float64) string {
			return fmt.Sprintf("[%.0f, %.0f, %.0f, 0, 0, 1]", math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]))
		}, vector},
		{"two in brackets", floats("%.3f", ", ", "[", "]", 2), []string{"v.0", "v.1"}},
		{"pressure", pair("%.0f/%.0f", 160, 9), two},
		{"pressure with a unit", pair("%.0f / %.0f mmHg", 160, 9), two},
		{"missing pressure", sometimes(pair("%.0f/%.0f", 160, 9), "—"), two},
		{"coordinates", pair("%.5f, %.5f", 48, 0.1), two},
		{"coordinates without a blank", pair("%.5f,%.5f", 48, 0.1), two},
		{"coordinates in parentheses", pair("(%.5f; %.5f)", 48, 0.1), []string{"v.0", "v.1"}},
		{"coordinates with decimal commas", comma(pair("%.5f; %.5f", 48, 0.1)), two},
		{"coordinates with a blank", pair("%.5f %.5f", 48, 0.1), two},
		{"sizes", pair("%.0f x %.0f cm", 160, 9), two},
		{"sizes with a sign", pair("%.0f×%.0f", 160, 9), two},
		{"three sizes", func(_ int, x []float64) string {
			return fmt.Sprintf("%.0fx%.0fx%.0f", 90+9*x[0], 90+9*x[1], 90+9*x[2])
		}, []string{"v_1", "v_3"}},

		{"dates", func(i int, _ []float64) string { return fmt.Sprintf("%d/%d/2024", 1+i%28, 1+i%12) }, nil},
		{"days and months", func(i int, _ []float64) string { return fmt.Sprintf("%d/%d", 1+i%28, 1+i%12) }, nil},
		{"months and years", func(i int, _ []float64) string { return fmt.Sprintf("%d/%d", 1+i%12, 1990+i%40) }, nil},
		{"years and months", func(i int, _ []float64) string { return fmt.Sprintf("%d/%d", 1990+i%40, 1+i%12) }, nil},
		{"seasons", func(i int, _ []float64) string { return fmt.Sprintf("%d/%02d", 1985+i%40, (86+i%40)%100) }, nil},
		{"fractions", func(i int, _ []float64) string { return fmt.Sprintf("%d/%d", 1+i%15, 16+i%11) }, nil},
		{"marks", func(i int, _ []float64) string { return fmt.Sprintf("%d/20", i%20) }, nil},
		{"ranges", func(i int, _ []float64) string { return fmt.Sprintf("%d-%d", 10+i%31, 50+i%37) }, nil},
		{"invoices of a year", func(i int, _ []float64) string { return fmt.Sprintf("%d/2024", 3000+i) }, nil},
		{"phone numbers", func(i int, _ []float64) string { return fmt.Sprintf("030 %03d %03d", i%1000, 7*i%1000) }, nil},
		{"thousands", func(i int, _ []float64) string { return fmt.Sprintf("%d %03d %03d", 1+i%90, 7*i%1000, 3*i%1000) }, nil},
		{"versions", func(i int, _ []float64) string { return fmt.Sprintf("%d.%d.%d", i%7, i%11, i%5) }, nil},
		{"codes of genres", func(i int, _ []float64) string { return fmt.Sprintf("[%d, %d, %d]", 1+i%3, 4+i%5, 9+i%4) }, nil},
		{"answers", func(i int, _ []float64) string { return fmt.Sprintf("%d;%d;%d", 1+i%3, 4+i%5, 9+i%4) }, nil},
		{"one cell of another form", func(i int, x []float64) string {
			if i == 50 {
				return "high"
			}
			return pair("%.0f/%.0f", 160, 9)(i, x)
		}, nil},
		{"few resolutions", func(i int, _ []float64) string { return []string{"1920x1080", "1366x768", "2560x1440"}[i%3] }, nil},
		{"codes with zeros", func(i int, _ []float64) string { return fmt.Sprintf("0%d/%d", 200+i, 90+i%17) }, nil},
	} {
		ds := read(t, severalTable(200, c.cell), dataio.Options{})
		p, err := columns.Decide(ds, columns.Rules{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ds.Columns[2:]
		if c.want == nil {
			if len(got) != 1 || got[0] != "v" || p.Several != nil {
				t.Errorf("%s: became %v", c.name, got)
			}
			continue
		}
		if got[0] != c.want[0] || got[len(got)-1] != c.want[1] || len(p.Several) != 1 || !strings.Contains(string(p.Several[0]), c.want[0]) {
			t.Errorf("%s: became %v, %q; want %v", c.name, got, p.Several, c.want)
			continue
		}
		for _, line := range p.Columns {
			if slices.Contains(got, line.Name) && line.Role != columns.Number {
				t.Errorf("%s: %s is %s", c.name, line.Name, line.Role)
			}
		}
	}
}

func TestSeveralNumbersAreRead(t *testing.T) {
	for cell, want := range map[string]string{
		"[1.5, -2, 3e2]": "1.5 -2 300", "[ 1.5 -2.\n 3.]": "1.5 -2 3", "1,5;-2;3": "1.5 -2 3", "[1.5, nan, 3]": "1.5 NaN 3", "": "NaN NaN NaN", "none": "NaN NaN NaN", "[]": "NaN NaN NaN",
	} {
		table := "size,v\n"
		for i := range 60 {
			if c := fmt.Sprintf("[%d.5, 2.5, 3.5]", i); strings.HasPrefix(cell, "1,5") {
				table += fmt.Sprintf("%d,\"%s\"\n", i%7, strings.NewReplacer(".", ",", ", ", ";", "[", "", "]", "").Replace(c))
			} else {
				table += fmt.Sprintf("%d,\"%s\"\n", i%7, c)
			}
		}
		ds := read(t, table+"5,\""+cell+"\"\n", dataio.Options{})
		if _, err := columns.Decide(ds, columns.Rules{NoID: true, Any: true}); err != nil {
			t.Errorf("%q: %v", cell, err)
			continue
		}
		row := ds.X.Row(60, make([]float64, ds.X.Dim()))
		if got := strings.Trim(fmt.Sprint(row.Val[1:]), "[]"); got != want {
			t.Errorf("%q is read as %s, want %s", cell, got, want)
		}
	}
}

func TestVectorsOfOtherLengths(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{"[0.5, 0.25]", `f.csv:61:3: column "v": the cell has 2 numbers, others have 3; correct the cell, or leave out the column: {drop=v}`},
		{"[0.5, 0.25, 1, 2]", `f.csv:61:3: column "v": the cell has 4 numbers, others have 3; correct the cell, or leave out the column: {drop=v}`},
		{"[0.5, ..., 1]", `f.csv:61:3: column "v": "[0.5, ..., 1]" is not 3 numbers, as others are; correct the cell, or leave out the column: {drop=v}`},
		{"broken", `f.csv:61: column "v": "broken" is not 3 numbers, as others are; correct the cell, or leave out the column: {drop=v}`},
	} {
		table := "x,v\n"
		for i := range 99 {
			if cell := fmt.Sprintf("[%d.5, 2.5, 3.5]", i); i != 59 {
				table += fmt.Sprintf("%d,\"%s\"\n", i%7, cell)
			} else {
				table += fmt.Sprintf("%d,\"%s\"\n", i%7, c.cell)
			}
		}
		_, err := columns.Decide(read(t, table, dataio.Options{}), columns.Rules{})
		var bad *dataio.Error
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v", c.cell, err)
			continue
		}
		if got := bad.Error() + "; " + string(bad.Hint); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.cell, got, c.want)
		}
	}
}

// What a plan or an option names stays one column, and a model divides as its fit did, whatever the cells of a new table look like.
func TestDivisionsFollowRulesAndModels(t *testing.T) {
	pressure := severalTable(60, func(_ int, x []float64) string { return fmt.Sprintf("%.0f/%.0f", 160+9*x[0], 80+9*x[1]) })
	ds := read(t, pressure, dataio.Options{})
	if _, err := columns.Decide(ds, columns.Rules{Category: []string{"v"}}); err != nil || len(ds.Columns) != 3 {
		t.Errorf("%v, %v", ds.Columns, err)
	}
	drop := []string{"v_2"}
	ds = read(t, pressure, dataio.Options{Drop: drop})
	if p, err := columns.Decide(ds, columns.Rules{Drop: drop}); err != nil || p.Columns[2].Role != columns.Number || p.Columns[3].Role != columns.Dropped {
		t.Errorf("%v", err)
	}
	drop = []string{"size_1"}
	if _, err := columns.Decide(read(t, pressure, dataio.Options{Drop: drop}), columns.Rules{Drop: drop}); err == nil || !strings.Contains(err.Error(), `there is no column "size_1" to leave out`) {
		t.Error(err)
	}
	for table, want := range map[string]string{"size,width,v\n1,2,120/130\n": "1 2 120 130", "size,width,v\n1,2,5/6\n1,2,x\n": "1 2 5 6", "size,width,v\n1,2,\"120, 80\"\n": "1 2 120 80"} {
		ds := read(t, table, dataio.Options{})
		if err := columns.DivideAs(ds, []string{"size", "width", "v_1", "v_2"}); err != nil {
			t.Error(err)
		}
		if got := strings.Trim(fmt.Sprint(ds.X.Row(0, make([]float64, 4)).Val), "[]"); got != want || !slices.Equal(ds.Names, []string{"size", "width", "v_1", "v_2"}) {
			t.Errorf("%s, %v; want %s", got, ds.Names, want)
		}
	}
	ds = read(t, "size,v\n1,\"[1, 2]\"\n2,\"[1, 2, 3]\"\n", dataio.Options{})
	if err := columns.DivideAs(ds, []string{"v.0", "v.1"}); err == nil || !strings.Contains(err.Error(), `f.csv:3:3: column "v": the cell has 3 numbers, others have 2`) {
		t.Error(err)
	}
	ds = read(t, "size,v\n1,\"[1, 2]\"\n", dataio.Options{})
	if err := columns.DivideAs(ds, []string{"size", "v"}); err != nil || len(ds.Columns) != 2 {
		t.Errorf("%v, %v", ds.Columns, err)
	}
}

func FuzzSeveralNumbers(f *testing.F) {
	for _, s := range []string{"[0.1, -0.5, 2e3]", "[0.1 0.2\n 0.3]", "array([1., 2.], dtype=float32)", "0,1;0,2;0,3", "120/80", "48.1, 11.5", "(48.1; 11.5)", "30 x 40 x 50 cm", "[]", "[", "{nan,1}", "1 2 3", "", "((", "[1,,2]", "٣/٤"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var table strings.Builder
		table.WriteString("x,v\n")
		for i := range 40 {
			s := a
			if i%3 == 0 {
				s = b
			}
			fmt.Fprintf(&table, "%d,\"%s\"\n", i%7, strings.NewReplacer(`"`, `""`, "\x00", "").Replace(s))
		}
		ds, err := dataio.Read(strings.NewReader(table.String()), "t", dataio.Options{Format: "csv", Mixed: true, TableMissing: true})
		if err != nil {
			return
		}
		again := *ds
		if _, err := columns.Decide(ds, columns.Rules{NoID: true, Any: true}); err != nil || ds.X == nil || ds.X.Len() != 40 {
			return
		}
		if err := columns.DivideAs(&again, ds.Columns); err != nil || len(again.Columns) != len(ds.Columns) {
			t.Fatalf("%q and %q: %v divides into %v, as a model into %v", a, b, err, ds.Columns, again.Columns)
		}
	})
}
