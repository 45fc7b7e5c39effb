package csp

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/support/longtest"
	"pgregory.net/rapid"
)

// world makes the matrices of a problem.
func world(t cuttest.T, p *cluster.Problem, closed bool) (*pencil, *constraintSpectrum) {
	t.Helper()
	f := spectral.NewNodeGraph(p.Graph, nil)
	g, _, err := f.JoinComponents()
	if err != nil {
		t.Fatal(err)
	}
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		t.Fatal(err)
	}
	var c *constraint.Closure
	if closed {
		if c, err = constraint.Close(p.Len(), p.Constraints); err != nil {
			t.Fatal(err)
		}
	}
	q, err := spectral.NewConstraintMatrix(f, p.Constraints, c, p.K, l.Degree)
	if err != nil {
		t.Fatal(err)
	}
	top, err := newConstraintSpectrum(background, q, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return newPencil(l, q), top
}

// Iterations and dense algebra find the same, and the number of feasible
// vectors is what the spectrum of Q̄ says.
func TestSparseAgainstDense(t *testing.T) {
	t.Parallel()
	worst := 0.0
	count := longtest.Size[uint64](40, 50, 100)
	for seed := range count {
		n := 15 + int(seed)%50
		if seed%50 == 49 {
			n = 500
		}
		p := cuttest.Random(t, n, 2+int(seed)%2, seed)
		pen, top := world(t, p, false)
		b := []float64{0.9, 0.5, 0.2, 0.05, 0.01, -0.3}[seed%6] * top.largest()
		s := pen.withShift(b)
		count, exact := top.feasibleCount(s.b, pen.zqz)
		want, err := s.solveDense(background, min(n-1, count+2))
		if err != nil {
			t.Fatal(err)
		}
		if exact && count != len(want) || len(want) < count {
			t.Errorf("seed %d, n = %d: %d feasible vectors, counted %d (exact: %v)", seed, n, len(want), count, exact)
		}
		if len(want) == 0 {
			continue
		}
		low, err := eigen.Smallest(background, pen.laplacian, eigen.Options{K: 6, Tol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		start := append(low.Vectors[1:], top.vectors...)
		got, done, err := s.solveIteratively(background, start, min(2, len(want)), 500, 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		if !done || len(got) < min(2, len(want)) {
			t.Errorf("seed %d, n = %d, b = %v: %d vectors, done: %v", seed, n, b, len(got), done)
		}
		for c, g := range got[:min(2, len(got))] {
			e := math.Abs(g.lambda-want[c].lambda) / want[c].lambda
			worst = max(worst, e)
			if e > 1e-8 {
				t.Errorf("seed %d, n = %d, b = %v: λ%d is %v, dense %v", seed, n, b, c, g.lambda, want[c].lambda)
			}
			if d := g.cost - g.lambda*(g.alpha-s.b*pen.vol); math.Abs(d) > 1e-6*g.cost || g.alpha <= s.b*pen.vol {
				t.Errorf("seed %d: cost %v, λ(α − β) %v", seed, g.cost, g.lambda*(g.alpha-s.b*pen.vol))
			}
		}
	}
	t.Logf("largest relative difference %.2g", worst)
}

// Q by groups is Q written out.
func TestDemandWrittenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		n := rapid.IntRange(3, 20).Draw(t, "n")
		k := rapid.IntRange(2, 3).Draw(t, "k")
		closed := rapid.Bool().Draw(t, "closed")
		p := cuttest.Random(t, n, k, seed)
		pen, top := world(t, p, closed)
		q := written(p, closed)
		u := make([]float64, n)
		of := make([]int, n)
		r := cuttest.Rand(seed)
		for i := range u {
			u[i], of[i] = r.NormFloat64(), r.IntN(k)
		}
		want, good, all := 0.0, 0.0, 0.0
		for i := range n {
			for j := range n {
				want += q[i][j] * u[i] * u[j]
				if i == j {
					continue
				}
				if all += math.Abs(q[i][j]); (of[i] == of[j]) == (q[i][j] > 0) {
					good += math.Abs(q[i][j])
				}
			}
		}
		v, qv := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = u[i] / pen.constraints.InvSqrtDegree[i]
		}
		pen.constraints.Apply(qv, v)
		if got := inner(v, qv); math.Abs(got-want) > 1e-9 {
			t.Fatalf("uᵀQu is %v, written out %v", got, want)
		}
		if len(p.Constraints.Beliefs) == 0 && (closed || len(p.Constraints.Labels) == 0) { // no entry has two sources
			if got := pen.constraints.SatisfiedShare(of, k); all > 0 && math.Abs(got-good/all) > 1e-9 {
				t.Fatalf("satisfied %v, written out %v", got, good/all)
			}
		}
		table := eigen.ToDense(context.Background(), pen.constraints)
		every, err := eigen.Symmetric(background, table, eigen.Options{K: n, End: eigen.High})
		if err != nil {
			t.Fatal(err)
		}
		at := append(slices.Clone(top.values), make([]float64, top.zeros)...)
		slices.Sort(at)
		slices.Reverse(at)
		for c, y := range every.Values {
			if math.Abs(y-at[c]) > 1e-9 {
				t.Fatalf("eigenvalues by pieces %v, at once %v", at, every.Values)
			}
		}
	})
}

// written returns Q entry by entry.
func written(p *cluster.Problem, closed bool) [][]float64 {
	n := p.Len()
	q := make([][]float64, n)
	for i := range q {
		q[i] = make([]float64, n)
	}
	put := func(list []constraint.Pair, s float64) {
		for _, l := range list {
			if l.I != l.J {
				q[l.I][l.J] += s * l.W
				q[l.J][l.I] += s * l.W
			}
		}
	}
	put(p.Constraints.Beliefs, 1)
	if !closed {
		put(p.Constraints.Must, 1)
		put(p.Constraints.Cannot, -1)
		for _, a := range p.Constraints.Labels {
			for _, b := range p.Constraints.Labels {
				if a.Class == b.Class {
					q[a.I][b.I]++
				} else {
					q[a.I][b.I]--
				}
			}
		}
		return q
	}
	c, _ := constraint.Close(n, p.Constraints)
	known := make([]bool, n)
	r := make([][]float64, n)
	for i := range r {
		r[i] = make([]float64, n)
		for j := range n {
			switch {
			case i != j && c.MustTogether(i, j):
				r[i][j] = 1
			case i != j && c.MustApart(i, j):
				r[i][j] = -1
			}
			known[i] = known[i] || r[i][j] != 0
		}
	}
	for _, l := range p.Constraints.Labels {
		known[l.I] = true
	}
	for i := range n {
		if known[i] {
			r[i][i] = 1
		}
	}
	for p.K == 2 { // what follows by two steps
		changed := false
		for i := range n {
			for j := range n {
				for m := range n {
					if r[i][j] == 0 && r[i][m] != 0 && r[m][j] != 0 {
						r[i][j], changed = r[i][m]*r[m][j], true
					}
				}
			}
		}
		if !changed {
			break
		}
	}
	for i := range n {
		for j := range n {
			q[i][j] += r[i][j]
		}
	}
	return q
}
