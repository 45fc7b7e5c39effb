package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"pgregory.net/rapid"
)

func TestCSVReads(t *testing.T) {
	for _, c := range []struct {
		name, in string
		opt      source.Options
		columns  string
		rows     [][]float64
	}{
		{"header", "a,b\n1,2\n3,4\n", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"no header", "1,2\n3,4\n", source.Options{}, "c0 c1", [][]float64{{1, 2}, {3, 4}}},
		{"no last line end", "a,b\n1,2\n3,4", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"CRLF", "a,b\r\n1,2\r\n3,4\r\n", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"byte order mark", "\xef\xbb\xbfa,b\n1,2\n", source.Options{}, "a b", [][]float64{{1, 2}}},
		{"byte order mark, no header", "\xef\xbb\xbf1,2\n", source.Options{}, "c0 c1", [][]float64{{1, 2}}},
		{"spaces", " a , b\n 1 , 2\n\t3,\t4 \n", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"blank lines", "\n\na,b\n\n1,2\n  \n\r\n3,4\n\n", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"quotes", "\"a\",\"b\"\n\"1\",2\n 3 , \"4\" \n", source.Options{}, "a b", [][]float64{{1, 2}, {3, 4}}},
		{"quoted names", "\"a,1\",\"b\"\"2\",\"c\n3\"\n1,2,3\n", source.Options{}, "a,1 b\"2 c\n3", [][]float64{{1, 2, 3}}},
		{"semicolon", "a;b\n1;2\n", source.Options{}, "a b", [][]float64{{1, 2}}},
		{"pipe", "a|b\n1|2\n", source.Options{}, "a b", [][]float64{{1, 2}}},
		{"tab", "a\tb\n1\t2\n", source.Options{}, "a b", [][]float64{{1, 2}}},
		{"one column", "a\n1\n2\n", source.Options{}, "a", [][]float64{{1}, {2}}},
		{"drop", "a,b,c\n1,x,3\n", source.Options{Drop: []string{"b"}}, "a c", [][]float64{{1, 3}}},
		{"drop by number", "1,2,3\n", source.Options{Drop: []string{"1"}}, "c0 c2", [][]float64{{1, 3}}},
		{"columns", "a,b,c\n1,x,3\n", source.Options{Columns: []string{"c", "a"}}, "a c", [][]float64{{1, 3}}},
		{"dropped quotes", "a,b\n1,\"x,\ny\"\n2,z\n", source.Options{Drop: []string{"b"}}, "a", [][]float64{{1}, {2}}},
		{"nameless column", ",0,1\n7,8,9\n", source.Options{}, "c0 0 1", [][]float64{{7, 8, 9}}},
		{"number-like names", "a,1\n2,3\n", source.Options{Drop: []string{"1"}}, "a", [][]float64{{2}}},
		{"exponents", "a,b,c\n1e3,-2.5E-1,+.5\n", source.Options{}, "a b c", [][]float64{{1000, -0.25, 0.5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := readertest.MustRead(t, ReadCSV, c.in, c.opt)
			if got := strings.Join(ds.Columns, " "); got != c.columns {
				t.Errorf("columns %q, want %q", got, c.columns)
			}
			if got := readertest.RowsOf(ds.X); !readertest.SameRows(got, c.rows) {
				t.Errorf("rows %v, want %v", got, c.rows)
			}
		})
	}
}

func TestCSVRoles(t *testing.T) {
	in := "name,x,kind,y\nann,1,\"a, b\",2\n\"bob\"\"s\",3,?,4\n cy ,5,NA,6\ndee,7,,8\neve,9,c,10\n"
	ds := readertest.MustRead(t, ReadCSV, in, source.Options{ID: "name", Label: "kind"})
	if want := []string{"ann", `bob"s`, "cy", "dee", "eve"}; !slices.Equal(ds.IDs, want) {
		t.Errorf("ids %q, want %q", ds.IDs, want)
	}
	if want := []string{"a, b", "", "", "", "c"}; !slices.Equal(ds.Labels, want) {
		t.Errorf("labels %q, want %q", ds.Labels, want)
	}
	if want := [][]float64{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}; !readertest.SameRows(readertest.RowsOf(ds.X), want) {
		t.Errorf("rows %v", readertest.RowsOf(ds.X))
	}
	ds = readertest.MustRead(t, ReadCSV, "id,body,n\n1,\"one\ntwo\",x\n2,,y\n", source.Options{ID: "id", Text: "body"})
	if want := []string{"one\ntwo", ""}; !slices.Equal(ds.Docs, want) || ds.X != nil {
		t.Errorf("docs %q, want %q", ds.Docs, want)
	}
}

func TestCSVMissing(t *testing.T) {
	ds := readertest.MustRead(t, ReadCSV, "a,b\n1,?\nNA,\nnan,NULL\nNone,5\n", source.Options{Missing: true})
	got := fmt.Sprint(readertest.RowsOf(ds.X))
	if want := "[[1 NaN] [NaN NaN] [NaN NaN] [NaN 5]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.Contains(ds.Notes, "6 missing values") {
		t.Errorf("notes %q", ds.Notes)
	}
}

