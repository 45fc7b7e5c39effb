package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// A pair that two labels entail is never stronger than the weaker of them: in the affinities
// of spectral-learning, which it moves by that share of the way at most, and in Q where there is no closure.
func TestEntailedPairsAreNoStrongerThanTheirLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 6))
	entailed := 0
	for range 200 {
		g, s, weight, class := cuttest.Labelled(rng)
		n := g.Len()
		edited, err := editAffinities(g, s)
		if err != nil {
			t.Fatal(err)
		}
		f, one := NewNodeGraph(g, nil), make([]float64, n)
		for i := range one {
			one[i] = 1
		}
		q, err := NewConstraintMatrix(f, s, nil, 3, one)
		if err != nil {
			t.Fatal(err)
		}
		top := 1.0
		for _, w := range g.W {
			top = max(top, w)
		}
		for i := range n {
			given, b := make([]float64, n), make([]float64, n)
			b[f.NodeOf[i]] = 1
			q.Apply(given, b)
			for j := range n {
				if i == j {
					continue
				}
				most, together := min(weight[i], weight[j]), class[i] == class[j]
				was, now := edgeWeight(g, i, j), edgeWeight(edited, i, j)
				share := (now - was) / (top - was)
				if now < was {
					share = (was - now) / was
				}
				for what, w := range map[string]float64{"affinity": share, "entry of Q": math.Abs(given[f.NodeOf[j]])} {
					if w > most*(1+1e-9)+1e-12 {
						t.Fatalf("%v: the %s of %d and %d is %v strong, the weaker label %v", s.Labels, what, i, j, w, most)
					}
				}
				if most > 0 && (now > was) == together && given[f.NodeOf[j]] > 0 == together {
					entailed++
				}
			}
		}
	}
	if entailed < 1000 {
		t.Errorf("only %d pairs are entailed", entailed)
	}
}
