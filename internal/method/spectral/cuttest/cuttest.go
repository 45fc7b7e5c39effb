// Package cuttest has problems and checks for tests of methods that cut graphs by eigenvectors.
package cuttest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Rand returns a source of numbers of a test.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// Contract runs the suite; with -short, which the race detector is run with,
// the clauses that are about small problems. TestWorkers of csp is for that as well.
// Long tests of these packages, the last and longest of the project, are parallel.
func Contract(t *testing.T, a cluster.Algorithm) {
	t.Helper()
	t.Parallel()
	if !testing.Short() {
		clustertest.RunBoth(t, a)
		return
	}
	for _, c := range clustertest.Checks() {
		if slices.Contains([]string{"DegenerateInputHasAnAnswer", "RefusesBadProblems", "ContradictionHasAnAnswer", "StartsWithoutTime"}, c.Name) {
			if err := c.Do(a); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
}

// Fit clusters, every stage audited.
func Fit(t testing.TB, p *cluster.Problem, a cluster.Algorithm) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Audit = true
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Agree returns the share of points on which two clusterings into two agree.
func Agree(truth, labels []int) float64 {
	same := 0
	for i := range truth {
		if truth[i] == labels[i] {
			same++
		}
	}
	return float64(max(same, len(truth)-same)) / float64(len(truth))
}

// Six is the example of section 4.4: every node labelled.
func Six(t testing.TB) (p *cluster.Problem, truth []int) {
	t.Helper()
	g, truth, err := example.SixNodes()
	if err != nil {
		t.Fatal(err)
	}
	known := &constraint.Set{}
	for i, c := range truth {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: c, W: 1})
	}
	return &cluster.Problem{Graph: g, K: 2, Constraints: known}, truth
}

// Crescents returns n points of two moons, with the moon of each.
func Crescents(t testing.TB, n int, noise float64, seed uint64) (*data.Dense, []int) {
	t.Helper()
	x, truth, err := example.TwoMoons(n, noise, Rand(seed))
	if err != nil {
		t.Fatal(err)
	}
	return x, truth
}

// Moons returns two moons with true pairs.
func Moons(t testing.TB, n, pairs int) (*cluster.Problem, []int) {
	t.Helper()
	x, truth := Crescents(t, n, 0.12, 5)
	return &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, pairs, Rand(6))}, truth
}

// T is what a test and a property test have in common.
type T interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Random draws a connected graph with knowledge of two or more classes.
func Random(t T, n, k int, seed uint64) *cluster.Problem {
	t.Helper()
	r := Rand(seed)
	var edges []data.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, data.Edge{U: i, V: r.IntN(i), W: 0.1 + r.Float64()})
		for range 3 {
			edges = append(edges, data.Edge{U: i, V: r.IntN(n), W: r.Float64()})
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int, n)
	for i := range truth {
		truth[i] = r.IntN(k)
	}
	known := constraint.RandomPairs(truth, 1+r.IntN(n), r)
	if r.IntN(2) == 0 {
		for i := range 1 + r.IntN(n/3) {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
		}
	}
	for range r.IntN(4) {
		known.Beliefs = append(known.Beliefs, constraint.Pair{I: r.IntN(n), J: r.IntN(n), W: 2*r.Float64() - 1})
	}
	return &cluster.Problem{Graph: g, K: k, Constraints: known}
}

// Prices checks that what a move costs is what the normalized cut, added up edge by edge, changes by. The cut is that of the
// problem's graph, or of what edited makes of it by the constraints; nil: nothing.
func Prices(t *testing.T, a cluster.Algorithm, seed uint64, edited func(*data.Graph, *constraint.Set) (*data.Graph, error)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 14))
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
		if edited != nil {
			if graph, err = edited(graph, p.Constraints); err != nil {
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

// Labelled draws a complete graph of nine nodes with labels of three classes, of many weights; weight and class are
// by node, 0 where it has no label.
func Labelled(rng *rand.Rand) (g *data.Graph, s *constraint.Set, weight []float64, class []int) {
	const n, k = 9, 3
	var edges []data.Edge
	for i := range n {
		for j := range i {
			edges = append(edges, data.Edge{U: j, V: i, W: 0.1 + rng.Float64()})
		}
	}
	s, weight, class = &constraint.Set{}, make([]float64, n), make([]int, n)
	g = data.BuildGraph(n, edges)
	for _, i := range rng.Perm(n)[:2+rng.IntN(n-1)] {
		weight[i], class[i] = math.Exp(2*rng.NormFloat64()), rng.IntN(k)
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: class[i], W: weight[i]})
	}
	return g, s, weight, class
}
