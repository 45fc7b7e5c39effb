package spreading

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// J is no higher than that of the labels that the same fit finds without constraints, however
// these number the clusters, where they keep the labels and must-links.
func TestNeverAboveTheUnconstrainedLabels(t *testing.T) {
	problems, compared := uint64(200), 0
	if testing.Short() {
		problems = 50
	}
	for seed := range problems {
		rng := rand.New(rand.NewPCG(seed, 14))
		n, k := 10+rng.IntN(30), 2+rng.IntN(3)
		x, truth := &data.Dense{Cols: 2}, make([]int, n)
		for i := range truth {
			truth[i] = rng.IntN(k)
			x.V = append(x.V, float64(3*truth[i])+rng.NormFloat64(), rng.NormFloat64())
		}
		if rng.IntN(2) == 0 { // constraints that know nothing of the rows
			for i := range truth {
				truth[i] = rng.IntN(k)
			}
		}
		p := &cluster.Problem{X: x, K: k, Constraints: &constraint.Set{Cannot: constraint.RandomPairs(truth, 1+rng.IntN(2*n), rng).Cannot}}
		for q := range p.Constraints.Cannot {
			p.Constraints.Cannot[q].W = rng.ExpFloat64() + 0.01
		}
		if rng.IntN(3) == 0 {
			for i, class := range rng.Perm(k)[:1+rng.IntN(k)] {
				p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: i, Class: class, W: 1})
			}
		}
		a, s := NewLabelSpreading(), cluster.Default()
		if rng.IntN(2) == 0 {
			a.Weight = cluster.Fixed(rng.ExpFloat64())
		}
		s.Seed, s.Effort, s.Workers = seed, cluster.EffortNormal, 1
		plain := *p
		plain.Constraints = nil
		with, err := cluster.Fit(context.Background(), p, a, s)
		if err != nil {
			t.Fatal(err)
		}
		without, err := cluster.Fit(context.Background(), &plain, a, s)
		if err != nil {
			t.Fatal(err)
		}
		started, err := a.Start(context.Background(), p, &cluster.Env{Rand: rng, Workers: 1, Settings: &s})
		if err != nil {
			t.Fatal(err)
		}
		r := started.(*run)
		if now := r.sum(with.Labels); math.Abs(now-with.Objective.Sum()) > 1e-9*(1+now) {
			t.Fatalf("problem %d: the objective is %v, of the labels %v", seed, with.Objective.Sum(), now)
		}
		eachNumbering(k, func(number []int) {
			labels := make([]int, n)
			for i, h := range without.Labels {
				labels[i] = number[h]
			}
			for i := range n {
				c := r.closed.Component(i)
				if own := r.closed.Class(c); own >= 0 && own != labels[i] || labels[i] != labels[r.closed.Members(c)[0]] {
					return
				}
			}
			compared++
			if bound := r.sum(labels); with.Objective.Sum() > bound+1e-9*(1+bound) {
				t.Errorf("problem %d: the objective is %v, of the labels without constraints %v", seed, with.Objective.Sum(), bound)
			}
		})
	}
	if compared < int(problems) {
		t.Errorf("only %d clusterings were compared", compared)
	}
}

// eachNumbering calls do with every order of the numbers below k.
func eachNumbering(k int, do func(number []int)) {
	var extend func(number []int)
	extend = func(number []int) {
		if len(number) == k {
			do(number)
			return
		}
	next:
		for h := range k {
			for _, g := range number {
				if g == h {
					continue next
				}
			}
			extend(append(number[:len(number):len(number)], h))
		}
	}
	extend(nil)
}
