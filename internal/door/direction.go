package door

import (
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// What is looked at to find out whether the length of vectors means something.
const (
	directionRows  = 2000
	directionCells = 2_000_000  // numbers that are looked at
	directionMost  = 50_000_000 // numbers that are copied to be divided
)

// chooseDirection compares the rows of an array by their direction where their length is noise, as the plan of a table
// decides for its columns, unless something was said about scales or the method.
func (j *job) chooseDirection() {
	x := j.t.ds.X
	if x == nil || j.t.plan != nil || j.o.Scale != "" || !j.o.automatic() || j.o.Parameters["distortion"] != nil {
		return
	}
	if _, sparse := x.(*data.Sparse); sparse || x.Dim() == 0 || float64(x.Len())*float64(x.Dim()) > directionMost {
		return
	}
	n, d := x.Len(), x.Dim()
	m := min(n, directionRows, directionCells/d)
	rows, buf := make([][]float64, m), make([]float64, d)
	for s := range rows {
		rows[s] = append([]float64(nil), x.Row(s*n/m, buf).Val...)
	}
	if columns.LengthIsNoise(rows) {
		j.o.Scale = prepare.L2
		j.notes.say("%s: %s", j.t.Name(), columns.LengthNote)
	}
}
