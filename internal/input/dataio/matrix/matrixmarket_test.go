package matrix

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"pgregory.net/rapid"
)

func TestMTXGolden(t *testing.T) { readertest.CheckGolden(t, ReadMTX, "mtx", ".mtx") }

func TestMTXGoldenGraphAndKernel(t *testing.T) {
	for _, name := range []string{"coordinate-symmetric", "array-symmetric"} {
		b, err := os.ReadFile(filepath.Join("testdata", "mtx", name+".mtx"))
		if err != nil {
			t.Fatal(err)
		}
		x := readertest.RowsOf(readertest.MustRead(t, ReadMTX, string(b), source.Options{}).X)
		k := readertest.MustRead(t, ReadMTX, string(b), source.Options{As: "kernel"}).Kernel
		if !readertest.SameRows(readertest.RowsOf(k), x) {
			t.Errorf("%s: kernel %v, want %v", name, readertest.RowsOf(k), x)
		}
		ds := readertest.MustRead(t, ReadMTX, string(b), source.Options{As: "graph"})
		for i := range x {
			row := make([]float64, len(x))
			to, w := ds.Graph.Neighbours(i)
			for p, j := range to {
				row[j] = w[p]
			}
			row[i] = x[i][i] // left out of the graph
			if !slices.Equal(row, x[i]) {
				t.Errorf("%s: neighbours of %d are %v, want %v", name, i, row, x[i])
			}
		}
		if want := []hint.Hint{"2 diagonal entries left out: a node has no edge to itself"}; !slices.Equal(ds.Notes, want) {
			t.Errorf("%s: notes %q", name, ds.Notes)
		}
	}
}

func mtxFile(kind, body string) string { return "%%MatrixMarket matrix " + kind + "\n" + body }

func TestMTXGraph(t *testing.T) {
	for _, c := range []struct{ name, in, edges, note string }{
		{"pattern", mtxFile("coordinate pattern symmetric", "3 3 2\n2 1\n3 2\n"), "0-1:1 1-2:1", ""},
		{"upper triangle", mtxFile("coordinate pattern symmetric", "3 3 2\n1 2\n3 2\n"), "0-1:1 1-2:1", ""},
		{"both ways", mtxFile("coordinate real general", "3 3 4\n1 2 .5\n2 3 2\n3 2 2\n2 1 0.50\n"), "0-1:0.5 1-2:2", ""},
		{"one way", mtxFile("coordinate real general", "3 3 3\n1 2 .5\n3 2 2\n2 3 2\n"), "0-1:0.5 1-2:2", "1 edge given in one direction only, counted for both"},
		{"zero", mtxFile("coordinate real general", "3 3 2\n1 2 0\n3 2 2\n"), "1-2:2", "1 edge of weight 0 left out"},
		{"loop", mtxFile("coordinate integer general", "2 2 3\n1 1 4\n2 1 3\n1 2 3\n"), "0-1:3", "1 diagonal entry left out: a node has no edge to itself"},
		{"array", mtxFile("array real general", "2 2\n5\n1\n1\n0\n"), "0-1:1", "1 diagonal entry left out: a node has no edge to itself"},
	} {
		ds := readertest.MustRead(t, ReadMTX, c.in, source.Options{As: "graph"})
		if got := readertest.EdgesOf(ds.Graph); got != c.edges {
			t.Errorf("%s: edges %s, want %s", c.name, got, c.edges)
		}
		if c.note != "" && !slices.Contains(ds.Notes, hint.Hint(c.note)) {
			t.Errorf("%s: notes %q, want %q", c.name, ds.Notes, c.note)
		}
	}
}

