package affinity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"pgregory.net/rapid"
)

// checkGraph checks what every graph promises: rising rows, no loops, symmetry
// to the bit, positive finite weights.
func checkGraph(t interface{ Fatalf(string, ...any) }, g *data.Graph) {
	type edge struct{ u, v int }
	weight := map[edge]float64{}
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			if int(j) == i || p > 0 && to[p-1] >= j {
				t.Fatalf("node %d has neighbours %v", i, to)
			}
			if !(w[p] >= 1e-12) || math.IsInf(w[p], 0) {
				t.Fatalf("edge %d, %d weighs %v", i, j, w[p])
			}
			weight[edge{i, int(j)}] = w[p]
		}
	}
	for e, w := range weight {
		if weight[edge{e.v, e.u}] != w {
			t.Fatalf("edge %d, %d weighs %v there and %v back", e.u, e.v, w, weight[edge{e.v, e.u}])
		}
	}
}

func neighbours(t testing.TB, x data.Rows, k int) *affinity.Neighbours {
	t.Helper()
	nb, err := affinity.KNN(background, x, k, affinity.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestGraphByHand(t *testing.T) {
	// On a line: 0, 1, 3, 7. The neighbours are 0→1, 1→0, 2→1, 3→2.
	nb := neighbours(t, &data.Dense{Cols: 1, V: []float64{0, 1, 3, 7}}, 1)
	for _, c := range []struct {
		w    affinity.Weights
		to   []int32
		want []float64 // of the edges of 1
	}{
		{affinity.Weights{Kind: "binary"}, []int32{1, 0, 2, 1, 3, 2}, []float64{1, 1}},
		{affinity.Weights{Kind: "binary", Mutual: true}, []int32{1, 0}, []float64{1}},
		{affinity.Weights{Kind: "rbf", Width: 2}, []int32{1, 0, 2, 1, 3, 2}, []float64{math.Exp(-1. / 8), math.Exp(-4. / 8)}},
		// The scales are 1, 1, 2, 4.
		{affinity.Weights{Kind: "self-tuning"}, []int32{1, 0, 2, 1, 3, 2}, []float64{math.Exp(-1), math.Exp(-4. / 2)}},
		{affinity.Weights{Kind: "rbf", Width: 0.01}, []int32{1, 0, 2, 1, 3, 2}, []float64{1e-12, 1e-12}},
	} {
		g, err := nb.Graph(background, c.w)
		if err != nil {
			t.Fatal(err)
		}
		checkGraph(t, g)
		_, w := g.Neighbours(1)
		if !slices.Equal(g.To, c.to) || !slices.EqualFunc(w, c.want, close) {
			t.Errorf("%+v: edges to %v, of 1 with weights %v, want %v and %v", c.w, g.To, w, c.to, c.want)
		}
	}
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(b) }

func TestSelfTuningWithEqualRows(t *testing.T) {
	// Nine equal rows and one apart: the scale of the nine is not 0.
	v := make([]float64, 10)
	v[9] = 5
	g, err := neighbours(t, &data.Dense{Cols: 1, V: v}, 8).Graph(background, affinity.Weights{})
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, g)
	if _, w := g.Neighbours(0); w[0] != 1 {
		t.Errorf("equal rows are joined with %v", w[0])
	}
	// The scale of row 9 is 5, that of the others the median of the scales, 5.
	if _, w := g.Neighbours(9); !close(w[0], math.Exp(-1)) {
		t.Errorf("the row apart is joined with %v", w)
	}
	same, err := neighbours(t, &data.Dense{Cols: 1, V: make([]float64, 5)}, 2).Graph(background, affinity.Weights{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range same.W {
		if w != 1 {
			t.Errorf("constant rows are joined with %v", same.W)
		}
	}
}

func TestGraphsKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 120).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		x := lattice(n, d, rapid.IntRange(1, 40).Draw(t, "side"), rapid.Uint64().Draw(t, "seed"))
		w := affinity.Weights{
			Kind: affinity.WeightKind(rapid.SampledFrom(affinity.WeightKind("").Values()).Draw(t, "kind")), Width: 0.7,
			Local: rapid.IntRange(0, 9).Draw(t, "local"), Mutual: rapid.Bool().Draw(t, "mutual"), Join: rapid.Bool().Draw(t, "join"),
		}
		k := rapid.IntRange(1, 12).Draw(t, "k")
		var first *data.Graph
		for _, workers := range []int{1, 2, 7} {
			nb, err := affinity.KNN(background, x, k, affinity.KNNOptions{Workers: workers})
			if err != nil {
				t.Fatalf("%v", err)
			}
			g, err := nb.Graph(background, w)
			if err != nil {
				t.Fatalf("%v", err)
			}
			checkGraph(t, g)
			for i := range n {
				if to, _ := g.Neighbours(i); !w.Mutual && len(to) < nb.K {
					t.Fatalf("row %d has %d neighbours, K is %d", i, len(to), nb.K)
				}
			}
			if _, parts := affinity.Components(g); w.Join && parts != 1 {
				t.Fatalf("joined, the graph has %d components", parts)
			}
			if first == nil {
				first = g
			}
			if !slices.Equal(g.To, first.To) || !slices.Equal(g.W, first.W) {
				t.Fatalf("%d workers make another graph than 1", workers)
			}
		}
	})
}

