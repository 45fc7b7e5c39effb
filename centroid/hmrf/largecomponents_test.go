package hmrf

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/metric"
)

// largeComponentProblem returns points of which many are chained by must-links, so that there
// are large components, small components and cannot-links between all kinds; and the same
// knowledge with everything that follows written out.
func largeComponentProblem(rng *rand.Rand) (p, all *cluster.Problem) {
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
	known.Beliefs = []constraint.Pair{{I: 4, J: 130, W: -0.5}, {I: 130, J: 131, W: 0.25}}
	known.Labels = []constraint.Label{{I: 5, Class: 1, W: 1}, {I: 140, Class: 2, W: 0.5}}
	p = &cluster.Problem{X: x, K: k, Constraints: known}
	closed, err := constraint.Close(n, &constraint.Set{Must: known.Must, Cannot: known.Cannot})
	if err != nil {
		panic(err)
	}
	full := &constraint.Set{Beliefs: known.Beliefs, Labels: known.Labels}
	for i := range n {
		for j := range i {
			if closed.MustTogether(i, j) {
				full.Must = append(full.Must, constraint.Pair{I: i, J: j, W: 2})
			} else if closed.MustApart(i, j) {
				full.Cannot = append(full.Cannot, constraint.Pair{I: i, J: j, W: 2})
			}
		}
	}
	return p, &cluster.Problem{X: x, K: k, Constraints: full}
}

// Whatever the labels, large components cost what their pairs cost one by one: in the
// objective, and for each point in each cluster.
func TestLargeComponentsCostWhatTheirPairsDo(t *testing.T) {
	for _, potential := range []string{"constant", "hmrf", "mpc"} {
		for _, form := range []string{"none", "diagonal", "full", "per-cluster-diagonal"} {
			rng := rand.New(rand.NewPCG(1, 2))
			p, all := largeComponentProblem(rng)
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
			if len(r.graph.largeComponents) != 2 {
				t.Fatalf("%d large components", len(r.graph.largeComponents))
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

// Entailed pairs are listed where they are few; listed or not, a pair of another
// weight keeps it.
func TestWeightsSurviveTheClosure(t *testing.T) {
	known := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 2, J: 1, W: 4}, {I: 1, J: 2, W: 1}},
		Cannot: []constraint.Pair{{I: 3, J: 0, W: 2}},
	}
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3}}, K: 2, Constraints: known}
	f := newConstraintGraph(p, closedPairs(p), false)
	if !f.entailedListed || f.entailedWeight != 2 {
		t.Fatalf("listed %v, an entailed pair weighs %v", f.entailedListed, f.entailedWeight)
	}
	got := map[[2]int32]float64{}
	for i := range int32(4) {
		f.eachPair(int(i), func(j int32, _ bool, w float64) { got[[2]int32{i, j}] += w })
	}
	for q, want := range map[[2]int32]float64{{0, 1}: 1, {1, 2}: 5, {0, 2}: 2, {0, 3}: 2, {1, 3}: 2, {2, 3}: 2} {
		if got[q] != want || got[[2]int32{q[1], q[0]}] != want {
			t.Errorf("pair %v weighs %v and %v, wanted %v", q, got[q], got[[2]int32{q[1], q[0]}], want)
		}
	}
}
