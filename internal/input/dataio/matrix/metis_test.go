package matrix

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
	"pgregory.net/rapid"
)

func TestMETIS(t *testing.T) {
	const passed = "weights and sizes of nodes are ignored"
	for _, c := range []struct {
		name, in, edges string
		notes           []hint.Hint
	}{
		{"plain", "% a graph\n3 2\n2 3\n1\n% inside\n1\n\n", "0-1:1 0-2:1", nil},
		{"rows out of order", "3 3\n3 2\n3 1\n2 1\n", "0-1:1 0-2:1 1-2:1", nil},
		{"a node alone", "3 1\n2\n1\n\n", "0-1:1", nil},
		{"edge weights", "2 1 1\n2 5\n1 5\n", "0-1:5", nil},
		{"long format", "2 1 001\n2 0.5\n1 .5\n", "0-1:0.5", nil},
		{"node weights", "2 1 10\n7 2\n8 1\n", "0-1:1", []hint.Hint{passed}},
		{"two node weights", "2 1 011 2\n7 7 2 3\n8 8 1 3\n", "0-1:3", []hint.Hint{passed}},
		{"sizes", "2 1 100\n7 2\n8 1\n", "0-1:1", []hint.Hint{passed}},
		{"all", "2 1 111 2\n1 2 3 2 4\n1 2 3 1 4\n", "0-1:4", []hint.Hint{passed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := readertest.MustRead(t, ReadMETIS, c.in, source.Options{})
			if got := readertest.EdgesOf(ds.Graph); got != c.edges {
				t.Errorf("edges %s, want %s", got, c.edges)
			}
			if !slices.Equal(ds.Notes, c.notes) {
				t.Errorf("notes %q, want %q", ds.Notes, c.notes)
			}
		})
	}
}

func TestMETISRefuses(t *testing.T) {
	checkRefusals(t, ReadMETIS, []refusal{
		{name: "empty", in: "% nothing\n", want: "f: the head `n m [fmt [ncon]]` is missing"},
		{name: "short head", in: "3\n", want: "f:1:1: the head must be `n m [fmt [ncon]]`"},
		{name: "long head", in: "3 2 1 1 1\n", want: "f:1:9: the head has more than `n m [fmt [ncon]]`"},
		{name: "nodes", in: "x 2\n", want: `f:1:1: the number of nodes must be 1 to 2147483647, got "x"`},
		{name: "edges", in: "3 -2\n", want: `f:1:3: the number of edges must be a whole number, got "-2"`},
		{name: "format", in: "3 2 12\n", want: `f:1:5: fmt must be up to three digits 0 or 1, got "12"`},
		{name: "long format", in: "3 2 0001\n", want: `f:1:5: fmt must be up to three digits 0 or 1, got "0001"`},
		{name: "ncon", in: "3 2 11 x\n", want: `f:1:8: ncon must be a whole number, got "x"`},
		{name: "too few nodes", in: "3 1\n2\n1\n", want: "f:3: 3 nodes announced, the file ends after 2; a node without neighbours is an empty line"},
		{name: "forged", in: "2147483647 1\n2\n1\n", want: "f:3: 2147483647 nodes announced, the file ends after 2; a node without neighbours is an empty line"},
		{name: "too many nodes", in: "2 1\n2\n1\n\n 1\n", want: "f:5:2: there are more lines than the 2 nodes of the head"},
		{name: "edge count", in: "2 2\n2\n1\n", want: "f: the head announces 2 edges, the lines hold 1"},
		{name: "neighbour", in: "2 1\n2\n1 3\n", want: `f:3:3: neighbour "3" of node 2, nodes are 1 to 2`},
		{name: "from 0", in: "2 1\n1\n0\n", want: `f:2:1: node 1 is its own neighbour`},
		{name: "twice", in: "2 1\n2 2\n1\n", want: "f:2: node 1 lists 2 twice"},
		{name: "one-sided", in: "% x\n3 2\n2\n1\n1\n", want: "f:5: node 3 lists 1, but 1 does not list 3; an edge stands in the lines of both its nodes (5 and 3)"},
		{name: "one-sided first", in: "2 1\n2\n\n", want: "f:2: node 1 lists 2, but 2 does not list 1; an edge stands in the lines of both its nodes (2 and 3)"},
		{name: "unequal", in: "2 1 1\n2 5\n1 6\n", want: "f:2: the edge from 1 to 2 has weight 5, back it has 6; an edge stands in the lines of both its nodes (2 and 3)"},
		{name: "no weight", in: "2 1 1\n2 5\n1\n", want: "f:3:2: the weight of the edge to 1 is missing"},
		{name: "weight", in: "2 1 1\n2 5\n1 0\n", want: "f:3:3: the weight of the edge to 1 must be above 0, got 0"},
		{name: "node weight missing", in: "2 1 10 2\n3 3 2\n4\n", want: "f:3:2: node 2 has 1 of 2 numbers before its neighbours"},
		{name: "node weight", in: "2 1 10\n-3 2\n4 1\n", want: "f:2:1: the weight or size of node 1 must not be negative, got -3"},
		{name: "as kernel", in: "2 1\n2\n1\n", opt: source.Options{As: "kernel"}, want: "f: a METIS graph cannot be read as kernel, only as graph"},
	})
}

func TestMETISRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		g, err := data.NewGraph(n, rapid.SliceOf(rapid.Custom(func(t *rapid.T) data.Edge {
			u := rapid.IntRange(0, n-2).Draw(t, "u")
			return data.Edge{U: u, V: rapid.IntRange(u+1, n-1).Draw(t, "v"), W: rapid.Float64Range(0.1, 10).Draw(t, "w")}
		})).Draw(t, "edges"))
		if err != nil {
			t.Fatal(err)
		}
		in := fmt.Sprintf("%d %d 1\n", n, g.Edges())
		for i := range n {
			to, w := g.Neighbours(i)
			for p, j := range to {
				in += fmt.Sprintf("%d %v ", j+1, w[p])
			}
			in += "\n"
		}
		ds, err := ReadMETIS(strings.NewReader(in), "f", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ds.Len() != n || readertest.EdgesOf(ds.Graph) != readertest.EdgesOf(g) {
			t.Fatalf("got %s, want %s", readertest.EdgesOf(ds.Graph), readertest.EdgesOf(g))
		}
	})
}

func FuzzMETIS(f *testing.F) {
	f.Add([]byte("3 2\n2 3\n1\n1\n"))
	f.Add([]byte("2 1 111 2\n1 2 3 2 4\n1 2 3 1 4\n"))
	f.Add([]byte("99999999 1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ds, err := ReadMETIS(bytes.NewReader(b), "f", source.Options{}); err == nil {
			readertest.CheckDataset(t, ds)
		}
	})
}
