package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// A pair that two labels entail is never stronger than the weaker of them: in the affinities
// of spectral-learning, which it moves by that share of the way at most, in the edges of
// fast-ge, and in Q where there is no closure.
func TestEntailedPairsAreNoStrongerThanTheirLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 6))
	entailed := 0
	for range 200 {
		const n, k = 9, 3
		var edges []data.Edge
		for i := range n {
			for j := range i {
				edges = append(edges, data.Edge{U: j, V: i, W: 0.1 + rng.Float64()})
			}
		}
		g := data.BuildGraph(n, edges)
		s, weight, class := &constraint.Set{}, [n]float64{}, [n]int{}
		for _, i := range rng.Perm(n)[:2+rng.IntN(n-1)] {
			weight[i], class[i] = math.Exp(2*rng.NormFloat64()), rng.IntN(k)
			s.Labels = append(s.Labels, constraint.Label{I: i, Class: class[i], W: weight[i]})
		}
		edited, err := editAffinities(g, s)
		if err != nil {
			t.Fatal(err)
		}
		f := newNodeGraph(g, nil)
		l, one := newLinkEdges(f, s, 1), make([]float64, n)
		for i := range one {
			one[i] = 1
		}
		must := data.BuildGraph(n, l.mustEdges(s))
		cannot, err := l.cannotLaplacian(s, one)
		if err != nil {
			t.Fatal(err)
		}
		q, err := newConstraintMatrix(f, s, nil, k, one)
		if err != nil {
			t.Fatal(err)
		}
		top := 1.0
		for _, w := range g.W {
			top = max(top, w)
		}
		for i := range n {
			a, b := f.nodeOf[i], make([]float64, n)
			b[a] = 1
			given, apart := make([]float64, n), make([]float64, n)
			q.Apply(given, b)
			cannot.Apply(apart, b)
			for j := range n {
				if i == j {
					continue
				}
				most, together := min(weight[i], weight[j]), class[i] == class[j]
				degrees := l.sqrtDegree[a] * l.sqrtDegree[f.nodeOf[j]]
				was, now := edgeWeight(g, i, j), edgeWeight(edited, i, j)
				share := (now - was) / (top - was)
				if now < was {
					share = (was - now) / was
				}
				for what, w := range map[string]float64{"affinity": share, "must-link": edgeWeight(must, a, f.nodeOf[j]) / degrees,
					"cannot-link": math.Abs(apart[f.nodeOf[j]]) / degrees, "entry of Q": math.Abs(given[f.nodeOf[j]])} {
					if w > most*(1+1e-9)+1e-12 {
						t.Fatalf("%v: the %s of %d and %d is %v strong, the weaker label %v", s.Labels, what, i, j, w, most)
					}
				}
				if most > 0 && (now > was) == together && given[f.nodeOf[j]] > 0 == together {
					entailed++
				}
			}
		}
	}
	if entailed < 1000 {
		t.Errorf("only %d pairs are entailed", entailed)
	}
}
