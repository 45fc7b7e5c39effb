package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/joined"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
)

// rowFlags hold the flags that say what is written of each row.
type rowFlags struct{ rows, join, escape bool }

func (r *rowFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.rows, "rows", false, "write id,cluster,confidence,second,margin,reason")
	f.BoolVar(&r.join, "join", false, "write the columns of DATA, then cluster,confidence,second,margin,reason")
	flags.EscapeFormulas(f, &r.escape)
	flags.Group(cmd, flags.GroupOutput, "rows", "join", "escape-formulas")
	flags.Advanced(cmd, "join", "escape-formulas")
}

// check refuses to join what cannot be read twice, or is the other way round, and columns of rows that are written
// nowhere: with --json they go to a file alone, whose name is out.
func (r *rowFlags) check(path, out string, json, transposed bool) error {
	for _, f := range []struct {
		given bool
		name  string
	}{{r.rows, "--rows"}, {r.join, "--join"}, {r.escape, "--escape-formulas"}} {
		if f.given && json && out == "" {
			return usagef("%s is about the table of rows, and stdout carries the JSON; name a file for the table by -o", f.name)
		}
	}
	if r.join && transposed {
		return usagef("--join adds columns to DATA, which --transpose exchanges with its rows; --rows writes the ids instead")
	}
	if r.join && (path == "-" || path == "/dev/stdin") {
		return usagef("--join reads DATA a second time, which stdin does not allow; save it to a file first")
	}
	return nil
}

// writer returns what writes the rows of a result for the table t, read from path, as the name of
// the file to says. JSON lines that are joined stay so on standard output.
func (r *rowFlags) writer(ctx context.Context, from joined.Clustered, t *door.Table, path, to string) func(io.Writer) error {
	write := r.plainWriter(ctx, from, t, path)
	if (to == "" || to == "-") && r.join && t.Format() == "jsonl" {
		return write
	}
	if r.join {
		return tablefile.EncodeAny(to, r.escape, write)
	}
	return tablefile.Encode(to, r.escape, write)
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
