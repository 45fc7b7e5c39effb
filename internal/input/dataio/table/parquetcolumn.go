package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// A parquetColumn is one column to read: a leaf of the schema.
type parquetColumn struct {
	name   string
	role   role
	leaf   int
	kind   parquet.Kind
	list   bool
	width  int  // numbers a row
	offset int  // of the first of them in a row
	exp    int  // a stored number counts times 10^exp
	whole  bool // unsigned
	text   bool // kept as text, in a mixed table
	day    bool // days since 1970
	tick   time.Duration
	inList int // least definition level of an element of a list
}

// featureNames are the names of the features in the column.
func (c parquetColumn) featureNames() []string {
	switch {
	case c.role != feature:
		return nil
	case !c.list:
		return []string{c.name}
	}
	names := make([]string, c.width)
	for k := range names {
		names[k] = c.name + "." + strconv.Itoa(k)
	}
	return names
}

// describeColumn finds out how to read field f of the schema.
func (t *parquetTable) describeColumn(f *parquet.Column, r role) (parquetColumn, *source.Error) {
	c := parquetColumn{name: f.Name(), role: r, width: 1}
	refuse := func(what string) *source.Error {
		e := &source.Error{File: t.name, Msg: fmt.Sprintf("column %q holds %s", c.name, what)}
		if r == feature {
			e.Hint = columnHint
		}
		return e
	}
	leaf := f
	for !leaf.Leaf() {
		if len(leaf.Columns()) != 1 {
			return c, refuse("records, not numbers")
		}
		leaf = leaf.Columns()[0]
	}
	c.leaf, c.kind, c.inList = leaf.Index(), leaf.Type().Kind(), leaf.MaxDefinitionLevel()
	if leaf.Optional() {
		c.inList--
	}
	c.list = leaf.MaxRepetitionLevel() == 1
	if leaf.MaxRepetitionLevel() > 1 {
		return c, refuse("lists of lists")
	}
	if r != feature {
		if c.list || c.kind == parquet.Int96 || c.kind == parquet.FixedLenByteArray {
			return c, refuse("no plain text or numbers")
		}
		return c, nil
	}
	if t.opt.Mixed && !c.list && c.isText(leaf) {
		c.text = true
		return c, nil
	}
	if what := c.refuseType(leaf); what != "" {
		return c, refuse(what)
	}
	if c.list {
		if c.width = t.listWidth(c); c.width == 0 {
			return c, refuse("lists, and the first of them is empty")
		}
	}
	return c, nil
}

// refuseType sets how the numbers of a leaf are stored, or says what it holds
// instead.
func (c *parquetColumn) refuseType(leaf *parquet.Column) string {
	switch name, with := logicalType(leaf); name {
	case "DECIMAL":
		scale, err := strconv.Atoi(with[len(with)-1])
		if err != nil || c.kind != parquet.Int32 && c.kind != parquet.Int64 || scale < 0 || scale > 18 {
			return "decimals of more than 18 digits"
		}
		c.exp = -scale
	case "INT":
		c.whole = with[len(with)-1] == "false"
	case "DATE", "TIME", "TIMESTAMP":
		return "dates or times, not numbers"
	}
	switch c.kind {
	case parquet.Boolean, parquet.Int32, parquet.Int64, parquet.Float, parquet.Double:
		return ""
	case parquet.ByteArray:
		return "text, not numbers"
	}
	return "bytes, not numbers"
}

// logicalType returns what a leaf is annotated with, by name and parameters: DECIMAL and 9, 2, or INT and 32,
// true. Its text is that of the format and stays, while its Go type differs between versions of the module, and
// a program that uses this package may be built with a later one than ours.
func logicalType(leaf *parquet.Column) (name string, with []string) {
	l := leaf.Type().LogicalType()
	if l == nil {
		return "", []string{""}
	}
	name, in, _ := strings.Cut(l.String(), "(")
	return name, strings.Split(strings.TrimSuffix(in, ")"), ",")
}

