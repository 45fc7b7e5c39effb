package matrix

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"pgregory.net/rapid"
)

func TestNPYGolden(t *testing.T) { readertest.CheckGolden(t, ReadNPY, "npy", ".npy") }

// npyFile writes an NPY file of version 1 around a header and data.
func npyFile(header, body string) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header + body
}

func npyHead(descr, order, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
}

func floats(v ...float64) string {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return string(b)
}

func longs(v ...int64) string {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	return string(b)
}

func TestNPYRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f8 := func(shape, body string) string { return npyFile(npyHead("<f8", "False", shape), body) }
	checkRefusals(t, ReadNPY, []refusal{
		{name: "empty", in: "", want: "f: the file is empty"},
		{name: "short", in: "\x93NUM", want: "f: the input ends early; the file seems cut off: fetch it again"},
		{name: "magic", in: "PK\x03\x04 something", want: `f: not an NPY file: it does not start with \x93NUMPY; an NPY file is what numpy.save writes`},
		{name: "version", in: "\x93NUMPY\x04\x00\x00\x00", want: "f: NPY version 4.0, supported are 1.0, 2.0 and 3.0"},
		{name: "header cut", in: "\x93NUMPY\x01\x00\x76\x00{'descr'", want: "f: the input ends early; the file seems cut off: fetch it again"},
		{name: "header too long", in: "\x93NUMPY\x02\x00\xff\xff\xff\xff{", want: "f: an NPY header of 2147483647 bytes, at most 65536 are read"},
		{name: "no dictionary", in: npyFile("import os", ""), want: "f: the NPY header is damaged at byte 0: expected {"},
		{name: "expression", in: npyFile("{'descr': '<f8', 'fortran_order': 1 == 1, 'shape': (1,)}", ""), want: "f: the NPY header is damaged at byte 34: expected True or False"},
		{name: "escape", in: npyFile(`{'de\x73cr': '<f8'}`, ""), want: "f: the NPY header is damaged at byte 1: expected a key in quotes"},
		{name: "key missing", in: npyFile("{'descr': '<f8', 'shape': (1,)}", ""), want: `f: the NPY header lacks "fortran_order"`},
		{name: "key twice", in: npyFile("{'descr': '<f8', 'descr': '<f8'}", ""), want: `f: the NPY header gives "descr" twice`},
		{name: "key unknown", in: npyFile("{'hello': '<f8'}", ""), want: `f: the NPY header has an unknown key "hello"`},
		{name: "after the dictionary", in: npyFile(npyHead("<f8", "False", "(1,)")+"x", ""), want: "f: the NPY header is damaged at byte 58: expected nothing more"},
		{name: "negative size", in: f8("(-1, 2)", ""), want: "f: the NPY header is damaged at byte 51: expected a size"},
		{name: "objects", in: npyFile(npyHead("|O", "False", "(1,)"), ""), want: "f: an NPY array of Python objects (a pickle), which is never opened; save it as floats: numpy.save(file, x.astype(float))"},
		{name: "records", in: npyFile("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", ""), want: "f: an NPY array of records, plain numbers are needed; save the columns as one array of floats"},
		{name: "text", in: npyFile(npyHead("<U5", "False", "(1,)"), ""), want: `f: NPY dtype "<U5", known are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1`},
		{name: "complex", in: npyFile(npyHead("<c16", "False", "(1,)"), ""), want: `f: NPY dtype "<c16", known are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1`},
		{name: "no byte order", in: npyFile(npyHead("|f8", "False", "(1,)"), ""), want: `f: NPY dtype "|f8", known are f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1`},
		{name: "no dimensions", in: f8("()", floats(1)), want: "f: an NPY array without dimensions is a single number, rows are needed"},
		{name: "three dimensions", in: f8("(1, 1, 1)", floats(1)), want: "f: an NPY array of 3 dimensions, 1 or 2 are needed; reshape it: numpy.save(file, x.reshape(len(x), -1))"},
		{name: "no rows", in: f8("(0, 3)", ""), want: "f: an NPY array of 0 by 3 numbers is empty"},
		{name: "overflow", in: f8("(4294967296, 4294967296)", ""), want: "f: an NPY array of 4294967296 by 4294967296 numbers fits no memory"},
		{name: "forged", in: f8("(1000000000, 1000000)", floats(1)), want: "f: the data ends at row 0, column 1 of 1000000000 by 1000000 numbers; the file seems cut off: fetch it again"},
		{name: "truncated", in: f8("(2, 2)", floats(1, 2, 3)+"abc"), want: "f: the data ends at row 1, column 1 of 2 by 2 numbers; the file seems cut off: fetch it again"},
		{name: "junk", in: f8("(2, 2)", floats(1, 2, 3, 4)+"a"), want: "f: there is more data than the header's 2 by 2 numbers"},
		{name: "NaN", in: f8("(2, 2)", floats(1, 2, nan, 4)), want: "f: row 1, column 0 (from 0) is NaN, every number must be finite; fill or leave out missing values"},
		{name: "NaN by columns", in: npyFile(npyHead("<f8", "True", "(2, 3)"), floats(1, 2, 3, nan, 5, 6)), want: "f: row 1, column 1 (from 0) is NaN, every number must be finite; fill or leave out missing values"},
		{name: "infinite", in: f8("(2, 2)", floats(1, 2, 3, -inf)), opt: source.Options{Missing: true}, want: "f: row 1, column 1 (from 0) is -Inf, every number must be finite"},
		{name: "infinite half", in: npyFile(npyHead("<f2", "False", "(1,)"), "\x00\x7c"), want: "f: row 0, column 0 (from 0) is +Inf, every number must be finite"},
		{name: "long", in: npyFile(npyHead("<i8", "False", "(1, 2)"), longs(1<<53, -(1<<53)-1)), want: "f: row 0, column 1 (from 0) is -9007199254740993, which float64 cannot hold exactly; leave the column out if it is an id"},
		{name: "unsigned long", in: npyFile(npyHead("<u8", "False", "(1, 2)"), longs(math.MinInt64, -1)), want: "f: row 0, column 1 (from 0) is 18446744073709551615, which float64 cannot hold exactly; leave the column out if it is an id"},
		{name: "as a graph", in: f8("(1,)", floats(1)), opt: source.Options{As: "graph"}, want: "f: an NPY array cannot be read as graph, only as vectors or kernel"},
		{name: "with columns", in: f8("(1,)", floats(1)), opt: source.Options{ID: "name"}, want: "f: an NPY array has no named columns, so not the id column name"},
	})
}

