package matrix

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"pgregory.net/rapid"
)

func TestSVM(t *testing.T) {
	const in = "+1 1:0.5 3:2 # first\n\n# a comment\n-1 qid:7 2:1e-3\r\n? 4:0\n"
	ds := readertest.MustRead(t, ReadSVM, in, source.Options{})
	want := [][]float64{{0.5, 0, 2, 0}, {0, 1e-3, 0, 0}, {0, 0, 0, 0}}
	if got := readertest.RowsOf(ds.X); !readertest.SameRows(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if ds.Labels != nil {
		t.Errorf("labels nobody asked for: %v", ds.Labels)
	}
	notes := []hint.Hint{`the targets are not used; name the label column "target" to use them as labels`, "qid is ignored"}
	if !slices.Equal(ds.Notes, notes) {
		t.Errorf("notes %q", ds.Notes)
	}
	ds = readertest.MustRead(t, ReadSVM, in, source.Options{Label: "target"})
	if want := []string{"+1", "-1", ""}; !slices.Equal(ds.Labels, want) {
		t.Errorf("labels %q, want %q", ds.Labels, want)
	}
}

func TestSVMFromZero(t *testing.T) {
	ds := readertest.MustRead(t, ReadSVM, "1,4 0:1 2:3\n2 1:2", source.Options{Label: "target"})
	if got, want := readertest.RowsOf(ds.X), [][]float64{{1, 0, 3}, {0, 2, 0}}; !readertest.SameRows(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Contains(ds.Notes, "index 0 occurs: indices count from 0") {
		t.Errorf("notes %q", ds.Notes)
	}
	if ds.Labels[0] != "1,4" {
		t.Errorf("several targets became %q", ds.Labels[0])
	}
}

func TestSVMRefuses(t *testing.T) {
	checkRefusals(t, ReadSVM, []refusal{
		{name: "empty", in: "\n# nothing\n", want: "f: there are no rows in it"},
		{name: "no features", in: "1\n2\n", want: "f: no row has an index:value; every line is: target index:value …"},
		{name: "no target", in: "1 1:2\n  1:2 2:3\n", want: `f:2:3: the line starts with "1:2", not with a target; every line is: target index:value …`},
		{name: "no colon", in: "1 1:2 3\n", want: `f:1:7: "3" is not index:value`},
		{name: "index", in: "1 1:2\n1 x:2\n", want: `f:2:3: index "x" is not a whole number from 0 to 2147483646`},
		{name: "negative index", in: "1 -1:2\n", want: `f:1:3: index "-1" is not a whole number from 0 to 2147483646`},
		{name: "large index", in: "1 2147483647:2\n", want: `f:1:3: index "2147483647" is not a whole number from 0 to 2147483646`},
		{name: "forged index", in: "1 2147483646:2\n", want: "f: index 2147483646 is out of proportion to 1 value"},
		{name: "falling", in: "1 2:1 1:1\n", want: "f:1:7: index 1 after 2, indices must ascend"},
		{name: "twice", in: "1 2:1\t2:1\n", want: "f:1:7: index 2 after 2, indices must ascend"},
		{name: "value", in: "1 2:1 3:one\n", want: `f:1:9: "one" is not a number`},
		{name: "no value", in: "1 2:\n", want: `f:1:5: "" is not a number`},
		{name: "NaN", in: "1 2:nan\n", want: `f:1:5: "nan" is not a finite number`},
		{name: "infinite", in: "1 2:inf\n", opt: source.Options{Missing: true}, want: `f:1:5: "inf" is not a finite number`},
		{name: "too large", in: "1 2:1e999\n", want: `f:1:5: "1e999" is not a finite number`},
		{name: "hexadecimal", in: "1 2:0x10\n", want: `f:1:5: "0x10" is not a number`},
		{name: "label", in: "1 2:1\n", opt: source.Options{Label: "class"}, want: `f: svmlight data has no named columns, so not the label column class; the label column can be "target"`},
	})
}

func TestSVMMissing(t *testing.T) {
	x := readertest.MustRead(t, ReadSVM, "1 2:nan\n", source.Options{Missing: true}).X.(*data.Sparse)
	if len(x.Val) != 1 || x.Val[0] == x.Val[0] {
		t.Errorf("got %v", x.Val)
	}
}

func TestSVMRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.MapOf(rapid.IntRange(1, 50), rapid.Float64Range(-1e6, 1e6)), 1, 20).Draw(t, "rows")
		var b strings.Builder
		b.WriteString("0 1:1 60:1\n")
		for _, row := range rows {
			b.WriteString("1")
			for f := 1; f <= 50; f++ {
				if y, ok := row[f]; ok {
					b.WriteString(" " + strconv.Itoa(f) + ":" + strconv.FormatFloat(y, 'g', -1, 64))
				}
			}
			b.WriteString("\n")
		}
		ds, err := ReadSVM(strings.NewReader(b.String()), "f", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for f, y := range data.Copy(ds.X, i+1) {
				if y != row[f+1] {
					t.Fatalf("row %d, column %d is %v, want %v", i, f, y, row[f+1])
				}
			}
		}
	})
}

func FuzzSVM(f *testing.F) {
	f.Add([]byte("1 1:2 3:4\n-1 qid:3 2:1e5 # x\n"))
	f.Add([]byte("0 0:1\n1 99999999:1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ds, err := ReadSVM(bytes.NewReader(b), "f", source.Options{Label: "target"}); err == nil {
			readertest.CheckDataset(t, ds)
		}
	})
}
