package source_test

import (
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

func TestMakeKernel(t *testing.T) {
	full := []float64{1, 0.5, 0, 0.5 * (1 + 1e-12), 1, -2, 0, -2, 1}
	single := make([]float32, 9)
	for p, y := range full {
		single[p] = float32(y)
	}
	for name, x := range map[string]data.Rows{
		"dense":  &data.Dense{Cols: 3, V: full},
		"single": &data.Dense32{Cols: 3, V: single},
		"sparse": &data.Sparse{Cols: 3, Start: []int{0, 2, 5, 7}, Idx: []int32{0, 1, 0, 1, 2, 1, 2}, Val: []float64{1, .5, .5, 1, -2, -2, 1}},
	} {
		ds := &source.Dataset{Name: "f", X: x}
		if err := source.MakeKernel(ds); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		readertest.CheckDataset(t, ds)
		for p, y := range full {
			if math.Abs(ds.Kernel.V[p]-y) > 1e-9 {
				t.Errorf("%s: cell %d is %v, want %v", name, p, ds.Kernel.V[p], y)
			}
		}
		if err := source.MakeKernel(ds); err != nil || ds.X != nil {
			t.Errorf("%s: a kernel is a kernel: %v", name, err)
		}
	}
}

func TestMakeKernelRefuses(t *testing.T) {
	for _, c := range []struct {
		ds   *source.Dataset
		want string
	}{
		{&source.Dataset{Name: "f", Docs: []string{"a"}}, "f: this is not a matrix, a kernel is wanted"},
		{&source.Dataset{Name: "f", X: &data.Dense{Cols: 2, V: []float64{1, 2}}}, "f: a kernel must be square, got 1 rows of 2 columns; give a square matrix of similarities, or read it as vectors"},
		{&source.Dataset{Name: "f", X: &data.Dense{Cols: 2, V: []float64{1, 2, 2.1, 1}}}, "f: row 1, column 0 is 2.1 but row 0, column 1 is 2 (from 0), a kernel is symmetric"},
		{&source.Dataset{Name: "f", X: &data.Dense{Cols: 2, V: []float64{1, 2, 2, math.NaN()}}}, "f: row 1, column 1 (from 0) is NaN; every value of a kernel must be a number"},
	} {
		if err := source.MakeKernel(c.ds); err == nil || readertest.Full(err) != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
