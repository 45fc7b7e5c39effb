package door_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// opinionOn returns what is said of another number of groups, and k.
func opinionOn(t *testing.T, rows [][]float64) (said string, k int) {
	t.Helper()
	table, err := door.FromRows(rows, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := door.Cluster(context.Background(), table, door.NewConstraints(table), door.Options{KMin: 2, KMax: door.AutoKMax})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range r.Notes {
		if strings.Contains(n.String(), "another view") {
			said = n.String()
		}
	}
	return said, r.K
}

// Rings within each other are two groups for a tree and many for centres, which is said; of clear round groups nothing is.
func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var rings, round [][]float64
	for i := range 400 {
		radius, turn := 1+3*float64(i%2), 2*math.Pi*rng.Float64()
		rings = append(rings, []float64{radius*math.Cos(turn) + 0.05*rng.NormFloat64(), radius*math.Sin(turn) + 0.05*rng.NormFloat64()})
		round = append(round, []float64{10*float64(i%4) + rng.NormFloat64(), 10*float64(i%2) + rng.NormFloat64()})
	}
	if said, k := opinionOn(t, rings); k < 4 || !strings.Contains(said, "2 groups are denser") {
		t.Errorf("of two rings in %d clusters it says %q", k, said)
	}
	if said, k := opinionOn(t, round); said != "" {
		t.Errorf("of round groups in %d clusters it says %q", k, said)
	}
}
