package dataio

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/parquet-go/parquet-go"
)

func readAs(in, name string, opt Options) (*Dataset, error) {
	return Read(strings.NewReader(in), name, opt)
}

// parquetFile returns a Parquet file of one column and two rows.
func parquetFile(t *testing.T) string {
	var b bytes.Buffer
	if err := parquet.Write(&b, []struct{ A float64 }{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadDecides(t *testing.T) {
	table := parquetFile(t)
	for _, c := range []struct {
		name, in string
		opt      Options
		format   Format
		note     string
	}{
		{"x.csv", "a,b\n1,2\n3,4\n", Options{}, "csv", "read as csv: 2 rows, 2 columns, header"},
		{"x.csv", "1;2\n", Options{}, "csv", "read as csv: 1 row, 2 columns, no header, delimiter ';'"},
		{"X.CSV", "a,b\n1,2\n", Options{}, "csv", "read as csv: 1 row, 2 columns, header"},
		{"x.tab", "a\tb\n1\t2\n", Options{}, "tsv", "read as tsv: 1 row, 2 columns, header"},
		{"x.ndjson", "{\"a\":1}\n", Options{}, "jsonl", "read as jsonl: 1 row, 1 column"},
		{"x.json", "[{\"x\":1},{\"x\":2}]\n", Options{}, "jsonl", "read as jsonl: 2 rows, 1 column"},
		{"x.json", "[\n  {\"x\":1}\n]\n", Options{}, "jsonl", "read as jsonl: 1 row, 1 column"},
		{"x.txt", "one\ntwo\n", Options{}, "text", "read as text: 2 documents"},
		{"stdin", "a,b\n1,2\n", Options{}, "csv", "read as csv by its content: 1 row, 2 columns, header"},
		{"stdin", "a\tb\n1\t2\n", Options{}, "tsv", "read as tsv by its content: 1 row, 2 columns, header"},
		{"stdin", "\n {\"a\":1}\n", Options{}, "jsonl", "read as jsonl by its content: 1 row, 1 column"},
		{"stdin", "[1,2]\n", Options{}, "jsonl", "read as jsonl by its content: 1 row, 2 columns"},
		{"stdin", table, Options{}, "parquet", "read as parquet by its content: 2 rows, 1 column"},
		{"x.parquet", table, Options{}, "parquet", "read as parquet: 2 rows, 1 column"},
		{"stdin", "%%MatrixMarket matrix array real general\n1 2\n3\n4\n", Options{}, "mtx", "read as mtx by its content: 1 row, 2 columns"},
		{"x.tsv", "0\t1\n1\t2\n", Options{As: "graph"}, "edges", "read as edges: 3 nodes, 2 edges"},
		{"stdin", "0 1\n1 2\n", Options{As: "graph"}, "edges", "read as edges by its content: 3 nodes, 2 edges"},
		{"stdin", "one two\nthree\n", Options{As: "text"}, "text", "read as text by its content: 2 documents"},
		{"x.dat", "1,2\n", Options{Format: "csv"}, "csv", "read as csv: 1 row, 2 columns, no header"},
		{"x.csv", "1,2\n2,1\n", Options{As: "kernel"}, "csv", "read as csv: a kernel of 2 rows, no header"},
		{"x.csv", ",x\n0,1\n", Options{}, "csv", "read as csv: 1 row, 2 columns, header, no name for column c0, taken for a feature ({id=c0}: it names the rows; {drop=c0}: leave it out)"},
		{"x.csv", ",x\n0,1\n", Options{ID: "c0"}, "csv", "read as csv: 1 row, 1 column, header"},
		{"x.csv", "t,n\nhey,1\n", Options{Text: "t"}, "csv", "read as csv: 1 document, header, only the text of column \"t\" is read, 1 other column left out"},
		{"x.csv", "t,name,kind\nhey,a,b\n", Options{Text: "t", ID: "name", Label: "kind"}, "csv", "read as csv: 1 document, header"},
	} {
		for _, how := range []string{"", "gzip", "zstd"} {
			names := []string{c.name}
			if how != "" && c.name != "stdin" {
				names = append(names, c.name+map[string]string{"gzip": ".gz", "zstd": ".ZST"}[how])
			}
			for _, name := range names {
				ds, err := readAs(readertest.Compress(t, how, c.in), name, c.opt)
				if err != nil {
					t.Errorf("%s %s: %v", how, name, err)
					continue
				}
				readertest.CheckDataset(t, ds)
				if ds.Format != c.format || string(ds.Notes[0]) != c.note || ds.Name != name {
					t.Errorf("%s %s: %s, %q, want %s, %q", how, name, ds.Format, ds.Notes, c.format, c.note)
				}
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	packed := readertest.Compress(t, "gzip", strings.Repeat("1,2\n", 1000))
	frame := readertest.Compress(t, "zstd", strings.Repeat("1,2\n", 1000))
	spoilt := packed[:len(packed)-8] + "\x00\x00\x00\x00" + packed[len(packed)-4:]
	for _, c := range []struct {
		name, in string
		opt      Options
		want     string
	}{
		{"x.csv", "", Options{}, "x.csv: the file is empty"},
		{"x.csv.gz", "a,b\n1,2\n", Options{}, "x.csv.gz: the name ends in .gz, but this is not a gzip stream; give the file its right name"},
		{"x.csv.zst", packed, Options{}, "x.csv.zst: the name ends in .zst, but this is not a zstd stream; give the file its right name"},
		{"x.csv.gz", packed[:len(packed)-9], Options{}, "x.csv.gz: gzip stream ends early, after 4000 bytes of content; the file seems cut off: fetch it again"},
		{"x.csv.gz", packed[:5], Options{}, "x.csv.gz: gzip stream ends early, after 0 bytes of content; the file seems cut off: fetch it again"},
		{"x.csv.gz", spoilt, Options{}, "x.csv.gz: gzip checksum does not match; the file seems damaged: fetch it again"},
		{"stdin", frame[:len(frame)-3], Options{}, "stdin: zstd stream ends early, after 0 bytes of content; the file seems cut off: fetch it again"},
		{"stdin", "\x00\x01\x02\x03", Options{}, "stdin: this is binary data, not text or a table; {format} names another format"},
		{"stdin", "\x01\x02\x03\x04\x05\xff\xff", Options{}, "stdin: binary data in an unknown format; {format} names one of csv, tsv, jsonl, npy, parquet, svm, mtx, edges, metis, text, image"},
		{"stdin", "PK\x03\x04....", Options{}, "stdin: this is a zip archive (a spreadsheet, or .npz), not text or a table; save the sheet as CSV, or take the .npy out of the archive"},
		{"m.tar", strings.Repeat("a\x00", 128) + "\x00ustar\x0000", Options{}, "m.tar: this is a tar archive, not text or a table; unpack it, and name a file or, for documents, the folder"},
		{"x.csv", "PAR1....", Options{}, "x.csv: this is a Parquet file, not csv; use {format=parquet}"},
		{"x.csv", "\xff\xfea\x00,\x00b", Options{}, "x.csv: the input ends early; the file seems cut off: fetch it again"},
		{"x.csv", "1,2\n\x00\x00", Options{}, "x.csv: this is binary data, not csv; {format} names another format"},
		{"stdin", "0 1\n1 2\n", Options{}, "stdin:1: the format is not clear: no comma, semicolon, bar or tab in its first line; put one between the cells of a table, or say {format=edges}, svm, metis or text"},
		{"x.csv", "x,y,\n1,2,\n", Options{}, "x.csv:2:5: column \"c2\": the value is missing; the header does not name this column; leave it out with {drop=c2}, or use {missing=drop} or {missing=mean}"},
		{"stdin", "  \n", Options{}, "stdin: the file is empty"},
		{"x", "1,2", Options{Format: "cvs"}, `x: there is no format "cvs"; did you mean "csv"? the formats are csv, tsv, jsonl, npy, parquet, svm, mtx, edges, metis, text, image`},
		{"x", "1,2", Options{As: "vector"}, `x: nothing can be read as "vector"; did you mean "vectors"? there are vectors, graph, kernel, text, image`},
		{"x.csv", "1,2", Options{As: "image"}, `x.csv: csv cannot be read as image, only as vectors or kernel or text; image is read from image`},
		{"x.svm", "1 1:2", Options{As: "graph"}, `x.svm: svm cannot be read as graph, only as vectors; graph is read from mtx, edges, metis`},
		{"x.csv", "a,b\n1,2", Options{As: "text"}, `x.csv: which column of the table is the text?; name it with {text}`},
		{"x.csv", "a,b\n1,2", Options{As: "kernel", Text: "a"}, `x.csv: a column of text cannot be read as kernel; leave out {as} or {text}`},
	} {
		_, err := readAs(c.in, c.name, c.opt)
		if err == nil || readertest.Full(err) != c.want {
			t.Errorf("%q: got  %v\nwant %s", c.in[:min(len(c.in), 20)], err, c.want)
		} else if _, ok := err.(*Error); !ok {
			t.Errorf("the error is a %T", err)
		}
	}
}

// A bad cell before the place where the stream breaks is what is wrong first.
func TestReadFirstFault(t *testing.T) {
	in := readertest.Compress(t, "gzip", "a,b\n1,x\n"+strings.Repeat("1,2\n", 1000))
	_, err := readAs(in[:len(in)-9], "x.csv.gz", Options{})
	if err == nil || !strings.HasPrefix(readertest.Full(err), "x.csv.gz:2:3: ") {
		t.Errorf("got %v", err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv.gz")
	err := WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "a,b\n1,2\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := Open(path, Options{})
	if err != nil || ds.Len() != 1 {
		t.Fatalf("%v, %v", ds, err)
	}
	if _, err := Open(filepath.Join(dir, "none.csv"), Options{}); err == nil || !strings.HasSuffix(readertest.Full(err), "none.csv: no such file or directory") {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{
		"x.csv":       "; did you mean " + path + "?",
		"sub/x.csv":   "; there is no folder " + filepath.Join(dir, "sub"),
		"picture.png": "no such file or directory",
	} {
		if _, err := Open(filepath.Join(dir, name), Options{}); err == nil || !strings.HasSuffix(readertest.Full(err), want) {
			t.Errorf("%s: got %v, want …%s", name, err, want)
		}
	}
	if _, err := Open("", Options{}); err == nil || readertest.Full(err) != `"": the name of the file is empty` {
		t.Errorf("no name: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "doc.txt"), []byte("words"), 0o666); err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	if ds, err := Open(dir, Options{}); err != nil || len(ds.Docs) != 1 {
		t.Errorf("a folder: %v, %v", ds, err)
	}
	if _, err := Open(dir, Options{Format: "csv"}); err == nil {
		t.Error("a folder was read as csv")
	}
	parquetPath := filepath.Join(dir, "x.parquet")
	if err := os.WriteFile(parquetPath, []byte(parquetFile(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	if ds, err := Open(parquetPath, Options{}); err != nil || ds.Len() != 2 {
		t.Errorf("parquet: %v, %v", ds, err)
	}
}

func TestShippedData(t *testing.T) {
	root := os.Getenv("INKLING_DATA")
	if root == "" {
		root = "../../../../shared/data"
	}
	if _, err := os.Stat(root); err != nil {
		t.Skip("no data sets at hand: set INKLING_DATA to their folder")
	}
	for _, c := range []struct {
		file       string
		opt        Options
		rows, cols int
	}{
		{"iris/data.csv.gz", Options{}, 150, 4},
		{"wine/data.csv.gz", Options{}, 178, 13},
		{"letter/data.csv.gz", Options{}, 20000, 16},
		{"wdbc/data.csv.gz", Options{}, 569, 30},
	} {
		ds, err := Open(filepath.Join(root, c.file), c.opt)
		if err != nil {
			t.Error(err)
			continue
		}
		if ds.Len() != c.rows || ds.X != nil && ds.X.Dim() != c.cols {
			t.Errorf("%s: %v", c.file, ds.Notes)
		}
	}
}

// examples has a small file of each format.
func examples(t testing.TB) map[Format]string {
	npy, err := os.ReadFile(filepath.Join("matrix", "testdata", "npy", "f4-le.npy"))
	if err != nil {
		t.Fatal(err)
	}
	var picture, table bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	if err := parquet.Write(&table, []struct{ X float64 }{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	return map[Format]string{"csv": "a,b\n1,2\n", "tsv": "a\tb\n1\t2\n", "jsonl": "{\"a\":1}\n", "npy": string(npy), "parquet": table.String(),
		"svm": "1 1:2\n", "mtx": "%%MatrixMarket matrix array real general\n1 1\n1\n", "edges": "0 1\n", "metis": "2 1\n2\n1\n",
		"text": "one two\nthree\n", "image": picture.String()}
}

// Every format that the program has is one that the fuzzer begins with, and every reader is one of a format that it lists.
func TestEveryFormatIsFuzzed(t *testing.T) {
	for f := range readers {
		if !slices.Contains(f.Values(), string(f)) {
			t.Errorf("%s is read, but not among the formats", f)
		}
	}
	seeds := examples(t)
	for _, f := range Format("").Values() {
		if _, err := Read(strings.NewReader(seeds[Format(f)]), "given", Options{Format: Format(f)}); err != nil {
			t.Errorf("%s has no example that can be read: %v", f, err)
		}
	}
}

// A file of any format with one wrong bit, packed or not, is read or refused by its name; what went
// wrong inside a decoder ("runtime error: slice bounds out of range") is nothing for its reader.
func TestDamagedFilesAreRefusedByName(t *testing.T) {
	for format, good := range examples(t) {
		if format == "parquet" {
			continue // TestParquetOneBitWrong
		}
		for _, how := range []string{"", "gzip", "zstd"} {
			packed, step := readertest.Compress(t, how, good), 1
			if how != "" {
				step = 7 // decompressors take long to begin
			}
			for bit := 0; bit < 8*len(packed); bit += step {
				bad := []byte(packed)
				bad[bit/8] ^= 1 << (bit % 8)
				_, err := Read(bytes.NewReader(bad), "given", Options{Format: format, Missing: true})
				if err == nil {
					continue
				}
				if e, ok := err.(*Error); !ok || e.File != "given" || strings.Contains(err.Error(), "runtime error") {
					t.Fatalf("%s %s, bit %d wrong: %T %v", format, how, bit, err, err)
				}
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	formats := append([]string{""}, Format("").Values()...)
	for at, format := range formats[1:] {
		f.Add(examples(f)[Format(format)], "given", "", uint8(at+1))
	}
	for _, s := range []string{"a,b\n1,2\n", "{\"a\":1}", "0 1\n", "%%MatrixMarket matrix array real general\n1 1\n1\n", "\x93NUMPY\x01\x00", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff"} {
		for _, how := range []string{"", "gzip", "zstd"} {
			f.Add(readertest.Compress(f, how, s), "stdin", "", uint8(0))
		}
	}
	f.Add("0\t1\n", "x.tsv", "graph", uint8(0))
	f.Add("1 1:2\n", "x.svm", "", uint8(0))
	f.Add("2 1\n2\n1\n", "x.graph", "", uint8(0))
	f.Fuzz(func(t *testing.T, in, name, as string, format uint8) {
		ds, err := readAs(in, name, Options{As: As(as), Format: Format(formats[int(format)%len(formats)]), Missing: true})
		if err == nil {
			readertest.CheckDataset(t, ds)
			if len(ds.Notes) != 1 {
				t.Fatalf("notes %q", ds.Notes)
			}
		} else if _, ok := err.(*Error); !ok {
			t.Fatalf("the error is a %T", err)
		}
	})
}

func ExampleRead() {
	in := "id,length,width,kind\na,5.1,3.5,setosa\nb,7.0,3.2,?\n"
	ds, err := Read(strings.NewReader(in), "flowers.csv", Options{ID: "id", Label: "kind"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ds.Notes[0])
	fmt.Println(ds.ID(0), ds.Labels[0], ds.X.Row(0, nil).Val)
	_, err = Read(strings.NewReader(in), "flowers.csv", Options{ID: "id"})
	fmt.Println(err)
	fmt.Println(hint.Of(err))
	// Output:
	// read as csv: 2 rows, 2 columns, header
	// a setosa [5.1 3.5]
	// flowers.csv:2:11: column "kind": "setosa" is not a number
	// name the column with label-col, id or text, or leave it out with drop
}
