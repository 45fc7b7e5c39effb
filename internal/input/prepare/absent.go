package prepare

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// withAbsent returns ds with the columns that the recipe reads and ds lacks, all of whose cells are
// missing, and their names. Where missing cells are refused or drop their row, where ds has none of
// the columns, or where columns have no names, nothing is added.
func (r *Recipe) withAbsent(ds *dataio.Dataset) (*dataio.Dataset, []string) {
	if ds.X == nil || ds.Columns == nil || r.Text != nil || r.Missing != Mean && r.Missing != Fill {
		return ds, nil
	}
	absent := r.Lacks(ds)
	if len(absent) == 0 || len(absent) == len(r.Sources()) {
		return ds, nil
	}
	n, d := ds.X.Len(), ds.X.Dim()
	wide := &data.Dense{Cols: d + len(absent), V: make([]float64, n*(d+len(absent)))}
	buf := buffer(ds.X)
	for i := range n {
		row, v := wide.V[i*wide.Cols:][:wide.Cols], ds.X.Row(i, buf)
		for q, y := range v.Val {
			row[v.Feature(q)] = y
		}
		for j := d; j < wide.Cols; j++ {
			row[j] = math.NaN()
		}
	}
	more := *ds
	more.X, more.Columns = wide, append(slices.Clone(ds.Columns), absent...)
	if ds.Cells != nil {
		more.Cells = append(slices.Clone(ds.Cells), make([]dataio.Cells, len(absent))...)
	}
	return &more, absent
}

// Lacks returns the columns that the recipe reads and ds, whose columns have names, lacks.
func (r *Recipe) Lacks(ds *dataio.Dataset) (absent []string) {
	if ds.Columns == nil {
		return nil
	}
	for _, name := range r.Sources() {
		if !slices.Contains(ds.Columns, name) {
			absent = append(absent, name)
		}
	}
	return absent
}

// noteAbsent says which columns a later table lacks.
func (p *pass) noteAbsent() {
	if len(p.absent) > 0 {
		p.addNote("columns that the model was fitted with and this table lacks count as missing: %s", quoteNames(p.absent))
	}
}
