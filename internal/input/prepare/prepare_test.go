package prepare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/hint"
)

var nan = math.NaN()

func table(cols []string, v ...float64) *dataio.Dataset {
	return &dataio.Dataset{Name: "t.csv", Columns: cols, X: &data.Dense{Cols: len(cols), V: v}}
}

func fit(t *testing.T, ds *dataio.Dataset, opt prepare.Options) (*prepare.Recipe, *prepare.Prepared) {
	t.Helper()
	r, p, err := prepare.Fit(ds, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r, p
}

func values(x data.Rows) (v []float64) {
	for i := range x.Len() {
		v = append(v, data.Copy(x, i)...)
	}
	return v
}

// near compares to the last few bits; want was computed by hand.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestScaleByHand(t *testing.T) {
	// a: mean 2, deviations -1 0 1, sd √(2/3). b: one value. c: min 0, max 10.
	rows := []float64{1, 5, 0, 2, 5, 10, 3, 5, 5}
	s := math.Sqrt(1.5)
	c := 5 / math.Sqrt(50.0/3)
	for _, tc := range []struct {
		scale prepare.Scale
		want  []float64
	}{
		{"", rows},
		{prepare.None, rows},
		{prepare.Standard, []float64{-s, 0, -c, 0, 0, c, s, 0, 0}},
		{prepare.MinMax, []float64{0, 0, 0, 0.5, 0, 1, 1, 0, 0.5}},
		{prepare.L2, []float64{
			1 / math.Sqrt(26), 5 / math.Sqrt(26), 0,
			2 / math.Sqrt(129), 5 / math.Sqrt(129), 10 / math.Sqrt(129),
			3 / math.Sqrt(59), 5 / math.Sqrt(59), 5 / math.Sqrt(59)}},
	} {
		ds := table([]string{"a", "b", "c"}, slices.Clone(rows)...)
		r, p := fit(t, ds, prepare.Options{Scale: tc.scale})
		near(t, "scale "+string(tc.scale), values(p.X), tc.want)
		if !slices.Equal(ds.X.(*data.Dense).V, rows) {
			t.Errorf("scale %s changed the dataset", tc.scale)
		}
		byColumn := tc.scale == prepare.Standard || tc.scale == prepare.MinMax
		if noted := strings.Contains(fmt.Sprint(p.Notes), `"b"`); noted != byColumn {
			t.Errorf("scale %s: notes %q; the constant column b must be named only when columns are scaled", tc.scale, p.Notes)
		}
		if byColumn {
			q, err := r.Apply(table([]string{"a", "b", "c"}, 4, 6, 20))
			if err != nil {
				t.Fatal(err)
			}
			if got := values(q.X)[1]; got != 1 {
				t.Errorf("scale %s: 6 in a column of 5 became %v, want 1 (factor 1)", tc.scale, got)
			}
		}
	}
}

func TestConstantColumnIsExactlyZero(t *testing.T) {
	// The sum of ten 0.1 is not 1: a mean by division would leave a residue.
	v := slices.Repeat([]float64{0.1}, 10)
	_, p := fit(t, table([]string{"a"}, v...), prepare.Options{Scale: prepare.Standard})
	if got := values(p.X); !slices.Equal(got, make([]float64, 10)) {
		t.Errorf("constant column became %v", got)
	}
}

func TestScaleAtTheEdgeOfFloats(t *testing.T) {
	for _, v := range [][]float64{{1e-200, 3e-200}, {-1e200, 1e200}, {5e-324, 1e-323}} {
		for _, scale := range []prepare.Scale{prepare.Standard, prepare.MinMax} {
			_, p := fit(t, table([]string{"a"}, v...), prepare.Options{Scale: scale})
			want := []float64{-1, 1}
			if scale == prepare.MinMax {
				want = []float64{0, 1}
			}
			if v[0] > 1e-300 || scale == prepare.MinMax { // the mean of two subnormals is rounded
				near(t, string(scale), values(p.X), want)
			}
		}
	}
	_, p := fit(t, table([]string{"a", "b"}, 3e-200, 4e-200, 3e200, 4e200, 0, 0), prepare.Options{Scale: prepare.L2})
	near(t, "l2", values(p.X), []float64{0.6, 0.8, 0.6, 0.8, 0, 0})
	_, _, err := prepare.Fit(table([]string{"a"}, -1.7e308, 1.7e308), prepare.Options{Scale: prepare.MinMax})
	wantError(t, err, `column "a"`, "too large")
	r, _ := fit(t, table([]string{"a"}, 0, 1e-300), prepare.Options{Scale: prepare.Standard})
	_, err = r.Apply(table([]string{"a"}, 0, 1e300))
	wantError(t, err, "row 1", `column "a"`, "too far")
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, s := range parts {
		if !strings.Contains(full(err), s) {
			t.Errorf("error %q does not have %q", err, s)
		}
	}
}