func TestJoinTakesTheShortestEdge(t *testing.T) {
	// Three clusters on a line; their ends are 9 and 30 apart.
	var v []float64
	for i := range 40 {
		v = append(v, float64(i), 48+float64(i), 117+float64(i))
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	nb := neighbours(t, &data.Dense{Cols: 1, V: v}, 2)
	apart, err := nb.Graph(background, affinity.Weights{Kind: "binary"})
	if err != nil {
		t.Fatal(err)
	}
	if _, parts := affinity.Components(apart); parts != 3 {
		t.Fatalf("%d components, there should be 3", parts)
	}
	g, err := nb.Graph(background, affinity.Weights{Kind: "binary", Join: true})
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, g)
	if _, parts := affinity.Components(g); parts != 1 || g.Edges() != apart.Edges()+2 {
		t.Errorf("%d components, %d edges more", parts, g.Edges()-apart.Edges())
	}
	var long []float64
	for i := range g.Len() {
		to, _ := g.Neighbours(i)
		for _, j := range to {
			if far := math.Abs(v[i] - v[j]); int(j) > i && far > 5 {
				long = append(long, far)
			}
		}
	}
	slices.Sort(long)
	if !slices.Equal(long, []float64{9, 30}) {
		t.Errorf("components are joined by edges of length %v", long)
	}
}

func TestManyComponentsAreJoinedOnAnyNumberOfWorkers(t *testing.T) {
	x := &data.Dense{Cols: 2}
	rng := rand.New(rand.NewPCG(5, 5))
	pairs := 3000
	if testing.Short() {
		pairs = 1200
	}
	for range pairs { // far from each other
		a, b := 1e4*rng.Float64(), 1e4*rng.Float64()
		x.V = append(x.V, a, b, a+1e-3, b)
	}
	var first *data.Graph
	for _, workers := range []int{1, 2, 7} {
		if testing.Short() && workers == 2 {
			continue
		}
		nb, err := affinity.KNN(background, x, 1, affinity.KNNOptions{Workers: workers, Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		g, err := nb.Graph(background, affinity.Weights{Join: true})
		if err != nil {
			t.Fatal(err)
		}
		checkGraph(t, g)
		if _, parts := affinity.Components(g); parts != 1 {
			t.Fatalf("%d components", parts)
		}
		if first == nil {
			first = g
		}
		if !slices.Equal(g.To, first.To) || !slices.Equal(g.W, first.W) {
			t.Errorf("%d workers make another graph than 1", workers)
		}
	}
}

func TestComponentsByHand(t *testing.T) {
	g, err := data.NewGraph(6, []data.Edge{{U: 4, V: 1, W: 1}, {U: 1, V: 3, W: 2}, {U: 0, V: 5, W: 0}})
	if err != nil {
		t.Fatal(err)
	}
	label, n := affinity.Components(g)
	if n != 4 || !slices.Equal(label, []int32{0, 1, 2, 1, 1, 3}) {
		t.Errorf("%d components: %v", n, label)
	}
	if label, n := affinity.Components(&data.Graph{}); n != 0 || len(label) != 0 {
		t.Errorf("no nodes: %d components", n)
	}
}

func TestWeightsAreChecked(t *testing.T) {
	nb := neighbours(t, &data.Dense{Cols: 1, V: []float64{1, 2}}, 1)
	for _, c := range []struct {
		w    affinity.Weights
		says string
	}{
		{affinity.Weights{Kind: "heavy"}, "one of binary, rbf, self-tuning"},
		{affinity.Weights{Kind: "rbf"}, "width of rbf weights must be from 1e-150 to 1e+150, got 0"},
		{affinity.Weights{Kind: "rbf", Width: math.NaN()}, "width of rbf weights must be from 1e-150 to 1e+150, got NaN"},
		{affinity.Weights{Local: -1}, "local must be at least 0 (0 stands for the 7th neighbour), got -1"},
	} {
		if _, err := nb.Graph(background, c.w); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, it should say %q", c.w, err, c.says)
		}
	}
	one, err := neighbours(t, &data.Dense{Cols: 1, V: []float64{1}}, 3).Graph(background, affinity.Weights{Join: true})
	if err != nil || one.Len() != 1 || one.Edges() != 0 {
		t.Errorf("a graph of one row: %v, %v", one, err)
	}
}

func BenchmarkGraph(b *testing.B) {
	nb := neighbours(b, blobs(100000, 2, 1), 10)
	for _, join := range []bool{false, true} {
		b.Run(fmt.Sprintf("n=100000/k=10/join=%v", join), func(b *testing.B) {
			for b.Loop() {
				if _, err := nb.Graph(background, affinity.Weights{Join: join}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
