package table

import (
	"time"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/parquet-go/parquet-go"
)

// isText reports whether the values of a leaf are kept as text in a mixed table:
// texts, truth values and points in time.
func (c *parquetColumn) isText(leaf *parquet.Column) bool {
	switch name, with := logicalType(leaf); name {
	case "DATE":
		c.day = c.kind == parquet.Int32
		return c.day
	case "TIMESTAMP":
		c.tick = time.Nanosecond
		switch with[len(with)-1] {
		case "unit=MILLIS":
			c.tick = time.Millisecond
		case "unit=MICROS":
			c.tick = time.Microsecond
		}
		return c.kind == parquet.Int64
	case "DECIMAL", "TIME":
		return false
	}
	return c.kind == parquet.Boolean || c.kind == parquet.ByteArray
}

// textOf returns a value as text; points in time as ISO 8601.
func (c *parquetColumn) textOf(v parquet.Value) string {
	switch {
	case c.day:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
	case c.tick > 0:
		per := int64(time.Second / c.tick)
		y := v.Int64()
		s, rest := y/per, y%per
		return time.Unix(s, rest*int64(c.tick)).UTC().Format(time.RFC3339)
	}
	return v.String()
}

// addOdd takes a value of a column of text of a mixed table.
func (t *parquetTable) addOdd(got *columnValues, c parquetColumn, v parquet.Value) error {
	if v.IsNull() {
		return t.addMissing(got, c, 0, 1)
	}
	s := c.textOf(v)
	if isMissing([]byte(s)) {
		return t.addMissing(got, c, 0, 1)
	}
	if y, msg, _ := ParseCell([]byte(s)); msg == "" && isPlain([]byte(s)) {
		t.x[(t.rows+got.rows-1)*t.total+c.offset] = y
		return nil
	}
	t.x[(t.rows+got.rows-1)*t.total+c.offset] = nan
	got.text, got.odd = append(got.text, s), append(got.odd, int32(got.rows-1))
	return nil
}

// storeTexts takes over the texts of a column of the current row group.
func (t *parquetTable) storeTexts(c parquetColumn, got columnValues) {
	if t.cells == nil {
		t.cells = make([]source.Cells, t.total)
	}
	cells := &t.cells[c.offset]
	for i, row := range got.odd {
		cells.Rows, cells.Text = append(cells.Rows, int32(t.rows)+row), append(cells.Text, got.text[i])
	}
}
