package constraints

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

func TestReadLabels(t *testing.T) {
	got, err := ReadLabels(strings.NewReader("ID;Label;Weight\na;x;\n\n\"b;c\";y;0.5\nd;?;1\nd;;1\na;z;2\n"), "f")
	want := []LabelRow{{"a", "x", 1, "f", 2}, {"b;c", "y", 0.5, "f", 4}, {"a", "z", 2, "f", 7}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	got, err = ReadLabels(strings.NewReader(readertest.Compress(t, "zstd", "\xef\xbb\xbflabel\tid\nx\t1\n")), "f")
	if want := []LabelRow{{"1", "x", 1, "f", 2}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err := ReadLabels(strings.NewReader("id,label\n"), "f"); err != nil || len(got) != 0 {
		t.Errorf("a file that knows nothing: %v, %v", got, err)
	}
}

func TestReadLinks(t *testing.T) {
	got, err := ReadLinks(strings.NewReader("a,b,kind,weight\r\n1,2,must,\r\n3,4,CANNOT,2.5\r\n"), "f")
	want := []LinkRow{{"1", "2", Must, 1, "f", 2}, {"3", "4", Cannot, 2.5, "f", 3}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	got, err = ReadLinks(strings.NewReader("a,b,belief\nu,v,-1\n"), "f")
	if want := []LinkRow{{"u", "v", Belief, -1, "f", 2}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestConstraintFilesRefuse(t *testing.T) {
	labels := "; the first line must be id,label or id,label,weight"
	links := "; the first line must be a,b,kind or a,b,kind,weight or a,b,belief"
	for _, c := range []struct{ what, in, want string }{
		{"labels", "", "f: the file is empty"},
		{"labels", "\n\n", "f: the file is empty; the first line names the columns: id,label or id,label,weight"},
		{"labels", "1,x\n2,y\n", `f:1: the header is "1,x"` + labels},
		{"labels", "id,label,label\n1,x,y\n", `f:1: the header is "id,label,label"` + labels},
		{"labels", "id,label\n1\n", `f:2: the line has 1 cell, the header has 2`},
		{"labels", "id,label\n,x\n", `f:2:1: column "id": the id is missing`},
		{"labels", "id,label,weight\n1,x,heavy\n", `f:2:5: column "weight": "heavy" is not a number`},
		{"labels", "id,label,weight\n1,x,-1\n", `f:2:5: column "weight": -1 is negative`},
		{"labels", "id,label,weight\n1,x,0\n", `f:2:5: column "weight": the weight must be above 0; leave out rows of weight 0`},
		{"links", "a,b,kind,weight\n1,2,must,0\n", `f:2:10: column "weight": the weight must be above 0; leave out rows of weight 0`},
		{"labels", "id,label,weight\n1,x,inf\n", `f:2:5: column "weight": "inf" is infinite, every value must be finite`},
		{"labels", "id,label\n1,\"x\n", `f:2:3: the quote that opens here is not closed`},
		{"labels", "PAR1", `f: this is a Parquet file, not a table; use {format=parquet}`},
		{"labels", "b,a,kind\n1,2,must\n", `f:1: the header is "b,a,kind"; such a file is for {links}`},
		{"links", "id,label\n1,x\n", `f:1: the header is "id,label"; such a file is for {labels}`},
		{"links", "a,b\n1,2\n", `f:1: the header is "a,b"` + links},
		{"links", "a,b,kind\n1,2,mst\n", `f:2:5: column "kind": "mst" is not a kind of link; did you mean "must"?`},
		{"links", "a,b,kind\n1,2,maybe\n", `f:2:5: column "kind": "maybe" is not a kind of link; a link is must (must-link, ML, 1, same) or cannot (cannot-link, CL, -1, 0, different)`},
		{"links", "a,b,kind\n1,2,\n", `f:2:5: column "kind": "" is not a kind of link; a link is must (must-link, ML, 1, same) or cannot (cannot-link, CL, -1, 0, different)`},
		{"links", "a,b,kind\n1,,must\n", `f:2:3: column "b": the id is missing`},
		{"links", "a,b,belief\n1,2,1.5\n", `f:2:5: column "belief": must be from -1 to 1, got 1.5`},
		{"links", "a,b,belief\n1,2,\n", `f:2:5: column "belief": "" is not a number`},
		{"links", "a,b,belief,weight\n1,2,1,1\n", `f:1: the header is "a,b,belief,weight"` + links},
	} {
		var err error
		if c.what == "labels" {
			_, err = ReadLabels(strings.NewReader(c.in), "f")
		} else {
			_, err = ReadLinks(strings.NewReader(c.in), "f")
		}
		if err == nil || readertest.Full(err) != c.want {
			t.Errorf("%q: got  %v\nwant %s", c.in, err, c.want)
		}
	}
	packed := readertest.Compress(t, "gzip", "id,label\n1,x\n")
	_, err := ReadLabels(strings.NewReader(packed[:len(packed)-4]), "f")
	if err == nil || !strings.Contains(readertest.Full(err), "gzip stream ends early") {
		t.Errorf("a cut stream: %v", err)
	}
}

func TestOpenConstraintFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "l.csv")
	if err := os.WriteFile(path, []byte("id,label\n1,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if rows, err := OpenLabels(path); err != nil || len(rows) != 1 || rows[0].File != path {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := OpenLinks(path); err == nil {
		t.Error("labels were read as links")
	}
	if _, err := OpenLinks(dir); err == nil || !strings.Contains(readertest.Full(err), "this is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := OpenLabels(filepath.Join(dir, "none")); err == nil {
		t.Error("no file was read")
	}
}

func fuzzConstraints[T any](f *testing.F, read func(in string) ([]T, error), seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if _, err := read(in); err != nil {
			if _, ok := err.(*source.Error); !ok {
				t.Fatalf("the error is a %T", err)
			}
		}
	})
}

func FuzzLabels(f *testing.F) {
	fuzzConstraints(f, func(in string) ([]LabelRow, error) {
		rows, err := ReadLabels(strings.NewReader(in), "f")
		for _, r := range rows {
			if err == nil && (r.ID == "" || r.Label == "" || !(r.Weight >= 0) || r.Line < 1) {
				return nil, fmt.Errorf("row %v", r)
			}
		}
		return rows, err
	}, "id,label\n1,x\n", "id,label,weight\n1,x,0.5\n1,y,\n", "label\tid\n\"x\"\t1", "id,label\n1", "G\t1\n\"x\"\t1", ",x\n1,x\n")
}

func FuzzLinks(f *testing.F) {
	fuzzConstraints(f, func(in string) ([]LinkRow, error) {
		rows, err := ReadLinks(strings.NewReader(in), "f")
		for _, r := range rows {
			if err == nil && (r.A == "" || r.B == "" || r.Weight != r.Weight || r.Kind == Belief && (r.Weight < -1 || r.Weight > 1)) {
				return nil, fmt.Errorf("row %v", r)
			}
		}
		return rows, err
	}, "a,b,kind\n1,2,must\n", "a,b,belief\n1,2,-0.5\n", "a|b|kind|weight\n1|2|cannot|3\n", ",1,must\n3,4,must\n")
}

func ExampleReadLinks() {
	rows, err := ReadLinks(strings.NewReader("a,b,kind,weight\nann,bob,must,\nann,cy,cannot,0.5\n"), "links.csv")
	if err != nil {
		fmt.Println(err)
	}
	for _, r := range rows {
		fmt.Println(r.A, r.B, r.Kind, r.Weight, r.Line)
	}
	_, err = ReadLinks(strings.NewReader("a,b,kind\nann,bob,canot\n"), "links.csv")
	fmt.Println(err)
	fmt.Println(hint.Of(err))
	// Output:
	// ann bob must 1 2
	// ann cy cannot 0.5 3
	// links.csv:2:9: column "kind": "canot" is not a kind of link
	// did you mean "cannot"?
}

// Weights have decimal commas where commas divide no cells.
func TestWeightsWithCommas(t *testing.T) {
	rows, err := ReadLinks(strings.NewReader("a;b;kind;weight\nx;y;must;0,5\n"), "f")
	if err != nil || rows[0].Weight != 0.5 {
		t.Errorf("got %v, %v", rows, err)
	}
	if _, err = ReadLinks(strings.NewReader("a;b;kind;weight\nx;y;must;1,500\n"), "f"); err == nil {
		t.Error("1,500 was read, whatever it means")
	}
}
