package data_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
)

func TestFromRowsCopies(t *testing.T) {
	rows := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	x, err := data.FromRows(rows)
	if err != nil || x.Len() != 3 || x.Dim() != 2 || x.V[5] != 6 {
		t.Fatalf("%+v, %v", x, err)
	}
	if rows[0][0] = 9; x.V[0] != 1 {
		t.Error("the table changes with the rows it was made of")
	}
	y, err := data.FromRows32([][]float32{{1, 2, 3}, {4, 5, 6}})
	if err != nil || y.Len() != 2 || y.Dim() != 3 || y.V[3] != 4 {
		t.Fatalf("%+v, %v", y, err)
	}
}

func TestFromRowsNamesTheRow(t *testing.T) {
	for says, rows := range map[string][][]float64{
		"no rows":                       nil,
		"row 0 is empty":                {{}, {}},
		"row 2 has 3 values, row 0 has": {{1, 2}, {3, 4}, {5, 6, 7}, {8}},
		"row 1 has 0 values":            {{1, 2}, nil},
	} {
		if x, err := data.FromRows(rows); err == nil || x != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %+v, %v; the error should say %q", rows, x, err, says)
		}
	}
	if x, err := data.FromRows32([][]float32{{1}, {1, 2}}); err == nil || x != nil {
		t.Errorf("%+v, %v", x, err)
	}
}

// A table that was not made by a constructor can still say what it is.
func TestTablesByHand(t *testing.T) {
	for _, x := range []interface{ Check() error }{
		&data.Dense{}, &data.Dense{Cols: -1, V: make([]float64, 3)}, &data.Dense{Cols: 2, V: make([]float64, 3)},
		&data.Dense32{}, &data.Dense32{Cols: 2, V: make([]float32, 3)},
	} {
		if x.Check() == nil {
			t.Errorf("%+v is taken for rows", x)
		}
	}
	for _, x := range []data.Rows{
		(*data.Dense)(nil), (*data.Dense32)(nil), (*data.Sparse)(nil), &data.Dense{Cols: -1, V: make([]float64, 3)},
	} {
		if x.Len() != 0 {
			t.Errorf("%#v has %d rows", x, x.Len())
		}
	}
	if d := (*data.Dense)(nil).Dim() + (*data.Dense32)(nil).Dim() + (*data.Sparse)(nil).Dim(); d != 0 {
		t.Errorf("nil tables have %d features", d)
	}
}

func TestGraphsByHand(t *testing.T) {
	for name, c := range map[string]struct {
		g    data.Graph
		says string
	}{
		"neighbours without nodes":  {data.Graph{To: []int32{0}, W: []float64{1}}, "do not fit together"},
		"weights missing":           {data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{1}}, "do not fit together"},
		"a start beyond":            {data.Graph{Start: []int{0, 9, 2}, To: []int32{1, 0}, W: []float64{1, 1}}, "node 0 has neighbours 0 to 9 of 2"},
		"a start that falls":        {data.Graph{Start: []int{0, 2, 1, 2}, To: []int32{1, 2}, W: []float64{1, 1}}, "node 1 has"},
		"a neighbour beyond":        {data.Graph{Start: []int{0, 1, 2}, To: []int32{7, 0}, W: []float64{1, 1}}, "node 0 has neighbour 7"},
		"a neighbour below 0":       {data.Graph{Start: []int{0, 1}, To: []int32{-1}, W: []float64{1}}, "node 0 has neighbour -1"},
		"descending neighbours":     {data.Graph{Start: []int{0, 2, 2}, To: []int32{1, 0}, W: []float64{1, 1}}, "must ascend"},
		"a weight that is NaN":      {data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{math.NaN(), 1}}, "the edge 0-1 has weight NaN"},
		"an edge one way":           {data.Graph{Start: []int{0, 1, 1}, To: []int32{1}, W: []float64{1}}, "node 0 has neighbour 1 with weight 1, but not the other way round"},
		"two weights of an edge":    {data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{1, 2}}, "but not the other way round"},
		"an edge back to elsewhere": {data.Graph{Start: []int{0, 1, 2, 3}, To: []int32{1, 2, 1}, W: []float64{1, 1, 1}}, "but not the other way round"},
	} {
		if err := c.g.Check(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, it should say %q", name, err, c.says)
		}
	}
	if g := (*data.Graph)(nil); g.Len() != 0 || g.Check() == nil {
		t.Error("a graph that is nil is taken for one")
	}
	if err := (&data.Graph{}).Check(); err != nil {
		t.Errorf("the zero graph: %v", err)
	}
}

// Whatever NewGraph makes passes, and no longer where one number is changed.
func TestGraphCheckAgainstNewGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		var edges []data.Edge
		for range rapid.IntRange(0, 20).Draw(t, "edges") {
			edges = append(edges, data.Edge{U: node.Draw(t, "u"), V: node.Draw(t, "v"), W: rapid.Float64Range(-2, 2).Draw(t, "w")})
		}
		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(); err != nil {
			t.Fatalf("%+v: %v", g, err)
		}
		for i := range n {
			for p := g.Start[i]; p < g.Start[i+1]; p++ {
				if int(g.To[p]) == i {
					continue
				}
				if g.W[p]++; g.Check() == nil {
					t.Fatalf("one weight changed, and nobody minds: %+v", g)
				}
				g.W[p]--
				return
			}
		}
	})
}

// A matrix passes as a graph exactly if it is symmetric.
func TestGraphCheckAgainstMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		m := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 1, 2}), n*n, n*n).Draw(t, "m")
		if rapid.Bool().Draw(t, "near") { // symmetric but for one cell, perhaps
			for i := range n {
				for j := range i {
					m[i*n+j] = m[j*n+i]
				}
			}
			m[rapid.IntRange(0, n*n-1).Draw(t, "at")] = 1
		}
		g, symmetric := &data.Graph{Start: []int{0}}, true
		for i := range n {
			for j := range n {
				symmetric = symmetric && m[i*n+j] == m[j*n+i]
				if m[i*n+j] != 0 {
					g.To, g.W = append(g.To, int32(j)), append(g.W, m[i*n+j])
				}
			}
			g.Start = append(g.Start, len(g.To))
		}
		if err := g.Check(); (err == nil) != symmetric {
			t.Fatalf("%v: %v", m, err)
		}
	})
}
