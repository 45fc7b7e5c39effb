package infer

import (
	"math/rand/v2"
	"testing"
)

// Small fields are solved exactly, whatever their cycles.
func TestEliminationIsExact(t *testing.T) {
	r, count := rand.New(rand.NewPCG(13, 1)), 500
	if testing.Short() {
		count = 100
	}
	for range count {
		q := kind{perLabel: r.IntN(2) == 0, mixed: r.IntN(3) == 0, weight: []float64{0.2, 1, 5}[r.IntN(3)]}
		n, k := 3+r.IntN(6), 1+r.IntN(4)
		f := q.draw(r, n, k, 3*n)
		best := brute(f)
		a, err := BeliefPropagation(background, f, nil, BPOptions{Exact: true}, 1)
		hold(t, f, a, err, best)
		if !a.Exact || a.Energy > best+eps {
			t.Fatalf("energy %v, exact %v, the least is %v", a.Energy, a.Exact, best)
		}
	}
}

// A core in which all variables are linked has no cheap order, one long cycle has.
func TestEliminationStaysWithinItsBudget(t *testing.T) {
	solve := func(f *Field) bool {
		p := eliminateLeaves(newAgreementForm(f))
		vars, links := p.coreComponents()
		_, ok := solveByElimination(p.extractCore(vars[0], links[0], make([]int32, f.N)))
		return ok
	}
	const n, k = 20, 10
	all, cycle := &Field{N: n, K: k, Unary: make([]float64, n*k)}, &Field{N: n, K: k, Unary: make([]float64, n*k)}
	for i := range int32(n) {
		for j := range i {
			all.Edges, all.Same = append(all.Edges, Edge{j, i}), append(all.Same, 1)
		}
		cycle.Edges, cycle.Same = append(cycle.Edges, Edge{i, (i + 1) % n}), append(cycle.Same, 1)
	}
	if solve(all) || !solve(cycle) {
		t.Errorf("all linked: solved %v, cycle: solved %v", solve(all), solve(cycle))
	}
}
