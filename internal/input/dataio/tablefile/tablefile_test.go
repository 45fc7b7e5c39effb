package tablefile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func encoded(t *testing.T, path, in string) string {
	t.Helper()
	var out bytes.Buffer
	err := EncodeAny(path, false, func(w io.Writer) error { _, err := io.WriteString(w, in); return err })(&out)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out.String()
}

func TestNames(t *testing.T) {
	for _, good := range []string{"", "-", "x", "dir.d/x", ".hidden", "x.csv", "x.CSV", "x.tsv", "x.tab", "x.jsonl", "x.ndjson", "x.parquet", "x.csv.gz", "x.tsv.zst", "x.jsonl.gz", "x.gz", "x.out", "x.txt", "x.2026-01", "/dev/null"} {
		if err := CheckName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"x.xlsx", "x.json", "x.npy", "x.parquet.gz", "x.xls.gz", "x.feather"} {
		err := CheckName(bad)
		if err == nil || !strings.Contains(err.Error(), "must end in .csv, .tsv or .jsonl (also followed by .gz or .zst) or in .parquet, got .") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for name, ok := range map[string]bool{"x.csv": true, "x.tsv.gz": true, "x": true, "x.jsonl": false, "x.parquet": false, "x.xlsx": false} {
		if err := CheckText(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTexts(t *testing.T) {
	const comma, semi, tab = "id,x\na,\"1,5\"\n", "id;x\na;1,5\n", "id\tx\na\t1,5\n"
	for _, c := range []struct{ path, in, want string }{
		{"x.csv", comma, comma}, {"x.csv", semi, semi}, {"x.csv", tab, comma}, {"x.tsv", comma, tab}, {"x.tsv", semi, tab}, {"x.tsv", tab, tab},
		{"x.csv", "{\"id\":\"a\",\"x\":1}\n{\"id\":\"b\",\"y\":[1,2]}\n", "id,x,y\na,1,\nb,,\"[1,2]\"\n"},
		{"x.jsonl", "{\"id\": 1}\n", "{\"id\": 1}\n"},
	} {
		if got := encoded(t, c.path, c.in); got != c.want {
			t.Errorf("%s of %q: %q, not %q", c.path, c.in, got, c.want)
		}
	}
}

// Types are those of whole columns, and nothing is written otherwise than it was.
func TestTypes(t *testing.T) {
	const in = "id,cluster,confidence,code,big,flag,none,mixed,e,id\n1,0,0.5,007,12345678901234567890123,true,,1,1e5,x\n2,1,,010,1,false,,true,2.5,y\n"
	const want = `{"id":1,"cluster":"0","confidence":0.5,"code":"007","big":"12345678901234567890123","flag":true,"none":null,"mixed":"1","e":1e5,"id_2":"x"}
{"id":2,"cluster":"1","confidence":null,"code":"010","big":"1","flag":false,"none":null,"mixed":"true","e":2.5,"id_2":"y"}
`
	if got := encoded(t, "x.jsonl", in); got != want {
		t.Errorf("%s", got)
	}
	file := encoded(t, "x.parquet", in)
	if again := encoded(t, "x.parquet", in); again != file {
		t.Error("the same table gives other bytes")
	}
	f, err := parquet.OpenFile(strings.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range f.Root().Columns() {
		columns = append(columns, fmt.Sprintf("%s %s", c.Name(), c.Type()))
	}
	if got, want := strings.Join(columns, ", "), "id INT(64,true), cluster STRING, confidence DOUBLE, code STRING, big STRING, flag BOOLEAN, none STRING, mixed STRING, e DOUBLE, id_2 STRING"; got != want {
		t.Errorf("the columns are %s", got)
	}
	rows := make([]parquet.Row, 3)
	n, err := parquet.NewReader(f).ReadRows(rows)
	if n != 2 || err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(n, err)
	}
	if r := rows[0]; r[0].Int64() != 1 || r[1].String() != "0" || r[2].Double() != 0.5 || r[3].String() != "007" || !r[5].Boolean() || !r[6].IsNull() || math.Abs(r[8].Double()-1e5) > 0 {
		t.Errorf("%v", r)
	}
	if r := rows[1]; !r[2].IsNull() || r[1].String() != "1" {
		t.Errorf("%v", r)
	}
}

// Many rows are in several row groups.
func TestManyRows(t *testing.T) {
	const n = rowsInGroup + 10
	var in strings.Builder
	in.WriteString("id,cluster\n")
	for i := range n {
		fmt.Fprintf(&in, "%d,%d\n", i, i%3)
	}
	out := encoded(t, "x.parquet", in.String())
	f, err := parquet.OpenFile(strings.NewReader(out), int64(len(out)))
	if err != nil || f.NumRows() != n || len(f.RowGroups()) < 2 {
		t.Fatal(err, f.NumRows(), len(f.RowGroups()))
	}
}

// What write says is what is said, and nothing goes on after the writer failed.
func TestFailures(t *testing.T) {
	mine := errors.New("mine")
	for _, path := range []string{"x.csv", "x.tsv", "x.jsonl", "x.parquet"} {
		err := EncodeAny(path, true, func(w io.Writer) error {
			_, _ = io.WriteString(w, "id,x\na,1\n")
			return mine
		})(io.Discard)
		if !errors.Is(err, mine) {
			t.Errorf("%s: %v", path, err)
		}
		err = EncodeAny(path, true, func(w io.Writer) error {
			for range 1 << 12 {
				if _, err := io.WriteString(w, "id,x,y,z,abcdefg\na,1,2,3,4\n"); err != nil {
					return err
				}
			}
			return nil
		})(failing{})
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func FuzzEncode(f *testing.F) {
	f.Add("id,x\na,1\n", "x.jsonl")
	f.Add("id;x\na;\"1\"\n", "x.parquet")
	f.Add("{\"a\":[1]}\n{\"b\":null}\n", "x.csv")
	f.Add("{\"a\":[1]}\n{\"b\":\"x\"}\n", "x.tsv")
	f.Add("a;b\n1;2;\n", "x.parquet") // a row with more cells than the header, all of them empty
	f.Fuzz(func(t *testing.T, in, path string) {
		if CheckName(path) != nil || strings.HasPrefix(path, "/") {
			return
		}
		var out bytes.Buffer
		if EncodeAny(path, false, func(w io.Writer) error { _, err := io.WriteString(w, in); return err })(&out) != nil {
			return
		}
		switch format, _ := ending(path); format {
		case ".parquet":
			if _, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
				t.Errorf("%q: %v", in, err)
			}
		case ".tsv":
			r := csv.NewReader(&out)
			r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
			if _, err := r.ReadAll(); err != nil {
				t.Errorf("%q: %v", in, err)
			}
		}
	})
}
