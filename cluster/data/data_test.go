package data_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

// table draws n × d numbers that single precision holds exactly, many of them
// zero, so that all three kinds of rows can hold the same table.
func table(t *rapid.T) (n, d int, v []float64) {
	n, d = rapid.IntRange(0, 6).Draw(t, "n"), rapid.IntRange(1, 13).Draw(t, "d")
	number := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.Bool().Draw(t, "zero") {
			return 0
		}
		return float64(rapid.IntRange(-4000, 4000).Draw(t, "v")) / 16
	})
	return n, d, rapid.SliceOfN(number, n*d, n*d).Draw(t, "x")
}

func dense(t rapid.TB, d int, v []float64) *data.Dense {
	x, err := data.NewDense(d, v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func single(t rapid.TB, d int, v []float64) *data.Dense32 {
	w := make([]float32, len(v))
	for i, y := range v {
		w[i] = float32(y)
	}
	x, err := data.NewDense32(d, w)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func sparse(t rapid.TB, d int, v []float64) *data.Sparse {
	start, idx, val := []int{0}, []int32(nil), []float64(nil)
	for i, y := range v {
		if y != 0 {
			idx, val = append(idx, int32(i%d)), append(val, y)
		}
		if i%d == d-1 {
			start = append(start, len(idx))
		}
	}
	x, err := data.NewSparse(d, start, idx, val)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func all(t rapid.TB, d int, v []float64) []data.Rows {
	return []data.Rows{dense(t, d, v), single(t, d, v), sparse(t, d, v)}
}

func TestEveryKindOfRowsHoldsTheSameTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, v := table(t)
		for _, x := range all(t, d, v) {
			if x.Len() != n || x.Dim() != d {
				t.Fatalf("%T is %d × %d, wanted %d × %d", x, x.Len(), x.Dim(), n, d)
			}
			for i := range n {
				if got := data.Copy(x, i); !slices.Equal(got, v[i*d:(i+1)*d]) {
					t.Fatalf("%T: row %d is %v, wanted %v", x, i, got, v[i*d:(i+1)*d])
				}
			}
		}
	})
}

func TestCopyIsACopy(t *testing.T) {
	for _, x := range all(t, 2, []float64{1, 2, 0, 4}) {
		data.Copy(x, 1)[1] = 9
		if got := data.Copy(x, 1); got[1] != 4 {
			t.Errorf("%T: writing to a copy changed the row to %v", x, got)
		}
	}
}

// A row cannot be grown into the next one by append.
func TestRowEndsAtItsEnd(t *testing.T) {
	for _, x := range all(t, 2, []float64{1, 2, 3, 4}) {
		row := x.Row(0, make([]float64, 2)).Val
		_ = append(row, 99)
		if got := data.Copy(x, 1); got[0] != 3 {
			t.Errorf("%T: appending to row 0 made row 1 %v", x, got)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

func TestKernelsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, v := table(t)
		c := rapid.SliceOfN(rapid.Float64Range(-300, 300), d, d).Draw(t, "c")
		w := rapid.Float64Range(-3, 3).Draw(t, "w")
		for _, x := range all(t, d, v) {
			buf := make([]float64, d)
			for i := range n {
				dist, dot, norm := 0.0, 0.0, 0.0
				sum := slices.Clone(c)
				for f, y := range v[i*d : (i+1)*d] {
					dist += (y - c[f]) * (y - c[f])
					dot += y * c[f]
					norm += y * y
					sum[f] += w * y
				}
				row := x.Row(i, buf)
				if got := data.Dist2(row, c, data.Norm2(c)); math.Abs(got-dist) > 1e-9*(1+dist+data.Norm2(c)) || got < 0 {
					t.Fatalf("%T: Dist2 is %v, naively %v", x, got, dist)
				}
				if got := data.Dot(row, c); !near(got, dot) {
					t.Fatalf("%T: Dot is %v, naively %v", x, got, dot)
				}
				if got := data.Norm2(data.Copy(x, i)); !near(got, norm) {
					t.Fatalf("%T: Norm2 is %v, naively %v", x, got, norm)
				}
				got := slices.Clone(c)
				data.Add(got, row, w)
				for f := range got {
					if !near(got[f], sum[f]) {
						t.Fatalf("%T: Add makes feature %d %v, naively %v", x, f, got[f], sum[f])
					}
				}
			}
		}
	})
}

// However far two points are from the origin, a sparse one is as far from the other
// as it is, to nine digits: with squared lengths of 1e18 and more a difference of
// them would have none. The numbers are whole, so that the naive sum is right.
func TestDist2FarFromTheOrigin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 9).Draw(t, "d")
		far := rapid.SampledFrom([]float64{0, 1e3, 1e6, 1e9}).Draw(t, "far")
		at := rapid.Custom(func(t *rapid.T) float64 {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				return 0
			case 1:
				return float64(rapid.IntRange(-9, 9).Draw(t, "small"))
			}
			return far + float64(rapid.IntRange(-99, 99).Draw(t, "large"))
		})
		v := rapid.SliceOfN(at, d, d).Draw(t, "v")
		c := rapid.SliceOfN(at, d, d).Draw(t, "c")
		for f := range c {
			if rapid.IntRange(0, 3).Draw(t, "same") > 0 {
				c[f] = v[f] + min(math.Abs(v[f]), float64(rapid.IntRange(-3, 3).Draw(t, "off")))
			}
		}
		want := 0.0
		for f := range v {
			want += (v[f] - c[f]) * (v[f] - c[f])
		}
		x := sparse(t, d, v)
		got := data.Dist2(x.Row(0, nil), c, data.Norm2(c))
		if math.Abs(got-want) > 1e-9*want {
			t.Fatalf("%v and %v are %v apart, by hand %v", v, c, got, want)
		}
	})
}

