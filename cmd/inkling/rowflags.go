package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/joined"
	"github.com/inklinghq/inkling/cmd/inkling/internal/spreadsheet"
	"github.com/inklinghq/inkling/internal/door"
)

// rowFlags hold the flags that say what is written of each row.
type rowFlags struct{ rows, join, escape bool }

func (r *rowFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.rows, "rows", false, "write id,cluster,confidence,second,margin,reason")
	f.BoolVar(&r.join, "join", false, "write the columns of DATA, then cluster,confidence,second,margin,reason")
	f.BoolVar(&r.escape, "escape-formulas", false, "write an apostrophe before cells that a spreadsheet would take for formulas")
	flags.Group(cmd, flags.GroupOutput, "rows", "join", "escape-formulas")
	flags.Advanced(cmd, "join", "escape-formulas")
}

// check refuses to join what cannot be read twice.
func (r *rowFlags) check(path string) error {
	if r.join && (path == "-" || path == "/dev/stdin") {
		return usagef("--join reads DATA a second time, which stdin does not allow; save it to a file first")
	}
	return nil
}

// writer returns what writes the rows of a result for the table t, read from path.
func (r *rowFlags) writer(ctx context.Context, from joined.Clustered, t *door.Table, path string) func(io.Writer) error {
	write := r.plainWriter(ctx, from, t, path)
	if r.escape && !(r.join && t.Format() == "jsonl") { // which no spreadsheet opens
		return spreadsheet.Escape(write)
	}
	return write
}

func (r *rowFlags) plainWriter(ctx context.Context, from joined.Clustered, t *door.Table, path string) func(io.Writer) error {
	switch {
	case r.join:
		return func(w io.Writer) error { return joined.Rows(ctx, w, from, t, path) }
	case r.rows:
		return func(w io.Writer) error { return from.WriteRows(ctx, w) }
	}
	return from.WriteCSV
}
