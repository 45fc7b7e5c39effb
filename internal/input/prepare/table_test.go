package prepare

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// openMixed reads a table and decides on its columns.
func openMixed(t testing.TB, text string, opt dataio.Options, rules columns.Rules) (*dataio.Dataset, *columns.Plan) {
	t.Helper()
	opt.Mixed, opt.TableMissing = true, true
	ds, err := dataio.Read(strings.NewReader(text), "f.csv", opt)
	if err != nil {
		t.Fatal(err)
	}
	rules.ID, rules.Text = opt.ID, opt.Text
	p, err := columns.Decide(ds, rules)
	if err != nil {
		t.Fatal(err)
	}
	return ds, p
}

// mixedTable has a number, a category, a date and missing cells.
func mixedTable(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,kind,day,y\n")
	for i := range n {
		kind := []string{"a", "b", "b", "c"}[r.IntN(4)]
		if i%17 == 0 {
			kind = ""
		}
		y := fmt.Sprintf("%.3f", 100*r.NormFloat64())
		if i%10 == 0 {
			y = "NA"
		}
		fmt.Fprintf(&b, "%.4f,%s,2024-%02d-%02d,%s\n", r.NormFloat64(), kind, 1+r.IntN(12), 1+r.IntN(28), y)
	}
	return b.String()
}

// meanDistance returns the mean squared distance of two different rows in the features from lo
// to hi.
func meanDistance(x data.Rows, lo, hi int) float64 {
	sum, n := 0.0, x.Len()
	for i := range n {
		a := data.Copy(x, i)
		for k := range n {
			b := data.Copy(x, k)
			for f := lo; f < hi; f++ {
				sum += (a[f] - b[f]) * (a[f] - b[f])
			}
		}
	}
	return sum / float64(n*n)
}

// Every column, of whatever kind, has the mean squared distance 2 times the share of cells that are there when
// standardised: missing ones count as average where no column predicts another.
func TestColumnsCountAlike(t *testing.T) {
	ds, plan := openMixed(t, mixedTable(300), dataio.Options{}, columns.Rules{})
	r, got, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	if r.Scale != Standard || strings.Join(r.Columns, " ") != "x kind=b kind=a kind=c day (days) y" {
		t.Fatalf("scale %s, features %q", r.Scale, r.Columns)
	}
	for name, at := range map[string]struct {
		lo, hi  int
		missing float64
	}{"x": {0, 1, 0}, "kind": {1, 4, 18}, "day": {4, 5, 0}, "y": {5, 6, 30}} {
		if d, want := meanDistance(got.X, at.lo, at.hi), 2*(1-at.missing/300); math.Abs(d-want) > 1e-9 {
			t.Errorf("%s: mean squared distance %v, want %v", name, d, want)
		}
	}
	if median := r.Encoding.Columns[3].Fill; math.Abs(median) > 30 || r.Encoding.Columns[3].Name != "y" {
		t.Errorf("y is filled in with %v", median)
	}
}

