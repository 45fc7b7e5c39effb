package matrix

import "github.com/inklinghq/inkling/cluster/data"

// fullRows returns x as dense rows, without copying, if it stores every cell:
// tables without zeros in a sparse format then get the results of the same
// tables in any other format, to the last bit, and faster.
func fullRows(x *data.Sparse) data.Rows {
	if len(x.Val) == 0 || len(x.Val) != x.Len()*x.Cols {
		return x
	}
	return &data.Dense{Cols: x.Cols, V: x.Val}
}
