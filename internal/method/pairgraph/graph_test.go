package pairgraph

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Entailed pairs are listed where they are few; listed or not, a given pair keeps its
// weight, and an entailed one weighs what the weakest link of its strongest chain does.
func TestWeightsSurviveTheClosure(t *testing.T) {
	known := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 2, J: 1, W: 4}, {I: 1, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 3, J: 0, W: 2}},
	}
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3}}, K: 2, Constraints: known}
	f := New(p, Close(p), false)
	if !f.EntailedListed {
		t.Fatal("four pairs are not listed")
	}
	got := map[[2]int32]float64{}
	for i := range int32(4) {
		f.EachPair(int(i), func(j int32, _ bool, w float64) { got[[2]int32{i, j}] += w })
	}
	for q, want := range map[[2]int32]float64{{0, 1}: 1, {1, 2}: 5, {0, 2}: 1, {0, 3}: 2, {1, 3}: 1, {2, 3}: 1} {
		if got[q] != want || got[[2]int32{q[1], q[0]}] != want {
			t.Errorf("pair %v weighs %v and %v, wanted %v", q, got[q], got[[2]int32{q[1], q[0]}], want)
		}
	}
}

// Where links of large components have more weights than there may be layers, what their
// entailed pairs weigh is rounded down to one of the weights, never up.
func TestManyWeightsAreRoundedDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	weights := make([]float64, 100)
	for q := range weights {
		weights[q] = math.Exp(3 * rng.NormFloat64())
	}
	known := &constraint.Set{}
	link := func(list *[]constraint.Pair, i, j int) {
		*list = append(*list, constraint.Pair{I: i, J: j, W: weights[rng.IntN(len(weights))]})
	}
	for _, span := range [][2]int{{0, 50}, {50, 95}, {100, 104}} {
		for i := span[0] + 1; i < span[1]; i++ {
			link(&known.Must, i, i-1)
		}
	}
	for _, q := range [][2]int{{3, 60}, {7, 101}, {105, 20}, {70, 103}} {
		link(&known.Cannot, q[0], q[1])
	}
	const n = 110
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, n)}, K: 3, Constraints: known}
	f := New(p, Close(p), false)
	if len(f.layers) != maxLayers {
		t.Fatalf("%d layers", len(f.layers))
	}
	exact, lower := 0, 0
	for i := range n {
		for j := range i {
			must := f.Closed.MustTogether(i, j)
			if !must && !f.Closed.MustApart(i, j) {
				continue
			}
			got, most := f.entailedWeight(i, j, must), f.strengths.Cannot(i, j)
			if must {
				most = f.strengths.Must(i, j)
			}
			switch {
			case got > most*(1+1e-12) || got <= 0:
				t.Fatalf("%d and %d weigh %v, their strongest chain %v", i, j, got, most)
			case got > most*(1-1e-12):
				exact++
			default:
				lower++
			}
		}
	}
	if exact == 0 || lower == 0 {
		t.Errorf("%d pairs weigh what their chains do, %d less", exact, lower)
	}
}

// strongestChains returns for every two points the largest least weight of all chains of
// must-links between them, and of those with one cannot-link.
func strongestChains(n int, s *constraint.Set) (must, cannot [][]float64) {
	square := func() [][]float64 {
		m := make([][]float64, n)
		for i := range m {
			m[i] = make([]float64, n)
		}
		return m
	}
	must, cannot = square(), square()
	for i := range n {
		must[i][i] = math.Inf(1)
	}
	for _, q := range s.Must {
		must[q.I][q.J], must[q.J][q.I] = max(must[q.I][q.J], q.W), max(must[q.J][q.I], q.W)
	}
	for m := range n {
		for i := range n {
			for j := range n {
				must[i][j] = max(must[i][j], min(must[i][m], must[m][j]))
			}
		}
	}
	for _, q := range s.Cannot {
		for i := range n {
			for j := range n {
				w := max(min(must[i][q.I], q.W, must[q.J][j]), min(must[i][q.J], q.W, must[q.I][j]))
				cannot[i][j] = max(cannot[i][j], w)
			}
		}
	}
	return must, cannot
}

// No entailed pair outweighs the weakest link of the strongest chain that entails it, and
// where there are no large components or few weights each weighs just as much.
func TestEntailedPairsAreNoStrongerThanTheirWeakestLink(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 7))
	entailed, large := 0, 0
	for problem := range 200 {
		n := 8 + rng.IntN(10)
		if problem%10 == 0 {
			n = 60
		}
		s := &constraint.Set{}
		weight := func() float64 { return math.Exp(3 * rng.NormFloat64()) }
		if rng.IntN(3) == 0 {
			weight = func() float64 { return float64(1 + rng.IntN(3)) }
		}
		add := func(list *[]constraint.Pair, i, j int) {
			old := *s
			*list = append(*list, constraint.Pair{I: i, J: j, W: weight()})
			if _, err := constraint.Close(n, s); err != nil || i == j {
				*s = old
			}
		}
		for i := range n / 2 {
			if rng.IntN(3) > 0 || n == 60 {
				add(&s.Must, i, i+1)
			}
		}
		for range rng.IntN(n / 2) {
			add(&s.Must, rng.IntN(n), rng.IntN(n))
			add(&s.Cannot, rng.IntN(n), rng.IntN(n))
		}
		if len(s.Must)+len(s.Cannot) == 0 {
			continue
		}
		p := &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, n)}, K: 3, Constraints: s}
		f := New(p, Close(p), rng.IntN(2) == 0)
		if f.HasLarge() {
			large++
		}
		must, cannot := strongestChains(n, s)
		for i := range n {
			for j := range i {
				together := f.Closed.MustTogether(i, j)
				if !together && !f.Closed.MustApart(i, j) {
					continue
				}
				entailed++
				got, most := f.entailedWeight(i, j, together), cannot[i][j]
				if together {
					most = must[i][j]
				}
				if got <= 0 || got > most*(1+1e-12) || len(f.layers) < maxLayers && got < most*(1-1e-12) {
					t.Fatalf("problem %d: %d and %d weigh %v, their strongest chain %v", problem, i, j, got, most)
				}
			}
		}
	}
	if entailed < 2000 || large < 5 {
		t.Errorf("%d pairs are entailed, %d problems have large components", entailed, large)
	}
}
