package table

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// One array of all rows gives the same table as one row a line, whatever blanks and line ends stand between and
// within the rows, and errors name the place in the file.
func TestArrayIsAsLines(t *testing.T) {
	row := rapid.SampledFrom([]string{`{"a":1,"b":2}`, `{"b":3,"a":4}`, `{"a":5.5,"b":true}`, `{"a":1}`, `{"a":null,"b":1}`})
	blank := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "\t", "  \n  "})
	rapid.Check(t, func(t *rapid.T) {
		rows := append([]string{`{"a":0,"b":0}`}, rapid.SliceOfN(row, 0, 20).Draw(t, "rows")...)
		var b strings.Builder
		put := func(s string) { b.WriteString(blank.Draw(t, "blank") + s) }
		put("[")
		for i, s := range rows {
			if i > 0 {
				put(",")
			}
			for j, part := range strings.Split(s, ":") { // line ends within the row
				if j > 0 {
					put(":")
				}
				put(part)
			}
		}
		put("]")
		put("")
		opt := source.Options{Missing: true}
		want := describe(ReadJSONL(strings.NewReader(strings.Join(rows, "\n")), "f", opt))
		if got := describe(ReadJSONL(strings.NewReader(b.String()), "f", opt)); got != want {
			t.Fatalf("%q: got %s, want %s", b.String(), got, want)
		}
	})
}

func TestArrayRefuses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`[{"a":1},{"a":"x"}]`, `f:1:15: key "a": `},
		{"[\n  {\"a\":1},\n  {\"a\":\"x\"}\n]\n", `f:3:8: key "a": `},
		{"[\n  {\"a\":1}, {\"a\":\n\"x\"}\n]\n", `f:2:`},
		{`[{"a":1},{"a":2}`, `f:1:17: the array of rows has no ] at its end`},
		{`[{"a":1},]`, `f:1:10: the rows of an array must be objects or arrays with commas between them, got "]"`},
		{`[{"a":1} {"a":2}]`, `f:1:10: the rows of an array must be objects or arrays with commas between them, got "{"`},
		{"[{\"a\":1}]\n{\"a\":2}", `f:2:1: something stands after the array of rows`},
		{`[[1,2],[3]]`, `f:1: the array has 1 value, the first has 2`},
		{`[{"a":"]`, `f:1:9: the array of rows has no ] at its end`},
	} {
		_, err := ReadJSONL(strings.NewReader(c.in), "f", source.Options{})
		if err == nil || !strings.HasPrefix(readertest.Full(err), c.want) {
			t.Errorf("%s: got %v, want %s…", c.in, err, c.want)
		}
	}
	ds, err := ReadJSONL(strings.NewReader("\ufeff [\n{\"a\":1,\n\"t\":\"x\"}, {\"a\":2,\"t\":\"[\\\"\"}\n,\n{\"a\":3,\"t\":\"z\"}]"), "f", source.Options{Mixed: true})
	if err != nil || ds.X.Len() != 3 || ds.Lines(0) != 2 || ds.Lines(1) != 3 || ds.Lines(2) != 5 {
		t.Fatalf("%+v, %v", ds, err)
	}
}

func FuzzJSONArray(f *testing.F) {
	for _, s := range []string{`[{"a":1,"b":[1,2]},{"b":[3,4],"a":null}]`, "[[1,2],\n[3,4]]", "[\n{\"a\":\"x\\\"\"}\n]", `[{`, `[[`, `[{}]x`, `[{},]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if ds, err := ReadJSONL(strings.NewReader(in), "f", source.Options{Mixed: true}); err == nil && ds == nil {
			t.Fatal("neither rows nor an error")
		}
	})
}
