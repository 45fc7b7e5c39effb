// Package dataio turns bytes into a Dataset and results back into bytes. It is
// the only package below the command line that opens files.
//
// Readers stream, never panic, and refuse what they do not understand with an
// *Error that names file, line and column and says what to do.
package dataio

import (
	"strconv"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/hint"
)

// Options say how to read. The zero value decides by name and content.
type Options struct {
	Format  string   // one of Formats; "" decides by name and content
	As      string   // vectors, graph, kernel, text or image; "" decides by format
	ID      string   // the column that names the rows; "" counts rows from 0
	Label   string   // the column of known labels
	Text    string   // the column of documents
	Drop    []string // columns to leave out
	Columns []string // columns to keep; empty keeps all
	// Features, if not empty, are all that is wanted of a table with named
	// columns: others are passed over, and formats without names ignore it.
	Features []string
	// IfNamed has formats without named columns leave ID and Text aside instead
	// of refusing them.
	IfNamed bool
	Missing bool // a missing cell becomes NaN instead of an error
	Workers int  // goroutines for parsing; below 1: one per processor
}

// A Dataset is what one source holds. Exactly one of X, Graph, Kernel and Docs
// is set.
type Dataset struct {
	Name    string   // where it came from, as in error messages
	Format  string   // the format it was read as
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
}

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
