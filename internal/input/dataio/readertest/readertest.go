// Package readertest holds checks that the tests of all readers share.
package readertest

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"github.com/klauspost/compress/zstd"
)

// A ReaderFunc reads one format.
type ReaderFunc func(io.Reader, string, source.Options) (*source.Dataset, error)

// CheckRefusal checks that a reader refuses an input in exactly these words.
func CheckRefusal(t *testing.T, read ReaderFunc, in string, opt source.Options, want string) {
	t.Helper()
	ds, err := read(strings.NewReader(in), "f", opt)
	if err == nil {
		t.Fatalf("was read: %+v", ds)
	}
	if _, ok := err.(*source.Error); !ok {
		t.Errorf("the error is a %T", err)
	}
	if Full(err) != want {
		t.Errorf("got  %s\nwant %s", Full(err), want)
	}
}

// MustRead reads in, checks the Dataset and returns it.
func MustRead(t *testing.T, read ReaderFunc, in string, opt source.Options) *source.Dataset {
	t.Helper()
	ds, err := read(strings.NewReader(in), "f", opt)
	if err != nil {
		t.Fatal(err)
	}
	CheckDataset(t, ds)
	return ds
}

// CheckDataset fails where a Dataset breaks what its types promise.
func CheckDataset(t *testing.T, ds *source.Dataset) {
	t.Helper()
	if ds.Len() < 1 {
		t.Error("no points")
	}
	if ds.IDs != nil && len(ds.IDs) != ds.Len() {
		t.Errorf("%d ids of %d points", len(ds.IDs), ds.Len())
	}
	if ds.Labels != nil && len(ds.Labels) != ds.Len() {
		t.Errorf("%d labels of %d points", len(ds.Labels), ds.Len())
	}
	if s, ok := ds.X.(*data.Sparse); ok {
		if _, err := data.NewSparse(s.Cols, s.Start, s.Idx, s.Val); err != nil {
			t.Error(err)
		}
	}
	if ds.Graph != nil {
		checkGraph(t, ds.Graph)
	}
	if ds.Kernel != nil && ds.Kernel.Len() != ds.Kernel.Cols {
		t.Error("the kernel is not square")
	}
}

// checkGraph compares a graph with the one package data builds of its edges.
func checkGraph(t *testing.T, g *data.Graph) {
	t.Helper()
	var edges []data.Edge
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			if int(j) == i || !(w[p] > 0) || math.IsInf(w[p], 0) {
				t.Fatalf("edge %d, %d of weight %v", i, j, w[p])
			}
			if int(j) > i {
				edges = append(edges, data.Edge{U: i, V: int(j), W: w[p]})
			}
		}
	}
	want, err := data.NewGraph(g.Len(), edges)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Start, want.Start) || !slices.Equal(g.To, want.To) || !slices.Equal(g.W, want.W) {
		t.Errorf("the graph is not symmetric, or not in order: %+v", g)
	}
}

// EdgesOf lists a graph as "0-1:2 1-2:1", each edge once.
func EdgesOf(g *data.Graph) string {
	var s []string
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			if int(j) > i {
				s = append(s, strconv.Itoa(i)+"-"+strconv.Itoa(int(j))+":"+strconv.FormatFloat(w[p], 'g', -1, 64))
			}
		}
	}
	return strings.Join(s, " ")
}

// RowsOf returns the rows of x.
func RowsOf(x data.Rows) [][]float64 {
	rows := make([][]float64, x.Len())
	for i := range rows {
		rows[i] = data.Copy(x, i)
	}
	return rows
}

// SameRows reports whether a and b hold the same numbers.
func SameRows(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.Equal(x, y) })
}

// CheckGolden reads every file of a folder and compares it with the numbers
// that stand beside it.
func CheckGolden(t *testing.T, read ReaderFunc, folder, ext string) {
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*"+ext))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(strings.TrimSuffix(f, ext) + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			var want [][]float64
			for line := range strings.Lines(string(text)) {
				var row []float64
				for _, s := range strings.Fields(line) {
					y, err := strconv.ParseFloat(s, 64)
					if err != nil {
						t.Fatal(err)
					}
					row = append(row, y)
				}
				want = append(want, row)
			}
			ds, err := read(bytes.NewReader(b), f, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			CheckDataset(t, ds)
			if got := RowsOf(ds.X); !SameRows(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// BrokenReader returns a reader that gives its text and then fails with err.
func BrokenReader(text string, err error) io.Reader {
	return io.MultiReader(strings.NewReader(text), iotest.ErrReader(err))
}

// CheckEndsEarly checks that a reader passes on that its input ends early; at is
// the place that it names.
func CheckEndsEarly(t *testing.T, read ReaderFunc, in, at string) {
	t.Helper()
	_, err := read(BrokenReader(in, io.ErrUnexpectedEOF), "f", source.Options{})
	if want := at + ": the input ends early; the file seems cut off: fetch it again"; err == nil || Full(err) != want {
		t.Errorf("%q: got  %v\nwant %s", in, err, want)
	}
}

// CheckCost checks that a few bytes that promise much do not cost much memory.
func CheckCost(t *testing.T, read ReaderFunc, name, in string, opt source.Options) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = read(strings.NewReader(in), "f", opt) // refused or not
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 80 {
		t.Errorf("%s: %d bytes cost %d MB", name, len(in), mb)
	}
}

// Full returns what err says and the hint that it carries.
func Full(err error) string {
	if h := hint.Of(err); h != "" {
		return err.Error() + "; " + string(h)
	}
	return err.Error()
}

// Compress packs in as how says: gzip, zstd, or "" for not at all.
func Compress(t testing.TB, how, in string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch how {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zstd":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	default:
		return in
	}
	if _, err := io.WriteString(w, in); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
