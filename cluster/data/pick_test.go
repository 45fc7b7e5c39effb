package data

import (
	"fmt"
	"slices"
	"testing"
)

func TestPick(t *testing.T) {
	dense := &Dense{Cols: 2, V: []float64{1, 0, 0, 2, 3, 4}}
	sparse, err := NewSparse(2, []int{0, 1, 2, 4}, []int32{0, 1, 0, 1}, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []Rows{dense, sparse, &Dense32{Cols: 2, V: []float32{1, 0, 0, 2, 3, 4}}} {
		got := Pick(x, []int{2, 0, 2})
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", x) || got.Len() != 3 || got.Dim() != 2 {
			t.Errorf("%T of %d × %d from %T", got, got.Len(), got.Dim(), x)
		}
		for i, from := range []int{2, 0, 2} {
			if !slices.Equal(Copy(got, i), Copy(x, from)) {
				t.Errorf("%T: row %d is %v, want %v", x, i, Copy(got, i), Copy(x, from))
			}
		}
		if none := Pick(x, nil); none.Len() != 0 || none.Dim() != 2 {
			t.Errorf("%T: nothing is %d × %d", x, none.Len(), none.Dim())
		}
	}
}
