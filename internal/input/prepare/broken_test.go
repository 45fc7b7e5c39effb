package prepare_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// Rows that do not hold together are refused, by Fit and by Apply; they would
// be read by several goroutines, where a panic ends the program.
func TestBrokenRows(t *testing.T) {
	for says, x := range map[string]data.Rows{
		"do not fill rows": &data.Dense{Cols: 2, V: make([]float64, 3)},
		"3 values do not":  &data.Dense32{Cols: 2, V: make([]float32, 3)},
		"row starts":       &data.Sparse{Cols: 2, Start: []int{0, 5}, Idx: []int32{9}, Val: []float64{1}},
		"index 9":          &data.Sparse{Cols: 2, Start: []int{0, 1}, Idx: []int32{9}, Val: []float64{1}},
		"nil":              (*data.Dense)(nil),
	} {
		ds := &dataio.Dataset{X: x}
		if _, _, err := prepare.Fit(ds, prepare.Options{Scale: prepare.L2}); err == nil || !strings.Contains(full(err), says) {
			t.Errorf("Fit: %v, it should say %q", err, says)
		}
		if _, err := (&prepare.Recipe{Dim: 2, Scale: prepare.L2}).Apply(ds); err == nil || !strings.Contains(full(err), says) {
			t.Errorf("Apply: %v, it should say %q", err, says)
		}
	}
}

// thrower is a kind of rows from elsewhere, with a fault.
type thrower struct{ data.Dense }

func (r *thrower) Row(i int, buf []float64) data.Vec {
	if i == 700 {
		panic("row 700 is gone")
	}
	return r.Dense.Row(i, buf)
}

// A panic in somebody's rows can be caught by whoever called.
func TestPanicsReachTheCaller(t *testing.T) {
	var caught any
	func() {
		defer func() { caught = recover() }()
		x := &thrower{data.Dense{Cols: 1, V: make([]float64, 1000)}}
		_, _, err := prepare.Fit(&dataio.Dataset{X: x}, prepare.Options{Scale: prepare.Standard, Workers: 2})
		t.Error(errors.Join(errors.New("no panic"), err))
	}()
	if s, _ := caught.(string); !strings.Contains(s, "row 700 is gone") {
		t.Errorf("caught %v", caught)
	}
}
