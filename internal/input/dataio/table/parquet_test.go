package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/parquet-go/parquet-go"
)

type parquetRow struct {
	Name  string    `parquet:"name"`
	X     float64   `parquet:"x"`
	Y     float32   `parquet:"y"`
	I     int32     `parquet:"i"`
	L     int64     `parquet:"l"`
	U     uint64    `parquet:"u"`
	B     bool      `parquet:"b"`
	D     int64     `parquet:"d,decimal(2:18)"`
	Maybe *float64  `parquet:"maybe,optional"`
	Kind  *string   `parquet:"kind,optional"`
	E     []float32 `parquet:"e,list"`
}

func writeParquet[T any](t testing.TB, rows []T, opt ...parquet.WriterOption) string {
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, opt...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parquetRows() []parquetRow {
	v, k := 2.5, "cat"
	return []parquetRow{
		{"ann", 1.5, 0.5, -3, 1 << 40, 1 << 63, true, 1234, &v, &k, []float32{1, 2}},
		{"bob", -2, 0.25, 4, 5, 6, false, -5, nil, nil, []float32{3, 4}},
	}
}

func TestParquetReads(t *testing.T) {
	in := writeParquet(t, parquetRows())
	ds := readertest.MustRead(t, ReadParquet, in, source.Options{ID: "name", Label: "kind", Missing: true})
	if want := "x y i l u b d maybe e.0 e.1"; strings.Join(ds.Columns, " ") != want {
		t.Errorf("columns %q, want %q", ds.Columns, want)
	}
	got := fmt.Sprint(readertest.RowsOf(ds.X))
	if want := "[[1.5 0.5 -3 1.099511627776e+12 9.223372036854776e+18 1 12.34 2.5 1 2] [-2 0.25 4 5 6 0 -0.05 NaN 3 4]]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !slices.Equal(ds.IDs, []string{"ann", "bob"}) || !slices.Equal(ds.Labels, []string{"cat", ""}) {
		t.Errorf("ids %q, labels %q", ds.IDs, ds.Labels)
	}
	ds = readertest.MustRead(t, ReadParquet, in, source.Options{Text: "name", ID: "l"})
	if !slices.Equal(ds.Docs, []string{"ann", "bob"}) || !slices.Equal(ds.IDs, []string{"1099511627776", "5"}) || ds.X != nil {
		t.Errorf("docs %q, ids %q", ds.Docs, ds.IDs)
	}
}

func TestParquetRowGroups(t *testing.T) {
	type row struct {
		A int64     `parquet:"a"`
		E []float64 `parquet:"e"`
	}
	var rows []row
	for i := range 1000 {
		rows = append(rows, row{int64(i), []float64{float64(i), -1}})
	}
	in := writeParquet(t, rows, parquet.MaxRowsPerRowGroup(77), parquet.Compression(&parquet.Zstd))
	ds := readertest.MustRead(t, ReadParquet, in, source.Options{})
	if ds.Len() != 1000 {
		t.Fatalf("%d rows", ds.Len())
	}
	for i, r := range readertest.RowsOf(ds.X) {
		if !slices.Equal(r, []float64{float64(i), float64(i), -1}) {
			t.Fatalf("row %d is %v", i, r)
		}
	}
}

