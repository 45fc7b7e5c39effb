package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// largeComponentProblem returns points of which many are chained by must-links, so that there
// are large components, small components and cannot-links between all kinds; and the same
// knowledge with everything that follows written out. All weights are 2, or one of several.
func largeComponentProblem(rng *rand.Rand, weights ...float64) (p, all *cluster.Problem) {
	const n, k = 160, 3
	x := &data.Dense{Cols: 2}
	for range n {
		x.V = append(x.V, 5+rng.NormFloat64(), 3*rng.NormFloat64())
	}
	known := &constraint.Set{}
	for _, span := range [][2]int{{0, 50}, {50, 95}, {100, 104}, {110, 112}} {
		for i := span[0] + 1; i < span[1]; i++ {
			known.Must = append(known.Must, constraint.Pair{I: i, J: i - 1, W: 2})
		}
	}
	for _, q := range [][2]int{{3, 60}, {7, 101}, {102, 111}, {120, 20}, {121, 122}, {70, 103}} {
		known.Cannot = append(known.Cannot, constraint.Pair{I: q[0], J: q[1], W: 2})
	}
	for _, list := range [][]constraint.Pair{known.Must, known.Cannot} {
		for q := range list {
			if len(weights) > 0 {
				list[q].W = weights[rng.IntN(len(weights))]
			}
		}
	}
	known.Beliefs = []constraint.Pair{{I: 4, J: 130, W: -0.5}, {I: 130, J: 131, W: 0.25}}
	known.Labels = []constraint.Label{{I: 5, Class: 1, W: 1}, {I: 140, Class: 2, W: 0.5}}
	p = &cluster.Problem{X: x, K: k, Constraints: known}
	return p, &cluster.Problem{X: x, K: k, Constraints: writtenOut(n, known)}
}

// writtenOut returns s with all pairs that it entails, found as in the algorithm of Floyd and
// Warshall: given pairs weigh what was given, entailed ones what the weakest link of the
// strongest chain does.
func writtenOut(n int, s *constraint.Set) *constraint.Set {
	square := func() [][]float64 {
		m := make([][]float64, n)
		for i := range m {
			m[i] = make([]float64, n)
		}
		return m
	}
	must, cannot, given := square(), square(), square()
	for kind, list := range [][]constraint.Pair{s.Must, s.Cannot} {
		for _, q := range list {
			if q.I == q.J {
				continue
			}
			strength := [][][]float64{must, cannot}[kind]
			for _, e := range [2][2]int{{q.I, q.J}, {q.J, q.I}} {
				strength[e[0]][e[1]] = max(strength[e[0]][e[1]], q.W)
				given[e[0]][e[1]] += q.W
			}
		}
	}
	for i := range n {
		must[i][i] = math.Inf(1)
	}
	for m := range n {
		for i := range n {
			for j := range n {
				must[i][j] = max(must[i][j], min(must[i][m], must[m][j]))
			}
		}
	}
	for range 2 { // from one end, then from the other
		next := square()
		for i := range n {
			for m := range n {
				if must[i][m] > 0 {
					for j := range n {
						next[j][i] = max(next[j][i], min(must[i][m], cannot[m][j]))
					}
				}
			}
		}
		cannot = next
	}
	out := &constraint.Set{Beliefs: s.Beliefs, Labels: s.Labels}
	for i := range n {
		for j := range i {
			w := given[i][j]
			switch {
			case must[i][j] > 0 && w == 0:
				w = must[i][j]
			case cannot[i][j] > 0 && w == 0:
				w = cannot[i][j]
			}
			if q := (constraint.Pair{I: i, J: j, W: w}); must[i][j] > 0 {
				out.Must = append(out.Must, q)
			} else if cannot[i][j] > 0 {
				out.Cannot = append(out.Cannot, q)
			}
		}
	}
	return out
}

// Whatever the labels, large components cost what their pairs cost one by one: in the
// objective, and for each point in each cluster.
func TestLargeComponentsCostWhatTheirPairsDo(t *testing.T) {
	t.Parallel()
	for _, weights := range [][]float64{nil, {0.5, 1, 2, 8}, {0.001, 1, 3, 1000}} {
		for _, potential := range []string{"constant", "hmrf", "mpc"} {
			for _, form := range []string{"none", "diagonal", "full", "per-cluster-diagonal"} {
				rng := rand.New(rand.NewPCG(1, 2))
				p, all := largeComponentProblem(rng, weights...)
				a := NewHMRF()
				a.Penalty, a.Metric, a.Weight, a.Complexity, a.Init = metric.Penalty(potential), metric.FormName(form), cluster.Fixed(0.5), "none", "random"
				start := func(p *cluster.Problem, closure Closure) *descent {
					b := *a
					b.Closure = closure
					run, err := b.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(4, 4)), Workers: 2})
					if err != nil {
						t.Fatal(err)
					}
					return run.(*descent)
				}
				r, s := start(p, On), start(all, Off)
				if len(r.graph.LargeComponents) != 2 {
					t.Fatalf("%d large components", len(r.graph.LargeComponents))
				}
				s.penalty, s.model = r.penalty, r.model
				for trial := range 5 {
					for i := range r.labels {
						h := int32(rng.IntN(p.K))
						if trial%2 == 0 && i < 95 {
							h = int32(i / 48)
						}
						r.labels[i], s.labels[i] = h, h
					}
					x, err := r.Objective(context.Background())
					y, err2 := s.Objective(context.Background())
					if err != nil || err2 != nil {
						t.Fatal(err, err2)
					}
					for c := range x {
						if math.Abs(x[c].Value-y[c].Value) > 1e-9*(1+math.Abs(y[c].Value)) {
							t.Errorf("%s, %s: %s is %v with large components, %v pair by pair", potential, form, x[c].Name, x[c].Value, y[c].Value)
						}
					}
					for i := range r.labels {
						pen := append([]float64(nil), r.penalties(i)...)
						for h, want := range s.penalties(i) {
							if math.Abs(pen[h]-want) > 1e-9*(1+want) {
								t.Fatalf("%s, %s: point %d pays %v in cluster %d, pair by pair %v", potential, form, i, pen[h], h, want)
							}
						}
					}
				}
			}
		}
	}
}