func TestMissing(t *testing.T) {
	cols := []string{"a", "b"}
	ds := table(cols, 1, 10, nan, 20, 3, nan, 5, 60)
	_, _, err := prepare.Fit(ds, prepare.Options{})
	wantError(t, err, "t.csv", "row 1", `column "a"`, "{missing=drop}")
	var bad *dataio.Error
	if !errors.As(err, &bad) {
		t.Errorf("%T is no *dataio.Error", err)
	}

	_, p := fit(t, ds, prepare.Options{Missing: prepare.Drop})
	if !slices.Equal(p.Rows, []int{0, 3}) || !slices.Equal(values(p.X), []float64{1, 10, 5, 60}) {
		t.Errorf("drop: rows %v, values %v", p.Rows, values(p.X))
	}
	if len(p.Notes) != 1 || !strings.Contains(string(p.Notes[0]), "2 of 4") {
		t.Errorf("drop: notes %q", p.Notes)
	}

	r, p := fit(t, ds, prepare.Options{Missing: prepare.Mean})
	if p.Rows != nil || !slices.Equal(values(p.X), []float64{1, 10, 3, 20, 3, 30, 5, 60}) {
		t.Errorf("mean: rows %v, values %v", p.Rows, values(p.X))
	}
	q, err := r.Apply(table(cols, nan, nan))
	if err != nil || !slices.Equal(values(q.X), []float64{3, 30}) {
		t.Errorf("mean of the fitted data: %v, %v", q, err)
	}

	// Scaling sees the filled rows: a is 1, 3, 3, 5 with variance 2.
	_, p = fit(t, ds, prepare.Options{Missing: prepare.Mean, Scale: prepare.Standard})
	if got := values(p.X)[0]; math.Abs(got+math.Sqrt2) > 1e-15 {
		t.Errorf("standard after mean: %v, want -√2", got)
	}

	_, _, err = prepare.Fit(table(cols, nan, 1, 2, nan), prepare.Options{Missing: prepare.Drop})
	wantError(t, err, "every row")
	_, _, err = prepare.Fit(table(cols, nan, 1, nan, 2), prepare.Options{Missing: prepare.Mean})
	wantError(t, err, `"a"`, "no value at all")
	_, _, err = prepare.Fit(table(cols, 1, math.Inf(-1)), prepare.Options{Missing: prepare.Drop})
	wantError(t, err, "row 0", `"b"`, "-Inf")
}

func TestMissingInSparseRows(t *testing.T) {
	// Column 0: 2, NaN, 0 has mean 1; column 1: NaN, 5, 5 has mean 5.
	x := &data.Sparse{Cols: 2, Start: []int{0, 2, 4, 5}, Idx: []int32{0, 1, 0, 1, 1}, Val: []float64{2, nan, nan, 5, 5}}
	r, p := fit(t, &dataio.Dataset{X: x}, prepare.Options{Missing: prepare.Mean})
	if _, ok := p.X.(*data.Sparse); !ok || !slices.Equal(values(p.X), []float64{2, 5, 1, 5, 0, 5}) {
		t.Errorf("%T %v", p.X, values(p.X))
	}
	if !slices.Equal(r.Means, []float64{1, 5}) {
		t.Errorf("means %v", r.Means)
	}
	_, p = fit(t, &dataio.Dataset{X: x}, prepare.Options{Missing: prepare.Drop})
	if !slices.Equal(p.Rows, []int{2}) || !slices.Equal(values(p.X), []float64{0, 5}) {
		t.Errorf("drop: %v %v", p.Rows, values(p.X))
	}
}