func TestNPYMissing(t *testing.T) {
	ds := readertest.MustRead(t, ReadNPY, npyFile(npyHead("<f8", "False", "(2,)"), floats(1, math.NaN())), source.Options{Missing: true})
	if y := ds.X.(*data.Dense).V[1]; y == y {
		t.Errorf("NaN became %v", y)
	}
	f4 := "\x00\x00\x80\x3f\x00\x00\xc0\x7f"
	ds = readertest.MustRead(t, ReadNPY, npyFile(npyHead("<f4", "False", "(2,)"), f4), source.Options{Missing: true})
	if v := ds.X.(*data.Dense32).V; v[0] != 1 || v[1] == v[1] {
		t.Errorf("got %v", v)
	}
}

func TestNPYEdges(t *testing.T) {
	ds := readertest.MustRead(t, ReadNPY, npyFile(npyHead("<i8", "False", "(2L, 1L)"), longs(math.MinInt64, 3<<60)), source.Options{})
	if v := ds.X.(*data.Dense).V; v[0] != -(1<<63) || v[1] != 3<<60 {
		t.Errorf("got %v", v)
	}
}

func TestNPYRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 80).Draw(t, "rows"), rapid.IntRange(1, 80).Draw(t, "cols")
		seed := rapid.Float64Range(-1e9, 1e9).Draw(t, "seed")
		fortran := rapid.Bool().Draw(t, "fortran")
		cell := func(i, j int) float64 { return seed*float64(i+1) - float64(j) }
		var body []float64
		order := "False"
		if fortran {
			order = "True"
		}
		for p := range rows * cols {
			if fortran {
				body = append(body, cell(p%rows, p/rows))
			} else {
				body = append(body, cell(p/cols, p%cols))
			}
		}
		in := npyFile(npyHead("<f8", order, fmt.Sprintf("(%d, %d)", rows, cols)), floats(body...))
		ds, err := ReadNPY(strings.NewReader(in), "f", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := ds.X.(*data.Dense)
		for i := range rows {
			for j := range cols {
				if x.V[i*cols+j] != cell(i, j) {
					t.Fatalf("row %d, column %d is %v, want %v", i, j, x.V[i*cols+j], cell(i, j))
				}
			}
		}
	})
}

