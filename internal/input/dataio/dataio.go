package dataio

import (
	"io"

	"github.com/inklinghq/inkling/internal/input/dataio/constraints"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// What the packages below are known by outside.
type (
	// Options say how to read; the zero value decides by name and content.
	Options = source.Options
	// A Format is how a source is written; "" decides by name and content.
	Format = source.Format
	// An As is what a source is read as; "" decides by format.
	As = source.As
	// A Dataset is what one source holds.
	Dataset = source.Dataset
	// Cells are the cells of one column that are not plain numbers.
	Cells = source.Cells
	// Pictures are image files that the ids of a data set name.
	Pictures = source.Pictures
	// An Error refuses an input: where, what is wrong, and what to do about it.
	Error = source.Error
	// A LabelRow says that the row called ID has a label.
	LabelRow = constraints.LabelRow
	// A LinkRow says something of the rows called A and B.
	LinkRow = constraints.LinkRow
	// An Assignment gives every one of its rows an id and a label.
	Assignment = constraints.Assignment
)

// Formats that others than readers distinguish.
const (
	SVM   = source.SVM
	Edges = source.Edges
	Text  = source.Text
)

// What a source can be read as.
const (
	AsVectors = source.AsVectors
	AsGraph   = source.AsGraph
	AsKernel  = source.AsKernel
	AsText    = source.AsText
	AsImage   = source.AsImage
)

// NoID as Options.ID numbers the rows from 0, unless a column is called so.
const NoID = source.NoID

// The kinds of a LinkRow.
const (
	Must   = constraints.Must
	Cannot = constraints.Cannot
	Belief = constraints.Belief
)

// AvailableMemory returns how many bytes this process can still take; 0 where that is not
// known.
func AvailableMemory() int64 { return source.AvailableMemory() }

// OpenFile opens the file at path as plain bytes, with the compression undone;
// "-" is standard input.
func OpenFile(path string) (io.ReadCloser, error) { return source.OpenFile(path) }

// OpenSideFile is OpenFile for what stands beside the data, such as ids or answers: an
// endless line, as of a device, and more than a gigabyte are refused.
func OpenSideFile(path string) (io.ReadCloser, error) { return source.OpenSideFile(path) }

// OpenLabels reads the labels in the file at path, a table with the columns id,
// label (or cluster) and perhaps weight; "-" is standard input.
func OpenLabels(path string) ([]LabelRow, error) { return constraints.OpenLabels(path) }

// OpenLabelsOf is OpenLabels for data whose column of ids has this name, and of which known reports
// whether it has a row of an id: a first line that names one is not a header.
func OpenLabelsOf(path, id string, known func(id string) bool) ([]LabelRow, error) {
	return source.OpenWith(path, func(r io.Reader, name string) ([]LabelRow, error) {
		return constraints.ReadLabelsOf(r, name, id, known)
	})
}

// OpenLinksOf is OpenLinks for data of which known reports whether it has a row of an id.
func OpenLinksOf(path string, known func(id string) bool) ([]LinkRow, error) {
	return source.OpenWith(path, func(r io.Reader, name string) ([]LinkRow, error) { return constraints.ReadLinksOf(r, name, known) })
}

// ReadLabels reads labels from a source that is already open.
func ReadLabels(r io.Reader, name string) ([]LabelRow, error) { return constraints.ReadLabels(r, name) }

// OpenLinks reads the links in the file at path, a table with the columns a, b,
// kind and perhaps weight, or a, b and belief; "-" is standard input.
func OpenLinks(path string) ([]LinkRow, error) { return constraints.OpenLinks(path) }

// ReadLinks reads links from a source that is already open.
func ReadLinks(r io.Reader, name string) ([]LinkRow, error) { return constraints.ReadLinks(r, name) }

// OpenAssignment reads the assignment in the file at path, a table with the
// columns id and label or cluster; "-" is standard input. Below 1 worker there is
// one per processor.
func OpenAssignment(path string, workers int) (*Assignment, error) {
	return constraints.OpenAssignment(path, workers)
}

// ReadAssignment reads an assignment from a source that is already open.
func ReadAssignment(r io.Reader, name string, workers int) (*Assignment, error) {
	return constraints.ReadAssignment(r, name, workers)
}

// Match finds the rows of two assignments by their ids: truth and pred are the
// codes of the rows that both have, onlyA and onlyB the rows of one alone.
func Match(a, b *Assignment) (truth, pred, onlyA, onlyB []int) { return constraints.Match(a, b) }

// WriteAssignment writes the CSV id,cluster: row i is id(i) and the name of
// cluster labels[i], or its number where names is nil; -1 is an empty cell.
func WriteAssignment(w io.Writer, id func(i int) string, labels []int, names []string) error {
	return constraints.WriteAssignment(w, id, labels, names)
}
