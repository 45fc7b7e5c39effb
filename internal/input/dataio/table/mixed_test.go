package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"pgregory.net/rapid"
)

var mixed = source.Options{Mixed: true, TableMissing: true}

// describeMixed puts rows and texts in words.
func describeMixed(ds *source.Dataset, err error) string {
	if err != nil {
		return readertest.Full(err)
	}
	out := describe(ds, err) + fmt.Sprintf(" beside %q", ds.Beside)
	for j, c := range ds.Cells {
		out += fmt.Sprintf("; %s %v %q", ds.Columns[j], c.Rows, c.Text)
	}
	return out
}

func TestMixedCells(t *testing.T) {
	csv := "id,x,code,ok,day,note\nu,1.5,007,yes,2024-01-31,\"a, b\"\nv,NA,12,,?,5\nw,1e3,+4,no,x,\n"
	jsonl := `{"id":"u","x":1.5,"code":"007","ok":"yes","day":"2024-01-31","note":"a, b"}
{"id":"v","x":null,"code":12,"ok":null,"day":"?","note":"5"}
{"id":"w","x":1e3,"code":"+4","ok":"no","day":"x"}
`
	const want = `["x" "code" "ok" "day" "note"] [1.5 NaN NaN NaN NaN] [NaN 12 NaN NaN 5] [1000 NaN NaN NaN NaN]` +
		` x: code: 0 "007" 2 "+4" ok: 0 "yes" 2 "no" day: 0 "2024-01-31" 2 "x" note: 0 "a, b"`
	say := func(ds *source.Dataset) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%q", ds.Columns)
		for _, row := range readertest.RowsOf(ds.X) {
			fmt.Fprintf(&b, " %v", row)
		}
		for j, c := range ds.Cells {
			fmt.Fprintf(&b, " %s:", ds.Columns[j])
			for q, i := range c.Rows {
				fmt.Fprintf(&b, " %d %q", i, c.Text[q])
			}
		}
		return b.String()
	}
	opt := mixed
	opt.ID = "id"
	if got := say(readertest.MustRead(t, ReadCSV, csv, opt)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := say(readertest.MustRead(t, ReadJSONL, jsonl, opt)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	opt.Text = "note"
	ds := readertest.MustRead(t, ReadCSV, csv, opt)
	if ds.Docs != nil || fmt.Sprintf("%q", ds.Beside) != `["a, b" "5" ""]` || len(ds.Columns) != 4 || ds.Lines(1) != 3 {
		t.Errorf("docs %q, beside %q, columns %q", ds.Docs, ds.Beside, ds.Columns)
	}
	for in, want := range map[string]string{
		"a,b\n1,inf\n":   `f:2:3: column "b": "inf" is infinite, every value must be finite`,
		"a,b\n1,1e999\n": `f:2:3: column "b": "1e999" is too large for a number`,
	} {
		if _, err := ReadCSV(strings.NewReader(in), "f", mixed); err == nil || readertest.Full(err) != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	refusing := source.Options{Mixed: true}
	if _, err := ReadCSV(strings.NewReader("a,b\nx,\n"), "f", refusing); err == nil || !strings.HasPrefix(err.Error(), "f:2:3: ") {
		t.Errorf("a missing cell that is refused: %v", err)
	}
}

func TestMixedParquet(t *testing.T) {
	type row struct {
		Name string    `parquet:"name"`
		X    float64   `parquet:"x"`
		Ok   bool      `parquet:"ok"`
		Day  int32     `parquet:"day,date"`
		At   time.Time `parquet:"at,timestamp(millisecond)"`
		Kind *string   `parquet:"kind,optional"`
	}
	kind := "cat"
	in := writeParquet(t, []row{{"ann", 1, true, 19753, time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), &kind}, {"42", 2, false, -1, time.Date(1969, 5, 6, 7, 8, 9, 0, time.UTC), nil}})
	ds := readertest.MustRead(t, ReadParquet, in, mixed)
	got := fmt.Sprint(readertest.RowsOf(ds.X), ds.Cells)
	want := `[[NaN 1 NaN NaN NaN NaN] [42 2 NaN NaN NaN NaN]] [{[0] [ann] []} {[] [] []} {[0 1] [true false] []} {[0 1] [2024-01-31 1969-12-31] []} {[0 1] [2024-05-06T07:08:09Z 1969-05-06T07:08:09Z] []} {[0] [cat] []}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Chunks and workers must not show in mixed tables either.
func TestMixedParallelIsSerial(t *testing.T) {
	cell := rapid.SampledFrom([]string{"1", "2.5", "007", "x", "yes", "", "NA", `"a,b"`, "12 kg", "2024-01-31", "inf", `"open`})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString("a,b,c\n")
		for range rapid.IntRange(0, 30).Draw(t, "rows") {
			fmt.Fprintf(&b, "%s,%s,%s\n", cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c"))
		}
		read := func(size, workers int) string {
			s := scan.NewChunks(strings.NewReader(b.String()), true)
			s.ChunkSize, s.Longest = size, 64
			opt := mixed
			opt.Workers = workers
			return describeMixed(readDelimited(s, "f", ',', opt))
		}
		want := read(1<<16, 1)
		size, workers := rapid.IntRange(1, 100).Draw(t, "size"), rapid.IntRange(1, 4).Draw(t, "workers")
		if got := read(size, workers); got != want {
			t.Fatalf("%q\nin chunks of %d on %d workers\ngot  %s\nwant %s", b.String(), size, workers, got, want)
		}
	})
}

func FuzzMixed(f *testing.F) {
	f.Add("a,b\n1,x\n007,2024-01-31\n", "a")
	f.Add("{\"a\":\"x\",\"b\":true}\n{\"b\":1}\n", "b")
	f.Fuzz(func(t *testing.T, in, text string) {
		opt := mixed
		for _, read := range []func() (*source.Dataset, error){
			func() (*source.Dataset, error) { return ReadCSV(strings.NewReader(in), "f", opt) },
			func() (*source.Dataset, error) { return ReadJSONL(strings.NewReader(in), "f", opt) },
			func() (*source.Dataset, error) {
				opt.Text = text
				return ReadCSV(strings.NewReader(in), "f", opt)
			},
		} {
			ds, err := read()
			if err != nil || ds.X == nil {
				continue
			}
			for j, c := range ds.Cells {
				for q, i := range c.Rows {
					if int(i) >= ds.X.Len() || q > 0 && c.Rows[q-1] >= i || c.Text[q] == "" {
						t.Fatalf("column %d: %v %q", j, c.Rows, c.Text)
					}
				}
			}
		}
	})
}

// Hashes that happen to look like numbers with an exponent stay as they are written.
func TestHashesAreNotNumbers(t *testing.T) {
	for cell, want := range map[string]bool{"43e99974": true, "2e6644799777": true, "1e999": false, "12e30": true, "1e5": false, "1.2e30": false, "12": false, "e12": false, "12e": false, "12e-3": false} {
		if got := isHexadecimal([]byte(cell)); got != want {
			t.Errorf("%q: hexadecimal %v, want %v", cell, got, want)
		}
	}
	if msg := notFinite([]byte("43e99974")); msg != "" {
		t.Errorf("a hash is refused: %s", msg)
	}
	if msg := notFinite([]byte("1e999")); msg == "" {
		t.Error("1e999 is taken for a number")
	}
}
