package choose

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Without constraints the blocks of planted partitions are counted, whatever their number, size and density, and where there are
// none that is said.
func TestCommunitiesAreCounted(t *testing.T) {
	t.Parallel()
	cases := []struct {
		n, k    int
		in, out float64 // neighbours of a node in its block and in others
	}{{80, 2, 8, 1}, {120, 4, 10, 0.5}, {120, 4, 6, 2}, {150, 3, 6, 1}, {200, 5, 8, 2}, {240, 12, 8, 1}, {300, 8, 10, 2}, {500, 4, 8, 4}, {120, 1, 8, 0}}
	for _, c := range cases {
		g, _, err := example.PlantedPartition(c.n, c.k, c.in, c.out, rand.New(rand.NewPCG(uint64(c.n), uint64(c.k))))
		if err != nil {
			t.Fatal(err)
		}
		task := &Task{Problem: &cluster.Problem{Graph: g, K: 2}, Beyond: c.n / 10}
		for k := 2; k <= 12; k++ {
			task.Ks = append(task.Ks, k)
		}
		found, err := Run(context.Background(), task, Options{})
		if err != nil {
			t.Fatal(err)
		}
		kc := found.Clusters
		if c.k == 1 {
			if kc.Doubt == "" {
				t.Errorf("%d nodes without blocks are not doubted: %s", c.n, kc.Why)
			}
			continue
		}
		if kc.K != c.k || kc.Doubt != "" || found.Candidate.K != c.k {
			t.Errorf("%d nodes in %d blocks, with %v neighbours there and %v elsewhere: %s; %s", c.n, c.k, c.in, c.out, kc.Why, kc.Doubt)
		}
	}
}

// Two triangles that one edge joins, by hand. As one cluster: e_in = 7, the degrees sum to 14, so
//
//	-ln 7! + 7 ln 1/2 + ln 19!/5! + ln 6!/6! + ln 6 + ln C(5, 0),
//
// and as two: e_in = 6, e_out = 1, degrees of 7 each:
//
//	-ln 6! - ln 1! + 6 ln 1 + 1 ln 1 + ln 8 + 2 ln 9!/2! + ln 6!/(3! 3!) + ln 6 + ln C(5, 1).
func TestDescriptionLengthByHand(t *testing.T) {
	g := data.BuildGraph(6, []data.Edge{{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 1, V: 2, W: 1}, {U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}, {U: 4, V: 5, W: 1}, {U: 2, V: 3, W: 1}})
	f := logFactorial
	one := -f(7) - 7*math.Ln2 + f(19) - f(5) + math.Log(6)
	two := -f(6) + math.Log(8) + 2*(f(9)-f(2)) + f(6) - 2*f(3) + math.Log(6) + math.Log(5)
	for _, c := range []struct {
		labels []int
		want   float64
	}{{[]int{0, 0, 0, 0, 0, 0}, one}, {[]int{0, 0, 0, 1, 1, 1}, two}, {[]int{2, 2, 2, 0, 0, 0}, two}} {
		if got := descriptionLength(g, c.labels); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %v, wanted %v", c.labels, got, c.want)
		}
	}
	scaled := *g
	scaled.W = slices.Clone(g.W)
	for i := range scaled.W {
		scaled.W[i] *= 10
	}
	if got := descriptionLength(&scaled, []int{0, 0, 0, 1, 1, 1}); math.Abs(got-two) > 1e-9 {
		t.Errorf("with ten times the weights: %v, wanted %v", got, two)
	}
}