// toNumber returns a value that is there as a number.
func (c *parquetColumn) toNumber(v parquet.Value) float64 {
	switch c.kind {
	case parquet.Boolean:
		if v.Boolean() {
			return 1
		}
		return 0
	case parquet.Float:
		return float64(v.Float())
	case parquet.Double:
		return v.Double()
	case parquet.Int32:
		if c.whole {
			return float64(v.Uint32())
		}
		return c.scaleDecimal(int64(v.Int32()))
	}
	if c.whole {
		return float64(v.Uint64())
	}
	return c.scaleDecimal(v.Int64())
}

func (c *parquetColumn) scaleDecimal(y int64) float64 {
	switch {
	case c.exp == 0 || y == 0:
		return float64(y)
	case y < 0:
		return -scan.RoundDecimal(uint64(-y), c.exp)
	}
	return scan.RoundDecimal(uint64(y), c.exp)
}

// columnValues are what was read of a column in one row group; its numbers are in the rows of the
// table already.
type columnValues struct {
	rows    int
	text    []string
	noValue int
	odd     []int32 // rows of texts, in a mixed table
}

// eachValue calls do for the values of a chunk until it returns false.
func eachValue(chunk parquet.ColumnChunk, do func(parquet.Value) (bool, error)) error {
	return eachPage(chunk, func(page parquet.Page) (bool, error) { return valuesOf(page, do) })
}

// eachPage calls do for the pages of a chunk until it returns false.
func eachPage(chunk parquet.ColumnChunk, do func(parquet.Page) (bool, error)) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if page.NumValues()-page.NumNulls() > storedValues(page) {
			return errors.New("a page has fewer values than it says")
		}
		on, err := do(page)
		if err != nil || !on {
			return err
		}
		parquet.Release(page)
	}
}

func valuesOf(page parquet.Page, do func(parquet.Value) (bool, error)) (bool, error) {
	values := page.Values()
	var buf [512]parquet.Value
	for more := true; more; {
		n, err := values.ReadValues(buf[:])
		for _, v := range buf[:n] {
			if on, err := do(v); err != nil || !on {
				return false, err
			}
		}
		if err != nil && err != io.EOF {
			return false, err
		}
		more = err == nil && n > 0
	}
	return true, nil
}

// storedValues is how many values a page can have at most by the bytes it has. Reading more than there are of
// an optional or repeated column never ends in the module that we use.
func storedValues(page parquet.Page) int64 {
	values := page.Data()
	data, offsets := values.Data()
	switch n := int64(len(data)); values.Kind() {
	case encoding.Boolean:
		return 8 * n
	case encoding.Int32, encoding.Float:
		return n / 4
	case encoding.Int64, encoding.Double:
		return n / 8
	case encoding.Int96:
		return n / 12
	case encoding.ByteArray:
		return int64(len(offsets)) - 1
	case encoding.FixedLenByteArray:
		_, size := values.FixedLenByteArray()
		return n / int64(max(1, size))
	}
	return math.MaxInt64
}

// listWidth returns the length of the list in the first row.
func (t *parquetTable) listWidth(c parquetColumn) (width int) {
	for _, g := range t.f.RowGroups() {
		rows := 0
		err := eachValue(g.ColumnChunks()[c.leaf], func(v parquet.Value) (bool, error) {
			if v.RepetitionLevel() == 0 {
				rows++
			}
			if rows == 1 && v.DefinitionLevel() >= c.inList {
				width++
			}
			return rows == 1, nil
		})
		if err != nil || rows > 0 {
			break
		}
	}
	return width
}

