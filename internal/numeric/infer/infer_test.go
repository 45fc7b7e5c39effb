package infer

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

var background = context.Background()

// brute returns the least energy of any labels, by trying all.
func brute(f *Field) float64 {
	y, best := make([]int32, f.N), math.Inf(1)
	for {
		best = min(best, f.Energy(y))
		i := 0
		for ; i < f.N; i++ {
			if y[i]++; int(y[i]) < f.K {
				break
			}
			y[i] = 0
		}
		if i == f.N {
			return best
		}
	}
}

// A kind of random field.
type kind struct {
	forest   bool    // at most one path between two variables
	perLabel bool    // costs depend on the label
	mixed    bool    // an edge may cost something either way
	weight   float64 // of a link, beside unary costs up to 1
}

func (q kind) costs(r *rand.Rand, k int) []float64 {
	n := 1
	if q.perLabel {
		n = k
	}
	p := make([]float64, n)
	for a := range p {
		p[a] = q.weight * r.Float64()
	}
	return p
}

// draw makes a random field of n variables, k labels and about m edges.
func (q kind) draw(r *rand.Rand, n, k, m int) *Field {
	f := &Field{N: n, K: k, Unary: make([]float64, n*k), Same: []float64{}, Differ: []float64{}}
	for p := range f.Unary {
		f.Unary[p] = r.Float64()
	}
	for e := 0; e < m && n > 1; e++ {
		i, j := r.IntN(n), r.IntN(n)
		if q.forest {
			i = 1 + e
			if i >= n {
				break
			}
			if r.IntN(5) == 0 {
				continue // a new tree
			}
			j = r.IntN(i)
		}
		if i == j {
			continue
		}
		f.Edges = append(f.Edges, Edge{int32(i), int32(j)})
		same, differ := q.costs(r, k), q.costs(r, k)
		if must := r.IntN(12) < 5; !q.mixed && must {
			clear(same)
		} else if !q.mixed {
			clear(differ)
		}
		f.Same, f.Differ = append(f.Same, same...), append(f.Differ, differ...)
	}
	return f
}

const eps = 1e-9

// hold fails unless a is a consistent answer for f, whose least energy is best.
func hold(t *testing.T, f *Field, a Answer, err error, best float64) {
	t.Helper()
	switch {
	case err != nil:
		t.Fatal(err)
	case a.Energy != f.Energy(a.Labels):
		t.Fatalf("the energy is reported as %v, it is %v", a.Energy, f.Energy(a.Labels))
	case a.Energy < best-eps:
		t.Fatalf("energy %v is below the least, %v", a.Energy, best)
	case a.Bound > best+eps:
		t.Fatalf("bound %v is above the least energy, %v", a.Bound, best)
	case a.Exact && a.Energy > best+1e-6:
		t.Fatalf("energy %v is called exact, the least is %v", a.Energy, best)
	case a.Exact != (a.ExactComponents == a.Components) || a.Exact != (a.ExactVariables == f.N):
		t.Fatalf("exact: %v, in %d of %d components", a.Exact, a.ExactComponents, a.Components)
	}
}

func TestForestsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		q := kind{forest: true, perLabel: r.IntN(2) == 0, mixed: r.IntN(3) == 0, weight: 2}
		n, k := 1+r.IntN(8), 1+r.IntN(3)
		f := q.draw(r, n, k, n)
		a, err := BeliefPropagation(background, f, nil, BPOptions{}, 1)
		best := brute(f)
		hold(t, f, a, err, best)
		if a.Energy > best+eps || !a.Exact || !a.Converged || a.Bound < best-eps {
			t.Fatalf("energy %v, exact %v, the least is %v", a.Energy, a.Exact, best)
		}
	}
}

func TestAgainstBruteForce(t *testing.T) {
	r, count := rand.New(rand.NewPCG(2, 1)), 500
	if testing.Short() {
		count = 100
	}
	for range count {
		q := kind{perLabel: r.IntN(2) == 0, mixed: r.IntN(3) == 0, weight: []float64{0.2, 1, 5}[r.IntN(3)]}
		n, k := 1+r.IntN(9), 1+r.IntN(3)
		f := q.draw(r, n, k, 2*n)
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		best := brute(f)
		for _, o := range []ICMOptions{{}, {Rand: r}, {Parallel: true}, {Sweeps: 1, Rand: r}} {
			a, err := ICM(background, f, nil, o, 2)
			hold(t, f, a, err, best)
		}
		a, err := BeliefPropagation(background, f, nil, BPOptions{}, 1)
		hold(t, f, a, err, best)
		b, err := BeliefPropagation(background, f, nil, BPOptions{Polish: true, Rand: r}, 1)
		hold(t, f, b, err, best)
		if b.Energy > a.Energy+eps {
			t.Fatalf("polishing raises %v to %v", a.Energy, b.Energy)
		}
		a, err = Relax(background, f, nil, RelaxOptions{Rand: r}, 1)
		hold(t, f, a, err, best)
		if a.Relaxed < a.Bound-eps || a.Relaxed > best+1e-3 {
			t.Fatalf("the program has %v to %v, the least energy is %v", a.Bound, a.Relaxed, best)
		}
		a, err = Solve(background, f, nil, SolveOptions{Rand: r}, 1)
		hold(t, f, a, err, best)
	}
}
