package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Six rows on a line, in three clusters: what removals and splits change follows by hand.
func TestChangesByHand(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 2, 10, 20, 22, 30}}
	p := &cluster.Problem{X: x, K: 3, Weight: []float64{1, 1, 1, 1, 1, 2}}
	r := startAt(t, p, 1, 10, 25)
	all, err := estimateOf(r).changes(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Rows 0 and 2 would go from 1 to 10: 100 − 1 and 64 − 1.
	if got := all[0].removal; got != 99+63 {
		t.Errorf("removing the first centre costs %v, want 162", got)
	}
	if all[0].next != 1 || all[1].next != 0 {
		t.Errorf("the rows would go to %d and %d, want 1 and 0", all[0].next, all[1].next)
	}
	// Row 10 would go to 1.
	if got := all[1].removal; got != 81 {
		t.Errorf("removing the second centre costs %v, want 81", got)
	}
	// 20 and 22 with mean 21, and 30 of weight 2: 2·2/4·81.
	if c := all[2]; math.Abs(c.gain-81) > 1e-9 || math.Min(c.a[0], c.b[0]) != 21 || math.Max(c.a[0], c.b[0]) != 30 {
		t.Errorf("splitting the third cluster gains %v with %v and %v, want 81 with 21 and 30", c.gain, c.a, c.b)
	}
	if all[1].a != nil || all[1].gain != 0 {
		t.Errorf("a single row cannot be split, got %+v", all[1])
	}
}

// What was estimated is kept until the centre, or the one its rows would go to, has
// moved by a tenth of the spread of its rows.
func TestChangesKeptUntilCentresMove(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 2, 10, 12, 40, 42}}, K: 3}
	r := startAt(t, p, 1, 11, 41)
	first, err := estimateOf(r).changes(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := func(to float64) (same []bool) {
		r.centres = NewCentres(3, 1, []float64{1, 11, to})
		again, err := estimateOf(r).changes(context.Background(), first)
		if err != nil {
			t.Fatal(err)
		}
		for h := range again {
			same = append(same, &again[h].centre[0] == &first[h].centre[0])
		}
		return same
	}
	if got := kept(41.05); !slices.Equal(got, []bool{true, true, true}) { // the spread is 1
		t.Errorf("after a short move these were kept: %v", got)
	}
	if got := kept(41.2); !slices.Equal(got, []bool{true, true, false}) {
		t.Errorf("after a long move these were kept: %v, want all but the last", got)
	}
	first[0].next = 2
	if got := kept(41.2); !slices.Equal(got, []bool{false, true, false}) {
		t.Errorf("where rows would go to the centre that moved these were kept: %v", got)
	}
}

// Two centres share one of four blobs and two blobs share one centre: Lloyd's
// iteration stays there, one swap leaves it.
func TestSwapLeavesLocalMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := &data.Dense{Cols: 2}
	for i := range 400 {
		x.V = append(x.V, float64(i%4)*20+rng.NormFloat64(), rng.NormFloat64())
	}
	p := &cluster.Problem{X: x, K: 4}
	first := []float64{-1, 0, 1, 0, 20, 0, 50, 0}
	costs := map[cluster.Effort]float64{}
	for _, effort := range []cluster.Effort{cluster.EffortLow, cluster.EffortNormal} {
		r, err := Start(context.Background(), Space{Problem: p}, &cluster.Env{Workers: 1}, NewCentres(4, 2, slices.Clone(first)), nil)
		if err != nil {
			t.Fatal(err)
		}
		descend(t, SearchSwaps(r, effort, nil, AllSwaps), r, math.Inf(1))
		costs[effort] = r.Cost()
	}
	if costs[cluster.EffortLow] < 10_000 {
		t.Errorf("without swaps the cost is %v: the start is no trap", costs[cluster.EffortLow])
	}
	if costs[cluster.EffortNormal] > 1000 {
		t.Errorf("with swaps the cost is %v, want that of four blobs", costs[cluster.EffortNormal])
	}
}

