package starts

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

func TestEvidenceIsInStandardErrors(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, 3)}, K: 2}
	// Differences 1, 3, 0: their sum is 4, their squares about the mean 14/3.
	if got, want := overRows(p, []float64{2, 4, 1}, []float64{1, 1, 1}), 4/math.Sqrt(14.0/3); math.Abs(got-want) > 1e-12 {
		t.Errorf("the rows are %v standard errors costlier, wanted %v", got, want)
	}
	if got := overRows(p, []float64{2, 4, 1 + 1e-14}, []float64{4, 1, 2}); got != 0 {
		t.Errorf("equal but for rounding: %v standard errors, wanted none", got)
	}
	v := &evidence{must: []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}}, cannot: []constraint.Pair{{I: 0, J: 3, W: 2}, {I: 1, J: 3, W: 9}}}
	// 1 and 2 more, 1 less, and one that both violate: 2 over the root of 1+4+1.
	got := v.standardErrors([]bool{true, false, true, true}, []bool{false, true, false, true})
	if want := 2 / math.Sqrt(6); math.Abs(got-want) > 1e-12 {
		t.Errorf("the pairs are %v standard errors worse, wanted %v", got, want)
	}
	if got := v.standardErrors(make([]bool, 4), make([]bool, 4)); got != 0 {
		t.Errorf("nothing violated: %v standard errors, wanted none", got)
	}
}

// corners returns 200 points about the corners (±wide, ±1), and pairs that put
// those with the same second feature together. Two centres may halve them
// either way.
func corners(wide float64, pairs int) (p *cluster.Problem, known, blind *lloyd.Centres) {
	r := rand.New(rand.NewPCG(7, 7))
	x, truth := &data.Dense{Cols: 2}, make([]int, 200)
	for i := range truth {
		truth[i] = i % 2
		x.V = append(x.V, wide*float64(i&2-1)+r.NormFloat64()/4, float64(2*truth[i]-1)+r.NormFloat64()/4)
	}
	p = &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, pairs, r)}
	return p, lloyd.NewCentres(2, 2, []float64{0, -1, 0, 1}), lloyd.NewCentres(2, 2, []float64{-wide, 0, wide, 0})
}

func TestPairsDecideWhereRowsDoNot(t *testing.T) {
	for _, c := range []struct {
		wide  float64
		pairs int
		first bool // the start that the pairs are for is taken
	}{
		{1.01, 20, true}, // hardly wider than high: the rows do not tell
		{1.5, 20, false}, // plainly wider
		{1.5, 4000, true},
		{0.8, 20, true},
	} {
		p, known, blind := corners(c.wide, c.pairs)
		got := Contest(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 0)), Workers: 1}, known, func(*cluster.Problem) *lloyd.Centres { return blind })
		if (got == known) != c.first {
			t.Errorf("corners %v wide, %d pairs: the start from the pairs was taken: %v, wanted %v", c.wide, c.pairs, got == known, c.first)
		}
	}
}
