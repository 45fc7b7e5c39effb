package joined

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// Clustered is a result or a prediction.
type Clustered interface {
	WriteCSV(io.Writer) error
	WriteRows(context.Context, io.Writer) error
	Details(context.Context) ([]door.RowDetail, door.ConfidenceSource, error)
}

// Rows writes the file at path again, with what was found about each row.
func Rows(ctx context.Context, w io.Writer, from Clustered, t *door.Table, path string) error {
	list, _, err := from.Details(ctx)
	if err != nil {
		return err
	}
	names, cells := door.DetailColumns(list), make([][]string, t.Len())
	for _, d := range list {
		if i, ok := t.Row(d.ID); ok {
			cells[i] = d.Cells(names)
		}
	}
	columns := Columns{Names: names, Rows: t.Len(), Cells: func(row int) []string { return cells[row] }}
	join := CSV
	switch format := t.Format(); format {
	case "csv", "tsv":
	case "jsonl":
		join = JSONLines
	default:
		return &door.OptionError{Option: "join", Hint: "{rows} writes the ids instead",
			Msg: fmt.Sprintf("join needs a table with a header line or JSON lines, %s is %s", path, format)}
	}
	b, builtin, err := door.Builtin(path)
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
		return &door.InputError{File: path, Msg: err.Error(), Hint: "{rows} writes the ids instead of the columns", Err: err}
	}
	return nil
}
