package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// What a move costs is what the normalized cut, added up edge by edge, changes by.
func TestPricesAreDifferencesOfTheNormalizedCut(t *testing.T) {
	for at, a := range []cluster.Algorithm{NewSpectral(), NewSpectralLearning(), NewCSP(), NewFastGE()} {
		rng := rand.New(rand.NewPCG(uint64(at), 14))
		moves := 0
		for fits, draws := 0, 0; fits < 200; draws++ {
			if draws == 1000 {
				t.Fatalf("%T: only %d of %d problems are feasible", a, fits, draws)
			}
			n, k := 8+rng.IntN(10), 2+rng.IntN(2)
			var edges []data.Edge
			for i := range n {
				for j := range i + 1 {
					if rng.IntN(3) == 0 && (i != j || rng.IntN(4) == 0) {
						edges = append(edges, data.Edge{U: j, V: i, W: 0.1 + rng.Float64()})
					}
				}
			}
			p := &cluster.Problem{Graph: data.BuildGraph(n, edges), K: k, Constraints: &constraint.Set{}}
			for range 1 + rng.IntN(4) {
				i := rng.IntN(n - 1)
				q := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: 1}
				switch rng.IntN(6) {
				case 0, 1:
					p.Constraints.Must = append(p.Constraints.Must, q)
				case 2, 3:
					p.Constraints.Cannot = append(p.Constraints.Cannot, q)
				case 4:
					q.W = 2*rng.Float64() - 1
					p.Constraints.Beliefs = append(p.Constraints.Beliefs, q)
				default:
					p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: q.I, Class: rng.IntN(k), W: rng.ExpFloat64() + 0.01})
				}
			}
			r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
			if err != nil { // infeasible
				continue
			}
			fits++
			prices := r.Prices(p)
			graph, now := p.Graph, r.Objective.Sum()
			if _, ok := a.(*SpectralLearning); ok {
				if graph, err = editAffinities(graph, p.Constraints); err != nil {
					t.Fatal(err)
				}
			}
			for i := range n {
				for h := range k {
					got, ok := prices.Move(i, h)
					labels := append([]int(nil), r.Labels...)
					labels[i] = h
					if want := cutByEdges(graph, labels, k) - now; !ok || math.Abs(got-want) > 1e-9*now+1e-12 {
						t.Fatalf("%T: moving %d to %d costs %v, edge by edge %v", a, i, h, got, want)
					}
					moves++
				}
			}
		}
		if moves < 1000 {
			t.Errorf("%T: only %d moves had a price", a, moves)
		}
	}
}

// cutByEdges returns Σ_c cut(c)/vol(c); an empty cluster counts 1, and 1 in a term of its own.
func cutByEdges(g *data.Graph, labels []int, k int) (sum float64) {
	for c := range k {
		cut, volume, size := 0.0, 0.0, 0
		for i, h := range labels {
			if h != c {
				continue
			}
			size++
			to, w := g.Neighbours(i)
			for q, j := range to {
				volume += w[q]
				if labels[j] != c {
					cut += w[q]
				}
			}
		}
		switch {
		case volume > 0:
			sum += cut / volume
		case size == 0:
			sum += 2
		}
	}
	return sum
}