// A recipe from JSON gives the fitted rows the same bits, and knows other rows.
func TestMixedRecipeApplies(t *testing.T) {
	text := mixedTable(200)
	ds, plan := openMixed(t, text, dataio.Options{}, columns.Rules{DateParts: true, Log: []string{"auto"}})
	for _, missing := range []Missing{Fill, Mean, Drop} {
		fitted, want, err := Fit(ds, Options{Scale: Auto, Missing: missing, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(fitted)
		if err != nil {
			t.Fatal(err)
		}
		r := &Recipe{}
		if err := json.Unmarshal(b, r); err != nil {
			t.Fatal(err)
		}
		got, err := r.Apply(ds)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.X.Len() {
			a, b := data.Copy(want.X, i), data.Copy(got.X, i)
			for f := range a {
				if math.Float64bits(a[f]) != math.Float64bits(b[f]) {
					t.Fatalf("%s: row %d, feature %s: %v, fitted %v", missing, i, r.Columns[f], b[f], a[f])
				}
			}
		}
	}
	r, _, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	later, err := dataio.Read(strings.NewReader("y,extra,kind,x,day\n1,q,new,0.5,\n,q,a,,2030-01-01\n2,q,rare,1,2024-05-05\n"), "later.csv", dataio.Options{Mixed: true, TableMissing: true, Features: r.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Apply(later)
	if err != nil {
		t.Fatal(err)
	}
	if got.X.Len() != 3 || !strings.Contains(fmt.Sprint(got.Notes), `kind: 2 cells with values that were rare or absent in the fitted rows, counted as other: "new", "rare"`) ||
		!strings.Contains(fmt.Sprint(got.Notes), "missing cells: x 1, day 1, y 1") {
		t.Errorf("%d rows, notes %q", got.X.Len(), got.Notes)
	}
	// A column that is not there counts as missing, as if its cells were empty.
	empty, err := dataio.Read(strings.NewReader("y,kind,x,day\n,new,0.5,\n,a,,2030-01-01\n,rare,1,2024-05-05\n"), "empty.csv", dataio.Options{Mixed: true, TableMissing: true, Features: r.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.Apply(empty)
	if err != nil {
		t.Fatal(err)
	}
	later.Columns[0] = "z"
	got, err = r.Apply(later)
	if err != nil || !strings.Contains(fmt.Sprint(got.Notes), `columns that the model was fitted with and this table lacks count as missing: "y"`) || strings.Contains(fmt.Sprint(got.Notes), "y 3") {
		t.Fatalf("a column is missing: %v %q", err, got.Notes)
	}
	if !reflect.DeepEqual(got.X, want.X) {
		t.Errorf("a column that is missing gives %v, one without cells %v", got.X, want.X)
	}
	// Where missing cells are refused or drop rows, so is the column; and one of them must be there.
	for _, missing := range []Missing{Refuse, Drop} {
		strict := *r
		strict.Missing = missing
		if _, err := strict.Apply(later); err == nil || !strings.Contains(err.Error(), `columns missing: "y"`) {
			t.Errorf("%q: %v", missing, err)
		}
	}
	for j := range later.Columns {
		later.Columns[j] += "?"
	}
	if _, err := r.Apply(later); err == nil || !strings.Contains(err.Error(), "columns missing:") {
		t.Errorf("no column is there: %v", err)
	}
}

// Being missing is a feature only where it differs between the labels.
func TestMissingIndicator(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,kind\n")
	known := make([]int, 400)
	for i := range known {
		known[i] = i % 2
		x, y := fmt.Sprint(i%13), fmt.Sprint(i%7)
		if i%8 == 0 || i%8 == 2 { // of class 0 alone
			x = ""
		}
		if i%9 == 0 { // of both
			y = ""
		}
		fmt.Fprintf(&b, "%s,%s,%s\n", x, y, []string{"u", "v", "w"}[i%3])
	}
	ds, plan := openMixed(t, b.String(), dataio.Options{}, columns.Rules{})
	r, _, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Encoding.Columns[0].Indicator || r.Encoding.Columns[1].Indicator {
		t.Errorf("features %q", r.Columns)
	}
	if r, _, _ = Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan}); r.Encoding.Columns[0].Indicator {
		t.Error("an indicator without labels")
	}
}

// Words beside columns count together as much as these together.
func TestTextBesideColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,kind,notes\n")
	words := []string{"late", "order", "refund", "colour", "size", "broken", "thanks"}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 120 {
		fmt.Fprintf(&b, "%d,%s,%s %s %s\n", r.IntN(100), []string{"u", "v"}[i%2], words[r.IntN(7)], words[r.IntN(7)], words[r.IntN(7)])
	}
	ds, plan := openMixed(t, b.String(), dataio.Options{Text: "notes"}, columns.Rules{Number: []string{"x"}, Category: []string{"kind"}})
	recipe, got, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	if recipe.Dim != 3+7 || got.X.Dim() != 10 {
		t.Fatalf("%d features: %q", recipe.Dim, recipe.Columns)
	}
	if columns, text := meanDistance(got.X, 0, 3), meanDistance(got.X, 3, 10); math.Abs(columns-4) > 1e-9 || math.Abs(text-4) > 1e-9 {
		t.Errorf("mean squared distances %v of the columns and %v of the words, want 4 of both", columns, text)
	}
	again, err := recipe.Apply(ds)
	if err != nil || fmt.Sprint(again.X) != fmt.Sprint(got.X) {
		t.Errorf("applied to the fitted rows: %v", err)
	}
}

func TestAutoScale(t *testing.T) {
	for text, want := range map[string]Scale{
		"a,b\n1,2\n2,4\n3,5\n":         None,
		"a,b\n1,200\n2,4000\n3,5\n":    Standard,
		"1,200\n2,4000\n3,5\n":         None, // no names
		"a,b\n1,\n2,4\n3,5\n4,6\n":     None,
		"a,b\n1,\n2,4000\n3,5\n4,60\n": Standard,
	} {
		ds, plan := openMixed(t, text, dataio.Options{}, columns.Rules{})
		r, got, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
		if err != nil || r.Scale != want {
			t.Errorf("%q: scale %s, want %s, %v", text, r.Scale, want, err)
		} else if plan.Columns[0].Name == "a" && !strings.Contains(fmt.Sprint(got.Notes), "scale=") {
			t.Errorf("%q: notes %q do not say how columns are scaled", text, got.Notes)
		}
	}
}

// A damaged recipe is refused, not trusted.
func TestDamagedEncoding(t *testing.T) {
	ds, plan := openMixed(t, mixedTable(50), dataio.Options{}, columns.Rules{})
	for about, damage := range map[string]func(r *Recipe){
		"a level less":  func(r *Recipe) { r.Encoding.Columns[1].Levels = r.Encoding.Columns[1].Levels[1:] },
		"another role":  func(r *Recipe) { r.Encoding.Columns[0].Role = "id" },
		"infinite fill": func(r *Recipe) { r.Encoding.Columns[0].Fill = math.Inf(1) },
		"no columns":    func(r *Recipe) { r.Encoding.Columns = nil },
		"rows of another width to fill in from": func(r *Recipe) {
			r.Encoding.Likely = &Likely{Rows: make([]float64, r.Dim+1), Worth: make([]float64, r.Dim)}
		},
		"a missing number outside of the rows": func(r *Recipe) {
			r.Encoding.Likely = &Likely{Rows: make([]float64, r.Dim), Holes: []int{r.Dim}, Worth: make([]float64, r.Dim)}
		},
		"rows that are not finite": func(r *Recipe) {
			r.Encoding.Likely = &Likely{Rows: []float64{0, 0, 0, 0, math.Inf(1), 0}, Worth: make([]float64, r.Dim)}
		},
	} {
		r, _, err := Fit(ds, Options{Scale: Auto, Missing: Fill, Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		damage(r)
		if _, err := r.Apply(ds); err == nil {
			t.Errorf("%s: no error", about)
		}
	}
}

// TestNumbersAreCopiedOnce checks that a table of numbers beside its ids is taken into rows without a copy on the way: what is
// needed beside the rows is the sorting of one column after the other.
func TestNumbersAreCopiedOnce(t *testing.T) {
	const n, d = 1000, 40
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("sample")
	for j := range d {
		fmt.Fprintf(&b, ",x%d", j)
	}
	for i := range n {
		fmt.Fprintf(&b, "\ns%d", i)
		for range d {
			fmt.Fprintf(&b, ",%.3f", r.NormFloat64())
		}
	}
	ds, plan := openMixed(t, b.String()+"\n", dataio.Options{}, columns.Rules{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, p, err := Fit(ds, Options{Plan: plan, Scale: Auto, Missing: Fill})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if p.X.Dim() != d {
		t.Fatalf("%d features, must be %d", p.X.Dim(), d)
	}
	if rows := float64(n * d * 8); float64(after.TotalAlloc-before.TotalAlloc) > 2.5*rows {
		t.Errorf("%.1f times the rows were allocated, must be at most 2.5", float64(after.TotalAlloc-before.TotalAlloc)/rows)
	}
}
