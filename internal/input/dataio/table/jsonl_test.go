package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"pgregory.net/rapid"
)

func TestJSONLReads(t *testing.T) {
	for _, c := range []struct {
		name, in string
		opt      source.Options
		columns  string
		rows     string
	}{
		{"objects", `{"a":1,"b":2.5}` + "\n" + `{"b":-1e2,"a":3}`, source.Options{}, "a b", "[[1 2.5] [3 -100]]"},
		{"bools", `{"a":true,"b":false}`, source.Options{}, "a b", "[[1 0]]"},
		{"arrays", "[1,2]\n[3, 4 ]\r\n\n", source.Options{}, "c0 c1", "[[1 2] [3 4]]"},
		{"embedding", `{"e":[1,2,3],"n":4}` + "\n" + `{"n":8,"e":[5,6,7]}`, source.Options{}, "e.0 e.1 e.2 n", "[[1 2 3 4] [5 6 7 8]]"},
		{"spaces", "  { \"a\" : 1 ,\t\"b\" : 2 }  ", source.Options{}, "a b", "[[1 2]]"},
		{"dropped", `{"a":1,"s":{"t":["x,}",{}]},"b":2}`, source.Options{Drop: []string{"s"}}, "a b", "[[1 2]]"},
		{"kept", `{"a":1,"s":"x"}` + "\n" + `{"a":2,"new":3}`, source.Options{Columns: []string{"a"}}, "a", "[[1] [2]]"},
		{"missing", `{"a":1,"e":[1,2]}` + "\n" + `{"a":null,"e":[NaN,3]}` + "\n" + `{"e":null}` + "\n" + `{"a":4}`, source.Options{Missing: true}, "a e.0 e.1",
			"[[1 1 2] [NaN NaN 3] [NaN NaN NaN] [4 NaN NaN]]"},
		{"byte order mark", "\xef\xbb\xbf[1]", source.Options{}, "c0", "[[1]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := readertest.MustRead(t, ReadJSONL, c.in, c.opt)
			if got := strings.Join(ds.Columns, " "); got != c.columns {
				t.Errorf("columns %q, want %q", got, c.columns)
			}
			if got := fmt.Sprint(readertest.RowsOf(ds.X)); got != c.rows {
				t.Errorf("rows %s, want %s", got, c.rows)
			}
		})
	}
}

func TestJSONLRoles(t *testing.T) {
	in := `{"id":"u\n1","x":1,"k":"a"}` + "\n" + `{"x":2,"id":7}` + "\n" + `{"k":null,"x":3,"id":"\u00e9\ud83d\ude00"}`
	ds := readertest.MustRead(t, ReadJSONL, in, source.Options{ID: "id", Label: "k"})
	if want := []string{"u\n1", "7", "é😀"}; !slices.Equal(ds.IDs, want) {
		t.Errorf("ids %q, want %q", ds.IDs, want)
	}
	if want := []string{"a", "", ""}; !slices.Equal(ds.Labels, want) {
		t.Errorf("labels %q, want %q", ds.Labels, want)
	}
	ds = readertest.MustRead(t, ReadJSONL, `{"t":"one","x":1}`+"\n"+`{"t":"two"}`, source.Options{Text: "t"})
	if want := []string{"one", "two"}; !slices.Equal(ds.Docs, want) || ds.X != nil {
		t.Errorf("docs %q", ds.Docs)
	}
}

