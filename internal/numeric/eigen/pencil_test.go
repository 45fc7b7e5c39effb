package eigen_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
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
	for e := range edges {
		edges[e].W /= math.Sqrt(l.Degree[edges[e].U] * l.Degree[edges[e].V])
	}
	q := eigen.Adjacency(mustGraph(n, edges))
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

// testPencil is S y = θ L y on the complement of z, preconditioned by multigrid.
type testPencil struct {
	l *eigen.Laplacian
	s eigen.Operator
	z []float64
}

func (p testPencil) Dim() int { return p.l.Dim() }

func (p testPencil) MultiplyBlock(sx, lx, x []float64, width int) {
	n := p.Dim()
	v, y := make([]float64, n), make([]float64, n)
	for c := range width {
		for i := range v {
			v[i] = x[i*width+c]
		}
		p.project(v)
		for _, product := range []struct {
			a   eigen.Operator
			dst []float64
		}{{p.s, sx}, {p.l, lx}} {
			product.a.Apply(y, v)
			p.project(y)
			for i := range y {
				product.dst[i*width+c] = y[i]
			}
		}
		for i := range v {
			x[i*width+c] = v[i]
		}
	}
}

func (p testPencil) project(v []float64) {
	along := 0.0
	for i, y := range v {
		along += y * p.z[i]
	}
	for i := range v {
		v[i] -= along * p.z[i]
	}
}

func (p testPencil) Preconditioner(float64) (eigen.BlockPreconditioner, error) {
	extra := make([]float64, p.Dim())
	for i := range extra {
		extra[i] = 1e-6
	}
	return eigen.NewAMG(p.l, extra)
}

// LOBPCG with multigrid finds what dense algebra finds.
func TestConstrainedPencilAgainstDense(t *testing.T) {
	count := uint64(6)
	if testing.Short() {
		count = 2
	}
	for seed := range count {
		share := []float64{0.005, 0.1, 0.5}[seed%3]
		l, s, _ := constrained(t, 250, 40, share, seed)
		rng := rand.New(rand.NewPCG(seed, 6))
		start := make([][]float64, 8)
		for c := range start {
			start[c] = make([]float64, l.Dim())
			for i := range start[c] {
				start[c][i] = rng.NormFloat64()
			}
		}
		got, err := eigen.LargestGeneralized(background, testPencil{l, s, l.Null(1)[0]}, start, eigen.GeneralizedOptions{K: 2, Width: 3, Tol: 1e-9, Max: 500})
		if err != nil {
			t.Fatal(err)
		}
		want := denseConstrained(t, l, s, 2)
		for c := range 2 {
			if want[c] <= 0 || got.Values[c] <= 0 {
				continue // not feasible
			}
			if math.Abs(1/got.Values[c]-1/want[c]) > 1e-8/want[c] {
				t.Errorf("seed %d: λ%d is %v after %d iterations, dense %v", seed, c, 1/got.Values[c], got.Iterations, 1/want[c])
			}
		}
	}
}

// L − σS is positive definite on the complement of z up to the least λ of the pencil.
// Beyond it conjugate gradients meet a direction of negative curvature, and its
// quotient yᵀLy/yᵀSy bounds λ from above, below σ.
func TestNegativeCurvatureBoundsConstrainedPencil(t *testing.T) {
	bounds := 0
	for seed := range uint64(6) {
		share := []float64{0.005, 0.1, 0.5}[seed%3]
		l, s, b := constrained(t, 250, 40, share, seed)
		n, least := l.Dim(), math.Inf(1) // no σ is too large
		if theta := denseConstrained(t, l, s, 1)[0]; theta > 0 {
			least = 1 / theta
		}
		null := l.Null(1)
		for sigma, tries := 1.0, 0; ; tries++ {
			if tries == 60 {
				t.Fatalf("seed %d: σ is %v after %d tries, the least λ %v", seed, sigma, tries, least)
			}
			extra := make([]float64, n)
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
			_, err = solver.Solve(background, make([]float64, n), noise(n, seed))
			var proof *eigen.IndefiniteError
			if !errors.As(err, &proof) {
				if err != nil || sigma > least*(1+1e-9) {
					t.Errorf("seed %d: no negative curvature at σ = %v (%v), the least λ is %v", seed, sigma, err, least)
				}
				break
			}
			sy, ly := make([]float64, n), make([]float64, n)
			s.Apply(sy, proof.Vector)
			l.Apply(ly, proof.Vector)
			ys, yl := 0.0, 0.0
			for i, y := range proof.Vector {
				ys, yl = ys+y*sy[i], yl+y*ly[i]
			}
			bounds++
			if ys <= 0 || yl/ys > sigma*(1+1e-9) || yl/ys < least*(1-1e-9) {
				t.Fatalf("seed %d: the proof bounds the least λ, %v, by %v/%v, σ was %v", seed, least, yl, ys, sigma)
			}
			sigma = 0.5 * yl / ys
		}
	}
	if bounds == 0 {
		t.Error("no σ was too large")
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
	p, err := eigen.Definite(background, eigen.ToDense(context.Background(), eigen.Projected{A: s, Null: null}), eigen.ToDense(context.Background(), m), eigen.Options{K: k, End: eigen.High})
	if err != nil {
		t.Fatal(err)
	}
	return p.Values
}
