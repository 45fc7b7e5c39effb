package tablefile

import (
	"bufio"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

const (
	rowsInGroup = 1 << 16 // rows of a row group: what the writer holds in memory
	rowsAtOnce  = 512
)

// orderedGroup is a group of columns in the order in which they were given; the module sorts them
// by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the columns.
func (g orderedGroup) Fields() []parquet.Field { return g.fields }

func newOrderedGroup(names []string, nodes []parquet.Node) orderedGroup {
	g := orderedGroup{Group: parquet.Group{}}
	for j, name := range names {
		g.Group[name] = nodes[j]
	}
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, name := range names {
		g.fields = append(g.fields, byName[name])
	}
	return g
}

// writeParquet writes a table as Parquet, compressed by Snappy, which every reader knows.
func writeParquet(r io.Reader, w io.Writer) error {
	s, err := spool(bufio.NewReaderSize(r, 1<<16))
	if err != nil {
		return err
	}
	nodes := make([]parquet.Node, len(s.columns))
	for j := range nodes {
		leaf := map[kind]parquet.Node{boolean: parquet.Leaf(parquet.BooleanType), integer: parquet.Int(64),
			number: parquet.Leaf(parquet.DoubleType), text: parquet.String()}[s.kinds[j]]
		nodes[j] = parquet.Optional(leaf)
	}
	out := parquet.NewWriter(w, parquet.NewSchema("table", newOrderedGroup(s.columns, nodes)),
		parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowsInGroup))
	rows := make([]parquet.Row, 0, rowsAtOnce)
	flush := func() error {
		_, err := out.WriteRows(rows)
		rows = rows[:0]
		return err
	}
	if err := s.again(func(cells []string) error {
		row := make(parquet.Row, len(cells))
		for j, cell := range cells {
			row[j] = s.value(j, cell)
		}
		if rows = append(rows, row); len(rows) == rowsAtOnce {
			return flush()
		}
		return nil
	}); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Close()
}

// value returns a cell of column j; without content it is null.
func (s *spooled) value(j int, cell string) parquet.Value {
	if cell == "" {
		return parquet.NullValue().Level(0, 0, j)
	}
	var v parquet.Value
	switch s.kinds[j] {
	case boolean:
		v = parquet.BooleanValue(cell == "true")
	case integer:
		y, _ := strconv.ParseInt(cell, 10, 64)
		v = parquet.Int64Value(y)
	case number:
		y, _ := strconv.ParseFloat(cell, 64)
		v = parquet.DoubleValue(y)
	default:
		v = parquet.ByteArrayValue([]byte(cell))
	}
	return v.Level(0, 1, j)
}
