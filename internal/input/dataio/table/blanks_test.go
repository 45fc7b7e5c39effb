package table_test

import (
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/table"
)

// Blanks divide cells where the lines show it, and nowhere else.
func TestByBlanks(t *testing.T) {
	for _, c := range []struct {
		about, text string
		want        bool
	}{
		{"numbers", "1 2\n3 4\n5 6\n", true},
		{"several blanks, tabs, line ends of Windows", "x y z\r\n1   2 3 \r\n4\t5 6\r\n 7 8 9\r\n", true},
		{"names of rows, as R writes them", "\"h\" \"sp\"\n\"r 1\" 1.5 2\n\"r 2\" 1.7 3\n\"r 3\" 2 4\n", true},
		{"without a last line end", "1 2\n3 4\n5 6", true},
		{"a comment first", "# made by hand\nx y\n1 2\n3 4\n5 6\n", true},
		{"half of them numbers", "h1 h2 sp\n\"r1\" 1.5 2 \"a b\"\n\"r2\" 1.7 3 c\n\"r3\" 2 4 d\n", true},
		{"texts of equal length", "the cat sat\nthe dog ran\na bird flew\nfish swim on\n", false},
		{"texts with numbers", "buy 2 get 1\nonly 3 left\nroom 4 is free\n", false},
		{"commas", "a,b c\n1,2 3\n4,5 6\n", false},
		{"lines of different lengths", "1 2\n3 4 5\n6 7\n", false},
		{"one column", "1\n2\n3\n", false},
		{"two lines", "1 2\n3 4\n", false},
		{"a quote that is not closed", "a b\n\"1 2\n3 4\n5 6\n", false},
		{"nothing", "", false},
	} {
		if got := table.ByBlanks([]byte(c.text), 0.5); got != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}

// Records divided by blanks have the cells that stand between them, and none at the ends.
func TestRecordsDividedByBlanks(t *testing.T) {
	in := table.NewScanner(strings.NewReader("x y\n 1   2 \n3\t\"4 5\"\t\r\n\n\"6\" 7"), "f", table.Blank)
	var got []string
	for in.NextRecord() {
		var cells []string
		for j := range in.Cells {
			cells = append(cells, in.CellText(j))
		}
		got = append(got, strings.Join(cells, "|"))
	}
	if in.Err != nil || strings.Join(got, ";") != "x|y;1|2;3|4 5;6|7" {
		t.Errorf("%q, %v", got, in.Err)
	}
}
