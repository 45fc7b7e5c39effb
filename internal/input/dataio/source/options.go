package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// NoID as Options.ID numbers the rows from 0, unless a column is called so.
const NoID = "none"

// Options say how to read. The zero value decides by name and content.
type Options struct {
	Format  Format   // "" decides by name and content
	As      As       // "" decides by format
	ID      string   // the column that names the rows; "" counts rows from 0
	Label   string   // the column of known labels
	Text    string   // the column of documents
	Drop    []string // columns to leave out
	Columns []string // columns to keep; empty keeps all
	// Watch, if not nil, is given a function that returns the share of the source that
	// has been read.
	Watch func(share func() float64)
	// Features, if not empty, are all that is wanted of a table with named
	// columns: others are skipped, and formats without names ignore it.
	Features []string
	// Transpose reads a table of delimited text that has rows where others have columns. ID must
	// then be table.TransposedID, or empty.
	Transpose bool
	// IfNamed has formats without named columns leave ID and Text aside instead
	// of refusing them, and tables without the column ID number their rows.
	IfNamed bool
	Missing bool // a missing cell becomes NaN instead of an error
	// Mixed has tables keep the cells that are not plain numbers as text beside
	// the rows (Dataset.Cells), and the column of documents beside them too.
	Mixed bool
	// Any accepts tables without a column beside ids and labels, as empty documents.
	Any bool
	// TableMissing is Missing for tables alone: a NaN in an array is an error.
	TableMissing bool
	IDs          string // a file with the id of each row, for formats without columns
	Embeddings   string // a file with the numbers of each picture of a folder
	Workers      int    // goroutines for parsing; below 1: one per processor
	// Ended, if not nil, says why reading has to stop; nil: it goes on. It is called from
	// several goroutines.
	Ended func() error
}

// Stopped returns why reading has to stop, nil where it goes on.
func (o Options) Stopped() error {
	if o.Ended == nil {
		return nil
	}
	return o.Ended()
}

// ForTable returns the options as a reader of tables takes them: kernels and
// documents alone are not mixed.
func (o Options) ForTable() Options {
	o.Missing = o.Missing || o.TableMissing
	if o.As == AsKernel || o.As == AsText {
		o.Mixed = false
	}
	return o
}

// RefuseKind refuses to read format as anything but one of the kinds.
func RefuseKind(name, format string, opt Options, kinds ...As) error {
	if opt.As == "" || slices.Contains(kinds, opt.As) {
		return nil
	}
	return &Error{File: name, Msg: fmt.Sprintf("%s cannot be read as %s, only as %s", format, opt.As, strings.Join(names(kinds...), " or "))}
}

// RefuseColumns refuses options that name columns, for formats whose columns
// have no names; label is the one value of Options.Label that makes sense.
func RefuseColumns(name, format string, opt Options, label string) error {
	var given string
	if opt.IfNamed {
		opt.ID, opt.Text = "", ""
	}
	if opt.ID == NoID {
		opt.ID = ""
	}
	switch {
	case opt.ID != "":
		given = "the id column " + opt.ID
	case opt.Label != "" && opt.Label != label:
		given = "the label column " + opt.Label
	case opt.Text != "":
		given = "the text column " + opt.Text
	case len(opt.Drop) > 0:
		given = "column " + opt.Drop[0]
	case len(opt.Columns) > 0:
		given = "column " + opt.Columns[0]
	default:
		return nil
	}
	e := &Error{File: name, Msg: fmt.Sprintf("%s has no named columns, so not %s", format, given)}
	if label != "" {
		e.Hint = hint.Sprintf("the label column can be %q", label)
	}
	return e
}
