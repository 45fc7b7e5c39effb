// Package source is what every reader of package dataio starts from and ends
// with: the bytes of a source (decompressed, decoded to UTF-8), the options that
// say how to read it, the Dataset that it becomes, and the Error that refuses it.
//
// Programs use these types by their names in package dataio.
package source

import (
	"strconv"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A Dataset is what one source holds. Exactly one of X, Graph, Kernel and Docs
// is set.
type Dataset struct {
	Name    string   // where it came from, as in error messages
	Format  Format   // the format it was read as
	IDs     []string // nil: the 0-based row numbers
	Columns []string // names of the features; nil where the format has none
	Labels  []string // the label column; "" is unknown; nil where none was asked for
	X       data.Rows
	Graph   *data.Graph
	Kernel  *data.Dense // a square matrix of similarities
	Docs    []string    // one document a row, for package prepare to turn into rows
	Width   int         // of an image; its rows are pixels, line by line
	Height  int
	Notes   []hint.Hint // what was decided while reading, for people

	Pictures *Pictures // nil: rows are not pictures

	// Of a table that was read as mixed:
	Names  []string // all columns of the file; nil where they have no names
	Cells  []Cells  // by feature, the cells that are not plain numbers; nil where there are none
	Beside []string // the column of documents beside the features
	Lines  func(row int) int
}

// Pictures are image files that the ids of a data set name.
type Pictures struct {
	Folder string // below which they lie
}

// Cells are the cells of one column that are not plain numbers, by ascending row.
// The same cells of X are NaN, as missing ones are.
type Cells struct {
	Rows []int32
	Text []string
	At   []Place // of as many of the first as begin with a bracket, where that is known
}

// A Place is where a cell begins: so many lines below the first one of its row, and at which byte of the line, from 1.
type Place struct{ Line, Col int32 }

// Len returns the number of points.
func (d *Dataset) Len() int {
	switch {
	case d.X != nil:
		return d.X.Len()
	case d.Graph != nil:
		return d.Graph.Len()
	case d.Kernel != nil:
		return d.Kernel.Len()
	}
	return len(d.Docs)
}

// ID returns the id of row i.
func (d *Dataset) ID(i int) string {
	if d.IDs != nil {
		return d.IDs[i]
	}
	return strconv.Itoa(i)
}
