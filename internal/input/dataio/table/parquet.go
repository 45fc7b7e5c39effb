package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// ReadParquet reads a Parquet file: columns of numbers, bools and lists of as
// many numbers in every row. It needs random access: what is not a regular
// file is read into memory first.
func ReadParquet(r io.Reader, name string, opt source.Options) (d *source.Dataset, err error) {
	if s, ok := r.(*source.Stream); ok { // what never ends need not be read to its end
		head, err := s.Head()
		if err != nil {
			return nil, source.AsError(err, name)
		}
		if len(head) >= 4 && string(head[:4]) != "PAR1" {
			return nil, damaged(name, errors.New("it does not begin with PAR1"))
		}
	}
	at, size, err := source.RandomAccess(r)
	if err != nil {
		return nil, source.AsError(err, name)
	}
	// The library panics on some damaged files.
	defer source.RefusePanics(name, "the Parquet file is damaged", &err)
	if err := checkFooter(at, size); err != nil {
		return nil, damaged(name, err)
	}
	f, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(name, err)
	}
	if err := checkCodecs(f, name); err != nil {
		return nil, err
	}
	opt = opt.ForTable()
	t := &parquetTable{name: name, opt: opt, f: f, size: size}
	if err := t.readSchema(); err != nil {
		return nil, err
	}
	for _, group := range f.RowGroups() {
		if err := t.readRowGroup(group); err != nil {
			return nil, err
		}
	}
	return t.dataset()
}

const damagedHint = "the file seems damaged or cut off: fetch it again"

func damaged(name string, err error) error {
	var e *source.Error
	if errors.As(err, &e) {
		return e
	}
	return &source.Error{File: name, Msg: "the Parquet file is damaged: " + err.Error(), Hint: damagedHint, Err: err}
}

// checkFooter makes sure that the length of the metadata, which stands before
// the last four letters, fits the file: the library makes room for whatever
// it says.
func checkFooter(at io.ReaderAt, size int64) error {
	var end [8]byte
	if size < 12 {
		return errors.New("it is too short")
	}
	if _, err := at.ReadAt(end[:], size-8); err != nil && err != io.EOF {
		return err
	}
	if string(end[4:]) != "PAR1" {
		return errors.New("it does not end in PAR1")
	}
	if n := int64(binary.LittleEndian.Uint32(end[:])); n > size-12 {
		return fmt.Errorf("%d bytes of metadata in a file of %d", n, size)
	}
	return nil
}

// checkCodecs refuses LZ4: the library's decoder takes all memory there is
// when such a page is damaged.
func checkCodecs(f *parquet.File, name string) error {
	for _, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			if c.MetaData.Codec == format.Lz4Raw {
				return &source.Error{File: name, Msg: "its pages are compressed by LZ4, which is not read", Hint: "write it with zstd, snappy or gzip"}
			}
		}
	}
	return nil
}

// A parquetTable collects the columns of one file.
type parquetTable struct {
	layout
	name    string
	opt     source.Options
	f       *parquet.File
	size    int64           // of the file
	columns []parquetColumn // those that are read
	total   int             // features
	x       []float64
	rows    int
	noValue int
	ids     []string
	labels  []string
	docs    []string
	cells   []source.Cells // by feature, of mixed tables
}

// readSchema makes the layout and finds how wide lists are.
func (t *parquetTable) readSchema() error {
	fields := t.f.Root().Columns()
	names := make([]string, len(fields))
	for j, c := range fields {
		names[j] = c.Name()
	}
	l, err := newLayout(names, true, t.opt, source.Error{File: t.name})
	if err != nil {
		return err
	}
	t.layout = *l
	var refused *source.Error
	var others []string // columns that hold no numbers
	for j, c := range fields {
		if t.roles[j] == ignored {
			continue
		}
		col, bad := t.describeColumn(c, t.roles[j])
		if bad != nil && bad.Hint == columnHint {
			if others = append(others, c.Name()); refused == nil {
				refused = bad
			}
			continue
		}
		if bad != nil {
			return bad
		}
		col.offset = t.total
		if col.role == feature {
			t.total += col.width
		}
		t.columns = append(t.columns, col)
	}
	if refused != nil {
		refused.Hint = notNumbersHint(others)
		return refused
	}
	if t.f.NumRows() == 0 {
		return &source.Error{File: t.name, Msg: "there are no rows"}
	}
	return nil
}

// readRowGroup appends the rows of a row group, column by column.
func (t *parquetTable) readRowGroup(g parquet.RowGroup) error {
	chunks := g.ColumnChunks()
	rows := -1
	for _, c := range t.columns {
		if c.leaf >= len(chunks) {
			return &source.Error{File: t.name, Msg: "a row group lacks columns", Hint: damagedHint}
		}
		got, err := t.readColumn(c, chunks[c.leaf])
		if err != nil {
			return damaged(t.name, err)
		}
		n := got.rows
		if rows >= 0 && n != rows {
			return &source.Error{File: t.name, Msg: fmt.Sprintf("column %q has %d rows where others have %d", c.name, n, rows), Hint: damagedHint}
		}
		rows = n
		t.storeColumn(c, got)
	}
	t.rows += max(rows, 0)
	return nil
}

// reserve makes place for the first n rows of the current row group, so that the values of its
// columns go where they stay: for all rows that the file claims to have, where its size makes that
// plausible.
func (t *parquetTable) reserve(n int) {
	need := (t.rows + n) * t.total
	if need <= len(t.x) {
		return
	}
	if need > cap(t.x) {
		room := max(need, len(t.x)+len(t.x)/4)
		if all := t.f.NumRows(); all > 0 && all < 1<<40 && !source.Implausible(int(all)*t.total, int(t.size)) {
			room = max(room, int(all)*t.total)
		}
		grown := make([]float64, len(t.x), room)
		copy(grown, t.x)
		t.x = grown
	}
	t.x = t.x[:need]
}

// storeColumn takes over the texts of a column of the current row group.
func (t *parquetTable) storeColumn(c parquetColumn, got columnValues) {
	switch c.role {
	case idRole:
		t.ids = append(t.ids, got.text...)
	case labelRole:
		t.labels = append(t.labels, got.text...)
	case textRole:
		t.docs = append(t.docs, got.text...)
	default:
		t.noValue += got.noValue
		if len(got.odd) > 0 {
			t.storeTexts(c, got)
		}
	}
}

func (t *parquetTable) dataset() (*source.Dataset, error) {
	if t.rows == 0 {
		return nil, &source.Error{File: t.name, Msg: "there are no rows"}
	}
	if i, j, ok := scan.FirstDuplicate(t.ids); ok {
		return nil, &source.Error{File: t.name, Msg: fmt.Sprintf("rows %d and %d have the same id %s", i, j, source.Clip([]byte(t.ids[j]))),
			Hint: "every row needs its own id"}
	}
	d := &source.Dataset{Name: t.name, IDs: t.ids, Labels: t.labels, Docs: t.docs, Names: t.Names, Cells: t.cells}
	if t.opt.Mixed && t.total > 0 {
		d.Docs, d.Beside = nil, t.docs
	}
	if t.total > 0 {
		d.X = &data.Dense{Cols: t.total, V: t.x}
	}
	for _, c := range t.columns {
		d.Columns = append(d.Columns, c.featureNames()...)
	}
	if t.noValue > 0 {
		d.Notes = append(d.Notes, hint.Hint(source.Counted(t.noValue, "missing value")))
	}
	if t.opt.As == source.AsKernel {
		return d, source.MakeKernel(d)
	}
	return d, nil
}
