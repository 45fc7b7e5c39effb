package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A pair that labels entail is never stronger than the weaker of its two labels, and no other
// chain of labels entails a stronger one: doubtful labels force nothing.
func TestEntailedPairsAreNoStrongerThanTheirLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	pairs := 0
	for range 200 {
		const n = 12
		s := &constraint.Set{}
		for range 1 + rng.IntN(15) {
			s.Labels = append(s.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(3), W: math.Exp(3 * rng.NormFloat64())})
		}
		soft, strength := s.SoftSeeds(), [n]float64{}
		for _, l := range s.Labels {
			if !soft[l.I] {
				strength[l.I] = max(strength[l.I], l.W)
			}
		}
		for _, e := range softEdges(s) {
			pairs++
			if w := math.Abs(e.W); w > min(strength[e.U], strength[e.V]) || w == 0 {
				t.Fatalf("%v: pair %d, %d weighs %v, its labels %v and %v", s.Labels, e.U, e.V, e.W, strength[e.U], strength[e.V])
			}
		}
		for _, e := range cannotEdges(s, 2) {
			if w := e.W / 2; w > min(strength[e.U], strength[e.V]) || w <= 0 {
				t.Fatalf("%v: points %d and %d apart weigh %v, their labels %v and %v", s.Labels, e.U, e.V, w, strength[e.U], strength[e.V])
			}
		}
	}
	if pairs < 500 {
		t.Errorf("only %d pairs", pairs)
	}
}
