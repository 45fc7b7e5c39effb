package data

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A sparse row and the same row written out are the same in every way.
func TestVecFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 1, -2.5}), 1, 9).Draw(t, "row")
		dense, sparse := Vec{Val: full}, Vec{Idx: []int32{}}
		for f, y := range full {
			if y != 0 {
				sparse.Idx, sparse.Val = append(sparse.Idx, int32(f)), append(sparse.Val, y)
			}
		}
		for _, v := range []Vec{dense, sparse} {
			used := slices.Repeat([]float64{7}, len(full))
			if v.Write(used); !slices.Equal(used, full) {
				t.Fatalf("%v is written as %v", v, used)
			}
			if got := v.Full(slices.Repeat([]float64{7}, len(full))); !slices.Equal(got, full) {
				t.Fatalf("%v is %v in full", v, got)
			}
			for p, y := range v.Val {
				if full[v.Feature(p)] != y {
					t.Fatalf("value %d of %v stands at feature %d", p, v, v.Feature(p))
				}
			}
		}
	})
	v := []float64{1, 2}
	if got := (Vec{Val: v}).Full(make([]float64, 2)); &got[0] != &v[0] {
		t.Error("a dense row is copied")
	}
}

func TestVecCheckFinite(t *testing.T) {
	inf := math.Inf(-1)
	for _, v := range []Vec{{Val: []float64{1, 2, 3, 0, inf}}, {Idx: []int32{2, 4, 5}, Val: []float64{1, inf, math.NaN()}}} {
		var bad *NonFiniteError
		if err := v.CheckFinite(6); !errors.As(err, &bad) || *bad != (NonFiniteError{6, 4, inf}) {
			t.Errorf("%v: %v", v, err)
		}
	}
	if err := (Vec{Val: []float64{1, -math.MaxFloat64}}).CheckFinite(0); err != nil {
		t.Error(err)
	}
}
