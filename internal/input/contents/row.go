package contents

import (
	"math"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// Columns returns the names of the columns that Cells returns, at most MaxFields of them;
// none for sparse rows, graphs and documents.
func (r *Reader) Columns() (names []string) {
	if r.ds.X == nil || r.ds.Width > 0 || r.column == nil {
		return nil
	}
	if _, sparse := r.ds.X.(*data.Sparse); sparse {
		return nil
	}
	for _, j := range r.column[:min(MaxFields, len(r.column))] {
		names = append(names, r.name(j))
	}
	return names
}

// Cells returns the cells of a row in the columns of Columns, as they are read by people.
func (r *Reader) Cells(row int) (cells []string) {
	if len(r.Columns()) == 0 {
		return nil
	}
	x := r.values(row)
	for _, j := range r.column[:min(MaxFields, len(r.column))] {
		cells = append(cells, r.cell(row, j, x[j]))
	}
	return cells
}

// Numbers returns the numbers of one of the columns of Columns, NaN where a cell is not a
// number; nil where there is no such column.
func (r *Reader) Numbers(column string) []float64 {
	for _, j := range r.column {
		if r.name(j) != column {
			continue
		}
		out, buf := make([]float64, r.ds.X.Len()), make([]float64, r.ds.X.Dim())
		for i := range out {
			v := r.ds.X.Row(i, buf)
			for q, y := range v.Val {
				if v.Feature(q) == j {
					out[i] = y
				}
			}
		}
		return out
	}
	return nil
}

// Text returns the document of a row; "" where it has none.
func (r *Reader) Text(row int) string {
	switch {
	case r.ds.Docs != nil:
		return r.ds.Docs[row]
	case r.ds.Beside != nil:
		return r.ds.Beside[row]
	}
	return ""
}

// Near returns the nodes that a node is joined to, or the rows that are most similar to a
// row of a matrix of similarities; of other data none.
func (r *Reader) Near(row int) []Neighbour {
	if r.ds.Graph == nil && r.ds.Kernel == nil {
		return nil
	}
	near := r.neighbours(row)
	return near[:min(len(near), MaxNeighbours)]
}

// searchedNumbers is how many cells a table has at most whose numbers are searched; in larger ones
// ids and texts are.
const searchedNumbers = 4_000_000

// Holds returns a function that reports whether a row has words in its id, its cells or its
// document, upper and lower case being the same. It may be called by several
// goroutines.
func (r *Reader) Holds(words string) func(row int) bool {
	words = strings.ToLower(strings.TrimSpace(words))
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), words) }
	numeric := strings.ContainsAny(words, "0123456789") && r.ds.Len()*len(r.column) <= searchedNumbers
	columns := r.column
	if len(r.Columns()) == 0 {
		columns = nil
	}
	return func(row int) bool {
		if has(r.ds.ID(row)) || has(r.Text(row)) {
			return true
		}
		if len(columns) == 0 || !numeric && r.ds.Cells == nil {
			return false
		}
		x := r.values(row)
		for _, j := range columns {
			if (numeric || math.IsNaN(x[j])) && has(r.cell(row, j, x[j])) {
				return true
			}
		}
		return false
	}
}
