package choose

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

func numbers(from, to int) (ks []int) {
	for k := from; k <= to; k++ {
		ks = append(ks, k)
	}
	return ks
}

// A few links leave the number of clusters that the rows speak for, unless they say otherwise: with
// overlapping blobs the number is the one without links wherever the links do not rule it out.
func TestFewLinksLeaveK(t *testing.T) {
	same := 0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 3))
		x, truth, err := example.Blobs(200, 6, 3, 4.5, 1, rng)
		if err != nil {
			t.Fatal(err)
		}
		run := func(known *constraint.Set) *KChoice {
			task := &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: known}, Ks: numbers(2, 9)}
			found, err := Run(context.Background(), task, Options{Seed: seed, Candidates: []Candidate{{Method: "kmeans"}, {Method: "graph-cut", Parameters: neighbours}}})
			if err != nil {
				t.Fatal(err)
			}
			return found.Clusters
		}
		plain, linked := run(nil), run(constraint.RandomPairs(truth, 90, rng))
		if !slices.Contains(linked.Near, linked.K) || linked.Near[0] != linked.K {
			t.Errorf("seed %d: k = %d, but the best numbers are %v", seed, linked.K, linked.Near)
		}
		if linked.By != "held-out pairs" {
			t.Errorf("seed %d: k by %s", seed, linked.By)
		}
		switch {
		case linked.K == plain.K:
			same++
		case slices.Contains(linked.Near, plain.K):
			t.Errorf("seed %d: k = %d with 90 links, %d without, and the links do not rule that out: %s", seed, linked.K, plain.K, linked.Why)
		}
	}
	if same < 2 {
		t.Errorf("90 true links changed k in %d of 3 tables", 3-same)
	}
}

// The end of a range is not called an optimum: larger numbers are tried where the task allows them, else the
// sentence says that it is the end.
func TestEndOfRangeIsSaid(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 4))
	x, _, err := example.Blobs(600, 20, 4, 14, 0.5, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ks     []int
		beyond int
		k      int
		says   string
	}{
		{numbers(2, 12), 60, 20, ""},
		{numbers(2, 12), 0, 12, "it is the largest number tried"},
		{numbers(2, 12), 14, 14, "it is the largest number tried"},
		{numbers(22, 30), 0, 22, "it is the smallest number tried"},
	} {
		task := &Task{Problem: &cluster.Problem{X: x, K: 2}, Ks: c.ks, Beyond: c.beyond}
		found, err := Run(context.Background(), task, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if k := found.Clusters; k.K != c.k || !strings.Contains(k.Why, c.says) || c.says == "" && strings.Contains(k.Why, "tried") {
			t.Errorf("%d to %d, %d at most: %s", c.ks[0], c.ks[len(c.ks)-1], c.beyond, k.Why)
		}
	}
}

// Columns of a few values have as many combinations as their numbers of values multiplied, and each combination looks
// like a cluster without any spread. Independent columns support none; two groups that differ in the answers they
// prefer are two, not one for each combination of answers.
func TestCombinationsOfValuesAreNoClusters(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 5))
		independent, groups := &data.Dense{Cols: 3, V: make([]float64, 900)}, &data.Dense{Cols: 4, V: make([]float64, 1200)}
		for i := range 300 {
			for f, values := range []int{2, 3, 4} {
				independent.V[3*i+f] = float64(rng.IntN(values))
			}
			for f := range 4 {
				answer := i % 2
				if rng.Float64() < 0.1 {
					answer = 1 - answer
				}
				groups.V[4*i+f] = float64(answer)
			}
		}
		for _, c := range []struct {
			x    data.Rows
			most int
			none bool
		}{{independent, 12, true}, {groups, 2, false}} {
			found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: c.x, K: 2}, Ks: numbers(2, 17)}, Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if k := found.Clusters; k.K > c.most || c.none != (k.Doubt != "") || !strings.Contains(k.Why, "recorded in steps") {
				t.Errorf("seed %d: %s; doubt: %q", seed, k.Why, k.Doubt)
			}
		}
	}
}

// Other methods than the reference are tried with few numbers, the first and the last among them.
func TestSpacedNumbers(t *testing.T) {
	var ks []int
	for k := 2; k <= 37; k++ {
		ks = append(ks, k)
	}
	if got := spaced(ks); !slices.Equal(got, []int{2, 3, 5, 7, 10, 14, 20, 28, 37}) {
		t.Errorf("%v", got)
	}
	if got := spaced([]int{4}); !slices.Equal(got, []int{4}) {
		t.Errorf("%v", got)
	}
	if got := spaced(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A few rows far from all others are no reason for two clusters, where there are groups among the others.
func TestExceptionsTakeNoNumber(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 31))
		x := &data.Dense{Cols: 3, V: make([]float64, 0, 900)}
		for i := range 300 {
			far := 0.0
			if i < 4 {
				far = 60
			}
			for f := range 3 {
				x.V = append(x.V, far+5*float64((i+f)%3)+rng.NormFloat64())
			}
		}
		found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 2}, Ks: numbers(2, 8)}, Options{Seed: seed, Candidates: []Candidate{{Method: "kmeans"}}})
		if err != nil {
			t.Fatal(err)
		}
		if k := found.Clusters; k.K != 4 || slices.Contains(k.Near, 2) {
			t.Errorf("seed %d: three groups and four rows far out: %s", seed, k.Why)
		}
	}
}

// Of numbers whose silhouettes differ by less than chance the fewest clusters are taken, and the sentence says so.
func TestFewestWithinAStandardError(t *testing.T) {
	kc := &KChoice{Tried: []KTrial{
		{K: 1},
		{K: 2, Mean: .5, few: true, values: []float64{1, 0}},
		{K: 3, Mean: .4, values: []float64{.4, .4}}, // lower everywhere
		{K: 4, Mean: .45, values: []float64{.1, .8}},
		{K: 9, Mean: .5, values: []float64{.5, .5}},
	}}
	if got := kc.fewest(kc.Tried[4]); got.K != 4 {
		t.Errorf("k = %d", got.K)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	ring := &data.Dense{Cols: 2, V: make([]float64, 0, 400)}
	for range 200 {
		at := 2 * math.Pi * rng.Float64()
		ring.V = append(ring.V, 10*math.Cos(at)+.2*rng.NormFloat64(), 10*math.Sin(at)+.2*rng.NormFloat64())
	}
	found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: ring, K: 2}, Ks: numbers(2, 14)}, Options{Seed: 1, Candidates: []Candidate{{Method: "kmeans"}}})
	if err != nil {
		t.Fatal(err)
	}
	k := found.Clusters
	top := slices.MaxFunc(k.Tried, func(a, b KTrial) int { return cmp.Compare(a.Mean, b.Mean) })
	if k.K > top.K || k.mean(k.K) < top.Mean-3*top.SE || (k.K != top.K) != strings.Contains(k.Why, "fewest clusters") {
		t.Errorf("best %d (%.3f): %s", top.K, top.Mean, k.Why)
	}
}
