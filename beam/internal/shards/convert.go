package shards

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// OpenAny opens shards of any format of tables: NPY arrays of float32 or float64 are read
// in place, all others are converted to such arrays in the folder dir, one after the
// other, so that the driver holds one shard at a time. The names are those of the rows
// and columns, where the shards have them. files are the shards as they were named.
func OpenAny(ctx context.Context, paths []string, s door.Source, dir string) (set *Set, names door.Names, err error) {
	plain := s.ID == "" && s.LabelColumn == "" && len(s.Drop) == 0 && len(s.Columns) == 0 && s.Format == ""
	if plain {
		set, err = Open(paths)
		var other *errOther
		if !errors.As(err, &other) {
			return set, names, err
		}
	}
	c := &conversion{source: s, dir: dir, paths: paths}
	open := make([]string, len(paths))
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, names, err
		}
		if _, err := readHead(path); err == nil && plain {
			open[i] = path
			continue
		}
		if open[i], err = c.convert(i); err != nil {
			return nil, names, err
		}
	}
	if set, err = Open(open); err != nil {
		return nil, names, err
	}
	for i := range set.Shards {
		if open[i] != paths[i] {
			set.Shards[i].Source = paths[i]
		}
	}
	return set, c.names, nil
}

// A conversion reads shards as one machine reads a file.
type conversion struct {
	source door.Source
	dir    string
	paths  []string
	names  door.Names
}

// convert converts shard i and returns the path of the array.
func (c *conversion) convert(i int) (string, error) {
	path, s := c.paths[i], c.source
	ds, err := dataio.Open(path, dataio.Options{Format: s.Format, ID: s.ID, Label: s.LabelColumn, Drop: s.Drop, Columns: s.Columns, Workers: s.Workers})
	if err != nil {
		return "", err
	}
	if ds.Graph != nil || ds.Kernel != nil || ds.X == nil {
		return "", &door.InputError{File: path, Msg: "rows of numbers are needed, not a graph, a kernel or texts"}
	}
	if i > 0 && !slices.Equal(ds.Columns, c.names.Columns) {
		return "", &door.InputError{File: path, Msg: fmt.Sprintf("the columns are %s, but those of %s are %s; all shards must have the same columns",
			listed(ds.Columns), c.paths[0], listed(c.names.Columns))}
	}
	c.names.Columns = ds.Columns
	c.names.IDs = append(c.names.IDs, ds.IDs...)
	c.names.Labels = append(c.names.Labels, ds.Labels...)
	to := filepath.Join(c.dir, fmt.Sprintf("shard-%05d.npy", i))
	return to, dataio.WriteFile(to, func(w io.Writer) error { return WriteNPY(w, ds.X) })
}

func listed(columns []string) string {
	if len(columns) == 0 {
		return "without names"
	}
	if len(columns) > 8 {
		return fmt.Sprintf("%s, … (%d)", strings.Join(columns[:8], ", "), len(columns))
	}
	return strings.Join(columns, ", ")
}

// WriteNPY writes rows as an NPY array that can be read in place.
func WriteNPY(w io.Writer, x data.Rows) error {
	b := bufio.NewWriterSize(w, 1<<20)
	_, double := x.(*data.Dense)
	if err := WriteHead(b, x.Len(), x.Dim(), double); err != nil {
		return err
	}
	if err := WriteValues(b, x); err != nil {
		return err
	}
	return b.Flush()
}

// WriteHead writes the head of an NPY array.
func WriteHead(w io.Writer, rows, cols int, double bool) error {
	head := fmt.Sprintf("{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, %d), }", 4+4*one(double), rows, cols)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	_, err := fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(head))), head)
	return err
}

// WriteValues writes the numbers of dense rows.
func WriteValues(w io.Writer, x data.Rows) error {
	switch x := x.(type) {
	case *data.Dense:
		return binary.Write(w, binary.LittleEndian, x.V)
	case *data.Dense32:
		return binary.Write(w, binary.LittleEndian, x.V)
	}
	return fmt.Errorf("sparse rows cannot be converted to shards; save them as dense rows")
}