// readColumn reads the column from its chunk in a row group.
func (t *parquetTable) readColumn(c parquetColumn, chunk parquet.ColumnChunk) (got columnValues, err error) {
	in := 0 // values of the current row
	one := func(v parquet.Value) (bool, error) {
		if v.RepetitionLevel() == 0 || !c.list {
			if err := t.checkWidth(c, in, got.rows); err != nil {
				return false, err
			}
			if got.rows++; c.role == feature {
				t.reserve(got.rows)
			}
			in = 0
		}
		if got.rows == 0 {
			return false, &source.Error{File: t.name, Msg: fmt.Sprintf("column %q starts within a row", c.name), Hint: damagedHint}
		}
		if c.list && v.DefinitionLevel() < c.inList {
			in = c.width
			return true, t.addMissing(&got, c, 0, c.width)
		}
		in++
		if c.role != feature {
			return true, t.addText(&got, c, v)
		}
		if c.text {
			return true, t.addOdd(&got, c, v)
		}
		return true, t.addNumber(&got, c, v, in)
	}
	err = eachPage(chunk, func(page parquet.Page) (bool, error) {
		if err := t.opt.Stopped(); err != nil {
			return false, err
		}
		if t.addPlain(&got, c, page) {
			in = 1
			return true, nil
		}
		return valuesOf(page, one)
	})
	if err == nil {
		err = t.checkWidth(c, in, got.rows)
	}
	return got, err
}

// checkWidth refuses a row that ended with in values, unless it is none yet.
func (t *parquetTable) checkWidth(c parquetColumn, in, rows int) error {
	if rows == 0 || in == c.width {
		return nil
	}
	return &source.Error{File: t.name, Msg: fmt.Sprintf("row %d, column %q: the list has %s, the first has %d", t.rows+rows-1, c.name, source.Counted(in, "value"), c.width)}
}

func (t *parquetTable) addText(got *columnValues, c parquetColumn, v parquet.Value) error {
	s := ""
	if !v.IsNull() {
		s = v.String()
	}
	switch {
	case c.role == idRole && s == "":
		return &source.Error{File: t.name, Msg: fmt.Sprintf("row %d, column %q: the row has no id", t.rows+got.rows-1, c.name)}
	case c.role == labelRole && IsUnknownLabel([]byte(s)):
		s = ""
	}
	got.text = append(got.text, s)
	return nil
}

func (t *parquetTable) addNumber(got *columnValues, c parquetColumn, v parquet.Value, in int) error {
	if in > c.width {
		return t.checkWidth(c, in, got.rows)
	}
	if !v.IsNull() {
		y := c.toNumber(v)
		if y-y == 0 {
			t.x[(t.rows+got.rows-1)*t.total+c.offset+in-1] = y
			return nil
		}
		if y == y {
			return &source.Error{File: t.name, Msg: fmt.Sprintf("row %d, column %q: %v is infinite, every value must be finite", t.rows+got.rows-1, c.name, y)}
		}
	}
	return t.addMissing(got, c, in-1, 1)
}

// addPlain takes over a page of finite numbers that is stored as an array of them, and reports
// whether it was one; otherwise it has changed nothing.
func (t *parquetTable) addPlain(got *columnValues, c parquetColumn, page parquet.Page) bool {
	if c.role != feature || c.list || c.text || page.Dictionary() != nil || page.NumNulls() > 0 || page.NumValues() == 0 {
		return false
	}
	values := page.Data()
	switch values.Kind() {
	case encoding.Double:
		return placeColumn(t, got, c, values.Double(), page.NumValues())
	case encoding.Float:
		return placeColumn(t, got, c, values.Float(), page.NumValues())
	}
	return false
}

func placeColumn[T float32 | float64](t *parquetTable, got *columnValues, c parquetColumn, values []T, n int64) bool {
	if int64(len(values)) != n {
		return false
	}
	for _, y := range values {
		if y-y != 0 { // to be named, or missing
			return false
		}
	}
	t.reserve(got.rows + len(values))
	at := (t.rows+got.rows)*t.total + c.offset
	for _, y := range values {
		t.x[at] = float64(y)
		at += t.total
	}
	got.rows += len(values)
	return true
}

// addMissing marks n values of the current row, from the one at place in of the column, as missing.
func (t *parquetTable) addMissing(got *columnValues, c parquetColumn, in, n int) error {
	if !t.opt.Missing {
		return &source.Error{File: t.name, Msg: fmt.Sprintf("row %d, column %q: the value is missing", t.rows+got.rows-1, c.name), Hint: missingHint}
	}
	got.noValue += n
	at := (t.rows+got.rows-1)*t.total + c.offset + in
	for k := range n {
		t.x[at+k] = nan
	}
	return nil
}
