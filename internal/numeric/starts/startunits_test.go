package starts

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Neither the unit of the rows nor that of the weights of pairs decides.
func TestTheContestKnowsNoUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1000).Draw(t, "seed")
		unit := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "unit of rows"))
		weight := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "unit of weights"))
		p, _ := overlapping(60, 3, 3, 25, seed)
		want := NeighbourhoodCentres(context.Background(), p, testEnv(seed, 1, ""), Farthest, "k-means++")

		x := &data.Dense{Cols: 3}
		for _, y := range p.X.(*data.Dense).V {
			x.V = append(x.V, unit*y)
		}
		known := &constraint.Set{}
		for _, pair := range p.Constraints.Must {
			known.Must = append(known.Must, constraint.Pair{I: pair.I, J: pair.J, W: weight * pair.W})
		}
		for _, pair := range p.Constraints.Cannot {
			known.Cannot = append(known.Cannot, constraint.Pair{I: pair.I, J: pair.J, W: weight * pair.W})
		}
		q := &cluster.Problem{X: x, K: p.K, Constraints: known}
		got := NeighbourhoodCentres(context.Background(), q, testEnv(seed, 1, ""), Farthest, "k-means++")
		for i, y := range want.C {
			if got.C[i] != unit*y {
				t.Fatalf("number %d of the start is %v, wanted %v × %v", i, got.C[i], unit, y)
			}
		}
	})
}
