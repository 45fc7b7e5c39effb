package door_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

func iris(t *testing.T) *door.Table {
	t.Helper()
	x, err := door.Open(ctx, "example:iris.csv", door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// In a local minimum no violated link has a negative cost, and none costs less than what
// satisfying it takes off the objective.
func TestSatisfyingALinkIsNeverCheapInALocalMinimum(t *testing.T) {
	t.Parallel()
	x := iris(t)
	violated := 0
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := door.NewConstraints(x)
		for range 40 {
			kind := []door.LinkKind{door.MustLink, door.CannotLink}[rng.IntN(2)]
			a := rng.IntN(149)
			c.Add(door.Link{A: fmt.Sprint(a), B: fmt.Sprint(a + 1 + rng.IntN(149-a)), Kind: kind})
		}
		for _, method := range []string{"mpc-kmeans", "pc-kmeans"} {
			r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: method, Seed: &seed, Parameters: map[string]any{"closure": "off"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Violations {
				violated++
				if v.Penalty == nil || v.Cost == nil || *v.Penalty < 0 || *v.Cost < -1e-9*r.Objective.Total {
					t.Errorf("%s: %s and %s, %s: penalty %v, cost %v", method, v.A, v.B, v.Kind, v.Penalty, v.Cost)
				}
			}
		}
	}
	if violated < 20 {
		t.Errorf("only %d links are violated", violated)
	}
}

// Six rows on a line, with centres 1 and 9; a violated link costs 2. c in the other cluster
// costs 49 − 1 more, satisfies c, d and violates a, c instead: a must be with c.
func TestPricesByHand(t *testing.T) {
	x, err := door.FromRows([][]float64{{0}, {1}, {2}, {8}, {9}, {10}}, door.Names{IDs: []string{"a", "b", "c", "d", "e", "f"}})
	if err != nil {
		t.Fatal(err)
	}
	c := door.NewConstraints(x)
	c.Must("a", "c")
	c.Must("c", "d")
	c.Cannot("b", "c")
	c.Label("a", "small")
	c.Label("f", "large")
	c.Label("b", "large")
	r, err := door.Cluster(ctx, x, c, door.Options{K: 2, Method: "pc-kmeans", Parameters: map[string]any{"closure": "off", "weight": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	// Must-link c, d: c moves for 49 − 1 = 48, satisfies c, d and b, c, and violates a, c.
	// d moves for 49 − 1 = 48 and satisfies c, d. So c and d cost 48 − 2 each.
	// Cannot-link b, c: b moves for 64 − 0 = 64, satisfies b, c and its label, and costs 60.
	want := map[string][2]float64{"c d": {2, 46}, "b c": {2, 46}}
	if len(r.Violations) != 2 || len(r.Misplaced) != 1 {
		t.Fatalf("%+v, %+v", r.Violations, r.Misplaced)
	}
	for _, v := range r.Violations {
		if w := want[v.A+" "+v.B]; *v.Penalty != w[0] || *v.Cost != w[1] {
			t.Errorf("%s and %s: penalty %v, cost %v; want %v", v.A, v.B, *v.Penalty, *v.Cost, w)
		}
	}
	if m := r.Misplaced[0]; m.ID != "b" || *m.Penalty != 2 || *m.Cost != 60 {
		t.Errorf("%s: penalty %v, cost %v", m.ID, *m.Penalty, *m.Cost)
	}
}

// Two weak links do not force three rows together because an unrelated one is strong.
func TestAStrongLinkElsewhereForcesNothing(t *testing.T) {
	t.Parallel()
	x := iris(t)
	for _, method := range []string{"pc-kmeans", "mpc-kmeans", "hmrf-kmeans"} {
		for _, strong := range []bool{false, true} {
			c := door.NewConstraints(x)
			c.Add(door.Link{A: "0", B: "50", Kind: door.MustLink, Weight: 0.001})
			c.Add(door.Link{A: "50", B: "100", Kind: door.MustLink, Weight: 0.001})
			if strong {
				c.Add(door.Link{A: "148", B: "149", Kind: door.MustLink, Weight: 1000})
			}
			r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			of := r.Assignment() // row 50 lies between the clusters of 100 and of most rows around it
			if of[0] == of[50] || of[0] == of[100] || method == "mpc-kmeans" && of[50] == of[100] {
				t.Errorf("%s, with a strong link elsewhere %v: rows 0, 50 and 100 are in clusters %d, %d and %d", method, strong, of[0], of[50], of[100])
			}
			if cost := r.Objective.Terms["must-links"]; cost > 1 {
				t.Errorf("%s, with a strong link elsewhere %v: violated weak links cost %v", method, strong, cost)
			}
		}
	}
}

// Hard methods have no penalties, methods without constraints none but 0.
func TestPenaltiesOfMethodsWithoutThem(t *testing.T) {
	x := iris(t)
	for method, known := range map[string]bool{"kmeans": true, "constrained-kmeans": false} {
		c := door.NewConstraints(x)
		c.Must("0", "100")
		c.Label("0", "low")
		c.Label("50", "high")
		r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Violations) != 1 {
			t.Fatalf("%s: %v", method, r.Violations)
		}
		v := r.Violations[0]
		if v.Cost == nil || *v.Cost <= 0 || (v.Penalty != nil) != known || known && *v.Penalty != 0 {
			t.Errorf("%s: penalty %v, cost %v", method, v.Penalty, v.Cost)
		}
	}
}
