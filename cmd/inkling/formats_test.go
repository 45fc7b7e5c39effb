package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// The same rows in every format, packed or not, from a file or from stdin, get
// the same bytes of labels.
func TestEveryFormatGivesTheSameLabels(t *testing.T) {
	set, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	x := set.X.(*data.Dense)
	files := map[string][]byte{
		"iris.csv":     table(set.Columns, x, ","),
		"iris.tsv":     table(set.Columns, x, "\t"),
		"bare.csv":     table(nil, x, ","),
		"semi.csv":     table(set.Columns, x, ";"),
		"iris.jsonl":   jsonLines(set.Columns, x),
		"iris.npy":     npy(x, false),
		"fortran.npy":  npy(x, true),
		"iris.parquet": parquetFile(t, set.Columns, x),
		"iris.svm":     svm(x),
		"iris.mtx":     mtx(x, false),
		"dense.mtx":    mtx(x, true),
	}
	dir := t.TempDir()
	for name, b := range files {
		for _, f := range [][2]string{{name, string(b)}, {name + ".gz", string(gz(t, b))}, {name + ".zst", string(zst(t, b))}} {
			if err := os.WriteFile(filepath.Join(dir, f[0]), []byte(f[1]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := labels(t, dir, nil, "iris.csv")
	if bytes.Count(want, []byte("\n")) != 151 {
		t.Fatalf("the labels of iris are %d lines", bytes.Count(want, []byte("\n")))
	}
	for name, b := range files {
		for _, path := range []string{name, name + ".gz", name + ".zst"} {
			if got := labels(t, dir, nil, path); !bytes.Equal(got, want) {
				t.Errorf("%s gets other labels than iris.csv", path)
			}
		}
		format := strings.TrimPrefix(filepath.Ext(name), ".")
		for _, in := range [][]byte{b, gz(t, b)} {
			if got := labels(t, dir, in, "-", "--format", format); !bytes.Equal(got, want) {
				t.Errorf("%s from stdin gets other labels than iris.csv", name)
			}
		}
	}
	// The format of stdin is recognised by content where that is possible.
	for _, name := range []string{"iris.csv", "iris.tsv", "iris.jsonl", "iris.npy", "iris.parquet", "iris.mtx"} {
		if got := labels(t, dir, files[name], "-"); !bytes.Equal(got, want) {
			t.Errorf("%s from stdin, format not given, gets other labels than iris.csv", name)
		}
	}
}

// labels runs inkling cluster on path and returns what it writes.
func labels(t *testing.T, dir string, stdin []byte, path string, flags ...string) []byte {
	t.Helper()
	cmd := exec.Command("inkling", append([]string{"cluster", path, "-k", "3", "-q"}, flags...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", path, err, said.Bytes())
	}
	return out
}

func table(columns []string, x *data.Dense, sep string) []byte {
	var b bytes.Buffer
	if columns != nil {
		fmt.Fprintln(&b, strings.Join(columns, sep))
	}
	for i := range x.Len() {
		fmt.Fprintln(&b, strings.Join(words(x, i), sep))
	}
	return b.Bytes()
}

func words(x *data.Dense, i int) (out []string) {
	for _, v := range x.Row(i, nil).Val {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

func jsonLines(columns []string, x *data.Dense) []byte {
	var b bytes.Buffer
	for i := range x.Len() {
		var cells []string
		for f, w := range words(x, i) {
			cells = append(cells, fmt.Sprintf("%q: %s", columns[f], w))
		}
		fmt.Fprintf(&b, "{%s}\n", strings.Join(cells, ", "))
	}
	return b.Bytes()
}

func npy(x *data.Dense, fortran bool) []byte {
	order := "False"
	if fortran {
		order = "True"
	}
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': %s, 'shape': (%d, %d), }", order, x.Len(), x.Cols)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for p := range x.V {
		q := p
		if fortran {
			q = p%x.Len()*x.Cols + p/x.Len()
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x.V[q]))
	}
	return b
}

func parquetFile(t *testing.T, columns []string, x *data.Dense) []byte {
	t.Helper()
	group := parquet.Group{}
	for _, c := range columns {
		group[c] = parquet.Leaf(parquet.DoubleType)
	}
	schema := parquet.NewSchema("iris", group)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[map[string]any](&b, schema)
	for i := range x.Len() {
		row := map[string]any{}
		for f, v := range x.Row(i, nil).Val {
			row[columns[f]] = v
		}
		if _, err := w.Write([]map[string]any{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func svm(x *data.Dense) []byte {
	var b bytes.Buffer
	for i := range x.Len() {
		b.WriteString("1")
		for f, w := range words(x, i) {
			fmt.Fprintf(&b, " %d:%s", f+1, w)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

func mtx(x *data.Dense, array bool) []byte {
	var b bytes.Buffer
	if array {
		fmt.Fprintf(&b, "%%%%MatrixMarket matrix array real general\n%d %d\n", x.Len(), x.Cols)
		for f := range x.Cols {
			for i := range x.Len() {
				fmt.Fprintln(&b, words(x, i)[f])
			}
		}
		return b.Bytes()
	}
	fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", x.Len(), x.Cols, len(x.V))
	for i := range x.Len() {
		for f, w := range words(x, i) {
			fmt.Fprintln(&b, i+1, f+1, w)
		}
	}
	return b.Bytes()
}

func gz(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zst(t *testing.T, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// A packed file cut anywhere is refused by name, and leaves no output.
func TestTruncatedFilesAreRefused(t *testing.T) {
	set, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	x := set.X.(*data.Dense)
	csv := table(set.Columns, x, ",")
	for name, b := range map[string][]byte{
		"cut.csv.gz": gz(t, csv), "cut.csv.zst": zst(t, csv), "cut.npy": npy(x, false), "cut.parquet": parquetFile(t, set.Columns, x),
	} {
		for _, n := range []int{len(b) / 3, len(b) - 1} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), b[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("inkling", "cluster", name, "-k", "3", "-o", "out.csv")
			cmd.Dir = dir
			said, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != exitInput || !bytes.Contains(said, []byte("inkling: "+name)) {
				t.Errorf("%s cut to %d bytes of %d: %v\n%s", name, n, len(b), err, said)
			}
			if _, err := os.Stat(filepath.Join(dir, "out.csv")); err == nil {
				t.Errorf("%s cut to %d bytes leaves an output", name, n)
			}
		}
	}
}
