package centroid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// What a violated constraint costs is what the sum of the distances of all rows to their
// centres, added up again, rises by if one row moves. Labels only start seeded-kmeans, so
// no constraint has a term; constrained-kmeans, which never violates a label, says nothing of one.
func TestPricesByDefinition(t *testing.T) {
	for at, name := range []string{"kmeans", "seeded-kmeans", "constrained-kmeans"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(14, uint64(at)))
			violated := 0
			for trial := range 200 {
				distortion := []centroid.Distortion{centroid.Euclidean, centroid.Cosine}[rng.IntN(2)]
				p := pricedProblem(rng)
				var a cluster.Algorithm
				switch name {
				case "kmeans":
					m := centroid.NewKMeans()
					m.Distortion = distortion
					a = m
				case "seeded-kmeans":
					m := centroid.NewSeeded()
					m.Distortion = distortion
					a = m
				default:
					m := centroid.NewConstrained()
					m.Distortion = distortion
					a = m
				}
				s := cluster.Default()
				s.Seed, s.MaxIter, s.Workers = uint64(trial), rng.IntN(5), 1
				r, err := cluster.Fit(context.Background(), p, a, s)
				if err != nil {
					t.Fatal(trial, err)
				}
				violated += checkCentroidPrices(t, p, r, distortion, name != "constrained-kmeans")
			}
			if violated < 200 {
				t.Errorf("only %d violated constraints were priced", violated)
			}
		})
	}
}

func pricedProblem(rng *rand.Rand) *cluster.Problem {
	n, d, k := 8+rng.IntN(20), 1+rng.IntN(4), 2+rng.IntN(3)
	x := &data.Dense{Cols: d}
	for range n * d {
		x.V = append(x.V, 1+rng.NormFloat64())
	}
	p := &cluster.Problem{X: x, K: k, Constraints: &constraint.Set{}}
	if rng.IntN(2) == 0 {
		for range n {
			p.Weight = append(p.Weight, 0.5+rng.Float64())
		}
	}
	for _, i := range rng.Perm(n)[:1+rng.IntN(6)] {
		p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: i, Class: rng.IntN(k), W: 0.5 + rng.Float64()})
	}
	for range 4 {
		i := rng.IntN(n - 1)
		q := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: 1}
		if rng.IntN(2) == 0 {
			p.Constraints.Must = append(p.Constraints.Must, q)
		} else {
			p.Constraints.Cannot = append(p.Constraints.Cannot, q)
		}
	}
	return p
}

// checkCentroidPrices returns how many constraints are violated.
func checkCentroidPrices(t *testing.T, p *cluster.Problem, r *cluster.Result, distortion centroid.Distortion, soft bool) (violated int) {
	t.Helper()
	centres, labels, prices := r.Model.(*centroid.Centres), r.Labels, r.Prices(p)
	objective := func(labels []int) (sum float64) {
		for i, h := range labels {
			x, c := data.Copy(p.X, i), centres.C[h*centres.D:(h+1)*centres.D]
			squares, product, length := 0.0, 0.0, 0.0
			for f := range x {
				squares += (x[f] - c[f]) * (x[f] - c[f])
				product += x[f] * c[f]
				length += x[f] * x[f]
			}
			if distortion == centroid.Cosine {
				squares = 1 - product/math.Sqrt(length)
			}
			sum += p.W(i) * squares
		}
		return sum
	}
	now := objective(labels)
	same := func(what string, got float64, ok bool, want float64) {
		t.Helper()
		if !ok || math.Abs(got-want) > 1e-9*(1+now) {
			t.Fatalf("%s, %s: %v (%v), by the definition %v", distortion, what, got, ok, want)
		}
	}
	same("the objective", r.Objective.Sum(), true, now)
	after := func(i, to int) float64 {
		moved := slices.Clone(labels)
		moved[i] = to
		return objective(moved) - now
	}
	for _, q := range p.Constraints.Must {
		if labels[q.I] != labels[q.J] {
			violated++
			got, ok := prices.Together(q.I, q.J)
			same("together", got, ok, min(after(q.I, labels[q.J]), after(q.J, labels[q.I])))
		}
		if got, ok := prices.PairPenalty(cluster.MustLinks, q); got != 0 || ok != soft {
			t.Fatalf("the penalty of a must-link is %v, %v", got, ok)
		}
	}
	for _, q := range p.Constraints.Cannot {
		if labels[q.I] == labels[q.J] {
			violated++
			want := math.Inf(1)
			for h := range p.K {
				if h != labels[q.I] {
					want = min(want, after(q.I, h), after(q.J, h))
				}
			}
			got, ok := prices.Apart(q.I, q.J)
			same("apart", got, ok, want)
		}
	}
	for _, l := range p.Constraints.Labels {
		if labels[l.I] != l.Class {
			violated++
		}
		got, ok := prices.Move(l.I, l.Class)
		same("a label", got, ok, after(l.I, l.Class))
		if got, ok := prices.LabelPenalty(l); got != 0 || ok != soft {
			t.Fatalf("the penalty of a label is %v, %v", got, ok)
		}
	}
	return violated
}
