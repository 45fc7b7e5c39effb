package constraints

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteAssignment writes the CSV id,cluster: row i is id(i) and the name of
// cluster labels[i], or its number where names is nil; -1 is an empty cell.
func WriteAssignment(w io.Writer, id func(i int) string, labels []int, names []string) error {
	buf := bufio.NewWriterSize(w, 1<<16)
	buf.WriteString("id,cluster\n")
	quoted := make([]string, len(names))
	for c, name := range names {
		quoted[c] = string(appendCell(nil, name))
	}
	var line []byte
	for i, c := range labels {
		line = append(appendCell(line[:0], id(i)), ',')
		switch {
		case names == nil && c >= 0:
			line = strconv.AppendInt(line, int64(c), 10)
		case c == -1:
		case c < 0 || c >= len(names):
			return fmt.Errorf("row %d is in cluster %d, there are %d names", i, c, len(names))
		default:
			line = append(line, quoted[c]...)
		}
		if _, err := buf.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// appendCell appends a cell of a CSV file, in quotes where it needs them.
func appendCell(b []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, ",;|\t\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
