package matrix

import (
	"bytes"
	"fmt"
	"math/rand/v2"
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

func TestEdges(t *testing.T) {
	const twice, header = "every edge is listed in both directions and counted once", "the first line names the columns"
	for _, c := range []struct {
		name, in, edges string
		ids             []string
		notes           []hint.Hint
	}{
		{"plain", "0 1\n1 2\n", "0-1:1 1-2:1", nil, nil},
		{"comments, blanks, tabs", "# a\n% b\n\n 0\t1   2.5 \r\n1 2 1e0", "0-1:2.5 1-2:1", nil, nil},
		{"from 1", "1 2\n", "1-2:1", nil, []hint.Hint{"1 node without an edge, the first is 0"}},
		{"semicolons", "a;b;n\nx;y;2\ny;z;3\n", "0-1:2 1-2:3", []string{"x", "y", "z"}, []hint.Hint{header}},
		{"commas", "0,1,2\n1, 2 ,3\n", "0-1:2 1-2:3", nil, nil},
		{"header by weight", "u,v,w\n0,1,2\n", "0-1:2", nil, []hint.Hint{header}},
		{"header by weight, names", "u v w\na b 2\n", "0-1:2", []string{"a", "b"}, []hint.Hint{header}},
		{"header by integers", "left right\n0 1\n", "0-1:1", nil, []hint.Hint{header}},
		{"header by words", "Source,Target\na,b\n", "0-1:1", []string{"a", "b"}, []hint.Hint{header}},
		{"header of more columns", "u\tv\tw\tconfidence\n0\t1\t2\thigh\n1\t2\t3\n", "0-1:2 1-2:3", nil, []hint.Hint{header, "columns after the third are ignored"}},
		{"header of more columns, commas", "u,v,w,,\n0,1,2,,\n1,2,3,\"x,y\",z\n", "0-1:2 1-2:3", nil, []hint.Hint{header, "columns after the third are ignored"}},
		{"names", "left right\n0 left\n0 up 3\n", "0-1:1 0-2:1 2-3:3", []string{"left", "right", "0", "up"}, []hint.Hint{"2 edges without a weight, taken as 1"}},
		{"one edge of names", "left right 2\n", "0-1:2", []string{"left", "right"}, nil},
		{"names late", "5 7\n7 9\nx 5\n", "0-1:1 0-3:1 1-2:1", []string{"5", "7", "9", "x"}, nil},
		{"leading zero", "00 1\n1 0\n", "0-1:1 1-2:1", []string{"00", "1", "0"}, nil},
		{"quotes", "\"New York\",Boston\n\"a \"\"b\"\"\" ,\"New York\",2\n", "0-1:1 0-2:2", []string{"New York", "Boston", `a "b"`}, []hint.Hint{"1 edge without a weight, taken as 1"}},
		{"both directions", "0 1 2\n1 0 2\n2 1 3\n1 2 3\n", "0-1:2 1-2:3", nil, []hint.Hint{twice}},
		{"some in both directions", "0 1\n1 0\n2 1\n", "0-1:2 1-2:1", nil, []hint.Hint{"1 repeated edge added up"}},
		{"both directions, unequal", "0 1 2\n1 0 3\n", "0-1:5", nil, []hint.Hint{"1 repeated edge added up"}},
		{"repeats", "0 1 2\n0 1 3\n", "0-1:5", nil, []hint.Hint{"1 repeated edge added up"}},
		{"loops and zeros", "0 1\n1 1\n1 2 0\n", "0-1:1", nil, []hint.Hint{"2 edges without a weight, taken as 1", "1 edge from a node to itself left out", "1 edge of weight 0 left out", "1 node without an edge, the first is 2"}},
		{"large numbers", "7000000000 5\n5 8\n", "0-1:1 1-2:1", []string{"7000000000", "5", "8"}, []hint.Hint{"node numbers reach 7000000000 with 2 edges: taken as names"}},
		{"far numbers", "0 1100\n", "0-1:1", []string{"0", "1100"}, []hint.Hint{"node numbers reach 1100 with 1 edge: taken as names"}},
		{"longer than int first", "123456789012345678901234 1\n1 2\n", "0-1:1 1-2:1", []string{"123456789012345678901234", "1", "2"}, nil},
		{"longer than int", "123456789012345678901234 1\n1 2\nx 1\n", "0-1:1 1-2:1 1-3:1", []string{"123456789012345678901234", "1", "2", "x"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := readertest.MustRead(t, ReadEdges, c.in, source.Options{})
			if got := readertest.EdgesOf(ds.Graph); got != c.edges {
				t.Errorf("edges %s, want %s", got, c.edges)
			}
			if !slices.Equal(ds.IDs, c.ids) {
				t.Errorf("ids %q, want %q", ds.IDs, c.ids)
			}
			if !slices.Equal(ds.Notes, c.notes) {
				t.Errorf("notes %q, want %q", ds.Notes, c.notes)
			}
		})
	}
}

func TestEdgesRefuses(t *testing.T) {
	const none = "f: there are no edges between different nodes in it"
	checkRefusals(t, ReadEdges, []refusal{
		{name: "empty", in: "# nothing\n\n", want: "f: there are no edges in it"},
		{name: "header alone", in: "u,v,w\n", want: none},
		{name: "loops alone", in: "1 1\n", want: none},
		{name: "one node", in: "0 1\n 2\n", want: "f:2:2: an edge must have two nodes, got one; every line is: node node [weight]"},
		{name: "four fields", in: "0 1 2\n1 2 3 4\n", want: "f:2:7: a fourth field, every line is: node node [weight]; name the columns in a first line; names with blanks need commas between the fields"},
		{name: "four fields with commas", in: "0,1,2\n1,2,3,4\n", want: "f:2:7: a fourth field, every line is: node,node[,weight]; name the columns in a first line"},
		{name: "more than the header", in: "u v w x\n0 1 2 3 4\n", want: "f:2: 5 fields, the first line names 4"},
		{name: "empty field", in: "0,1\n1,,2\n", want: "f:2:3: an empty field"},
		{name: "comma at the end", in: "0,1\n1,2,\n", want: "f:2:5: an empty field"},
		{name: "open quote", in: "a,b\n\"x,y\n", want: "f:2:1: the quote is not closed on this line"},
		{name: "after a quote", in: "a,b\n\"x\"z,y\n", want: "f:2:4: something between the closing quote and the comma"},
		{name: "weight", in: "0 1 2\n1 2 x\n", want: `f:2:5: weight "x" is not a number`},
		{name: "negative", in: "0 1 2\n1 2 -3\n", want: `f:2:5: weight "-3" is negative, weights must be above 0`},
		{name: "infinite", in: "0 1 inf\n", want: `f:1:5: weight "inf" is not finite`},
		{name: "NaN", in: "0 1 nan\n", opt: source.Options{Missing: true}, want: `f:1:5: weight "nan" is not finite`},
		{name: "too large together", in: "a b 1e308\nb a 1.7e308\n", want: "f: the edges between a and b add up beyond what float64 holds"},
		{name: "as vectors", in: "0 1\n", opt: source.Options{As: "vectors"}, want: "f: an edge list cannot be read as vectors, only as graph"},
		{name: "drop", in: "0 1\n", opt: source.Options{Drop: []string{"w"}}, want: "f: an edge list has no named columns, so not column w"},
	})
}

// Any list of edges reads as the graph that package data builds of them.
func TestEdgesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) data.Edge {
			u := rapid.IntRange(0, n-2).Draw(t, "u")
			return data.Edge{U: u, V: rapid.IntRange(u+1, n-1).Draw(t, "v"), W: float64(rapid.IntRange(1, 9).Draw(t, "w"))}
		}), 1, 40).Draw(t, "edges")
		// A weight of its own keeps the list from being symmetric.
		edges = append(edges, data.Edge{U: 0, V: n - 1, W: 1000})
		named, separator := rapid.Bool().Draw(t, "named"), rapid.SampledFrom([]string{" ", "\t", ","}).Draw(t, "separator")
		var in strings.Builder
		for _, e := range edges {
			u, v := strconv.Itoa(e.U), strconv.Itoa(e.V)
			if named {
				u, v = "n"+u, "n"+v
			}
			if rapid.Bool().Draw(t, "turned") && e.W < 1000 {
				u, v = v, u
			}
			in.WriteString(strings.Join([]string{u, v, fmt.Sprint(e.W)}, separator) + "\n")
		}
		ds, err := ReadEdges(strings.NewReader(in.String()), "f", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for i := range ds.Len() {
			place[strings.TrimPrefix(ds.ID(i), "n")] = i
		}
		for p, e := range edges {
			edges[p].U, edges[p].V = place[strconv.Itoa(e.U)], place[strconv.Itoa(e.V)]
		}
		want, err := data.NewGraph(ds.Len(), edges)
		if err != nil {
			t.Fatal(err)
		}
		if readertest.EdgesOf(ds.Graph) != readertest.EdgesOf(want) {
			t.Fatalf("got %s, want %s", readertest.EdgesOf(ds.Graph), readertest.EdgesOf(want))
		}
	})
}

