package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

var planned = source.Options{Mixed: true, TableMissing: true}

// R writes no name for the column of names of rows.
func TestShortHeader(t *testing.T) {
	d, err := ReadTSV(strings.NewReader("a\tb\nr1\t1\t2\nr2\t3\t4\n"), "f", planned)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Columns, []string{"id", "a", "b"}) || d.Cells[0].Text[1] != "r2" || d.X.Len() != 2 {
		t.Errorf("columns %q, cells %v", d.Columns, d.Cells)
	}
	if _, err := ReadTSV(strings.NewReader("a\tb\nr1\t1\t2\nr2\t3\n"), "f", planned); err == nil {
		t.Error("rows of different lengths are taken for names of rows")
	}
}

func TestCommentsBeforeHeader(t *testing.T) {
	for text, want := range map[string]string{
		"# made by hand\n# 2024, second try\nx,y\n1,2\n": "x y",
		"#\n\n#a\nx,y\n1,2\n":                            "x y",
		"#x,y\n1,2\n":                                    "#x y", // a header
		"##meta\n#x,y\n1,2\n3,4\n":                       "#x y",
	} {
		d, err := ReadCSV(strings.NewReader(text), "f", planned)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.Join(d.Columns, " "); got != want {
			t.Errorf("%q: columns %q, want %q", text, got, want)
		}
	}
}

// Reports have a title above the header, spreadsheets a line that names the delimiter.
func TestTitleBeforeHeader(t *testing.T) {
	for text, want := range map[string]string{
		"Rents of 2024;;;\nextracted 12/03;;;\n;;;\nref;area;rent;floor\nA1;74;440;2\nA2;80;500;1\nA3;81;510;1\n": "ref area rent floor",
		"My report\n\nref,area,rent\nA1,74,440\nA2,80,500\nA3,81,510\n":                                           "ref area rent",
		"\"Sales, by shop\"\n\"shop\";\"a\";\"b\"\nx;1;2\ny;3;4\nz;5;6\n":                                         "shop a b",
		"station,Graz,,,,\nyear,2024,,,,\nid,t1,t2,t3,t4,t5\na,1,2,3,4,5\nb,1,2,3,4,6\n":                          "id t1 t2 t3 t4 t5",
		"sep=;\nid;a\nr1;1\nr2;2\n":           "id a",
		"a,,\n1,2,3\n4,5,6\n7,8,9\n":          "a c1 c2",
		"kind,size,form\nx,,\ny,b,c\nz,b,c\n": "kind size form",
		"id,note,x\n1,,\n2,b,3\n4,c,5\n":      "id note x",
	} {
		d, err := ReadCSV(strings.NewReader(text), "f", planned)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.Join(d.Columns, " "); got != want {
			t.Errorf("%q: columns %q, want %q", text, got, want)
		}
		if strings.HasPrefix(text, "Rents") && (d.X.Len() != 3 || d.Lines(0) != 5 || !strings.Contains(string(d.Notes[1]), "3 lines of a title")) {
			t.Errorf("%d rows, the first on line %d, notes %q", d.X.Len(), d.Lines(0), d.Notes)
		}
	}
}

func TestNestedKeysAreColumns(t *testing.T) {
	text := `{"id":"a","device":{"os":"linux","screen":{"w":10}},"tags":["x","y"],"v":[1,2]}
{"id":"b","device":{"os":"mac","screen":{"w":20,"h":5}},"tags":[],"v":[3,4]}
{"id":"c","device":null,"tags":["z"],"v":[5,6]}
`
	d, err := ReadJSONL(strings.NewReader(text), "f", planned)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"id", "device.os", "device.screen.w", "tags", "v.0", "v.1", "device.screen.h"}; !slices.Equal(d.Columns, want) {
		t.Fatalf("columns %q, want %q", d.Columns, want)
	}
	row := make([]float64, 7)
	copy(row, d.X.Row(1, row).Val)
	if row[2] != 20 || row[4] != 3 || row[6] != 5 || d.Cells[1].Text[1] != "mac" || d.Cells[3].Text[0] != `["x","y"]` {
		t.Errorf("row %v, cells %v", row, d.Cells)
	}
	copy(row, d.X.Row(2, row).Val)
	if row[2] == row[2] || len(d.Cells[1].Text) != 2 {
		t.Errorf("an object that is null: %v", row)
	}
	if _, err := ReadJSONL(strings.NewReader(text), "f", source.Options{}); err == nil {
		t.Error("objects are read where only numbers are wanted")
	}
}
