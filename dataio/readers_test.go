package dataio

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/hint"
)

type readerFunc func(io.Reader, string, Options) (*Dataset, error)

// refusal is an input that a reader must refuse in exactly these words.
type refusal struct {
	name string
	in   string
	opt  Options
	want string
}

func checkRefusals(t *testing.T, read readerFunc, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ds, err := read(strings.NewReader(c.in), "f", c.opt)
			if err == nil {
				t.Fatalf("was read: %+v", ds)
			}
			if _, ok := err.(*Error); !ok {
				t.Errorf("the error is a %T", err)
			}
			if full(err) != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

func mustRead(t *testing.T, read readerFunc, in string, opt Options) *Dataset {
	t.Helper()
	ds, err := read(strings.NewReader(in), "f", opt)
	if err != nil {
		t.Fatal(err)
	}
	checkDataset(t, ds)
	return ds
}

// checkDataset fails where a Dataset breaks what its types promise.
func checkDataset(t *testing.T, ds *Dataset) {
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

// edgesOf lists a graph as "0-1:2 1-2:1", each edge once.
func edgesOf(g *data.Graph) string {
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

func rowsOf(x data.Rows) [][]float64 {
	rows := make([][]float64, x.Len())
	for i := range rows {
		rows[i] = data.Copy(x, i)
	}
	return rows
}

func sameRows(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.Equal(x, y) })
}

// checkGolden reads every file of a folder and compares it with the numbers
// that stand beside it.
func checkGolden(t *testing.T, read readerFunc, folder, ext string) {
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
			ds, err := read(bytes.NewReader(b), f, Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkDataset(t, ds)
			if got := rowsOf(ds.X); !sameRows(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

func TestLineMap(t *testing.T) {
	var m lineMap
	lines := []int{3, 4, 5, 9, 10, 20}
	for i, line := range lines {
		m.add(i, line)
	}
	for i, line := range lines {
		if got := m.of(i); got != line {
			t.Errorf("item %d on line %d, got %d", i, line, got)
		}
	}
	if len(m.item) != 3 {
		t.Errorf("%d jumps kept of 3", len(m.item))
	}
}

// brokenReader gives its text and then fails.
type brokenReader struct {
	text string
	err  error
}

func (b *brokenReader) Read(p []byte) (int, error) {
	if b.text == "" {
		return 0, b.err
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	return n, nil
}

func TestReadersPassOnFailures(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		read           readerFunc
	}{
		{"text", "a\nb\nc", "f:3: the input ends early; the file seems cut off: fetch it again", readText},
		{"edges", "0 1\n1 2\n2", "f:3: the input ends early; the file seems cut off: fetch it again", readEdges},
		{"svm", "1 1:2\n", "f:2: the input ends early; the file seems cut off: fetch it again", readSVM},
		{"metis", "2 1\n2\n", "f:3: the input ends early; the file seems cut off: fetch it again", readMETIS},
		{"mtx", "%%MatrixMarket matrix array real general\n1 2\n3\n", "f:4: the input ends early; the file seems cut off: fetch it again", readMTX},
		{"image", "\x89PNG", "f: the input ends early; the file seems cut off: fetch it again", readImage},
		{"npy", "\x93NUMPY\x01\x00", "f: the input ends early; the file seems cut off: fetch it again", readNPY},
	} {
		_, err := c.read(&brokenReader{c.in, io.ErrUnexpectedEOF}, "f", Options{})
		if err == nil || full(err) != c.want {
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
}

// A few bytes that promise much must not cost much.
func TestForgedHeadersCostLittle(t *testing.T) {
	for _, c := range []struct {
		name, in string
		read     readerFunc
		opt      Options
	}{
		{"npy", npyFile(npyHead("<f8", "True", "(1000000000, 1000000000)"), floats(1, 2)), readNPY, Options{}},
		{"npy header", "\x93NUMPY\x03\x00\xff\xff\xff\x7f{", readNPY, Options{}},
		{"svm", "1 2147483646:1\n", readSVM, Options{}},
		{"mtx rows", mtxFile("coordinate real general", "1048576 16777216 2\n2 1 1\n1 1 1\n"), readMTX, Options{}},
		{"mtx entries", mtxFile("coordinate real general", "9 9 9999999999999\n1 1 1\n"), readMTX, Options{}},
		{"mtx array", mtxFile("array real symmetric", "2147483647 2147483647\n1\n"), readMTX, Options{}},
		{"mtx graph", mtxFile("coordinate pattern general", "1048576 1048576 2\n2 1\n1 2\n"), readMTX, Options{As: "graph"}},
		{"mtx kernel", mtxFile("coordinate real general", "1048576 1048576 1\n1 1 1\n"), readMTX, Options{As: "kernel"}},
		{"edges", "0 2147483646\n", readEdges, Options{}},
		{"metis", "2147483647 2147483647 111 99999\n1\n", readMETIS, Options{}},
		{"image", forgedPNG(20000, 10000), readImage, Options{}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = c.read(strings.NewReader(c.in), "f", c.opt) // refused or not
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 80 {
			t.Errorf("%s: %d bytes cost %d MB", c.name, len(c.in), mb)
		}
	}
}

// full returns what err says and the hint that it carries.
func full(err error) string {
	if h := hint.Of(err); h != "" {
		return err.Error() + "; " + string(h)
	}
	return err.Error()
}