func TestCSVKernel(t *testing.T) {
	ds := readertest.MustRead(t, ReadCSV, "1,.5\n.5,1\n", source.Options{As: "kernel"})
	if ds.Kernel == nil || ds.X != nil {
		t.Error("no kernel")
	}
}

const roleHint = "; name the column with {label-col}, {id} or {text}, or leave it out with {drop}"

func TestCSVRefuses(t *testing.T) {
	checkRefusals(t, ReadCSV, []refusal{
		{"empty", "", source.Options{}, `f: the file is empty`},
		{"blank", "\n \n", source.Options{}, `f: the file is empty`},
		{"header only", "a,b\n", source.Options{}, `f: there are no rows`},
		{"word", "a,b\n1,2\n3,abc\n", source.Options{}, `f:3:3: column "b": "abc" is not a number` + roleHint},
		{"half a number", "a,b\n1,2x\n", source.Options{}, `f:2:3: column "b": "2x" is not a number` + roleHint},
		{"two numbers", "a,b\n1,2 3\n", source.Options{}, `f:2:3: column "b": "2 3" is not a number` + roleHint},
		{"hexadecimal", "a\n0x10\n", source.Options{}, `f:2:1: column "a": "0x10" is not a number` + roleHint},
		{"decimal comma", "a;b\n1,500;2\n", source.Options{}, `f:2:1: column "a": "1,500" is not a number; write a decimal point, not a comma, and nothing between thousands`},
		{"missing", "a,b\n1,\n", source.Options{}, `f:2:3: column "b": the value is missing; use {missing=drop} or {missing=mean}`},
		{"NA", "a,b\n1,na\n", source.Options{}, `f:2:3: column "b": the value is missing; use {missing=drop} or {missing=mean}`},
		{"infinity", "a,b\n1,-Inf\n", source.Options{Missing: true}, `f:2:3: column "b": "-Inf" is infinite, every value must be finite`},
		{"too large", "a,b\n1,1e999\n", source.Options{}, `f:2:3: column "b": "1e999" is too large for a number`},
		{"short row", "a,b,c\n1,2\n", source.Options{}, `f:2: the line has 2 cells, the header has 3`},
		{"long row", "a,b\n1,2,3\n", source.Options{}, `f:2:5: the line has 3 cells, the header has 2; a cell that holds the delimiter must stand in quotes`},
		{"short row, no header", "1,2\n3\n", source.Options{}, `f:2: the line has 1 cell, the first line has 2`},
		{"open quote", "a,b\n1,\"2\n3,4\n", source.Options{}, `f:2:3: the quote that opens here is not closed`},
		{"quote inside", "a,b\n1,2\"3\n", source.Options{}, `f:2:4: there is a quote inside a cell that does not start with one; put the cell in quotes and write the quote twice`},
		{"text after quote", "a,b\n1,\"2\"3\n", source.Options{}, `f:2:6: there is text after a closing quote; inside a quoted cell a quote is written twice`},
		{"word after a line end in quotes", "a,b\n\"1\",\"x\ny\"\n", source.Options{}, `f:2:5: column "b": "x\ny" is not a number` + roleHint},
		{"line after a line end in quotes", "a,b\n1,\"x\ny\"\n2,3,4\n", source.Options{Drop: []string{"b"}}, `f:4:5: the line has 3 cells, the header has 2; a cell that holds the delimiter must stand in quotes`},
		{"same name", "a,b,a\n1,2,3\n", source.Options{}, `f:1: columns 1 and 3 are both called "a"; give every column its own name`},
		{"unknown id column", "name,x\n1,2\n", source.Options{ID: "nane"}, `f:1: there is no column "nane"; did you mean "name"? the columns are name, x`},
		{"unknown column", "name,x\n1,2\n", source.Options{Drop: []string{"other"}}, `f:1: there is no column "other"; the columns are name, x`},
		{"number of a named column", "name,x\n1,2\n", source.Options{Drop: []string{"0"}}, `f:1: there is no column "0"; the columns are name, x`},
		{"id is label", "a,b\n1,2\n", source.Options{ID: "a", Label: "a"}, `f:1: column "a" cannot be the ids and the labels`},
		{"id is dropped", "a,b\n1,2\n", source.Options{ID: "a", Drop: []string{"a"}}, `f:1: column "a" cannot be dropped and the ids`},
		{"kept and dropped", "a,b\n1,2\n", source.Options{Columns: []string{"a"}, Drop: []string{"a"}}, `f:1: column "a" is both to be kept and to be dropped`},
		{"nothing left", "a,b\n1,2\n", source.Options{Drop: []string{"a", "b"}}, `f:1: no column of numbers is left; the columns are a, b`},
		{"same id", "id,x\nu,1\nv,2\n\nu,3\n", source.Options{ID: "id"}, `f:5: id "u" is already on line 2; every row needs its own id`},
		{"no id", "id,x\n,1\n", source.Options{ID: "id"}, `f:2:1: column "id": the row has no id`},
		{"old line ends", "a,b\r1,2\r3,4\r", source.Options{}, `f:1:4: lines end in a carriage return alone; save the file with ordinary line ends`},
		{"kernel not square", "1,2\n", source.Options{As: "kernel"}, `f: a kernel must be square, got 1 rows of 2 columns; give a square matrix of similarities, or read it as vectors`},
		{"kernel not symmetric", "1,2\n3,1\n", source.Options{As: "kernel"}, `f: row 1, column 0 is 3 but row 0, column 1 is 2 (from 0), a kernel is symmetric`},
	})
}