func TestJSONLRefuses(t *testing.T) {
	whole := "; JSONL has one whole object, or one array of numbers, on each line"
	checkRefusals(t, ReadJSONL, []refusal{
		{"empty", "\n", source.Options{}, `f: the file is empty`},
		{"pretty", "{\n \"a\": 1\n}\n", source.Options{}, `f:1:2: the line ends where "\"" should be` + whole},
		{"no object", "12\n", source.Options{}, `f:1:1: this is neither an object nor an array` + whole},
		{"string", `{"a":1}` + "\n" + `{"a":"x"}`, source.Options{}, `f:2:6: key "a": a string is not a number` + roleHint},
		{"object", `{"a":{}}`, source.Options{}, `f:1:6: key "a": an object is not a number` + roleHint},
		{"array", "[1]\n[[1]]", source.Options{}, `f:2:2: key "c0": an array is not a number` + roleHint},
		{"word", `{"a":1}` + "\n" + `{"a":yes}`, source.Options{}, `f:2:6: key "a": "yes" is not a number` + roleHint},
		{"infinity", `{"a":-Infinity}`, source.Options{Missing: true}, `f:1:6: key "a": "-Infinity" is infinite, every value must be finite`},
		{"null", `{"a":null}`, source.Options{}, `f:1:6: key "a": the value is missing; use {missing=drop} or {missing=mean}`},
		{"no key", `{"a":1,"b":2}` + "\n" + `{"a":1}`, source.Options{}, `f:2: key "b": the value is missing; use {missing=drop} or {missing=mean}`},
		{"new key", `{"a":1}` + "\n" + `{"a":1,"z":2}`, source.Options{}, `f:2:8: key "z" is not in the first object; name the keys to keep with {columns}`},
		{"key twice", `{"a":1}` + "\n" + `{"a":1,"a":2}`, source.Options{}, `f:2:12: key "a" stands twice in one object`},
		{"key twice at first", `{"a":1,"a":2}`, source.Options{}, `f:1: columns 1 and 2 are both called "a"; give every column its own name`},
		{"short array", "[1,2]\n[3]", source.Options{}, `f:2: the array has 1 value, the first has 2`},
		{"long array", "[1,2]\n[3,4,5]", source.Options{}, `f:2:6: the array has more than 2 values, the first has 2`},
		{"short embedding", `{"e":[1,2]}` + "\n" + `{"e":[1]}`, source.Options{}, `f:2:6: key "e": the array has 1 value, the first has 2; correct the array, or leave out the key: {drop=e}`},
		{"long embedding", `{"e":[1,2]}` + "\n" + `{"e":[1,2,3]}`, source.Options{}, `f:2:6: key "e": the array has more than 2 values, the first has 2; correct the array, or leave out the key: {drop=e}`},
		{"two objects", `{"a":1} {"a":2}`, source.Options{}, `f:1:9: there is more on the line after its value` + whole},
		{"open string", `{"a`, source.Options{}, `f:1:2: the string that starts here does not end` + whole},
		{"wrong escape", `{"a":1}` + "\n" + `{"\q":1}`, source.Options{}, `f:2:2: the string "\"\\q\"" has a wrong escape`},
		{"no comma", `{"a":1,"b":2}` + "\n" + `{"a":1 "b":2}`, source.Options{}, `f:2:8: "\"b\":2}" stands where "," should be`},
		{"kinds mixed", `{"a":1}` + "\n" + `[1]`, source.Options{}, `f:2:1: "[1]" stands where "{" should be`},
		{"empty object", `{}`, source.Options{}, `f:1: no column of numbers is left; the columns are `},
		{"same id", `{"i":1,"x":2}` + "\n\n" + `{"i":1,"x":2}`, source.Options{ID: "i"}, `f:3: id "1" is already on line 1; every row needs its own id`},
		{"no id", `{"i":1,"x":2}` + "\n" + `{"x":2}`, source.Options{ID: "i"}, `f:2: key "i": the row has no id`},
		{"unknown column", `{"alpha":1}`, source.Options{Label: "alfa"}, `f:1: there is no column "alfa"; did you mean "alpha"? the columns are alpha`},
	})
}