func TestMTXRefuses(t *testing.T) {
	general := func(body string) string { return mtxFile("coordinate real general", body) }
	graph, kernel := source.Options{As: "graph"}, source.Options{As: "kernel"}
	checkRefusals(t, ReadMTX, []refusal{
		{name: "empty", in: "", want: "f: the file is empty"},
		{name: "banner", in: "1 2 3\n", want: "f:1:1: not a Matrix Market file; the first line is: %%MatrixMarket matrix coordinate real general"},
		{name: "short banner", in: "%%MatrixMarket matrix coordinate\n", want: "f:1:33: the first line has 3 words of 5; the first line is: %%MatrixMarket matrix coordinate real general"},
		{name: "long banner", in: mtxFile("array real general x", ""), want: `f:1:42: "x" after the five words of a Matrix Market file`},
		{name: "complex", in: mtxFile("coordinate complex general", ""), want: `f:1:34: "complex" is not read, known are real, integer and pattern`},
		{name: "hermitian", in: mtxFile("coordinate real hermitian", ""), want: `f:1:39: "hermitian" is not read, known are general, symmetric and skew-symmetric`},
		{name: "pattern array", in: mtxFile("array pattern general", ""), want: "f:1:29: an array cannot be a pattern: it has no values"},
		{name: "no sizes", in: mtxFile("array real general", "% x\n"), want: "f:2: the line of sizes is missing"},
		{name: "few sizes", in: general("3 3\n"), want: "f:2:4: the line of sizes must be: rows columns entries"},
		{name: "many sizes", in: mtxFile("array real general", "3 3 1\n"), want: "f:2:5: the line of sizes must be: rows columns"},
		{name: "no rows", in: general("0 3 0\n"), want: `f:2:1: "0" is not a size`},
		{name: "not square", in: mtxFile("coordinate real symmetric", "%\n2 3 1\n"), want: "f:3:1: the matrix must be square, got 2 rows and 3 columns"},
		{name: "graph not square", in: general("2 3 1\n"), opt: graph, want: "f:2:1: the matrix must be square, got 2 rows and 3 columns"},
		{name: "row", in: general("2 2 1\n3 1 1\n"), want: `f:3:1: the row must be 1 to 2, got "3"`},
		{name: "column", in: general("2 2 1\n1 0 1\n"), want: `f:3:3: the column must be 1 to 2, got "0"`},
		{name: "no column", in: general("2 2 1\n1\n"), want: "f:3:2: the column is missing"},
		{name: "no value", in: general("2 2 1\n1 2\n"), want: "f:3:4: the value of row 1, column 2 is missing"},
		{name: "value", in: general("2 2 1\n1 2 a\n"), want: `f:3:5: "a" is not a number`},
		{name: "NaN", in: general("2 2 1\n1 2 NaN\n"), want: `f:3:5: "NaN" is not a finite number`},
		{name: "more in the line", in: general("2 2 1\n1 2 3 4\n"), want: `f:3:7: "4" after the entry`},
		{name: "too few", in: general("2 2 2\n1 2 3\n\n"), want: "f:4: 2 entries announced, the file ends after 1; the file seems cut off"},
		{name: "too many", in: general("2 2 1\n1 2 3\n2 1 3\n"), want: "f:4:1: more than the 1 entry announced"},
		{name: "twice", in: general("2 2 3\n1 2 3\n\n2 1 3\n\n\n1 2 3\n"), want: "f:8: row 1, column 2 is given twice, first on line 3"},
		{name: "twice sorted", in: general("2 2 3\n1 2 3\n1 2 3\n2 1 3\n"), want: "f:4: row 1, column 2 is given twice, first on line 3"},
		{name: "both triangles", in: mtxFile("coordinate real symmetric", "2 2 2\n1 2 3\n2 1 3\n"), want: "f:4: row 2, column 1 is given twice, first on line 3"},
		{name: "both triangles of a graph", in: mtxFile("coordinate real symmetric", "2 2 2\n1 2 3\n2 1 3\n"), opt: graph, want: "f:4: row 2, column 1 is given twice, first on line 3; a symmetric file gives one triangle"},
		{name: "unequal", in: general("2 2 3\n1 1 1\n1 2 3\n2 1 4\n"), opt: graph, want: "f:5: row 1, column 2 is 3 but row 2, column 1 is 4 (line 4); a graph is symmetric"},
		{name: "unequal to zero", in: general("2 2 2\n1 2 3\n2 1 0\n"), opt: graph, want: "f:4: row 1, column 2 is 3 but row 2, column 1 is 0 (line 3); a graph is symmetric"},
		{name: "unequal array", in: mtxFile("array real general", "2 2\n0\n1\n0\n0\n"), opt: graph, want: "f:5: row 1, column 2 is 0 but row 2, column 1 is 1 (line 4); a graph is symmetric"},
		{name: "unequal kernel", in: general("2 2 2\n1 2 3\n2 1 4\n"), opt: kernel, want: "f: row 1, column 0 is 4 but row 0, column 1 is 3 (from 0), a kernel is symmetric"},
		{name: "negative weight", in: general("2 2 2\n1 2 3\n2 1 -4\n"), opt: graph, want: "f:4:5: an edge of weight -4, weights must not be negative"},
		{name: "skew graph", in: mtxFile("coordinate real skew-symmetric", "2 2 1\n2 1 3\n"), opt: graph, want: "f:1:1: a skew-symmetric matrix is not a graph, whose two triangles are equal; read it as vectors"},
		{name: "skew diagonal", in: mtxFile("coordinate real skew-symmetric", "2 2 1\n2 2 3\n"), want: "f:3:1: an entry on the diagonal of a skew-symmetric matrix"},
		{name: "fraction", in: mtxFile("coordinate integer general", "2 2 1\n1 2 3.5\n"), want: `f:3:5: "3.5" in a matrix of integers`},
		{name: "long integer", in: mtxFile("array integer general", "1 1\n9007199254740993\n"), want: `f:3:1: "9007199254740993" is a whole number that float64 cannot hold exactly`},
		{name: "array line", in: mtxFile("array real general", "2 1\n1 2\n"), want: `f:3:3: "2" after the value, an array has one value a line`},
		{name: "array short", in: mtxFile("array real general", "2 1\n1\n"), want: "f:3: 2 values announced, the file ends after 1; the file seems cut off"},
		{name: "array long", in: mtxFile("array real general", "1 1\n1\n2\n"), want: "f:4:1: more than the 1 value announced"},
		{name: "forged rows", in: general("2147483647 1 1\n1 1 1\n"), want: "f: 2147483647 by 1 is out of proportion to 1 entry"},
		{name: "forged columns", in: general("1 2147483647 1\n1 1 1\n"), want: "f: 1 by 2147483647 is out of proportion to 1 entry"},
		{name: "forged kernel", in: general("1000000 1000000 1\n1 1 1\n"), opt: kernel, want: "f: a kernel of 1000000 by 1000000 cells with 1 value: nearly all of it is zero; read it as a graph"},
		{name: "forged array", in: mtxFile("array real general", "2147483647 2147483647\n1\n"), want: "f:3: 4611686014132420609 values announced, the file ends after 1; the file seems cut off"},
		{name: "as text", in: general("1 1 0\n"), opt: source.Options{As: "text"}, want: "f: a Matrix Market file cannot be read as text, only as vectors or graph or kernel"},
	})
}

func TestMTXRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 12).Draw(t, "rows"), rapid.IntRange(1, 12).Draw(t, "cols")
		if rapid.Bool().Draw(t, "wide") {
			cols += 1 << 17
		}
		cells := rapid.MapOf(rapid.IntRange(0, rows*cols-1), rapid.Float64Range(-1e9, 1e9)).Draw(t, "cells")
		var lines []string
		for p, y := range cells {
			lines = append(lines, fmt.Sprintf("%d %d %v\n", p/cols+1, p%cols+1, y))
		}
		slices.Sort(lines)
		lines = rapid.Permutation(lines).Draw(t, "order")
		in := mtxFile("coordinate real general", fmt.Sprintf("%d %d %d\n", rows, cols, len(lines))+strings.Join(lines, ""))
		ds, err := ReadMTX(strings.NewReader(in), "f", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			for j, y := range data.Copy(ds.X, i) {
				if y != cells[i*cols+j] {
					t.Fatalf("row %d, column %d is %v, want %v", i, j, y, cells[i*cols+j])
				}
			}
		}
	})
}

// sharedData opens a file of the data kept beside the repository.
func sharedData(t *testing.T, path string) *gzip.Reader {
	t.Helper()
	root := os.Getenv("INKLING_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, path))
	if err != nil {
		t.Skipf("the shared data is not here: set INKLING_DATA to its folder (%v)", err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestMTXThreeSources(t *testing.T) {
	ds, err := ReadMTX(sharedData(t, "3sources/bbc.mtx.gz"), "bbc.mtx", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	readertest.CheckDataset(t, ds)
}

func FuzzMTX(f *testing.F) {
	f.Add([]byte(mtxFile("coordinate real general", "2 2 2\n1 2 3\n2 1 3\n")))
	f.Add([]byte(mtxFile("coordinate pattern symmetric", "3 3 2\n2 1\n3 1\n")))
	f.Add([]byte(mtxFile("array integer skew-symmetric", "2 2\n5\n")))
	f.Add([]byte(mtxFile("array real symmetric", "2 2\n5\n1\n2\n")))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, as := range []string{"", "graph", "kernel"} {
			if ds, err := ReadMTX(bytes.NewReader(b), "f", source.Options{As: source.As(as)}); err == nil {
				readertest.CheckDataset(t, ds)
			}
		}
	})
}

func BenchmarkMTX(b *testing.B) {
	for _, m := range []int{1_000_000, 10_000_000} {
		in := mtxFile("coordinate real general", randomEntries(m/10, m))
		for _, as := range []source.As{source.AsVectors, source.AsGraph} {
			b.Run(fmt.Sprintf("as=%s/nnz=%d", as, m), func(b *testing.B) {
				b.SetBytes(int64(len(in)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := ReadMTX(strings.NewReader(in), "f", source.Options{As: as}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// randomEntries writes the size line and m different entries, 10 a row, where mirrored
// ones are equal.
func randomEntries(n, m int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	buf := fmt.Appendf(nil, "%d %d %d\n", n, n, m)
	for i := range n {
		step := n / 10
		for q := range 10 {
			j := q*step + rng.IntN(step)
			buf = fmt.Appendf(buf, "%d %d %.4f\n", i+1, j+1, 0.01+float64((i+j)%1000)/1000)
		}
	}
	return string(buf)
}