// A cluster with seeds keeps its centre: another one is taken, and the cluster keeps
// the half near its first centre.
func TestSwapKeepsSeededClusters(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{-1, -0.9, 1, 1.1, 40, 41, 60, 61}}
	p := &cluster.Problem{X: x, K: 3}
	for _, kept := range []int{0, 1} {
		keep := make([]bool, 3)
		keep[kept], keep[2] = true, true
		r := startAt(t, p, -0.95, 1.05, 60.5)
		descend(t, SearchSwaps(r, cluster.EffortNormal, keep, AllSwaps), r, math.Inf(1))
		if r.Cost() > 10 {
			t.Errorf("keeping cluster %d: the cost is %v", kept, r.Cost())
		}
		if c := r.Centres().At(2)[0]; c != 60.5 {
			t.Errorf("keeping cluster %d: the seeded cluster is now at %v, want 60.5", kept, c)
		}
		if c := r.Centres().At(kept)[0]; math.Abs(c) > 2 {
			t.Errorf("the kept centre %d has moved to %v", kept, c)
		}
	}
}

// Whatever the rows: the cost never rises and is that of the labels, sums are
// those of the labels, every row is at its nearest centre, and no cost is below
// the least of all partitions.
func TestSwapsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, k := rapid.IntRange(2, 7).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "d"), rapid.IntRange(2, 3).Draw(t, "k")
		k = min(k, n)
		x := &data.Dense{Cols: d}
		var weight []float64
		for range n {
			weight = append(weight, float64(rapid.IntRange(1, 3).Draw(t, "w")))
			for range d {
				x.V = append(x.V, float64(rapid.IntRange(-4, 4).Draw(t, "x")))
			}
		}
		p := &cluster.Problem{X: x, K: k, Weight: weight}
		effort := rapid.SampledFrom([]cluster.Effort{cluster.EffortNormal, cluster.EffortHigh}).Draw(t, "effort")
		r, err := Start(context.Background(), Space{Problem: p}, &cluster.Env{Workers: 1}, NewCentres(k, d, slices.Clone(x.V[:k*d])), nil)
		if err != nil {
			t.Fatal(err)
		}
		descend(t, SearchSwaps(r, effort, nil, AllSwaps), r, math.Inf(1))
		terms, err := r.Objective(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := terms.Sum(); math.Abs(got-r.Cost()) > 1e-9*(1+got) {
			t.Fatalf("the cost is %v, that of labels and centres %v", r.Cost(), got)
		}
		for i := range n {
			if h, d2 := r.Centres().Nearest(x.Row(i, nil)); int32(h) != r.labels[i] && d2 < r.Centres().Dist2(x.Row(i, nil), int(r.labels[i])) {
				t.Fatalf("row %d has label %d, its nearest centre is %d", i, r.labels[i], h)
			}
		}
		if least := leastCost(p); r.Cost() < least-1e-9*(1+least) {
			t.Fatalf("the cost is %v, below that of the best partition, %v", r.Cost(), least)
		}
	})
}

// startAt starts a run with three centres on a line.
func startAt(t *testing.T, p *cluster.Problem, a, b, c float64) *Run {
	t.Helper()
	r, err := Start(context.Background(), Space{Problem: p}, &cluster.Env{Workers: 1}, NewCentres(3, 1, []float64{a, b, c}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type failer interface{ Fatalf(string, ...any) }

// descend runs all stages of a run that r is, or is part of, and fails if the cost rises above that before.
func descend(t failer, run cluster.Run, r *Run, before float64) {
	for range 200 {
		stages := run.Stages()
		if len(stages) == 0 {
			return
		}
		for _, st := range stages {
			if _, err := st.Do(context.Background()); err != nil {
				t.Fatalf("%s: %v", st.Name, err)
			}
			if now := r.Cost(); now > before+1e-9*(1+before) {
				t.Fatalf("%s raised the cost from %v to %v", st.Name, before, now)
			}
			before = r.Cost()
		}
	}
}

// leastCost tries all partitions of a few rows.
func leastCost(p *cluster.Problem) float64 {
	n, d := p.X.Len(), p.X.Dim()
	labels, best := make([]int, n), math.Inf(1)
	for {
		cost := 0.0
		for h := range p.K {
			mean, mass := make([]float64, d), 0.0
			for i, l := range labels {
				if l == h {
					data.Add(mean, p.X.Row(i, nil), p.W(i))
					mass += p.W(i)
				}
			}
			for f := range mean {
				mean[f] /= mass
			}
			for i, l := range labels {
				if l == h {
					cost += p.W(i) * data.Dist2(p.X.Row(i, nil), mean, 0)
				}
			}
		}
		best = min(best, cost)
		i := 0
		for ; i < n; i++ {
			if labels[i]++; labels[i] < p.K {
				break
			}
			labels[i] = 0
		}
		if i == n {
			return best
		}
	}
}