func TestKindsOfRows(t *testing.T) {
	x32 := &dataio.Dataset{X: &data.Dense32{Cols: 2, V: []float32{1, 2, 3, float32(nan)}}}
	_, p := fit(t, x32, prepare.Options{Missing: prepare.Mean})
	if m, ok := p.X.(*data.Dense32); !ok || !slices.Equal(m.V, []float32{1, 2, 3, 2}) {
		t.Errorf("float32 with mean: %T %v", p.X, values(p.X))
	}
	_, p = fit(t, x32, prepare.Options{Missing: prepare.Drop, Scale: prepare.MinMax})
	if _, ok := p.X.(*data.Dense); !ok {
		t.Errorf("float32 scaled: %T, want *data.Dense", p.X)
	}
	whole := &dataio.Dataset{X: &data.Dense32{Cols: 1, V: []float32{1, 2}}}
	if _, p = fit(t, whole, prepare.Options{Missing: prepare.Drop}); p.X != whole.X {
		t.Error("nothing to do, and yet the rows were copied")
	}

	wide := &dataio.Dataset{X: &data.Sparse{Cols: 60_000_000, Start: []int{0, 1}, Idx: []int32{7}, Val: []float64{3}}}
	_, _, err := prepare.Fit(wide, prepare.Options{Scale: prepare.Standard})
	wantError(t, err, "1×60000000", "{scale=l2}")
	_, p = fit(t, wide, prepare.Options{Scale: prepare.L2})
	if v := p.X.Row(0, nil); v.Idx[0] != 7 || v.Val[0] != 1 {
		t.Errorf("sparse l2: %v", v)
	}
	small := &dataio.Dataset{X: &data.Sparse{Cols: 2, Start: []int{0, 1, 2}, Idx: []int32{0, 1}, Val: []float64{4, 2}}}
	_, p = fit(t, small, prepare.Options{Scale: prepare.Standard})
	near(t, "small sparse", values(p.X), []float64{1, -1, -1, 1})
	if len(p.Notes) != 1 || !strings.Contains(string(p.Notes[0]), "filled up") {
		t.Errorf("notes %q", p.Notes)
	}
}

func TestColumnsOfNewRows(t *testing.T) {
	r, _ := fit(t, table([]string{"a", "b", "c"}, 0, 0, 0, 1, 10, 100), prepare.Options{Scale: prepare.MinMax})
	p, err := r.Apply(table([]string{"c", "a", "b"}, 50, 0.5, 2))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(values(p.X), []float64{0.5, 0.2, 0.5}) || len(p.Notes) != 1 {
		t.Errorf("another order: %v, notes %q", values(p.X), p.Notes)
	}
	for _, tc := range []struct {
		cols []string
		want string
	}{
		{[]string{"a", "b"}, `missing: "c"`},
		{[]string{"a", "b", "c", "id"}, `does not know: "id"`},
		{[]string{"a", "b", "C"}, `does not know: "C"`},
		{[]string{"a", "b", "b"}, `"b" is there twice`},
	} {
		_, err := r.Apply(table(tc.cols, make([]float64, len(tc.cols))...))
		wantError(t, err, "t.csv", tc.want)
	}
	bare := &dataio.Dataset{X: &data.Dense{Cols: 3, V: []float64{1, 1, 1}}}
	if p, err = r.Apply(bare); err != nil || len(p.Notes) != 1 {
		t.Errorf("rows without names: %v, %v", p, err)
	}
	_, err = r.Apply(&dataio.Dataset{X: &data.Dense{Cols: 2, V: []float64{1, 1}}})
	wantError(t, err, "2 columns", "fitted on 3")
	_, err = r.Apply(&dataio.Dataset{Docs: []string{"x"}})
	wantError(t, err, "documents")
}

func TestNarrowSVM(t *testing.T) {
	wide := &data.Sparse{Cols: 5, Start: []int{0, 1}, Idx: []int32{4}, Val: []float64{1}}
	narrow := &data.Sparse{Cols: 2, Start: []int{0, 2}, Idx: []int32{0, 1}, Val: []float64{3, 4}}
	for _, scale := range []prepare.Scale{prepare.None, prepare.L2} {
		r, _ := fit(t, &dataio.Dataset{X: wide, Format: "svm"}, prepare.Options{Scale: scale})
		p, err := r.Apply(&dataio.Dataset{X: narrow, Format: "svm"})
		if err != nil || p.X.Dim() != 5 || len(p.Notes) != 1 {
			t.Errorf("%s: %+v, %v", scale, p, err)
		}
		_, err = r.Apply(&dataio.Dataset{X: narrow, Format: "mtx"})
		wantError(t, err, "2 columns")
	}
}