func TestCSVLongLine(t *testing.T) {
	for n, in := range []string{
		"a,b\n1,2\n" + strings.Repeat("1", scan.MaxRecord+2),
		"a,b\n1,2\n" + strings.Repeat("1,", scan.MaxRecord) + "\n3,4\n",
		"a,b\n1,2\n1," + strings.Repeat(" ", scan.MaxRecord) + "2\n",
	} {
		if testing.Short() && n > 0 {
			break // megabytes, byte by byte
		}
		_, err := ReadCSV(strings.NewReader(in), "f", source.Options{})
		want := "f:3: the line is longer than 8388608 bytes; is this the right format? {format} names another"
		if err == nil || readertest.Full(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestCSVPassesOnFailures(t *testing.T) {
	_, err := ReadCSV(readertest.BrokenReader("a,b\n1,2\n3,x", io.ErrUnexpectedEOF), "f", source.Options{})
	if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(readertest.Full(err), "ends early") {
		t.Errorf("got %v", err)
	}
	// What is wrong before the failure comes first.
	_, err = ReadCSV(readertest.BrokenReader("a,b\n1,x\n3,4\n", io.ErrUnexpectedEOF), "f", source.Options{})
	if err == nil || !strings.HasPrefix(readertest.Full(err), "f:2:3: ") {
		t.Errorf("got %v", err)
	}
}

// describeChunked reads a table with chunks of the given size on some workers, and
// puts all that comes out in words.
func describeChunked(in string, delim byte, size, workers int, opt source.Options) string {
	s := scan.NewChunks(strings.NewReader(in), true)
	s.ChunkSize, s.Longest = size, 64
	opt.Workers = workers
	ds, err := readDelimited(s, "f", delim, opt)
	return describe(ds, err)
}

func describe(ds *source.Dataset, err error) string {
	if err != nil {
		return readertest.Full(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q %q %q", ds.Columns, ds.IDs, ds.Labels, ds.Docs, ds.Notes)
	if ds.X != nil {
		for i := range ds.X.Len() {
			for _, y := range ds.X.Row(i, nil).Val {
				fmt.Fprintf(&b, " %x", math.Float64bits(y))
			}
		}
	}
	return b.String()
}

// Chunks and workers must not show, neither in the rows nor in the errors.
func TestCSVParallelIsSerial(t *testing.T) {
	cell := rapid.OneOf(rapid.StringMatching(`-?[0-9]{1,4}(\.[0-9]{1,3})?`), rapid.StringMatching(`-?[0-9]{1,4}`),
		rapid.SampledFrom([]string{"", " 7 ", `"1"`, `"a,b"`, "\"x\ny\"", `"q""q"`, "NA", "abc", `a"b`, `"open`, "inf", strings.Repeat("1", 70)}))
	rapid.Check(t, func(t *rapid.T) {
		good := rapid.Bool().Draw(t, "good")
		var b strings.Builder
		b.WriteString("id,x,y,z\n")
		for i := range rapid.IntRange(0, 30).Draw(t, "rows") {
			id := i
			if !good {
				id = rapid.IntRange(0, 200).Draw(t, "id")
			}
			fmt.Fprintf(&b, "%d", id)
			for range 3 {
				if good {
					fmt.Fprintf(&b, ",%g", rapid.Float64Range(-9, 9).Draw(t, "value"))
				} else {
					b.WriteString("," + cell.Draw(t, "cell"))
				}
			}
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		opt := source.Options{ID: "id", Missing: rapid.Bool().Draw(t, "missing")}
		if rapid.Bool().Draw(t, "label") {
			opt.Label = "y"
		}
		if rapid.Bool().Draw(t, "drop") {
			opt.Drop = []string{"z"}
		}
		want := describeChunked(b.String(), ',', 1<<16, 1, opt)
		size, workers := rapid.IntRange(1, 100).Draw(t, "size"), rapid.IntRange(1, 4).Draw(t, "workers")
		if got := describeChunked(b.String(), ',', size, workers, opt); got != want {
			t.Fatalf("%q\nin chunks of %d on %d workers\ngot  %s\nwant %s", b.String(), size, workers, got, want)
		}
	})
}

func TestTableRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 5).Draw(t, "columns")
		v := rapid.SliceOfN(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), d, 12*d).Draw(t, "values")
		x := &data.Dense{Cols: d, V: v[:len(v)/d*d]}
		var b bytes.Buffer
		names := []string{"a", "b,c", `d"e`, "f\ng", " h"}[:d]
		w := csv.NewWriter(&b)
		for i := -1; i < x.Len(); i++ {
			record := names
			if i >= 0 {
				record = nil
				for _, y := range data.Copy(x, i) {
					record = append(record, strconv.FormatFloat(y, 'g', -1, 64))
				}
			}
			if err := w.Write(record); err != nil {
				t.Fatal(err)
			}
		}
		if w.Flush(); w.Error() != nil {
			t.Fatal(w.Error())
		}
		ds, err := readDelimited(scan.NewChunks(&b, true), "f", ',', source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(readertest.RowsOf(ds.X), readertest.RowsOf(x)) || !slices.Equal(ds.Columns, names) {
			t.Fatalf("got %v %q, want %v %q", readertest.RowsOf(ds.X), ds.Columns, readertest.RowsOf(x), names)
		}
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "1;2\n", "\"a\nb\",c\n\"1\",2\n", "a,b\r\n1,?\r\n", "\xef\xbb\xbfa\tb\n1\t2", "a\"b\n", "a,b\n1,\"2"} {
		f.Add(s, 3, true)
	}
	f.Add("#"+strings.Repeat("x", 100)+"\n"+strings.Repeat("1", 70)+",2\n", 80, true) // a comment longer than a line may be
	f.Fuzz(func(t *testing.T, in string, size int, missing bool) {
		opt := source.Options{Missing: missing}
		if size%3 == 0 {
			opt.ID = "0"
		}
		size = 1 + (size%97+97)%97
		want := describeChunked(in, 0, 1<<20, 1, opt)
		if got := describeChunked(in, 0, size, 2, opt); got != want {
			t.Fatalf("in chunks of %d: got %s, want %s", size, got, want)
		}
	})
}
