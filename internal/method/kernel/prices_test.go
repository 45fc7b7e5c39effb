package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// runObjective computes the objective by a run that is given the labels.
func runObjective(t *testing.T, p *cluster.Problem, a cluster.Algorithm, labels []int) float64 {
	t.Helper()
	run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := run.(*kmeansRun)
	for i, c := range labels {
		r.label[i] = int32(c)
	}
	terms, err := r.Objective(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return terms.Sum()
}

// randomPriced draws rows, a graph on them, and constraints that do not contradict each other.
func randomPriced(rng *rand.Rand) *cluster.Problem {
	n, k := 10+rng.IntN(10), 2+rng.IntN(2)
	p := &cluster.Problem{K: k, X: &data.Dense{Cols: 2}, Constraints: &constraint.Set{}}
	var edges []data.Edge
	for i := range n {
		p.X.(*data.Dense).V = append(p.X.(*data.Dense).V, rng.NormFloat64(), rng.NormFloat64())
		for j := range i {
			if j == i-1 || rng.IntN(3) == 0 {
				edges = append(edges, data.Edge{U: j, V: i, W: 0.1 + rng.Float64()})
			}
		}
	}
	p.Graph = data.BuildGraph(n, edges)
	if rng.IntN(2) == 0 {
		for range n {
			p.Weight = append(p.Weight, 0.5+rng.Float64())
		}
	}
	s := p.Constraints
	for range 3 + rng.IntN(6) {
		i := rng.IntN(n - 1)
		q := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: 0.5 + rng.Float64()}
		old := *s
		switch rng.IntN(4) {
		case 0:
			s.Must = append(s.Must, q)
		case 1:
			q.W = 2*rng.Float64() - 1
			s.Beliefs = append(s.Beliefs, q)
		case 2:
			s.Labels = append(s.Labels, constraint.Label{I: q.I, Class: rng.IntN(k), W: 1})
		default:
			s.Cannot = append(s.Cannot, q)
		}
		if _, err := constraint.Close(n, s); err != nil {
			*s = old
		}
	}
	return p
}

// What a constraint costs is what the whole objective changes by: its penalty if it is left
// out, its cost if one point moves, or for graph-cut all points that must be with it.
func TestPricesAreDifferencesOfTheObjective(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(rng *rand.Rand, w float64) cluster.Algorithm{
		"kernel-kmeans": func(*rand.Rand, float64) cluster.Algorithm { return NewKernelKMeans() },
		"kernel-hmrf-kmeans": func(rng *rand.Rand, w float64) cluster.Algorithm {
			a := NewKernelHMRF()
			a.Objective, a.Weight, a.PairTerm = Objective(a.Objective.Values()[rng.IntN(3)]), cluster.Fixed(w), PairTerm(a.PairTerm.Values()[rng.IntN(2)])
			return a
		},
		"ss-kernel-kmeans": func(rng *rand.Rand, w float64) cluster.Algorithm {
			a := NewSSKernelKMeans()
			a.Objective, a.Weight, a.PairTerm = Objective(a.Objective.Values()[rng.IntN(3)]), cluster.Fixed(w), PairTerm(a.PairTerm.Values()[rng.IntN(2)])
			return a
		},
		"graph-cut": func(rng *rand.Rand, w float64) cluster.Algorithm {
			a := NewGraphCut()
			a.Objective, a.Weight = Objective(a.Objective.Values()[rng.IntN(3)]), cluster.Fixed(w)
			return a
		},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(14, uint64(len(name))))
			priced := 0
			for range 200 {
				p, w := randomPriced(rng), 0.05+rng.Float64()
				if name == "kernel-kmeans" || name == "kernel-hmrf-kmeans" {
					p.Graph = nil
				} else {
					p.X = nil
				}
				a := draw(rng, w)
				settings := cluster.Default()
				settings.Restarts, settings.MaxIter, settings.Effort = 1, rng.IntN(4), cluster.EffortLow
				r, err := cluster.Fit(context.Background(), p, a, settings)
				if err != nil {
					t.Fatal(err)
				}
				checkPrices(t, p, a, r, &priced)
			}
			if priced < 100 {
				t.Errorf("only %d violated constraints were priced", priced)
			}
		})
	}
}

func checkPrices(t *testing.T, p *cluster.Problem, a cluster.Algorithm, r *cluster.Result, count *int) {
	t.Helper()
	_, isCut := a.(*GraphCut)
	objective := func(s *constraint.Set, labels []int) float64 {
		q := *p
		q.Constraints = s
		if !isCut {
			return runObjective(t, &q, a, labels)
		}
		f, err := ObjectiveFunc(&q, a)
		if err != nil {
			t.Fatal(err)
		}
		return f(labels)
	}
	prices, labels, now := r.Prices(p), r.Labels, r.Objective.Sum()
	same := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(now))) {
			t.Fatalf("%T: %s is %v, by the whole objective %v", a, what, got, want)
		}
	}
	same("the objective", now, objective(p.Constraints, labels))
	closed, err := constraint.Close(p.Len(), p.Constraints)
	if err != nil {
		t.Fatal(err)
	}
	after := func(i, to int) float64 {
		moved := append([]int(nil), labels...)
		for j := range moved {
			if i == j || isCut && closed.MustTogether(i, j) {
				moved[j] = to
			}
		}
		return objective(p.Constraints, moved) - now
	}
	for kind, list := range map[cluster.Kind][]constraint.Pair{cluster.MustLinks: p.Constraints.Must, cluster.CannotLinks: p.Constraints.Cannot, cluster.Beliefs: p.Constraints.Beliefs} {
		for at, q := range list {
			must := kind == cluster.MustLinks || kind == cluster.Beliefs && q.W > 0
			if must == (labels[q.I] == labels[q.J]) {
				continue
			}
			*count++
			got, ok := prices.PairPenalty(kind, q)
			if !ok {
				t.Fatal("no penalty")
			}
			if kind != cluster.Beliefs || !isCut { // what beliefs weigh there depends on their number
				same("the penalty", got, now-objective(withoutPair(p.Constraints, kind, at), labels))
			}
			want := math.Inf(1)
			switch {
			case must:
				want = min(after(q.I, labels[q.J]), after(q.J, labels[q.I]))
				got, ok = prices.Together(q.I, q.J)
			case isCut && closed.MustTogether(q.I, q.J):
				if _, ok := prices.Apart(q.I, q.J); ok {
					t.Fatal("points that must be together can be moved apart")
				}
				continue
			default:
				for h := range p.K {
					if h != labels[q.I] {
						want = min(want, after(q.I, h), after(q.J, h))
					}
				}
				got, ok = prices.Apart(q.I, q.J)
			}
			if !ok {
				t.Fatal("no cost")
			}
			same("the cost", got, want)
		}
	}
	for _, l := range p.Constraints.Labels {
		for h := range p.K {
			if h != labels[l.I] {
				*count++
				got, _ := prices.Move(l.I, h)
				same("the cost of a label", got, after(l.I, h))
			}
		}
	}
}

// withoutPair returns s without a pair of a kind.
func withoutPair(s *constraint.Set, kind cluster.Kind, at int) *constraint.Set {
	cut := func(list []constraint.Pair) []constraint.Pair {
		return append(append([]constraint.Pair(nil), list[:at]...), list[at+1:]...)
	}
	out := *s
	switch kind {
	case cluster.MustLinks:
		out.Must = cut(s.Must)
	case cluster.CannotLinks:
		out.Cannot = cut(s.Cannot)
	default:
		out.Beliefs = cut(s.Beliefs)
	}
	return &out
}