func TestRefusals(t *testing.T) {
	one := table([]string{"a"}, 1)
	for _, tc := range []struct {
		ds   *dataio.Dataset
		opt  prepare.Options
		want string
	}{
		{one, prepare.Options{Scale: "l1"}, `got "l1"`},
		{one, prepare.Options{Missing: "median"}, `got "median"`},
		{one, prepare.Options{MaxDF: 1.5}, "1.5"},
		{one, prepare.Options{MaxDF: nan}, "NaN"},
		{nil, prepare.Options{}, "no dataset"},
		{&dataio.Dataset{}, prepare.Options{}, "no rows"},
		{table([]string{"a"}), prepare.Options{}, "no rows"},
		{&dataio.Dataset{Graph: &data.Graph{Start: []int{0}}}, prepare.Options{}, "graph"},
		{&dataio.Dataset{X: one.X, Columns: []string{"a", "b"}}, prepare.Options{}, "2 column names"},
	} {
		_, _, err := prepare.Fit(tc.ds, tc.opt)
		wantError(t, err, tc.want)
	}
}

func TestDamagedRecipe(t *testing.T) {
	for _, r := range []prepare.Recipe{
		{},
		{Dim: 1, Scale: prepare.Standard},
		{Dim: 1, Scale: prepare.MinMax, Shift: []float64{0}, Factor: []float64{0}},
		{Dim: 1, Missing: prepare.Mean},
		{Dim: 1, Scale: "odd"},
		{Dim: 1, Columns: []string{"a", "b"}},
		{Dim: 1, Text: &prepare.TFIDF{Vocabulary: []string{"a"}}},
		{Dim: 1, Text: &prepare.TFIDF{Vocabulary: []string{"a"}, IDF: []float64{1e300}}},
	} {
		if _, err := r.Apply(table([]string{"a"}, 1)); err == nil {
			t.Errorf("%+v was applied", r)
		}
	}
}

// throughJSON returns r as it comes back from JSON, which must be as it was.
func throughJSON(t *testing.T, r *prepare.Recipe) *prepare.Recipe {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back := new(prepare.Recipe)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, r) {
		t.Errorf("%+v came back as %+v", r, back)
	}
	return back
}

func TestRecipeIsPlainData(t *testing.T) {
	r, p := fit(t, table([]string{"a", "b"}, 0.1, 1e-300, 0.7, 3e300, 1.0/3, 7), prepare.Options{Scale: prepare.Standard, Missing: prepare.Mean})
	q, err := throughJSON(t, r).Apply(table([]string{"a", "b"}, 0.1, 1e-300, 0.7, 3e300, 1.0/3, 7))
	if err != nil || !slices.Equal(values(q.X), values(p.X)) {
		t.Errorf("%v, %v", q, err)
	}
}

// full returns what err says and the hint that it carries.
func full(err error) string {
	if h := hint.Of(err); h != "" {
		return err.Error() + "; " + string(h)
	}
	return err.Error()
}

// Finite is said of rows that were searched and are what is clustered.
func TestFiniteRowsAreNamed(t *testing.T) {
	whole := &data.Dense{Cols: 2, V: []float64{1, 2, 3, 5}}
	holes := &data.Dense{Cols: 2, V: []float64{1, math.NaN(), 3, 5, 4, 4}}
	for name, c := range map[string]struct {
		x    data.Rows
		opt  prepare.Options
		want bool
	}{
		"as they are": {whole, prepare.Options{}, true},
		"scaled":      {whole, prepare.Options{Scale: prepare.Standard}, false},
		"no holes":    {whole, prepare.Options{Missing: prepare.Mean}, true},
		"filled in":   {holes, prepare.Options{Missing: prepare.Mean}, false},
		"left out":    {holes, prepare.Options{Missing: prepare.Drop}, false},
	} {
		_, p, err := prepare.Fit(&dataio.Dataset{X: c.x}, c.opt)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := p.Finite != nil; got != c.want || got && p.Finite != p.X {
			t.Errorf("%s: finite %v, wanted %v", name, p.Finite, c.want)
		}
	}
}