// A sparse point on the very spot of a centre is at distance 0, never below.
func TestDist2IsNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 9).Draw(t, "d")
		c := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), d, d).Draw(t, "c")
		for _, x := range []data.Rows{dense(t, d, c), sparse(t, d, c)} {
			if got := data.Dist2(x.Row(0, nil), c, data.Norm2(c)); got < 0 || got > 1e-300 {
				t.Fatalf("%T: a point is at %v from itself", x, got)
			}
		}
	})
}

func TestCheckFiniteNamesRowAndColumn(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, x := range all(t, 3, []float64{1, 0, 2, 0, 0, bad, bad, 1, 1}) {
			err := data.CheckFinite(x)
			var nf *data.NonFiniteError
			if !errors.As(err, &nf) {
				t.Fatalf("%T with %v: the error is %v", x, bad, err)
			}
			same := nf.Value == bad || math.IsNaN(nf.Value) && math.IsNaN(bad)
			if nf.Row != 1 || nf.Col != 2 || !same {
				t.Errorf("%T: %v is reported at row %d, column %d, and is at 1, 2", x, nf.Value, nf.Row, nf.Col)
			}
			if text := nf.Error(); !strings.Contains(text, "row 1, column 2") {
				t.Errorf("%q does not say where", text)
			}
		}
	}
	for _, x := range all(t, 2, []float64{0, math.MaxFloat32, -math.MaxFloat32, 0}) {
		if err := data.CheckFinite(x); err != nil {
			t.Errorf("%T: large values are refused: %v", x, err)
		}
	}
}

func TestShapesThatAreNone(t *testing.T) {
	for _, c := range []struct{ cols, values int }{{0, 0}, {0, 4}, {-1, 4}, {3, 4}} {
		if _, err := data.NewDense(c.cols, make([]float64, c.values)); err == nil {
			t.Errorf("%d values in rows of %d are taken for a table", c.values, c.cols)
		}
		if _, err := data.NewDense32(c.cols, make([]float32, c.values)); err == nil {
			t.Errorf("%d single values in rows of %d are taken for a table", c.values, c.cols)
		}
	}
	if n := (&data.Dense{}).Len() + (&data.Dense32{}).Len() + (&data.Sparse{}).Len(); n != 0 {
		t.Errorf("zero values have %d rows", n)
	}
}

func TestNewSparseRefuses(t *testing.T) {
	val := func(n int) []float64 { return make([]float64, n) }
	for name, c := range map[string]struct {
		cols  int
		start []int
		idx   []int32
		val   []float64
	}{
		"no columns":                    {0, []int{0}, nil, nil},
		"no starts":                     {2, nil, nil, nil},
		"a first row that starts late":  {2, []int{1, 1}, []int32{0}, val(1)},
		"a last row that ends early":    {2, []int{0, 1}, []int32{0, 1}, val(2)},
		"more values than indices":      {2, []int{0, 1}, []int32{0}, val(2)},
		"a row that ends before it":     {2, []int{0, 2, 1, 2}, []int32{0, 1}, val(2)},
		"a row beyond the values":       {9, []int{0, 5, 2}, make([]int32, 2, 9)[:2], val(2)},
		"a row before the values":       {2, []int{0, -1, 2}, []int32{0, 1}, val(2)},
		"an index twice":                {2, []int{0, 2}, []int32{1, 1}, val(2)},
		"falling indices":               {2, []int{0, 2}, []int32{1, 0}, val(2)},
		"an index beyond the columns":   {2, []int{0, 1}, []int32{2}, val(1)},
		"an index below the first one":  {2, []int{0, 1}, []int32{-1}, val(1)},
		"a row far beyond, room or not": {9, []int{0, 1 << 40, 2}, []int32{0, 1}, val(2)},
	} {
		if _, err := data.NewSparse(c.cols, c.start, c.idx, c.val); err == nil {
			t.Errorf("%s is taken for a matrix", name)
		}
	}
}

func TestSparseZeroRowStaysSparse(t *testing.T) {
	x := sparse(t, 3, []float64{0, 0, 0, 0, 5, 0})
	v := x.Row(0, nil)
	if v.Idx == nil || len(v.Val) != 0 {
		t.Errorf("the empty row is %+v, it would be read as a dense row of no features", v)
	}
	if got := data.Dist2(v, []float64{1, 2, 2}, 9); got != 9 {
		t.Errorf("the zero row is at %v from a centre of squared length 9", got)
	}
	if x.Stored() != 1 {
		t.Errorf("%d values are stored, 1 is not zero", x.Stored())
	}
}
