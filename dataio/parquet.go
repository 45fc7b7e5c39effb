package dataio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/hint"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// readParquet reads a Parquet file: columns of numbers, bools and lists of as
// many numbers in every row. It needs the whole file at hand: what is no plain
// file is held in memory first.
func readParquet(r io.Reader, name string, opt Options) (d *Dataset, err error) {
	at, size, err := randomAccess(r)
	if err != nil {
		return nil, asError(err, name)
	}
	// The library panics on some damaged files.
	defer func() {
		if fault := recover(); fault != nil {
			d, err = nil, &Error{File: name, Msg: fmt.Sprintf("the Parquet file is damaged: %v", fault), Hint: damagedHint}
		}
	}()
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
	t := &parquetTable{name: name, opt: opt, f: f}
	if err := t.start(); err != nil {
		return nil, err
	}
	for _, group := range f.RowGroups() {
		if err := t.group(group, size); err != nil {
			return nil, err
		}
	}
	return t.dataset()
}

const damagedHint = "the file seems damaged or cut off: fetch it again"

func damaged(name string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{File: name, Msg: "the Parquet file is damaged: " + err.Error(), Hint: damagedHint, Err: err}
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
				return &Error{File: name, Msg: "its pages are compressed by LZ4, which is not read", Hint: "write it with zstd, snappy or gzip"}
			}
		}
	}
	return nil
}

// randomAccess returns the file underneath r, or all of r in memory.
func randomAccess(r io.Reader) (io.ReaderAt, int64, error) {
	if s, ok := r.(*stream); ok && s.file != nil && s.packed == "" {
		return s.file, s.size, nil
	}
	b, err := io.ReadAll(r)
	return bytes.NewReader(b), int64(len(b)), err
}

// A parquetTable collects the columns of one file.
type parquetTable struct {
	layout
	name    string
	opt     Options
	f       *parquet.File
	columns []parquetColumn // those that are read
	total   int             // features
	x       []float64
	rows    int
	noValue int
	ids     []string
	labels  []string
	docs    []string
}

// start makes the layout and finds how wide lists are.
func (t *parquetTable) start() error {
	fields := t.f.Root().Columns()
	names := make([]string, len(fields))
	for j, c := range fields {
		names[j] = c.Name()
	}
	l, err := newLayout(names, true, t.opt, Error{File: t.name})
	if err != nil {
		return err
	}
	t.layout = *l
	var refused *Error
	var others []string // columns that hold no numbers
	for j, c := range fields {
		if t.roles[j] == ignored {
			continue
		}
		col, bad := t.column(c, t.roles[j])
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
		refused.Hint = notNumbers(others)
		return refused
	}
	if t.f.NumRows() == 0 {
		return &Error{File: t.name, Msg: "there are no rows"}
	}
	return nil
}

// group appends the rows of a row group, column by column.
func (t *parquetTable) group(g parquet.RowGroup, size int64) error {
	chunks := g.ColumnChunks()
	rows := -1
	for _, c := range t.columns {
		if c.leaf >= len(chunks) {
			return &Error{File: t.name, Msg: "a row group lacks columns", Hint: damagedHint}
		}
		got, err := t.read(c, chunks[c.leaf])
		if err != nil {
			return damaged(t.name, err)
		}
		n := got.rows
		if rows >= 0 && n != rows {
			return &Error{File: t.name, Msg: fmt.Sprintf("column %q has %d rows where others have %d", c.name, n, rows), Hint: damagedHint}
		}
		if rows < 0 {
			rows = n
			t.room(n, size)
		}
		t.put(c, got)
	}
	t.rows += max(rows, 0)
	return nil
}

// room makes place for n more rows: for all the file claims to have, where
// its size makes that plausible.
func (t *parquetTable) room(n int, size int64) {
	done := 0.0
	if all := t.f.NumRows(); all > 0 && all < 1<<40 && !implausible(int(all)*t.total, int(size)) {
		done = float64(t.rows+n) / float64(all)
	}
	old := len(t.x)
	t.x = grow(t.x, n*t.total, done)[:old+n*t.total]
}

// put takes over a column of the current row group.
func (t *parquetTable) put(c parquetColumn, got columnValues) {
	switch c.role {
	case idRole:
		t.ids = append(t.ids, got.text...)
	case labelRole:
		t.labels = append(t.labels, got.text...)
	case textRole:
		t.docs = append(t.docs, got.text...)
	default:
		t.noValue += got.noValue
		row := t.x[t.rows*t.total:]
		for i := range got.rows {
			copy(row[i*t.total+c.offset:][:c.width], got.x[i*c.width:])
		}
	}
}

func (t *parquetTable) dataset() (*Dataset, error) {
	if t.rows == 0 {
		return nil, &Error{File: t.name, Msg: "there are no rows"}
	}
	if i, j, ok := firstDuplicate(t.ids); ok {
		return nil, &Error{File: t.name, Msg: fmt.Sprintf("rows %d and %d have the same id %s", i, j, clip([]byte(t.ids[j]))),
			Hint: "every row needs its own id"}
	}
	d := &Dataset{Name: t.name, IDs: t.ids, Labels: t.labels, Docs: t.docs}
	if t.total > 0 {
		d.X = &data.Dense{Cols: t.total, V: t.x}
	}
	for _, c := range t.columns {
		d.Columns = append(d.Columns, c.names()...)
	}
	if t.noValue > 0 {
		d.Notes = append(d.Notes, hint.Hint(counted(t.noValue, "missing value")))
	}
	if t.opt.As == "kernel" {
		return d, toKernel(d)
	}
	return d, nil
}
