package csp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// An edge that two labels entail is never stronger than the weaker of them.
func TestEntailedEdgesAreNoStrongerThanTheirLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 6))
	entailed := 0
	for range 200 {
		g, s, weight, class := cuttest.Labelled(rng)
		n := g.Len()
		f := spectral.NewNodeGraph(g, nil)
		l, one := newLinkEdges(f, s, 1), make([]float64, n)
		for i := range one {
			one[i] = 1
		}
		must := data.BuildGraph(n, l.mustEdges(s))
		cannot, err := l.cannotLaplacian(s, one)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			a, apart, b := f.NodeOf[i], make([]float64, n), make([]float64, n)
			b[a] = 1
			cannot.Apply(apart, b)
			for j := range n {
				if i == j {
					continue
				}
				most, degrees, joins := min(weight[i], weight[j]), l.sqrtDegree[a]*l.sqrtDegree[f.NodeOf[j]], 0.0
				to, w := must.Neighbours(a)
				for q, node := range to {
					if int(node) == f.NodeOf[j] {
						joins = w[q]
					}
				}
				for what, w := range map[string]float64{"must-link": joins / degrees, "cannot-link": math.Abs(apart[f.NodeOf[j]]) / degrees} {
					if w > most*(1+1e-9)+1e-12 {
						t.Fatalf("%v: the %s of %d and %d is %v strong, the weaker label %v", s.Labels, what, i, j, w, most)
					}
					if w > 0 && (what == "must-link") == (class[i] == class[j]) {
						entailed++
					}
				}
			}
		}
	}
	if entailed < 1000 {
		t.Errorf("only %d edges are entailed", entailed)
	}
}