func FuzzEdges(f *testing.F) {
	f.Add([]byte("0 1\n1 2 0.5\n# x\n"))
	f.Add([]byte("u,v,w\n\"a b\",c,2\nc,d,1\n"))
	f.Add([]byte("99999999999 1\n1 0\nx y\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ds, err := ReadEdges(bytes.NewReader(b), "f", source.Options{}); err == nil {
			readertest.CheckDataset(t, ds)
		}
	})
}

func BenchmarkEdges(b *testing.B) {
	for _, m := range []int{1_000_000, 10_000_000} {
		for _, kind := range []string{"plain", "weighted", "names"} {
			in := randomEdges(m/10, m, kind)
			b.Run(fmt.Sprintf("%s/m=%d", kind, m), func(b *testing.B) {
				b.SetBytes(int64(len(in)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := ReadEdges(strings.NewReader(in), "f", source.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func randomEdges(n, m int, kind string) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var buf []byte
	for range m {
		u, v := rng.IntN(n), rng.IntN(n)
		switch kind {
		case "plain":
			buf = fmt.Appendf(buf, "%d %d\n", u, v)
		case "weighted":
			buf = fmt.Appendf(buf, "%d %d %.4f\n", u, v, rng.Float64()+0.01)
		default:
			buf = fmt.Appendf(buf, "n%d n%d\n", u, v)
		}
	}
	return string(buf)
}
