package kernel

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Two cliques, and a node that hangs on the first by two edges and on the
// second by one. It must be apart from a member of the first clique: it is the
// one to go, whether its number is higher or lower.
func TestRepairMovesTheLooserEnd(t *testing.T) {
	for _, loose := range []int{0, 10} {
		at := func(i int) int { return (i + loose + 1) % 11 } // node 10 of the drawing is loose
		var edges []data.Edge
		for _, first := range []int{0, 5} {
			for i := range 5 {
				for j := range i {
					edges = append(edges, data.Edge{U: at(first + i), V: at(first + j), W: 1})
				}
			}
		}
		for _, j := range []int{0, 1, 5} {
			edges = append(edges, data.Edge{U: at(10), V: at(j), W: 1})
		}
		g, err := data.NewGraph(11, edges)
		if err != nil {
			t.Fatal(err)
		}
		p := &cluster.Problem{Graph: g, K: 2, Constraints: &constraint.Set{Cannot: []constraint.Pair{{I: at(2), J: at(10), W: 1}}}}
		for _, objective := range objectives {
			f, err := newGraphProblem(context.Background(), 1, p, objective, pairOptions{weight: cluster.ByRule(cluster.RuleAuto), contracted: true})
			if err != nil {
				t.Fatal(err)
			}
			label := make([]int32, 11)
			for i := 5; i < 10; i++ {
				label[at(i)] = 1
			}
			part, err := newPartition(context.Background(), 1, f.contracted, 2, label)
			if err != nil {
				t.Fatal(err)
			}
			if moved := newRefiner(part, 1).repairCannotLinks(); moved != 1 || label[at(10)] != 1 || part.cannotPenalty != 0 {
				t.Errorf("%s, the loose end is node %d: %d moved, labels %v, %v is still paid", objective, at(10), moved, label, part.cannotPenalty)
			}
		}
	}
}

// Repair never raises J, and leaves no cannot-link violated that a single move of
// either end would repair with gain.
func TestRepairNeverRaisesTheObjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		n, k := 6+rng.IntN(20), 2+rng.IntN(3)
		p := smallProblem(rng, n, k)
		p.Constraints = &constraint.Set{}
		for range rng.IntN(n) {
			if i, j := rng.IntN(n), rng.IntN(n); i != j {
				p.Constraints.Cannot = append(p.Constraints.Cannot, constraint.Pair{I: i, J: j, W: 0.5 + rng.Float64()})
			}
		}
		f, err := newGraphProblem(context.Background(), 1, p, objectives[rng.IntN(3)], pairOptions{weight: cluster.ByRule(cluster.RuleAuto), contracted: true})
		if err != nil {
			t.Fatal(err)
		}
		label := make([]int32, n)
		for i := range label {
			label[i] = int32(rng.IntN(k))
		}
		part, err := newPartition(context.Background(), 1, f.contracted, k, label)
		if err != nil {
			t.Fatal(err)
		}
		was, paid := part.quality(), part.cannotPenalty
		r := newRefiner(part, 1)
		for r.repairCannotLinks() > 0 {
			if now := part.quality(); now <= was || part.cannotPenalty >= paid {
				t.Fatalf("−J went from %v to %v, and %v is paid where %v was", was, now, part.cannotPenalty, paid)
			}
			was, paid = part.quality(), part.cannotPenalty
		}
		for i := range int32(n) {
			if to, gain := r.bestMove(i, r.links); r.violatesCannot(i) && to != label[i] {
				t.Fatalf("node %d is left in a broken pair, and would gain %v", i, gain)
			}
		}
	})
}

// Constraints help: from the same seeds true pairs, too few to guide the
// contraction, raise the adjusted Rand index, and all of them hold.
func TestFewTruePairsHelp(t *testing.T) {
	const draws = 6
	x, truth, err := example.Blobs(1200, 5, 8, 1.5, 1, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	g := nearGraph(t, x, 10, "binary")
	rose, gained := 0, 0.0
	for at := range uint64(draws) {
		s := cluster.Default()
		s.Restarts, s.Seed = 1, at
		var ari [2]float64
		for with := range ari {
			p := &cluster.Problem{Graph: g, K: 5}
			if with == 1 {
				p.Constraints = constraint.RandomPairs(truth, 140, rand.New(rand.NewPCG(6, at)))
			}
			r, err := cluster.Fit(context.Background(), p, NewGraphCut(), s)
			if err != nil {
				t.Fatal(err)
			}
			if kept := score.Satisfied(p.Constraints, r.Labels); kept.Must.Satisfied < kept.Must.Given || kept.Cannot.Satisfied < kept.Cannot.Given {
				t.Errorf("draw %d: %+v", at, kept)
			}
			if ari[with], err = score.ARI(truth, r.Labels); err != nil {
				t.Fatal(err)
			}
		}
		if gained += ari[1] - ari[0]; ari[1] > ari[0] {
			rose++
		}
	}
	if t.Logf("higher in %d of %d draws, by %.4f on average", rose, draws, gained/draws); rose < draws-1 || gained <= 0 {
		t.Errorf("the adjusted Rand index is higher in %d of %d draws, by %.4f on average", rose, draws, gained/draws)
	}
}
