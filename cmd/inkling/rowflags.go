package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/joined"
	"github.com/inklinghq/inkling/dataio"
)

// rowFlags hold the flags that say what is written of each row.
type rowFlags struct{ rows, join bool }

func (r *rowFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.rows, "rows", false, "with -o: write id,cluster,confidence,second,margin")
	f.BoolVar(&r.join, "join", false, "with -o: write the columns of DATA, then cluster,confidence,second,margin")
	flags.Group(cmd, flags.GroupOutput, "rows", "join")
	flags.Advanced(cmd, "join")
}

// clustered is a result or a prediction.
type clustered interface {
	WriteCSV(io.Writer) error
	WriteRows(context.Context, io.Writer) error
	Details(context.Context) ([]inkling.RowDetail, inkling.ConfidenceSource, error)
}

// check refuses to join what cannot be read twice.
func (r *rowFlags) check(path string) error {
	if r.join && (path == "-" || path == "/dev/stdin") {
		return usagef("--join reads DATA a second time, which stdin does not allow; save it to a file first")
	}
	return nil
}

// writer returns what writes the rows of a result for the table t, read from path.
func (r *rowFlags) writer(ctx context.Context, from clustered, t *inkling.Table, path string) func(io.Writer) error {
	switch {
	case r.join:
		return func(w io.Writer) error { return joinRows(ctx, w, from, t, path) }
	case r.rows:
		return func(w io.Writer) error { return from.WriteRows(ctx, w) }
	}
	return from.WriteCSV
}

// joinRows writes the file at path again, with what was found about each row.
func joinRows(ctx context.Context, w io.Writer, from clustered, t *inkling.Table, path string) error {
	list, _, err := from.Details(ctx)
	if err != nil {
		return err
	}
	cells := make([][]string, t.Len())
	for _, d := range list {
		if i, ok := t.Row(d.ID); ok {
			cells[i] = d.Cells()
		}
	}
	columns := joined.Columns{Names: inkling.DetailColumns(), Rows: t.Len(), Cells: func(row int) []string { return cells[row] }}
	join := joined.CSV
	switch format := t.Format(); format {
	case "csv", "tsv":
	case "jsonl":
		join = joined.JSONLines
	default:
		return usagef("--join needs a table with a header line or JSON lines, %s is %s; --rows writes the ids instead", path, format)
	}
	b, builtin, err := inkling.Builtin(path)
	var in io.Reader = bytes.NewReader(b)
	if !builtin {
		f, openErr := dataio.OpenFile(path)
		if openErr != nil {
			return openErr
		}
		defer f.Close()
		in = f
	}
	if err != nil {
		return err
	}
	if err := join(w, in, columns); err != nil {
		return fmt.Errorf("--join: %w", err)
	}
	return nil
}
