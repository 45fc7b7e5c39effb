package door_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// A trap divides rows by the sign of a column. Where lured says so it finds another division
// instead, of a lower objective, that is worth nothing.
type trap struct {
	Demand int `json:"demand"` // by asking for it, candidates of the catalog are left out
	column int
	lured  string // "", search: where the effort is above low; delivery: where fits share nothing with those that were judged
	judged *sharedFirst
}

// sharedFirst is what the fits that were judged share: they come first.
type sharedFirst struct {
	mu    sync.Mutex
	first *cluster.Shared
}

// isFirst reports whether a fit is one of those that come first.
func (s *sharedFirst) isFirst(of *cluster.Shared) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first = of
	}
	return of != nil && s.first == of
}

// worthless is the column that sets a few rows apart.
const worthless = 2

func (a *trap) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows}}
}

func (a *trap) Check(*cluster.Problem) error { return nil }

func (a *trap) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := &trapRun{labels: make([]int, p.Len()), objective: 2}
	column := a.column
	if a.lured == "search" && e.Settings.Effort.Searches() || a.lured == "delivery" && !a.judged.isFirst(e.Settings.Shared) {
		column, r.objective = worthless, 1
	}
	for i := range r.labels {
		if data.Copy(p.X, i)[column] > 0 {
			r.labels[i] = 1
		}
	}
	return r, nil
}

type trapRun struct {
	labels    []int
	objective float64
}

func (r *trapRun) Labels() []int           { return slices.Clone(r.labels) }
func (r *trapRun) Model() cluster.Model    { return nil }
func (r *trapRun) Stages() []cluster.Stage { return nil }
func (r *trapRun) Objective(context.Context) (cluster.Terms, error) {
	return cluster.Terms{{Name: "cost", Value: r.objective}}, nil
}

func trapMethod(name string, column int, lured string) catalog.Method {
	judged := &sharedFirst{}
	return catalog.Method{Name: name, Title: name, New: func() cluster.Algorithm { return &trap{2, column, lured, judged} }}
}

// trapTable is a table of two classes: column 0 tells nine rows in ten, column 1 two in
// three, column 2 sets five rows apart, and column 3 says nothing; with links of random pairs.
func trapTable(t *testing.T, seed uint64, links int) (*door.Table, *door.Constraints) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 77))
	const n = 120
	rows, class := make([][]float64, n), make([]int, n)
	sign := func(class int, right float64) float64 {
		if (class == 1) == (rng.Float64() < right) {
			return 1 + rng.Float64()
		}
		return -1 - rng.Float64()
	}
	for i := range rows {
		class[i] = rng.IntN(2)
		few := -1.0
		if i < 5 {
			few = 1
		}
		rows[i] = []float64{sign(class[i], .9), sign(class[i], .67), few, sign(0, .5)}
	}
	x, err := door.FromRows(rows, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	c := door.NewConstraints(x)
	for seen := map[string]bool{}; len(seen) < links; {
		i, j := rng.IntN(n), rng.IntN(n)
		if key := fmt.Sprint(min(i, j), " ", max(i, j)); i != j && !seen[key] {
			seen[key] = true
			if class[i] == class[j] {
				c.Must(x.ID(i), x.ID(j))
			} else {
				c.Cannot(x.ID(i), x.ID(j))
			}
		}
	}
	return x, c
}

// What is delivered is what was judged: over many fits with a worthless minimum of a lower
// objective, found by a longer search or only by the last fit, the accuracy is never more
// than .05 below the claim, and the worthless minimum is never the result.
func TestDeliveredKeepsTheClaim(t *testing.T) {
	t.Parallel()
	compared, withdrawn := 0, 0
	tables := longtest.Size(40, 40, 100)
	for seed := range uint64(tables) {
		x, c := trapTable(t, seed, 80)
		for _, lured := range []string{"search", "delivery"} {
			r, err := door.Cluster(ctx, x, c, door.Options{K: 2, NoSuspects: true, Robust: "none", Scale: "none", Parameters: map[string]any{"demand": 2},
				Methods: []catalog.Method{trapMethod("coin", 3, ""), trapMethod("good", 0, lured), trapMethod("fair", 1, lured)}})
			if err != nil {
				t.Fatal(err)
			}
			ch := r.Chosen
			if ch.Claimed == nil || ch.Delivered == nil {
				t.Fatalf("seed %d: nothing is claimed: %s", seed, ch.Why)
			}
			if ch.Delivered.Mean < ch.Claimed.Mean-.05 {
				t.Errorf("seed %d, %s: claimed %.2f, delivered %.2f by %s", seed, lured, ch.Claimed.Mean, ch.Delivered.Mean, r.Method)
			}
			if ch.Claimed.Low > ch.Claimed.Mean || ch.Claimed.High < ch.Claimed.Mean {
				t.Errorf("seed %d: %+v", seed, ch.Claimed)
			}
			if lured == "search" && r.Method == "good" {
				compared++
				if r.Objective.Total != 2 {
					t.Errorf("seed %d: delivered %.2f at an objective of %v", seed, ch.Delivered.Mean, r.Objective.Total)
				}
			}
			if lured == "delivery" {
				if r.Method == "good" {
					t.Errorf("seed %d: the worthless clusters of good are delivered, by a claim of %.2f", seed, ch.Claimed.Mean)
				}
				if slices.ContainsFunc(ch.LeftOut, func(s string) bool { return strings.Contains(s, "fitted with all of them") }) {
					withdrawn++
				}
			}
		}
	}
	if compared < tables*8/10 || withdrawn < tables*8/10 {
		t.Errorf("of %d tables the accurate method was chosen in %d, and a claim withdrawn in %d", tables, compared, withdrawn)
	}
}