func TestParquetRefuses(t *testing.T) {
	type two struct {
		A *float64 `parquet:"a,optional"`
		S string   `parquet:"s"`
	}
	inf, one := math.Inf(1), 1.0
	type lists struct {
		E []float64 `parquet:"e"`
	}
	type when struct {
		T time.Time `parquet:"t,timestamp"`
	}
	type deep struct {
		D struct{ A, B float64 } `parquet:"d"`
	}
	type nested struct {
		D [][]float64 `parquet:"d,list"`
	}
	good := writeParquet(t, parquetRows())
	checkRefusals(t, ReadParquet, []refusal{
		{"text", writeParquet(t, []two{{&one, "x"}}), source.Options{}, `f: column "s" holds text, not numbers` + roleHint},
		{"null", writeParquet(t, []two{{&one, "x"}, {nil, "y"}}), source.Options{ID: "s"}, `f: row 1, column "a": the value is missing; use {missing=drop} or {missing=mean}`},
		{"infinity", writeParquet(t, []two{{&inf, "x"}}), source.Options{ID: "s"}, `f: row 0, column "a": +Inf is infinite, every value must be finite`},
		{"same id", writeParquet(t, []two{{&one, "x"}, {&one, "x"}}), source.Options{ID: "s"}, `f: rows 0 and 1 have the same id "x"; every row needs its own id`},
		{"no id", writeParquet(t, []two{{&one, ""}}), source.Options{ID: "s"}, `f: row 0, column "s": the row has no id`},
		{"unknown column", good, source.Options{ID: "nam"}, `f: there is no column "nam"; did you mean "name"? the columns are name, x, y, i, l, u, b, d, maybe, kind, e`},
		{"uneven lists", writeParquet(t, []lists{{[]float64{1, 2}}, {[]float64{1}}}), source.Options{}, `f: row 1, column "e": the list has 1 value, the first has 2`},
		{"longer list", writeParquet(t, []lists{{[]float64{1}}, {[]float64{1, 2, 3}}}), source.Options{}, `f: row 1, column "e": the list has 2 values, the first has 1`},
		{"empty lists", writeParquet(t, []lists{{nil}}), source.Options{}, `f: column "e" holds lists, and the first of them is empty` + roleHint},
		{"dates", writeParquet(t, []when{{time.Unix(1, 0)}}), source.Options{}, `f: column "t" holds dates or times, not numbers` + roleHint},
		{"records", writeParquet(t, []deep{{}}), source.Options{}, `f: column "d" holds records, not numbers` + roleHint},
		{"lists of lists", writeParquet(t, []nested{{[][]float64{{1}}}}), source.Options{}, `f: column "d" holds lists of lists` + roleHint},
		{"no rows", writeParquet(t, []two{}), source.Options{Drop: []string{"s"}}, `f: there are no rows`},
	})
	for cut := range len(good) {
		if _, err := ReadParquet(strings.NewReader(good[:cut]), "f", source.Options{ID: "name", Label: "kind", Missing: true}); err == nil {
			t.Fatalf("cut off after %d of %d bytes, it was read", cut, len(good))
		} else if _, ok := err.(*source.Error); !ok {
			t.Fatalf("cut off after %d bytes: the error is a %T", cut, err)
		}
	}
}

// Every bit of a file is wrong once: it is read or refused. A page that says that it has more values than it
// has once kept the reader busy forever.
func TestParquetOneBitWrong(t *testing.T) {
	good := writeParquet(t, parquetRows())
	for bit := range 8 * len(good) {
		bad := []byte(good)
		bad[bit/8] ^= 1 << (bit % 8)
		ds, err := ReadParquet(bytes.NewReader(bad), "f", source.Options{ID: "name", Label: "kind", Missing: true})
		if err == nil {
			readertest.CheckDataset(t, ds)
		} else if e, ok := err.(*source.Error); !ok || e.File != "f" || strings.Contains(err.Error(), "runtime error") {
			t.Fatalf("bit %d wrong: %T %v", bit, err, err)
		}
	}
}

// parquetSeeds are what the fuzzer begins with: short files of one kind of column each. What go test makes of a
// long one while it fuzzes it then spends its minute on making shorter.
func parquetSeeds(t testing.TB) []string {
	type small struct {
		A float64 `parquet:"a,zstd"`
		N int32   `parquet:"n,delta"`
	}
	return []string{
		writeParquet(t, []struct {
			X *float32 `parquet:"x,optional"`
		}{{nil}}),
		writeParquet(t, []struct {
			S string `parquet:"s,dict"`
		}{{"a"}, {"b"}}),
		writeParquet(t, []struct {
			E []float32 `parquet:"e"`
		}{{[]float32{1, 2}}}),
		writeParquet(t, []small{{1, 1}, {2, 2}}),
		"PAR1PAR1",
	}
}

// Beginning with a file of 1,888 bytes go test spent its minute on a few inputs.
func TestParquetSeedsAreShort(t *testing.T) {
	const most = 600
	for at, seed := range parquetSeeds(t) {
		if len(seed) > most {
			t.Errorf("seed %d has %d bytes, want at most %d", at, len(seed), most)
		}
	}
}

func FuzzParquet(f *testing.F) {
	for _, seed := range parquetSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		ds, err := ReadParquet(strings.NewReader(in), "f", source.Options{Missing: true})
		if err == nil {
			readertest.CheckDataset(t, ds)
		} else if _, ok := err.(*source.Error); !ok {
			t.Fatalf("the error is a %T", err)
		}
	})
}
