package density

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// clumps are n rows in the plane, in a few clumps with some noise between them.
func clumps(rng *rand.Rand, n int) *data.Dense {
	x := &data.Dense{Cols: 2, V: make([]float64, 2*n)}
	for i := range n {
		h := rng.IntN(5)
		for f := range 2 {
			x.V[2*i+f] = rng.NormFloat64() + 6*float64((h>>f)&1)
			if h == 4 {
				x.V[2*i+f] = 10*rng.Float64() - 2
			}
		}
	}
	return x
}

// Hard links hold, but for those that contradict others, whatever the labels, the noise and the number of clusters.
func TestHardLinksHold(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 17))
		n := 40 + rng.IntN(120)
		p := &cluster.Problem{X: clumps(rng, n), Constraints: &constraint.Set{}}
		for range 1 + rng.IntN(30) {
			q := constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 1}
			if q.I == q.J {
				continue
			}
			if rng.IntN(2) == 0 {
				p.Constraints.Must = append(p.Constraints.Must, q)
			} else {
				p.Constraints.Cannot = append(p.Constraints.Cannot, q)
			}
		}
		if seed%3 == 0 {
			for range 6 {
				p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(3), W: 1})
			}
		}
		a := New()
		a.Hard = true
		if seed%2 == 0 {
			a.Noise = JoinNoise
		}
		got, err := cluster.Fit(context.Background(), p, a, cluster.Settings{Seed: 1, Audit: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		hold := holdOf(p)
		for _, q := range hold.Must {
			if !areTogether(got.Labels[q.I], got.Labels[q.J]) {
				t.Fatalf("seed %d: must-link %v is violated: %d and %d", seed, q, got.Labels[q.I], got.Labels[q.J])
			}
		}
		for _, q := range hold.Cannot {
			if areTogether(got.Labels[q.I], got.Labels[q.J]) {
				t.Fatalf("seed %d: cannot-link %v is violated", seed, q)
			}
		}
		for i, h := range got.Labels {
			if h < 0 && a.Noise == JoinNoise {
				t.Fatalf("seed %d: row %d is noise", seed, i)
			}
		}
	}
}

// holdOf returns the constraints that do not contradict each other.
func holdOf(p *cluster.Problem) *constraint.Set {
	r := &run{p: p, labels: make([]int, p.Len())}
	r.takeConstraints()
	return r.consistent()
}

// One cannot-link within a cluster cuts its longest edge between the two rows; one must-link between clusters makes them one and leaves all
// others as they were.
func TestHardLinkChangesLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 17))
	p := &cluster.Problem{X: clumps(rng, 300)}
	fit := func(s *constraint.Set) []int {
		a := New()
		a.Hard = true
		q := *p
		q.Constraints = s
		got, err := cluster.Fit(context.Background(), &q, a, cluster.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return got.Labels
	}
	was := fit(nil)
	of := map[int][]int{}
	for i, h := range was {
		of[h] = append(of[h], i)
	}
	if len(of) < 4 {
		t.Fatalf("%d clusters", len(of))
	}
	merged := fit(&constraint.Set{Must: []constraint.Pair{{I: of[0][0], J: of[1][0], W: 1}}})
	for i, h := range was {
		if same := areTogether(merged[i], merged[of[0][0]]); same != (h == 0 || h == 1) {
			t.Fatalf("row %d of cluster %d: %v with the merged", i, h, same)
		}
		if (h < 0) != (merged[i] < 0) {
			t.Fatalf("row %d of cluster %d is in %d", i, h, merged[i])
		}
	}
	// The tree of the fit, to find the path between two rows.
	started, err := New().Start(context.Background(), p, &cluster.Env{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	tree := started.(*run).tree
	a, b := int32(of[0][0]), int32(of[0][len(of[0])/2])
	longest := longestEdge(tree, a, b)
	split := fit(&constraint.Set{Cannot: []constraint.Pair{{I: int(a), J: int(b), W: 1}}})
	if areTogether(split[a], split[b]) {
		t.Fatal("the rows are together")
	}
	for _, i := range of[0] {
		onSide := longestEdge(tree, a, int32(i)) != longest
		if together := areTogether(split[a], split[i]); split[a] >= 0 && together != onSide {
			t.Errorf("row %d is with the first: %v, by the cut %v", i, together, onSide)
		}
	}
}

// longestEdge returns the last of the heaviest edges on the way from a to b.
func longestEdge(t *spanningTree, a, b int32) int32 {
	var walk func(i, from, most int32) int32
	walk = func(i, from, most int32) int32 {
		if i == b {
			return most
		}
		for _, e := range t.ends[t.start[i]:t.start[i+1]] {
			if e.to == from {
				continue
			}
			if found := walk(e.to, i, max(most, e.edge)); found != math.MinInt32 {
				return found
			}
		}
		return math.MinInt32
	}
	return walk(a, -1, -1)
}
