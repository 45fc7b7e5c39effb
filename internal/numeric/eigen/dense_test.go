package eigen_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

var background = context.Background()

// jacobi returns the eigenvalues of a dense symmetric matrix, ascending, by plane
// rotations: slow and plain, to compare with.
func jacobi(n int, a []float64) []float64 {
	a = slices.Clone(a)
	for range 100 {
		off := 0.0
		for p := range n {
			for q := range p {
				off += a[p*n+q] * a[p*n+q]
			}
		}
		if off < 1e-30 {
			break
		}
		for p := range n {
			for q := range p {
				if a[p*n+q] == 0 {
					continue
				}
				theta := (a[q*n+q] - a[p*n+p]) / (2 * a[p*n+q])
				t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(t*t+1)
				s := t * c
				// Columns p and q: they are the rows p and q, as the matrix is
				// symmetric, but where these meet.
				rp, rq := a[p*n:][:n], a[q*n:][:n]
				for i, x := range rp {
					rp[i], rq[i] = c*x-s*rq[i], s*x+c*rq[i]
				}
				for _, r := range [][]float64{rp, rq} {
					x, y := r[p], r[q]
					r[p], r[q] = c*x-s*y, s*x+c*y
				}
				for i := range n {
					a[i*n+p], a[i*n+q] = rp[i], rq[i]
				}
			}
		}
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = a[i*n+i]
	}
	slices.Sort(d)
	return d
}

// drawMatrix is a random symmetric matrix, sometimes of low rank, with equal
// eigenvalues or falling into parts.
func drawMatrix(t *rapid.T, n int) *eigen.Dense {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	d := eigen.NewDense(n)
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	for i := range n {
		for j := range i + 1 {
			y := rng.NormFloat64()
			switch kind {
			case 1:
				y = float64(rng.IntN(3) - 1)
			case 2: // sparse
				if rng.IntN(4) > 0 {
					y = 0
				}
			case 3: // all ones: one eigenvalue n, the others 0
				y = 1
			case 4: // diagonal, with repeats
				y = 0
				if i == j {
					y = float64(rng.IntN(3))
				}
			}
			d.V[i*n+j], d.V[j*n+i] = y, y
		}
	}
	return d
}

// certify fails if the pairs are not what they say: unit vectors, orthogonal,
// with the stated residuals below the bound.
func certify(t rapid.TB, a eigen.Operator, p *eigen.Pairs, bound float64) {
	t.Helper()
	y := make([]float64, a.Dim())
	for i, v := range p.Vectors {
		a.Apply(y, v)
		s := 0.0
		for c := range y {
			r := y[c] - p.Values[i]*v[c]
			s += r * r
		}
		if r := math.Sqrt(s); r > bound || math.Abs(r-p.Residuals[i]) > 1e-9*(1+bound) {
			t.Fatalf("pair %d has residual %v, stated %v, bound %v", i, r, p.Residuals[i], bound)
		}
		for j := range i + 1 {
			s, want := 0.0, 0.0
			for c := range v {
				s += v[c] * p.Vectors[j][c]
			}
			if i == j {
				want = 1
			}
			if math.Abs(s-want) > 1e-8 {
				t.Fatalf("vectors %d and %d have product %v", i, j, s)
			}
		}
		most := slices.MaxFunc(v, func(a, b float64) int {
			switch a, b = math.Abs(a), math.Abs(b); {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		})
		if most < 0 && !slices.ContainsFunc(v, func(y float64) bool { return y >= -most*(1-1e-5) }) {
			t.Fatalf("vector %d is led by %v", i, most)
		}
	}
}

// wanted picks what Options.End says from rising eigenvalues.
func wanted(all []float64, k int, end eigen.End) (out []float64) {
	n := len(all)
	k = min(k, n)
	switch end {
	case eigen.Low:
		return slices.Clone(all[:k])
	case eigen.High:
		for i := range k {
			out = append(out, all[n-1-i])
		}
		return out
	}
	return append(slices.Clone(all[:(k+1)/2]), all[n-k/2:]...)
}

func same(t rapid.TB, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d values, wanted %d", len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol*(1+math.Abs(want[i]))) {
			t.Fatalf("value %d is %.15g, wanted %.15g\n%v\n%v", i, got[i], want[i], got, want)
		}
	}
}

func TestSymmetricAgainstJacobi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		a := drawMatrix(t, n)
		o := eigen.Options{K: rapid.IntRange(0, n+2).Draw(t, "k"), End: eigen.End(rapid.IntRange(0, 2).Draw(t, "end"))}
		p, err := eigen.Symmetric(background, a, o)
		if err != nil {
			t.Fatal(err)
		}
		same(t, p.Values, wanted(jacobi(n, a.V), o.K, o.End), 1e-11*float64(n))
		certify(t, a, p, 1e-12*float64(n*n))
	})
}