// Lists that are empty in the first rows are what later rows have, and missing where they are.
func TestJSONLEmptyLists(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"words", `{"x":1,"l":[]}` + "\n" + `{"x":2,"l":["a","b"]}` + "\n" + `{"x":3,"l":["b"]}`, `[x l] [[1 NaN] [2 NaN] [3 NaN]] [[] ["a","b"] ["b"]]`},
		{"numbers", `{"x":1,"l":[]}` + "\n" + `{"x":2,"l":[]}` + "\n" + `{"x":3,"l":[4,5]}`, `[x l.0 l.1] [[1 NaN NaN] [2 NaN NaN] [3 4 5]] []`},
		{"numbers first", `{"x":1,"l":[4,5]}` + "\n" + `{"x":2,"l":[ ]}` + "\n" + `{"x":3,"l":null}`, `[x l.0 l.1] [[1 4 5] [2 NaN NaN] [3 NaN NaN]] []`},
		{"within", `{"f":{"l":[]}, "x":1}` + "\n" + `{"f":{"l":["a"]}, "x":2}` + "\n" + `{"f":{}, "x":3}`, `[f.l x] [[NaN 1] [NaN 2] [NaN 3]] [[] ["a"]]`},
		{"ever empty", `{"x":1,"l":[]}` + "\n" + `{"x":2,"l":[]}` + "\n" + `{"x":3}`, `[x] [[1] [2] [3]] []`},
	} {
		opt := mixed
		opt.Missing = true
		ds := readertest.MustRead(t, ReadJSONL, c.in, opt)
		var rows [][]float64
		for i := range 3 {
			rows = append(rows, ds.X.Row(i, make([]float64, 3)).Val[:ds.X.Dim()])
		}
		var texts []string
		for _, cells := range ds.Cells {
			texts = append(texts, cells.Text...)
		}
		if got := fmt.Sprint(ds.Columns, rows, texts); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// One short line must not make memory for a row that is millions wide.
func TestJSONLWideAndEmpty(t *testing.T) {
	in := "{\"e\":[1" + strings.Repeat(",1", 1<<17) + "]}\n" + strings.Repeat("{}\n", 100000)
	_, err := ReadJSONL(strings.NewReader(in), "f", source.Options{Missing: true})
	if err == nil || !strings.Contains(readertest.Full(err), "nearly all values are missing") {
		t.Errorf("got %v", err)
	}
}

func readJSONBits(in string, size, workers int, opt source.Options) string {
	s := scan.NewChunks(strings.NewReader(in), false)
	s.ChunkSize, s.Longest = size, 80
	opt.Workers = workers
	return describe(readJSONLines(s, "f", opt))
}

// Paths of objects inside objects need memory by the square of their depth, so that a small file could take all there is.
func TestJSONLDeepObjects(t *testing.T) {
	deep := func(levels int) string {
		return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels) + "\n"
	}
	if ds := readertest.MustRead(t, ReadJSONL, strings.Repeat(deep(mostLevels), 2), mixed); ds.X.Len() != 2 || ds.X.Dim() != 1 {
		t.Errorf("%d by %d", ds.X.Len(), ds.X.Dim())
	}
	for _, levels := range []int{mostLevels + 1, 20_000} {
		ds, err := ReadJSONL(strings.NewReader(deep(levels)), "f", mixed)
		if err == nil {
			t.Fatalf("%d levels: %v", levels, ds)
		}
		if got, want := readertest.Full(err), fmt.Sprintf("f:1:%d: more than %d objects are inside one another", 5*mostLevels+1, mostLevels); got != want {
			t.Errorf("%d levels: got %s, want %s", levels, got, want)
		}
	}
}

// A key that comes late is refused by the number of objects that were looked at, which is smaller where they are long: those in
// the first 2^20 bytes.
func TestJSONLLateKeys(t *testing.T) {
	short, long := `{"o":{"a":1.5}}`+"\n", fmt.Sprintf(`{"o":{"a":1.%s}}`+"\n", strings.Repeat("1", 1000))
	for row, looked := range map[string]int{short: pathRows, long: 1 << 20 / len(long)} {
		_, err := ReadJSONL(strings.NewReader(strings.Repeat(row, 3000)+`{"o":{"z":1}}`), "f", mixed)
		if want := fmt.Sprintf(`f:3001:11: key "o.z" is not in the first %d objects`, looked); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestJSONLParallelIsSerial(t *testing.T) {
	line := rapid.SampledFrom([]string{`{"a":1,"b":2}`, `{"b":3,"a":4}`, ` {"a":5.5,"b":true}`, ``, `{"a":1}`, `{"a":null,"b":1}`, `{"a":1,"b":"x"}`, `{"a":`})
	rapid.Check(t, func(t *rapid.T) {
		in := "{\"a\":0,\"b\":0}\n" + strings.Join(rapid.SliceOfN(line, 0, 20).Draw(t, "lines"), "\n")
		opt := source.Options{Missing: rapid.Bool().Draw(t, "missing")}
		size, workers := rapid.IntRange(1, 60).Draw(t, "size"), rapid.IntRange(1, 4).Draw(t, "workers")
		want := readJSONBits(in, 1<<16, 1, opt)
		if got := readJSONBits(in, size, workers, opt); got != want {
			t.Fatalf("%q in chunks of %d: got %s, want %s", in, size, got, want)
		}
	})
}

func FuzzJSONL(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":[1,2]}` + "\n" + `{"b":[3,4],"a":null}`, "[1,2]\n[3,4]", `{"a":"x\u0041"}`, `{"a":{"b":[{}]}}`, "{", "[", "[1,,2]", `{"":1}`} {
		f.Add(s, 3, true, "")
	}
	f.Fuzz(func(t *testing.T, in string, size int, missing bool, id string) {
		opt := source.Options{Missing: missing, ID: id}
		size = 1 + (size%97+97)%97
		want := readJSONBits(in, 1<<20, 1, opt)
		if got := readJSONBits(in, size, 2, opt); got != want {
			t.Fatalf("in chunks of %d: got %s, want %s", size, got, want)
		}
	})
}
