package steps

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
)

func TestContinuousRowsStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := &data.Dense{Cols: 3, V: make([]float64, 300)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	if got, any := Spread(x, 1); any || got != data.Rows(x) {
		t.Fatal("values that do not repeat were spread")
	}
	for i := range 100 { // repeated, but in steps that are small beside the deviation, and zero where nothing was measured
		x.V[3*i] = math.Round(20*x.V[3*i]) / 20
		x.V[3*i+1] = max(0, x.V[3*i+1])
	}
	if _, any := Spread(x, 1); any {
		t.Fatal("small steps, or many zeros, were spread")
	}
}

func TestSpreadStaysWithinSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := &data.Dense{Cols: 2, V: make([]float64, 400)}
	for i := range 200 {
		x.V[2*i] = float64(rng.IntN(4))
		x.V[2*i+1] = []float64{0, 1, 100}[rng.IntN(3)]
	}
	got, any := Spread(x, 1)
	if !any {
		t.Fatal("nothing was spread")
	}
	again, _ := Spread(x, 1)
	for i, y := range got.(*data.Dense).V {
		most := 0.5 // half a step
		if i%2 == 1 && x.V[i] > 0 {
			most = 1 // towards a value that is far away, no more than the median step
		}
		if math.Abs(y-x.V[i]) > most+1e-12 {
			t.Fatalf("%v became %v", x.V[i], y)
		}
		if y != again.(*data.Dense).V[i] {
			t.Fatal("the same seed gave other rows")
		}
	}
}

// A cluster for each combination of independent values separates nothing once they are spread; three patterns of ten
// answers, which shuffled answers hardly ever have, stay apart.
func TestCombinationsAndPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	silhouette := func(x data.Rows, labels []int) float64 {
		s, err := score.Silhouette(context.Background(), x, labels, score.SilhouetteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Mean
	}
	n := 240
	grid, cells := &data.Dense{Cols: 3, V: make([]float64, 3*n)}, make([]int, n)
	answers, pattern := &data.Dense{Cols: 10, V: make([]float64, 10*n)}, make([]int, n)
	for i := range n {
		for f := range 3 {
			y := rng.IntN(2)
			grid.V[3*i+f], cells[i] = float64(y), 2*cells[i]+y
		}
		pattern[i] = i % 3
		for f := range 10 {
			answers.V[10*i+f] = float64([]string{"0000011111", "1111100000", "0101001010"}[pattern[i]][f] - '0')
		}
	}
	if got := silhouette(grid, cells); got < 0.99 {
		t.Fatalf("the combinations as they are have a silhouette of %v: the test tests nothing", got)
	}
	spread, _ := Spread(grid, 1)
	if got := silhouette(spread, cells); got > 0.4 {
		t.Errorf("combinations of independent values have a silhouette of %v", got)
	}
	spread, _ = Spread(answers, 1)
	if got := silhouette(spread, pattern); got < 0.4 {
		t.Errorf("patterns have a silhouette of %v", got)
	}
}