func TestLanczosAgainstJacobi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		a := drawMatrix(t, n)
		o := eigen.Options{K: rapid.IntRange(0, 6).Draw(t, "k"), End: eigen.End(rapid.IntRange(0, 2).Draw(t, "end")), Tol: 1e-11}
		p, err := eigen.Lanczos(background, a, o)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Converged {
			t.Fatalf("not converged: %v", p.Residuals)
		}
		same(t, p.Values, wanted(jacobi(n, a.V), o.K, o.End), 1e-10)
		certify(t, a, p, 1e-8)
	})
}

// drawDefinite is GᵀG + I for a random G.
func drawDefinite(n int, rng *rand.Rand) *eigen.Dense {
	g := make([]float64, n*n)
	for i := range g {
		g[i] = rng.NormFloat64()
	}
	m := eigen.NewDense(n)
	for i := range n {
		for j := range n {
			s := 0.0
			for c := range n {
				s += g[i*n+c] * g[j*n+c]
			}
			if i == j {
				s++
			}
			m.V[i*n+j] = s
		}
	}
	return m
}

// The eigenvalues of S y = θ M y are those of C⁻¹ S C⁻ᵀ, here by explicit
// inversion and Jacobi.
func TestGeneralizedDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		s := drawMatrix(t, n)
		m := drawDefinite(n, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "mass"), 2)))
		o := eigen.Options{K: rapid.IntRange(1, 4).Draw(t, "k"), End: eigen.High, Tol: 1e-11}
		dense, err := eigen.Definite(background, s, m, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range dense.Residuals {
			if r > 1e-9*float64(n) {
				t.Fatalf("residuals %v", dense.Residuals)
			}
		}
		// M^{-1/2} is not at hand: check that det(S − θM) changes sign or that
		// (S − θM) is singular, by its smallest eigenvalue in magnitude.
		for _, theta := range dense.Values {
			d := eigen.NewDense(n)
			for i := range d.V {
				d.V[i] = s.V[i] - theta*m.V[i]
			}
			least := math.Inf(1)
			for _, y := range jacobi(n, d.V) {
				least = min(least, math.Abs(y))
			}
			if least > 1e-9*float64(n) {
				t.Fatalf("S − %v M has no eigenvalue near 0, the least is %v", theta, least)
			}
		}
	})
}

func TestCholeskyRefuses(t *testing.T) {
	m := &eigen.Dense{N: 2, V: []float64{1, 2, 2, 1}}
	var not *eigen.NotDefiniteError
	if _, err := eigen.NewCholesky(t.Context(), m); !errors.As(err, &not) || not.Row != 1 || not.Pivot != -3 {
		t.Errorf("%v", err)
	}
	if _, err := eigen.Definite(background, eigen.NewDense(2), m, eigen.Options{K: 1}); !errors.As(err, &not) {
		t.Errorf("%v", err)
	}
}

// Wilkinson's matrices have pairs of eigenvalues that agree to all digits;
// glued together weakly they have clusters of such pairs.
func TestClustersOfEigenvalues(t *testing.T) {
	copies := 9
	if testing.Short() {
		copies = 4
	}
	for _, glue := range []float64{0, 1e-14, 1e-8, 1e-3} {
		n := 21 * copies
		a := eigen.NewDense(n)
		for i := range n {
			a.V[i*n+i] = math.Abs(float64(i%21 - 10))
			if i > 0 {
				e := 1.0
				if i%21 == 0 {
					e = glue
				}
				a.V[i*n+i-1], a.V[(i-1)*n+i] = e, e
			}
		}
		want := jacobi(n, a.V)
		for _, k := range []int{30, n} {
			p, err := eigen.Symmetric(background, a, eigen.Options{K: k, End: eigen.High})
			if err != nil {
				t.Fatal(err)
			}
			same(t, p.Values, wanted(want, k, eigen.High), 1e-12)
			certify(t, a, p, 1e-12)
		}
	}
}

func TestNumbersThatAreNotFinite(t *testing.T) {
	a := eigen.NewDense(40)
	a.V[5], a.V[5*40] = math.NaN(), math.NaN()
	if _, err := eigen.Symmetric(background, a, eigen.Options{K: 2}); err == nil {
		t.Error("a table with NaN has eigenvalues")
	}
	if _, err := eigen.Lanczos(background, a, eigen.Options{K: 2}); err == nil {
		t.Error("an operator that gives NaN has eigenvalues")
	}
}
