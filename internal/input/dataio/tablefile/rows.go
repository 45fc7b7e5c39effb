package tablefile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A kind is what the cells of a column are.
type kind int

// The kinds, each of which can hold what those before it hold; blank is a column without a value.
const (
	blank kind = iota
	boolean
	integer
	number
	text
)

// names are columns that hold names, also where these look like numbers.
var names = map[string]bool{"cluster": true, "second": true, "reason": true}

// spooled is a table that was read once, to know its columns and what they hold, and is kept
// compressed to be read again.
type spooled struct {
	columns []string
	kinds   []kind
	objects bool // JSON lines
	comma   rune
	packed  bytes.Buffer
}

// spool reads a table whole.
func spool(in *bufio.Reader) (*spooled, error) {
	s := &spooled{comma: delimiter(in)}
	first, _ := in.Peek(1)
	s.objects = string(first) == "{"
	pack, err := zstd.NewWriter(&s.packed, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	copied := io.TeeReader(in, pack)
	if err := s.each(copied, func(row []string, quoted []bool) error {
		for j, cell := range row {
			for j >= len(s.kinds) {
				s.kinds = append(s.kinds, blank)
			}
			is := kindOf(cell)
			if quoted != nil && quoted[j] && cell != "" {
				is = text
			}
			s.kinds[j] = join(s.kinds[j], is)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for len(s.kinds) < len(s.columns) {
		s.kinds = append(s.kinds, blank)
	}
	for j, is := range s.kinds { // rows may have more cells than there are names of columns
		if is == blank || j < len(s.columns) && names[strings.ToLower(s.columns[j])] {
			s.kinds[j] = text
		}
	}
	s.nameColumns()
	return s, pack.Close()
}

// again reads the table a second time.
func (s *spooled) again(do func(row []string) error) error {
	unpack, err := zstd.NewReader(&s.packed, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpack.Close()
	return s.each(unpack, func(row []string, _ []bool) error {
		for len(row) < len(s.kinds) {
			row = append(row, "")
		}
		return do(row)
	})
}

// each calls do with the cells of each row; quoted says which were texts where that is known. The
// columns are those met so far.
func (s *spooled) each(r io.Reader, do func(row []string, quoted []bool) error) error {
	if s.objects {
		return s.eachObject(r, do)
	}
	in := csv.NewReader(r)
	in.Comma, in.FieldsPerRecord, in.ReuseRecord, in.LazyQuotes = s.comma, -1, true, true
	for header := true; ; header = false {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !header {
			if err := do(row, nil); err != nil {
				return err
			}
		} else if s.columns == nil {
			s.columns = append([]string{}, row...)
		}
	}
}

// eachObject is each for JSON lines. Columns stand in the order in which they first occur; objects
// and lists in a cell stay JSON.
func (s *spooled) eachObject(r io.Reader, do func(row []string, quoted []bool) error) error {
	at := map[string]int{}
	d := json.NewDecoder(r)
	for {
		open, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if open != json.Delim('{') {
			return fmt.Errorf("this is not a JSON object: %v", open)
		}
		row, quoted := make([]string, len(at)), make([]bool, len(at))
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return err
			}
			name := key.(string)
			j, ok := at[name]
			if !ok {
				j = len(at)
				at[name] = j
				row, quoted = append(row, ""), append(quoted, false)
				if j >= len(s.columns) {
					s.columns = append(s.columns, name)
				}
			}
			row[j], quoted[j] = cellOf(value)
		}
		if _, err := d.Token(); err != nil {
			return err
		}
		if err := do(row, quoted); err != nil {
			return err
		}
	}
}

// cellOf returns a JSON value as a cell, and whether it was a text.
func cellOf(value json.RawMessage) (cell string, quoted bool) {
	switch {
	case string(value) == "null":
		return "", false
	case len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &cell) == nil:
		return cell, true
	}
	return string(value), false
}

// nameColumns gives each column a name of its own, as JSON and Parquet need.
func (s *spooled) nameColumns() {
	for len(s.columns) < len(s.kinds) {
		s.columns = append(s.columns, "")
	}
	taken := map[string]bool{}
	for j, name := range s.columns {
		if name == "" {
			name = "column " + strconv.Itoa(j+1)
		}
		own := name
		for k := 2; taken[own]; k++ {
			own = name + "_" + strconv.Itoa(k)
		}
		taken[own] = true
		s.columns[j] = own
	}
}

// join returns the kind of a column that holds both.
func join(a, b kind) kind {
	if a == boolean && b > boolean || b == boolean && a > boolean {
		return text
	}
	return max(a, b)
}

// kindOf returns what a cell is. What would not be written in the same way again, such as 007 or
// a whole number of many digits, is text.
func kindOf(cell string) kind {
	switch cell {
	case "":
		return blank
	case "true", "false":
		return boolean
	}
	if c := cell[0]; c != '-' && (c < '0' || c > '9') {
		return text
	}
	if y, err := strconv.ParseInt(cell, 10, 64); err == nil && strconv.FormatInt(y, 10) == cell {
		return integer
	}
	if !strings.ContainsAny(cell, ".eE") || !json.Valid([]byte(cell)) {
		return text
	}
	if _, err := strconv.ParseFloat(cell, 64); err != nil {
		return text
	}
	return number
}

// writeCSV writes the table as CSV.
func (s *spooled) writeCSV(w io.Writer, comma rune) error {
	out := csv.NewWriter(w)
	out.Comma = comma
	if err := out.Write(s.columns); err != nil {
		return err
	}
	if err := s.again(func(row []string) error { return out.Write(row) }); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// writeObjects writes a table as JSON lines; a cell without a value is null.
func writeObjects(r io.Reader, w io.Writer) error {
	in := bufio.NewReaderSize(r, 1<<16)
	if first, _ := in.Peek(1); string(first) == "{" {
		_, err := io.Copy(w, in)
		return err
	}
	s, err := spool(in)
	if err != nil {
		return err
	}
	keys := make([][]byte, len(s.columns))
	for j, name := range s.columns {
		key, _ := json.Marshal(name)
		keys[j] = append(key, ':')
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := s.again(func(row []string) error {
		for j, cell := range row {
			out.WriteByte("{,"[min(j, 1)])
			out.Write(keys[j])
			switch {
			case cell == "":
				out.WriteString("null")
			case s.kinds[j] == text:
				b, err := json.Marshal(cell)
				if err != nil {
					return err
				}
				out.Write(b)
			default:
				out.WriteString(cell)
			}
		}
		_, err := out.WriteString("}\n")
		return err
	}); err != nil {
		return err
	}
	return out.Flush()
}
