package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
)

// entangled starts a run on overlapping clusters with pairs of which some are
// wrong, and gives most points another label.
func entangled(t *testing.T, a *HMRF, n, workers int) *descent {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	x, truth, err := example.Blobs(n, 6, 3, 1.5, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	known := constraint.RandomPairs(truth, n, rng)
	for q := range n / 10 {
		known.Beliefs = append(known.Beliefs, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: (float64(q%5) - 2.5) / 2.5})
		known.Labels = append(known.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(6), W: 0.5})
	}
	p := &cluster.Problem{X: x, K: 6, Constraints: known}
	run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(4, 4)), Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	r := run.(*descent)
	if r.near, err = r.distortion.nearestClusters(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, i := range r.graph.Constrained {
		r.labels[i] = int32(rng.IntN(6))
	}
	r.countViolations()
	return r
}

func withMoveCost() map[string]*HMRF {
	list := map[string]*HMRF{"pc": NewPC(), "mpc": NewMPC(), "hmrf": NewHMRF(), "heavy": NewHMRF()}
	list["heavy"].Weight, list["heavy"].Penalty = cluster.Fixed(3), "mpc"
	for _, a := range list {
		a.Closure = Off
	}
	return list
}

// A moveCost finds a cluster that costs as little as any, by costs of all pairs in
// all clusters.
func TestMoveCostFindsTheCheapest(t *testing.T) {
	for name, a := range withMoveCost() {
		r := entangled(t, a, 600, 1)
		if r.moveCost == nil {
			t.Fatalf("%s: no moveCost", name)
		}
		away := 0
		for _, at := range r.graph.Constrained {
			i := int(at)
			to := r.cheapest(i)
			pen := r.penalties(i)
			least := math.Inf(1)
			for h := range pen {
				least = min(least, r.p.W(i)*r.pointCost(i, h)+pen[h])
			}
			got := r.p.W(i)*r.pointCost(i, int(to)) + pen[to]
			if got > least+1e-9*(1+math.Abs(least)) {
				t.Fatalf("%s: point %d costs %v in cluster %d, %v elsewhere", name, i, got, to, least)
			}
			if y := r.costAt(i, to); math.Abs(y-got) > 1e-9*(1+math.Abs(got)) {
				t.Fatalf("%s: point %d costs %v by moveCost, %v pair by pair", name, i, y, got)
			}
			if to != r.near[i] {
				away++
			}
		}
		if away < 10 {
			t.Errorf("%s: only %d points are cheaper away from their nearest centre", name, away)
		}
	}
}
