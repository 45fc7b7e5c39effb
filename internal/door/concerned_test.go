package door_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/example"
)

// blobs opens overlapping blobs, with the class of each row.
func blobs(t *testing.T, n, k int, seed uint64) (*door.Table, []int) {
	t.Helper()
	x, truth, err := example.Blobs(n, k, 2, 3, 1, rand.New(rand.NewPCG(seed, 34)))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = x.V[2*i : 2*i+2]
	}
	table, err := door.FromRows(rows, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return table, truth
}

// addPairs adds true links of different random rows.
func addPairs(c *door.Constraints, x *door.Table, truth []int, count int, seed uint64) (rows map[int]bool) {
	rng := rand.New(rand.NewPCG(seed, 35))
	rows = map[int]bool{}
	order := rng.Perm(len(truth))
	for at := range count {
		i, j := order[2*at], order[2*at+1]
		rows[i], rows[j] = true, true
		if truth[i] == truth[j] {
			c.Must(x.ID(i), x.ID(j))
		} else {
			c.Cannot(x.ID(i), x.ID(j))
		}
	}
	return rows
}

// Few links are honoured at once: rows that they name move where they must, rows that they do not
// name stay where they are without links, and as many of the links as are not doubted are satisfied.
func TestFewLinksMoveOnlyTheirRows(t *testing.T) {
	t.Parallel()
	moved, before, after := 0, 0, 0
	for seed := range uint64(8) {
		x, truth := blobs(t, 160, 4, seed)
		plain, err := door.Cluster(ctx, x, nil, door.Options{K: 4})
		if err != nil {
			t.Fatal(err)
		}
		c := door.NewConstraints(x)
		named := addPairs(c, x, truth, 12, seed)
		r, err := door.Cluster(ctx, x, c, door.Options{K: 4})
		if err != nil {
			t.Fatal(err)
		}
		was, now := plain.Assignment(), r.Assignment()
		for i := range was {
			if was[i] == now[i] {
				continue
			}
			if moved++; !named[i] {
				t.Fatalf("seed %d: row %d moved, and no link names it", seed, i)
			}
		}
		if r.Chosen.Constrained || len(r.Ignored) > 0 || r.Violated() != r.Chosen.Doubted {
			t.Errorf("seed %d: %s, ignored %v, %d violated, %d doubted", seed, r.Method, r.Ignored, r.Violated(), r.Chosen.Doubted)
		}
		right := func(labels []int) (n int) {
			for i := range labels {
				for j := range i {
					if (labels[i] == labels[j]) == (truth[i] == truth[j]) {
						n++
					}
				}
			}
			return n
		}
		before, after = before+right(was), after+right(now)
		all, err := door.Cluster(ctx, x, c, door.Options{K: 4, Robust: "none"})
		if err != nil || all.Violated() > 0 {
			t.Errorf("seed %d: %d of 12 links that agree with each other are violated, %v", seed, all.Violated(), err)
		}
	}
	if moved == 0 || after <= before {
		t.Errorf("%d rows moved; %d pairs of rows were right, %d are now", moved, before, after)
	}
}

// A contradiction is settled by leaving out its most doubtful link, which is said first; strict
// and a method that satisfies everything refuse it.
func TestContradictionIsSettled(t *testing.T) {
	x, truth := blobs(t, 160, 3, 1)
	c := door.NewConstraints(x)
	addPairs(c, x, truth, 30, 2)
	// Three rows of the first class and one of the second: a chain with one wrong link.
	var own []int
	other := slices.Index(truth, 1)
	for i, h := range truth {
		if h == 0 && len(own) < 3 {
			own = append(own, i)
		}
	}
	c.Must(x.ID(own[0]), x.ID(own[1]))
	c.Must(x.ID(own[1]), x.ID(own[2]))
	c.Must(x.ID(own[2]), x.ID(other)) // wrong
	c.Cannot(x.ID(own[0]), x.ID(other))
	r, err := door.Cluster(ctx, x, c, door.Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Chosen.Settled; len(s) != 1 || s[0].Kind != "must" || s[0].A != x.ID(own[2]) || s[0].B != x.ID(other) || !strings.Contains(s[0].Why, "contradiction") {
		t.Errorf("left out %+v", s)
	}
	at := slices.IndexFunc(r.Notes, func(n door.Note) bool { return n.Warning && strings.Contains(string(n.Text), "contradict") })
	method := slices.IndexFunc(r.Notes, func(n door.Note) bool { return strings.Contains(string(n.Text), "method") })
	if at < 0 || method < at {
		t.Errorf("notes %v", r.Notes)
	}
	var refused *door.ConstraintError
	if _, err := door.Cluster(ctx, x, c, door.Options{K: 3, Strict: true}); !errors.As(err, &refused) {
		t.Errorf("strict: %v", err)
	}
	if _, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: "cop-kmeans"}); !errors.As(err, &refused) {
		t.Errorf("cop-kmeans: %v", err)
	}
}

// Links that k clusters cannot satisfy are settled too; labels of more classes than clusters
// are refused.
func TestTooFewClustersAreSettled(t *testing.T) {
	x := groups(t)
	c := door.NewConstraints(x)
	c.Cannot("a", "d")
	c.Cannot("b", "d")
	c.Cannot("a", "b") // an odd cycle: two clusters cannot keep three rows apart
	r, err := door.Cluster(ctx, x, c, door.Options{K: 2})
	if err != nil || len(r.Chosen.Settled) != 1 || !strings.Contains(r.Chosen.Settled[0].Why, "2 clusters") {
		t.Fatalf("%+v, %v", r, err)
	}
	c = door.NewConstraints(x)
	for i, id := range []string{"a", "b", "d"} {
		c.Label(id, string(rune('u'+i)))
	}
	var refused *door.ConstraintError
	if _, err := door.Cluster(ctx, x, c, door.Options{K: 2}); !errors.As(err, &refused) {
		t.Errorf("three classes and two clusters: %v", err)
	}
}
