package records

import (
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for in, want := range map[string]Table{
		"id,name\n1,\"Ann, B\"\n2,\n":                 {Columns: []string{"id", "name"}, Cells: [][]string{{"1", "2"}, {"Ann, B", ""}}},
		"\xef\xbb\xbfid;name\r\n1;x,y\r\n\r\n2;z\r\n": {Columns: []string{"id", "name"}, Cells: [][]string{{"1", "2"}, {"x,y", "z"}}},
		"name\nx\ny\n": {Columns: []string{"name"}, Cells: [][]string{{"x", "y"}}},
		"{\"a\": 1, \"b\": null}\n\n{\"c\":[1], \"a\":\"x\"}": {Columns: []string{"a", "b", "c"}, Cells: [][]string{{"1", "x"}, {"", ""}, {"", "[1]"}}},
	} {
		got, err := Read(strings.NewReader(in), "t")
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if !reflect.DeepEqual(got.Columns, want.Columns) || !reflect.DeepEqual(got.Cells, want.Cells) {
			t.Errorf("%q: %q %q", in, got.Columns, got.Cells)
		}
	}
}

func TestRefusals(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "t: the file is empty",
		"a,b\n":                       "t: the table has no rows",
		"a,b\n1,2\n3\n":               "t:3: the line has 1 cell, the header has 2",
		"a,b\n1,2,3\n":                "t:2:5: the line has 3 cells, the header has 2",
		"a,a\n1,2\n":                  "t:1:3: there are two columns \"a\"",
		"{\"a\":1,\"a\":2}\n":         "t:1:13: the field \"a\" is given twice",
		"{\"a\":1}\n[1]\n":            "t:2:1: the line is not a JSON object",
		"{\"a\":1} {\n":               "t:1:8: \"{\" stands after the object",
		"{\"a\":1}\n{\"a\":1,\"b\"\n": "t:2:11: the line is not a JSON object",
	} {
		_, err := Read(strings.NewReader(in), "t")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestIDs(t *testing.T) {
	read, err := Read(strings.NewReader("id,name\n1,x\n\n2,y\n1,z\n,u\n"), "t")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.IDs("id"); err == nil || err.Error() != "t:5: the id \"1\" is that of line 2 already" {
		t.Error(err)
	}
	if ids, err := read.IDs("name"); err != nil || len(ids) != 4 {
		t.Error(ids, err)
	}
	if _, err := read.IDs("nam"); err == nil || !strings.Contains(err.Error(), "there is no column \"nam\"") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("{\"a\":1}\n{\"b\":\"x\"}\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		read, err := Read(strings.NewReader(string(in)), "t")
		if err != nil {
			return
		}
		for c := range read.Columns {
			if len(read.Cells[c]) != read.Len() {
				t.Errorf("column %d has %d cells of %d", c, len(read.Cells[c]), read.Len())
			}
		}
	})
}
