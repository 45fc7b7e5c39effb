package hierarchy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

func table(t *testing.T, d int, v []float64) *data.Dense {
	t.Helper()
	x, err := data.NewDense(d, v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// drawn returns n rows of d features: normal numbers around a few centres, some of them
// on a grid, so that there are equal rows and equal distances.
func drawn(t *testing.T, rng *rand.Rand, n, d int) *data.Dense {
	v := make([]float64, n*d)
	centres, grid := 1+rng.IntN(4), rng.IntN(2) == 0
	for i := range n {
		c := rng.IntN(centres)
		for f := range d {
			y := float64(c*(f%3)*3) + rng.NormFloat64()
			if grid {
				y = math.Round(2 * y)
			}
			v[i*d+f] = y
		}
	}
	return table(t, d, v)
}

func dist2(x *data.Dense, i, j int) (s float64) {
	a, b := x.Row(i, nil).Val, x.Row(j, nil).Val
	for f := range a {
		e := a[f] - b[f]
		s += float64(e * e)
	}
	return s
}

func plainCore(x *data.Dense, minPoints int) []float64 {
	core := make([]float64, x.Len())
	for i := range core {
		var d []float64
		for j := range core {
			d = append(d, dist2(x, i, j))
		}
		slices.Sort(d)
		core[i] = math.Sqrt(d[min(minPoints, len(d))-1])
	}
	return core
}

// plainSpanning is Kruskal's algorithm on all pairs.
func plainSpanning(x *data.Dense, core []float64) (tree []Edge) {
	n := x.Len()
	var all []link
	for a := range n {
		for b := a + 1; b < n; b++ {
			all = append(all, link{max(dist2(x, a, b), core[a]*core[a], core[b]*core[b]), int32(a), int32(b)})
		}
	}
	slices.SortFunc(all, func(p, q link) int {
		if p.before(q) {
			return -1
		}
		return 1
	})
	set := make([]int, n)
	for i := range set {
		set[i] = i
	}
	for _, l := range all {
		if from, to := set[l.a], set[l.b]; from != to {
			tree = append(tree, edgeOf(l, core))
			for i := range set {
				if set[i] == from {
					set[i] = to
				}
			}
		}
	}
	sortEdges(tree)
	return tree
}

func TestCoreDistancesAndSpanningAreThoseOfAllPairs(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		x := drawn(t, rng, 1+rng.IntN(120), 1+rng.IntN(5))
		minPoints := 1 + rng.IntN(12)
		core, err := CoreDistances(ctx, x, minPoints, 2)
		if err != nil {
			t.Fatal(err)
		}
		if want := plainCore(x, minPoints); !slices.Equal(core, want) {
			t.Fatalf("seed %d: core distances %v, want %v", seed, core, want)
		}
		edges, err := Spanning(ctx, x, core, 2)
		if err != nil {
			t.Fatal(err)
		}
		if want := plainSpanning(x, core); !slices.Equal(edges, want) {
			t.Fatalf("seed %d: edges\n%v\nwant\n%v", seed, edges, want)
		}
	}
}

func TestDegenerateTables(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{0, 1, 2, 7} {
		x := table(t, 2, make([]float64, 2*n))
		core, err := CoreDistances(ctx, x, 3, 0)
		if err != nil || !slices.Equal(core, make([]float64, n)) {
			t.Fatalf("n = %d: core distances %v, %v", n, core, err)
		}
		edges, err := Spanning(ctx, x, core, 0)
		if err != nil || len(edges) != max(0, n-1) {
			t.Fatalf("n = %d: edges %v, %v", n, edges, err)
		}
		tree, err := Condense(n, edges, 2)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Size[0] != int32(n) || tree.Parent[0] != -1 || len(tree.Node) != n {
			t.Errorf("n = %d: %+v", n, tree)
		}
		for p, l := range tree.Lambda {
			if want := min(1, float64(n-1)); l != want {
				t.Errorf("n = %d: point %d falls out at %v, want %v", n, p, l, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	x := table(t, 1, []float64{0, 1, 3})
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, call := range map[string]func() error{
		"no rows":        func() error { _, err := CoreDistances(ctx, nil, 2, 1); return err },
		"no rows 2":      func() error { _, err := Spanning(ctx, nil, nil, 1); return err },
		"points":         func() error { _, err := CoreDistances(ctx, x, 0, 1); return err },
		"not finite":     func() error { _, err := CoreDistances(ctx, table(t, 1, []float64{0, math.NaN()}), 2, 1); return err },
		"core":           func() error { _, err := Spanning(ctx, x, []float64{0}, 1); return err },
		"core NaN":       func() error { _, err := Spanning(ctx, x, []float64{0, math.NaN(), 1}, 1); return err },
		"cancelled":      func() error { _, err := Spanning(cancelled, x, make([]float64, 3), 1); return err },
		"cancelled core": func() error { _, err := CoreDistances(cancelled, x, 2, 1); return err },
		"few edges":      func() error { _, err := Condense(3, []Edge{{0, 1, 1}}, 2); return err },
		"negative n":     func() error { _, err := Condense(-1, nil, 2); return err },
		"size":           func() error { _, err := Condense(1, nil, 1); return err },
		"descending":     func() error { _, err := Condense(3, []Edge{{0, 1, 2}, {1, 2, 1}}, 2); return err },
		"cycle":          func() error { _, err := Condense(3, []Edge{{0, 1, 1}, {0, 1, 1}}, 2); return err },
		"point":          func() error { _, err := Condense(2, []Edge{{0, 2, 1}}, 2); return err },
		"weight":         func() error { _, err := Condense(2, []Edge{{0, 1, math.Inf(1)}}, 2); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// plainCondense is the definition: it removes the edges from the last to the first
// and looks for the parts by searching the graph that is left.
func plainCondense(n int, edges []Edge, minSize int) *Tree {
	t := &Tree{Parent: []int32{-1}, Birth: []float64{0}, Size: []int32{int32(n)}, Node: make([]int32, n), Lambda: make([]float64, n)}
	lambda, in := lambdaOf(edges), make([]int32, n) // the node of each point, -1 after it has fallen
	for m := len(edges) - 1; m >= 0; m-- {
		e := edges[m]
		part := func(from int32) (points []int32) {
			seen := map[int32]bool{from: true}
			for list := []int32{from}; len(list) > 0; list = list[1:] {
				points = append(points, list[0])
				for _, o := range edges[:m] {
					for _, pair := range [][2]int32{{o.A, o.B}, {o.B, o.A}} {
						if pair[0] == list[0] && !seen[pair[1]] {
							seen[pair[1]] = true
							list = append(list, pair[1])
						}
					}
				}
			}
			return points
		}
		node := in[e.A]
		if node < 0 {
			continue
		}
		parts := [][]int32{part(e.A), part(e.B)}
		if min(len(parts[0]), len(parts[1])) >= minSize {
			for _, p := range parts {
				for _, i := range p {
					in[i] = int32(len(t.Parent))
				}
				t.Parent, t.Birth, t.Size = append(t.Parent, node), append(t.Birth, lambda(e.Weight)), append(t.Size, int32(len(p)))
			}
			continue
		}
		for _, p := range parts {
			if len(p) < minSize {
				for _, i := range p {
					t.Node[i], t.Lambda[i], in[i] = node, lambda(e.Weight), -1
				}
			}
		}
	}
	return t
}

func sameTree(a, b *Tree) bool {
	return slices.Equal(a.Parent, b.Parent) && slices.Equal(a.Birth, b.Birth) && slices.Equal(a.Size, b.Size) &&
		slices.Equal(a.Node, b.Node) && slices.Equal(a.Lambda, b.Lambda)
}

func TestCondenseFollowsTheDefinition(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n := 1 + rng.IntN(40)
		edges := make([]Edge, 0, n)
		for b := 1; b < n; b++ { // any tree, with ties and with equal points
			edges = append(edges, Edge{int32(rng.IntN(b)), int32(b), float64(rng.IntN(12)) / 4})
		}
		sortEdges(edges)
		minSize := 2 + rng.IntN(n+2)
		got, err := Condense(n, edges, minSize)
		if err != nil {
			t.Fatal(err)
		}
		if want := plainCondense(n, edges, minSize); !sameTree(got, want) {
			t.Fatalf("seed %d: minSize %d: edges %v\n%+v, want\n%+v", seed, minSize, edges, got, want)
		}
		checkTree(t, got, n, minSize)
	}
}

// checkTree checks what holds for every condensed tree.
func checkTree(t *testing.T, tree *Tree, n, minSize int) {
	t.Helper()
	points := make([]int32, len(tree.Parent))
	for p, v := range tree.Node {
		if l := tree.Lambda[p]; l < tree.Birth[v] || math.IsInf(l, 0) || math.IsNaN(l) {
			t.Errorf("point %d falls out of node %d at %v, before its birth at %v", p, v, l, tree.Birth[v])
		}
		points[v]++
	}
	for v := len(points) - 1; v > 0; v-- {
		up := tree.Parent[v]
		if int(up) >= v || tree.Birth[v] < tree.Birth[up] || int(tree.Size[v]) < minSize {
			t.Errorf("node %d: parent %d, births %v and %v, size %d", v, up, tree.Birth[v], tree.Birth[up], tree.Size[v])
		}
		points[up] += points[v]
	}
	if !slices.Equal(points, tree.Size) || points[0] != int32(n) {
		t.Errorf("nodes of %v points say %v", points, tree.Size)
	}
	for v, s := range tree.Stability() {
		if s < 0 || math.IsInf(s, 1) || math.IsNaN(s) {
			t.Errorf("stability of node %d is %v", v, s)
		}
	}
}

func TestStabilityIsTheTimeThatPointsSpendInANode(t *testing.T) {
	// Two groups of three on a line, 10 apart, and one point further out.
	x := table(t, 1, []float64{0, 1, 2, 12, 13, 15, 40})
	edges, err := Spanning(context.Background(), x, make([]float64, 7), 1)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Condense(7, edges, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{
		1./25 + 6*(1./10), // six points leave it at distance 10, one at 25
		3 * (1 - 1./10),
		3 * (1./2 - 1./10), // the first edge that goes leaves two points, too few
	}
	for v, s := range tree.Stability() {
		if math.Abs(s-want[v]) > 1e-12 {
			t.Errorf("stability %v, want %v", tree.Stability(), want)
			break
		}
	}
	checkTree(t, tree, 7, 3)
}

func TestEqualPointsHaveAFiniteLambda(t *testing.T) {
	x := table(t, 1, []float64{0, 0, 0, 1, 1, 1, 9})
	for _, minPoints := range []int{1, 3} {
		core, err := CoreDistances(context.Background(), x, minPoints, 1)
		if err != nil {
			t.Fatal(err)
		}
		edges, err := Spanning(context.Background(), x, core, 1)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Condense(7, edges, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(tree.Lambda[:6]), fmt.Sprint([]float64{2, 2, 2, 2, 2, 2}); got != want || len(tree.Parent) != 3 {
			t.Errorf("λ %v in %d nodes, want %v in 3", got, len(tree.Parent), want)
		}
		checkTree(t, tree, 7, 3)
	}
}