func FuzzNPY(f *testing.F) {
	f.Add([]byte(npyFile(npyHead("<f8", "False", "(2, 2)"), floats(1, 2, 3, 4))))
	f.Add([]byte(npyFile(npyHead(">f4", "True", "(2, 1)"), floats(1))))
	f.Add([]byte(npyFile(npyHead("|u1", "True", "(3,)"), "abc")))
	f.Add([]byte(npyFile(npyHead("<i8", "False", "(9999999999, 99999)"), longs(1, 2))))
	f.Fuzz(func(t *testing.T, b []byte) {
		ds, err := ReadNPY(bytes.NewReader(b), "f", source.Options{})
		if err == nil {
			readertest.CheckDataset(t, ds)
			if err := data.CheckFinite(ds.X); err != nil {
				t.Error(err)
			}
		}
	})
}

// Numbers as the machine has them are read in large pieces, straight into the array: what
// is wrong with one of them is found all the same, wherever it stands and whether or not the
// length of the file is known.
func TestNPYLargeArrays(t *testing.T) {
	const rows, cols = 90_000, 7
	numbers := make([]float32, rows*cols)
	for i := range numbers {
		numbers[i] = float32(i%1009) / 8
	}
	file := func(numbers []float32) string {
		b, _ := binary.Append(nil, binary.LittleEndian, numbers)
		return npyFile(npyHead("<f4", "False", fmt.Sprintf("(%d, %d)", rows, cols)), string(b))
	}
	read := func(content string, known, missing bool) (*source.Dataset, error) {
		if !known {
			return ReadNPY(strings.NewReader(content), "f", source.Options{Missing: missing})
		}
		path := filepath.Join(t.TempDir(), "f.npy")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := source.NewStream(f, "f")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return ReadNPY(s, "f", source.Options{Missing: missing})
	}
	for _, known := range []bool{false, true} {
		ds, err := read(file(numbers), known, false)
		if err != nil || !slices.Equal(ds.X.(*data.Dense32).V, numbers) {
			t.Fatalf("length known %v: %v, or other numbers", known, err)
		}
		if room := cap(ds.X.(*data.Dense32).V); known && room != rows*cols {
			t.Errorf("room for %d numbers, there are %d", room, rows*cols)
		}
		for _, at := range []int{0, 65_535, 65_536, 1 << 18, rows*cols - 1} {
			bad := slices.Clone(numbers)
			bad[at] = float32(math.NaN())
			want := fmt.Sprintf("row %d, column %d (from 0) is NaN", at/cols, at%cols)
			if _, err := read(file(bad), known, false); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("length known %v: %v, wanted %s", known, err, want)
			}
			if ds, err := read(file(bad), known, true); err != nil || len(ds.X.(*data.Dense32).V) != rows*cols || ds.X.(*data.Dense32).V[at] == bad[at] {
				t.Errorf("length known %v: a missing value at %d: %v", known, at, err)
			}
			bad[at] = float32(math.Inf(-1))
			if _, err := read(file(bad), known, true); err == nil || !strings.Contains(err.Error(), "is -Inf") {
				t.Errorf("length known %v: %v, wanted a refusal of -Inf", known, err)
			}
			if _, err := read(file(numbers)[:len(file(numbers))-4*(rows*cols-at)], known, false); err == nil || !strings.Contains(err.Error(),
				fmt.Sprintf("ends at row %d, column %d of", at/cols, at%cols)) {
				t.Errorf("length known %v: cut at %d: %v", known, at, err)
			}
		}
	}
}
