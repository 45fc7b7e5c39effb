package density

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Three clumps, two of them near each other: where all three are one cluster, the far one is split off first, and then the other two, which are
// nearest to each other.
func TestPartsFollowTheTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	centre := []float64{0, 8, 40}
	x := &data.Dense{Cols: 2, V: make([]float64, 2*180)}
	for i := range 180 {
		x.V[2*i], x.V[2*i+1] = centre[i%3]+0.8*rng.NormFloat64(), 0.8*rng.NormFloat64()
	}
	got, err := cluster.Fit(context.Background(), &cluster.Problem{X: x}, New(), cluster.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := got.Model.(*Model)
	of := func(labels func(i int) int) *Model {
		changed := &Model{Rows: m.Rows, MinPoints: m.MinPoints, Core: m.Core, Node: m.Node, Lambda: m.Lambda, Parent: m.Parent, Birth: m.Birth,
			Inside: m.Inside, Labels: make([]int, len(m.Labels)), Densest: make([]float64, 3)}
		for i := range changed.Labels {
			changed.Labels[i] = labels(i)
		}
		return changed
	}
	same := func(points []int, clumps ...int) {
		t.Helper()
		for _, i := range points {
			ok := false
			for _, c := range clumps {
				ok = ok || i%3 == c
			}
			if !ok {
				t.Errorf("a part has point %d of clump %d", i, i%3)
			}
		}
		if len(points) < 40*len(clumps) {
			t.Errorf("a part of clumps %v has %d points", clumps, len(points))
		}
	}
	parts, nearest := of(func(int) int { return 0 }).Parts(0)
	if len(parts) != 2 || nearest != -1 {
		t.Fatalf("%d parts, nearest is %d", len(parts), nearest)
	}
	same(parts[0], 0, 1)
	same(parts[1], 2)
	for q := 1; q < len(parts[1]); q++ {
		if m.Lambda[parts[1][q]] > m.Lambda[parts[1][q-1]] {
			t.Fatal("the densest points are not first")
		}
	}
	parts, nearest = of(func(i int) int { return i % 3 / 2 }).Parts(0) // the near two are one
	if len(parts) != 2 || nearest != 1 {
		t.Fatalf("%d parts, nearest is %d", len(parts), nearest)
	}
	same(parts[0], parts[0][0]%3)
	same(parts[1], 1-parts[0][0]%3)
	if _, nearest := of(func(i int) int { return i % 3 }).Parts(0); nearest != 1 {
		t.Errorf("nearest to the first is %d", nearest)
	}
}
