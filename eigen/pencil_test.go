package eigen_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/eigen"
)

// constrained is the pencil of constrained spectral clustering, S y = θ L y on
// the complement of z, for random constraints on a random graph: with
// B = Q − bI, S = B − (Bz)(Bz)ᵀ/(zᵀBz).
func constrained(t *testing.T, n, pairs int, share float64, seed uint64) (l *eigen.Laplacian, s eigen.Operator, b float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	l = mustLaplacian(t, geometric(n, 8, 0, rng), eigen.Normalised)
	if l.Components != 1 {
		t.Skipf("the graph of seed %d falls into %d components", seed, l.Components)
	}
	var edges []data.Edge
	for range pairs {
		u, v := rng.IntN(n), rng.IntN(n)
		if u != v {
			edges = append(edges, data.Edge{U: u, V: v, W: float64(1 - 2*rng.IntN(2))})
		}
	}
	half := make([]float64, n)
	for i, d := range l.Degree {
		half[i] = 1 / math.Sqrt(d)
	}
	q, err := eigen.Scaled(mustGraph(n, edges), half)
	if err != nil {
		t.Fatal(err)
	}
	top, err := eigen.Few(background, q, eigen.Options{K: 1, End: eigen.High})
	if err != nil {
		t.Fatal(err)
	}
	b = share * top.Values[0]
	z := l.Null(1)[0]
	bz := make([]float64, n)
	shifted := eigen.Shifted{A: q, Shift: -b}
	shifted.Apply(bz, z)
	zbz := 0.0
	for i := range z {
		zbz += z[i] * bz[i]
	}
	sum, err := eigen.NewSum(eigen.Term{Scale: 1, A: shifted}, eigen.Term{Scale: -1 / zbz, A: eigen.LowRank{N: n, U: [][]float64{bz}, C: []float64{1}}})
	if err != nil {
		t.Fatal(err)
	}
	return l, sum, b
}

// Lanczos for (S, L − σS) with multigrid and conjugate
// gradients; too large a σ is found out by negative curvature, which bounds
// the eigenvalue from above. Dense algebra gives the same.
func TestConstrainedPencilAgainstDense(t *testing.T) {
	count := uint64(6)
	if testing.Short() {
		count = 2
	}
	for seed := range count {
		share := []float64{0.005, 0.1, 0.5}[seed%3]
		l, s, b := constrained(t, 250, 40, share, seed)
		n := l.Dim()
		null := l.Null(1)
		extra := make([]float64, n)
		sigma, tries := 1.0, 0
		var got *eigen.Pairs
		for ; got == nil && tries < 60; tries++ {
			for i := range extra {
				extra[i] = math.Min(sigma*b, 1)
			}
			pre, err := eigen.NewAMG(l, extra)
			if err != nil {
				t.Fatal(err)
			}
			m, err := eigen.NewSum(eigen.Term{Scale: 1, A: l}, eigen.Term{Scale: -sigma, A: s})
			if err != nil {
				t.Fatal(err)
			}
			solver := &eigen.Solver{A: m, Pre: pre, Null: null, Tol: 1e-12}
			p, err := eigen.General(background, eigen.Pencil{S: s, M: m, Inverse: solver, Null: null}, eigen.Options{K: 2, End: eigen.High, Tol: 1e-10})
			var proof *eigen.IndefiniteError
			if errors.As(err, &proof) {
				sy, ly := make([]float64, n), make([]float64, n)
				s.Apply(sy, proof.Vector)
				l.Apply(ly, proof.Vector)
				ys, yl := 0.0, 0.0
				for i, y := range proof.Vector {
					ys, yl = ys+y*sy[i], yl+y*ly[i]
				}
				if ys <= 0 || yl/ys > sigma*(1+1e-9) {
					t.Fatalf("seed %d: the proof bounds the eigenvalue by %v/%v, σ was %v", seed, yl, ys, sigma)
				}
				sigma = 0.5 * yl / ys
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got = p
		}
		if got == nil {
			t.Fatalf("seed %d: no σ", seed)
		}
		want := denseConstrained(t, l, s, 2)
		for c, theta := range got.Values {
			if want[c] <= 0 || theta <= 0 {
				continue // not feasible
			}
			if lambda := sigma + 1/theta; math.Abs(lambda-1/want[c]) > 1e-8/want[c] {
				t.Errorf("seed %d: λ%d is %v after %d tries, dense %v", seed, c, lambda, tries, 1/want[c])
			}
		}
	}
}

// denseConstrained returns the k largest θ of P S P y = θ (L + z zᵀ) y.
func denseConstrained(t *testing.T, l *eigen.Laplacian, s eigen.Operator, k int) []float64 {
	t.Helper()
	null := l.Null(1)
	m, err := eigen.NewSum(eigen.Term{Scale: 1, A: l}, eigen.Term{Scale: 1, A: eigen.LowRank{N: l.Dim(), U: null, C: []float64{1}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := eigen.Definite(background, eigen.Table(eigen.Projected{A: s, Null: null}), eigen.Table(m), eigen.Options{K: k, End: eigen.High})
	if err != nil {
		t.Fatal(err)
	}
	return p.Values
}
