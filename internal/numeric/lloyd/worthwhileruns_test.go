package lloyd

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Ten clusters cost 10 each, unless said.
func TestWorthwhileRunsByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		k     int
		swaps *swapSearch
		rows  int // searched in all passes, of 1,000
		want  int
	}{
		{"no sample", 10, &swapSearch{planned: true, leastLoss: 1}, 5000, 1},
		{"no swap to compare", 10, &swapSearch{sampled: true}, 5000, 1},
		{"a swap loses a tenth of a cluster", 10, &swapSearch{sampled: true, planned: true, leastLoss: 1}, 5000, 10},
		{"a swap loses a third", 10, &swapSearch{sampled: true, planned: true, leastLoss: 3.3}, 5000, 3},
		{"a swap loses a cluster and more", 10, &swapSearch{sampled: true, planned: true, leastLoss: 11}, 5000, 1},
		{"a swap that promised to gain has failed", 10, &swapSearch{sampled: true, planned: true, leastLoss: -1}, 5000, 10},
		{"30 clusters", 30, &swapSearch{sampled: true, planned: true, leastLoss: 0.1}, 5000, 3},
		{"200 clusters", 200, &swapSearch{sampled: true, planned: true, leastLoss: 0.01}, 5000, 1},
		// 100,000 less 40,000 for others that search 20,000 each.
		{"a slow descent", 10, &swapSearch{sampled: true, planned: true, leastLoss: 1, trialsSearched: 20_000}, 40_000, 4},
		{"a descent that took all", 10, &swapSearch{sampled: true, planned: true, leastLoss: 1}, 140_000, 1},
	} {
		r := c.swaps
		r.Run = &Run{Search: &Search{centres: NewCentres(c.k, 1, make([]float64, c.k)), labels: make([]int32, 1000)}, searched: c.rows}
		r.cost.Cost = 100
		if got := r.WorthwhileRuns(); got != c.want {
			t.Errorf("%s: %d runs, want %d", c.name, got, c.want)
		}
	}
}

// From the lowest minimum, where no swap promises to gain, swaps are tried, but not at
// normal effort in runs that try only those that promise to gain.
func TestPromisingSwapsAlone(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 10, 11, 20, 21}}, K: 3}
	for _, c := range []struct {
		effort    cluster.Effort
		promising bool
		tried     bool
	}{
		{cluster.EffortNormal, false, true},
		{cluster.EffortNormal, true, false},
		{cluster.EffortHigh, true, true},
	} {
		r, err := Start(context.Background(), Space{Problem: p}, &cluster.Env{Workers: 1}, NewCentres(3, 1, []float64{0.5, 10.5, 20.5}), nil)
		if err != nil {
			t.Fatal(err)
		}
		plan := SwapsAgain
		if c.promising {
			plan = PromisingSwaps
		}
		s := newSwapSearch(r, c.effort, nil, plan)
		descend(t, s, r, r.Cost())
		if r.Cost() != 1.5 || (s.trialPasses > 0) != c.tried {
			t.Errorf("%+v: the cost is %v after %d passes of trials", c, r.Cost(), s.trialPasses)
		}
	}
}
