package density

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// drawSpanning draws a tree of n points.
func drawSpanning(rng *rand.Rand, n int) *spanningTree {
	var edges []hierarchy.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, hierarchy.Edge{A: int32(rng.IntN(i)), B: int32(i), Weight: float64(rng.IntN(9))})
	}
	slices.SortStableFunc(edges, func(a, b hierarchy.Edge) int { return int(a.Weight - b.Weight) })
	return newSpanningTree(n, edges)
}

func TestMinimumCutIsTheLeastOfAll(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 2 + rng.IntN(7)
		tree := drawSpanning(rng, n)
		classes := []int{2, 5, 7}
		of := map[int32]int{}
		for i := range n {
			if rng.IntN(2) == 0 || i == 0 {
				of[int32(i)] = classes[rng.IntN(3)]
			}
		}
		cut := func(class []int) (sum float64) {
			for m, e := range tree.edges {
				if class[e.A] != class[e.B] {
					sum += tree.similarity(int32(m))
				}
			}
			return sum
		}
		best := math.Inf(1)
		class := make([]int, n)
		var try func(i int)
		try = func(i int) {
			if i == n {
				best = min(best, cut(class))
				return
			}
			for _, c := range classes {
				if own, ok := of[int32(i)]; !ok || own == c {
					class[i] = c
					try(i + 1)
				}
			}
		}
		try(0)
		order, got := tree.minimumCut(make([]int, n), 0, classes, of)
		if len(order) != n {
			t.Fatalf("seed %d: %d of %d points", seed, len(order), n)
		}
		for q, i := range order {
			if class[i] = got[q]; of[i] != 0 && of[i] != got[q] {
				t.Fatalf("seed %d: point %d has class %d, its label is %d", seed, i, got[q], of[i])
			}
		}
		if y := cut(class); math.Abs(y-best) > 1e-9*best {
			t.Fatalf("seed %d: the cut is %v, the least %v", seed, y, best)
		}
	}
}

func TestNoiseJoinsWhatItReachesFirst(t *testing.T) {
	// 0 –1– 1 –5– 2 –2– 3 –4– 4: points 0 and 4 have clusters
	tree := newSpanningTree(5, []hierarchy.Edge{{A: 0, B: 1, Weight: 1}, {A: 2, B: 3, Weight: 2}, {A: 3, B: 4, Weight: 4}, {A: 1, B: 2, Weight: 5}})
	labels := []int{1, -1, -1, -1, 0}
	if tree.joinAll(labels); !slices.Equal(labels, []int{1, 1, 0, 0, 0}) {
		t.Error(labels)
	}
	// Cluster 1 was begun by a label, cluster 0 was there: 2 and 3 touch it first.
	labels = []int{1, -1, -1, -1, 0}
	if tree.growSeeds(labels, []bool{false, true}); !slices.Equal(labels, []int{1, 1, -1, -1, 0}) {
		t.Error(labels)
	}
}

// Whatever is labelled, no labelled point is noise, points of two classes are apart and those of one together; with links beside, and
// with any number of clusters that there can be.
func TestLabelsAlwaysHold(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n, classes := 20+rng.IntN(60), 1+rng.IntN(4)
		x := &data.Dense{Cols: 2}
		for range n {
			c := float64(rng.IntN(4))
			x.V = append(x.V, math.Round(8*(3*c+rng.NormFloat64()))/8, math.Round(8*rng.NormFloat64())/8)
		}
		p := &cluster.Problem{X: x, Constraints: &constraint.Set{Must: drawLinks(rng, n, 5), Cannot: drawLinks(rng, n, 5)}}
		for _, i := range rng.Perm(n)[:1+rng.IntN(12)] {
			p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: i, Class: rng.IntN(classes), W: 1})
		}
		if seed%3 == 0 {
			p.K = p.Constraints.Classes() + rng.IntN(3)
		}
		a := New()
		a.MinClusterSize = cluster.Fixed(float64(2 + rng.IntN(6)))
		s := cluster.Default()
		s.Audit = true
		r, err := cluster.Fit(context.Background(), p, a, s)
		if err != nil {
			if p.K == 0 {
				t.Fatal(err)
			}
			continue // there are not so many
		}
		if k := 1 + slices.Max(r.Labels); p.K > 0 && k != p.K {
			t.Fatalf("seed %d: %d clusters, asked for %d", seed, k, p.K)
		}
		for _, l := range p.Constraints.Labels {
			for _, m := range p.Constraints.Labels {
				if r.Labels[l.I] < 0 || (l.Class == m.Class) != (r.Labels[l.I] == r.Labels[m.I]) {
					t.Fatalf("seed %d: points %d and %d of classes %d and %d are in clusters %d and %d", seed, l.I, m.I, l.Class, m.Class, r.Labels[l.I], r.Labels[m.I])
				}
			}
		}
	}
}
