package prepare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// drawRows makes dense, single-precision or sparse rows, some cells missing.
func drawRows(t *rapid.T, missing bool) data.Rows {
	n, d := rapid.IntRange(1, 600).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
	cell := rapid.Custom(func(t *rapid.T) float64 {
		switch rapid.IntRange(0, 9).Draw(t, "case") {
		case 0:
			if missing {
				return math.NaN()
			}
			return 0
		case 1, 2, 3:
			return 0
		}
		return rapid.Float64Range(-1e6, 1e6).Draw(t, "value")
	})
	few := rapid.SliceOfN(cell, 1, 40).Draw(t, "cells")
	v := make([]float64, n*d)
	for i := range v {
		v[i] = few[(i*7+i/5)%len(few)]
	}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return &data.Dense{Cols: d, V: v}
	case 1:
		w := make([]float32, len(v))
		for i := range v {
			w[i] = float32(v[i])
		}
		return &data.Dense32{Cols: d, V: w}
	}
	return toSparse(&data.Dense{Cols: d, V: v})
}

func toSparse(x *data.Dense) *data.Sparse {
	s := &data.Sparse{Cols: x.Cols, Start: []int{0}}
	for i := range x.Len() {
		for f, y := range x.Row(i, nil).Val {
			if y != 0 {
				s.Idx, s.Val = append(s.Idx, int32(f)), append(s.Val, y)
			}
		}
		s.Start = append(s.Start, len(s.Idx))
	}
	return s
}

func same(a, b data.Rows) error {
	if a.Len() != b.Len() || a.Dim() != b.Dim() || fmt.Sprintf("%T", a) != fmt.Sprintf("%T", b) {
		return fmt.Errorf("%T %d×%d and %T %d×%d", a, a.Len(), a.Dim(), b, b.Len(), b.Dim())
	}
	return sameValues(a, b)
}

func sameValues(a, b data.Rows) error {
	for i := range a.Len() {
		u, v := data.Copy(a, i), data.Copy(b, i)
		for f := range u {
			if math.Float64bits(u[f]) != math.Float64bits(v[f]) {
				return fmt.Errorf("row %d, column %d: %v and %v", i, f, u[f], v[f])
			}
		}
	}
	return nil
}

var scales = []prepare.Scale{prepare.None, prepare.Standard, prepare.MinMax, prepare.L2}

func TestApplyRepeatsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := &dataio.Dataset{X: drawRows(t, true)}
		opt := prepare.Options{
			Scale:   rapid.SampledFrom(scales).Draw(t, "scale"),
			Missing: rapid.SampledFrom([]prepare.Missing{prepare.Drop, prepare.Mean}).Draw(t, "missing"),
			Workers: rapid.IntRange(1, 5).Draw(t, "workers"),
		}
		r, p, err := prepare.Fit(ds, opt)
		if err != nil {
			return // all missing: TestMissing looks at that
		}
		q, err := r.Apply(ds)
		if err != nil {
			t.Fatal(err)
		}
		if err := same(p.X, q.X); err != nil {
			t.Fatal(err)
		}
		if err := data.CheckFinite(p.X); err != nil {
			t.Fatal(err)
		}
		if p.Rows != nil && len(p.Rows) != p.X.Len() || p.Rows == nil && p.X.Len() != ds.Len() {
			t.Fatalf("%d rows, %d of %d kept", p.X.Len(), len(p.Rows), ds.Len())
		}
		if len(q.Rows) != len(p.Rows) {
			t.Fatalf("kept %v, then %v", p.Rows, q.Rows)
		}
		opt.Workers = opt.Workers%5 + 1
		_, again, err := prepare.Fit(ds, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := same(p.X, again.X); err != nil {
			t.Fatalf("with %d workers: %v", opt.Workers, err)
		}
	})
}

func TestScaledColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawRows(t, false)
		_, p, err := prepare.Fit(&dataio.Dataset{X: x}, prepare.Options{Scale: prepare.Standard})
		if err != nil {
			t.Fatal(err)
		}
		_, q, err := prepare.Fit(&dataio.Dataset{X: x}, prepare.Options{Scale: prepare.MinMax})
		if err != nil {
			t.Fatal(err)
		}
		for f := range x.Dim() {
			var sum, sum2 float64
			lo, hi := math.Inf(1), math.Inf(-1)
			for i := range x.Len() {
				y, z := data.Copy(p.X, i)[f], data.Copy(q.X, i)[f]
				sum, sum2, lo, hi = sum+y, sum2+y*y, min(lo, z), max(hi, z)
			}
			n := float64(x.Len())
			constant := lo == hi
			if math.Abs(sum)/n > 1e-6 || !constant && math.Abs(sum2/n-1) > 1e-6 || constant && sum2 != 0 {
				t.Fatalf("column %d: mean %v, variance %v", f, sum/n, sum2/n)
			}
			if lo != 0 || !constant && hi != 1 {
				t.Fatalf("column %d goes from %v to %v", f, lo, hi)
			}
		}
	})
}

func TestSparseIsDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawRows(t, false)
		wide := &data.Dense{Cols: x.Dim()}
		for i := range x.Len() {
			wide.V = append(wide.V, data.Copy(x, i)...)
		}
		opt := prepare.Options{Scale: rapid.SampledFrom(scales).Draw(t, "scale")}
		_, a, err := prepare.Fit(&dataio.Dataset{X: wide}, opt)
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := prepare.Fit(&dataio.Dataset{X: toSparse(wide)}, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := sameValues(plus0(a.X), plus0(b.X)); err != nil {
			t.Fatal(err)
		}
	})
}

// The zeros of a dense row do not move the last bit of its length either.
func TestUnitRowsAreTheSameWhereverZerosStand(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wide := &data.Dense{Cols: 11, V: make([]float64, 11*500)}
	for i := range wide.V {
		if rng.IntN(2) == 0 {
			wide.V[i] = rng.NormFloat64()
		}
	}
	_, a, err := prepare.Fit(&dataio.Dataset{X: wide}, prepare.Options{Scale: prepare.L2})
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := prepare.Fit(&dataio.Dataset{X: toSparse(wide)}, prepare.Options{Scale: prepare.L2})
	if err != nil {
		t.Fatal(err)
	}
	if err := sameValues(a.X, b.X); err != nil {
		t.Error(err)
	}
}

// plus0 makes 0 of −0, which sparse rows do not hold.
func plus0(x data.Rows) data.Rows {
	d := &data.Dense{Cols: x.Dim()}
	for i := range x.Len() {
		for _, y := range data.Copy(x, i) {
			d.V = append(d.V, y+0)
		}
	}
	return d
}

func TestColumnOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawRows(t, false)
		names := []string{"a", "b", "c", "d"}[:x.Dim()]
		r, p, err := prepare.Fit(&dataio.Dataset{X: x, Columns: names}, prepare.Options{Scale: rapid.SampledFrom(scales).Draw(t, "scale")})
		if err != nil {
			t.Fatal(err)
		}
		order := rapid.Permutation([]int{0, 1, 2, 3}[:x.Dim()]).Draw(t, "order")
		turned, cols := &data.Dense{Cols: x.Dim()}, make([]string, x.Dim())
		for i := range x.Len() {
			row := data.Copy(x, i)
			for g, f := range order {
				turned.V, cols[g] = append(turned.V, row[f]), names[f]
			}
		}
		var y data.Rows = turned
		if _, ok := x.(*data.Sparse); ok {
			y = toSparse(turned)
		}
		q, err := r.Apply(&dataio.Dataset{X: y, Columns: cols})
		if err != nil {
			t.Fatal(err)
		}
		if err := sameValues(p.X, q.X); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTextRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(strings.Fields("sun moon star comet sky The x y z ночь")), 0, 12),
			func(w []string) string { return strings.Join(w, " ") })
		few := rapid.SliceOfN(doc, 1, 20).Draw(t, "docs")
		ds := &dataio.Dataset{}
		for i := range rapid.IntRange(1, 700).Draw(t, "n") {
			ds.Docs = append(ds.Docs, few[i*i%len(few)])
		}
		opt := prepare.Options{MinDF: rapid.IntRange(0, 3).Draw(t, "min"), Workers: rapid.IntRange(1, 4).Draw(t, "workers")}
		r, p, err := prepare.Fit(ds, opt)
		if err != nil {
			return
		}
		q, err := r.Apply(ds)
		if err != nil {
			t.Fatal(err)
		}
		if err := same(p.X, q.X); err != nil {
			t.Fatal(err)
		}
		x := p.X.(*data.Sparse)
		if _, err := data.NewSparse(x.Cols, x.Start, x.Idx, x.Val); err != nil {
			t.Fatal(err)
		}
		for i := range x.Len() {
			if s := data.Norm2(x.Row(i, nil).Val); s != 0 && math.Abs(s-1) > 1e-14 {
				t.Fatalf("row %d has squared length %v", i, s)
			}
		}
	})
}
