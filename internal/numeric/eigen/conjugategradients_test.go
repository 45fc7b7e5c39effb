package eigen_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

func mustLaplacian(t testing.TB, g *data.Graph, form eigen.Form) *eigen.Laplacian {
	t.Helper()
	l, err := eigen.NewLaplacian(g, form)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func noise(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func trueResidual(a eigen.Operator, x, b []float64, null [][]float64) float64 {
	y := make([]float64, len(x))
	a.Apply(y, x)
	for i := range y {
		y[i] = b[i] - y[i]
	}
	for _, v := range null {
		s := 0.0
		for i := range y {
			s += v[i] * y[i]
		}
		for i := range y {
			y[i] -= s * v[i]
		}
	}
	s, size := 0.0, 0.0
	for i := range y {
		s, size = s+y[i]*y[i], size+b[i]*b[i]
	}
	return math.Sqrt(s / size)
}

func TestSolverOnLaplacians(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, c := range map[string]struct {
		g    *data.Graph
		most int // iterations
	}{
		"grid":             {grid(60, 70), 20},
		"path":             {path(3000), 40},
		"points":           {geometric(5000, 10, 0, rng), 25},
		"clusters":         {geometric(5000, 10, 10, rng), 25},
		"three components": {mustGraph(900, append(edgesOf(grid(20, 20), 0), edgesOf(grid(20, 24), 400)...)), 20},
		"two nodes":        {path(2), 1},
		"complete":         {complete(200), 10},
		"star":             {star(1000), 10},
	} {
		for _, form := range []eigen.Form{eigen.Plain, eigen.Normalised} {
			for _, shift := range []float64{0, 1e-6, 0.5} {
				if testing.Short() && (form == eigen.Plain) != (shift == 0) {
					continue
				}
				l := mustLaplacian(t, c.g, form)
				var extra []float64
				var a eigen.Operator = l
				null := l.Null(l.Components)
				if shift > 0 {
					extra = make([]float64, l.Dim())
					for i := range extra {
						extra[i] = shift
					}
					a = eigen.Shifted{A: l, Shift: shift}
				}
				pre, err := eigen.NewAMG(l, extra)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				s := eigen.Solver{A: a, Pre: pre, Null: null}
				b, x := noise(l.Dim(), 3), make([]float64, l.Dim())
				got, err := s.Solve(background, x, b)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if r := trueResidual(a, x, b, null); got.Iterations > c.most || r > 1e-7 || got.Residual > 1e-8 {
					t.Errorf("%s, form %v, shift %v: %+v, true residual %v; levels %v", name, form, shift, got, r, pre.Levels())
				}
			}
		}
	}
}

func edgesOf(g *data.Graph, add int) (out []data.Edge) {
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for p, j := range to {
			if int(j) >= i {
				out = append(out, data.Edge{U: i + add, V: int(j) + add, W: w[p]})
			}
		}
	}
	return out
}

func star(n int) *data.Graph {
	var e []data.Edge
	for i := 1; i < n; i++ {
		e = append(e, data.Edge{U: 0, V: i, W: 1})
	}
	return mustGraph(n, e)
}

// The Laplacian less half of itself times a multiple is indefinite below its
// second eigenvalue: the solver says so, and proves it.
func TestNegativeCurvatureIsProven(t *testing.T) {
	l := mustLaplacian(t, grid(30, 40), eigen.Plain)
	pre, err := eigen.NewAMG(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	second := gridValues(30, 40)[1]
	for _, c := range []struct {
		shift float64
		fails bool
	}{{-0.9 * second, false}, {-1.5 * second, true}} {
		a := eigen.Shifted{A: l, Shift: c.shift}
		s := eigen.Solver{A: a, Pre: pre, Null: l.Null(1)}
		x := make([]float64, l.Dim())
		_, err := s.Solve(background, x, noise(l.Dim(), 5))
		var proof *eigen.IndefiniteError
		if got := errors.As(err, &proof); got != c.fails {
			t.Fatalf("shift %v: %v", c.shift, err)
		}
		if !c.fails {
			continue
		}
		y := make([]float64, l.Dim())
		a.Apply(y, proof.Vector)
		s0, s1, s2 := 0.0, 0.0, 0.0
		for i, v := range proof.Vector {
			s0, s1, s2 = s0+v, s1+v*v, s2+v*y[i]
		}
		if math.Abs(s0) > 1e-8 || math.Abs(s1-1) > 1e-9 || s2 > 0 || math.Abs(s2-proof.Value) > 1e-9 {
			t.Errorf("proof with sum %v, length² %v, curvature %v, stated %v", s0, s1, s2, proof.Value)
		}
	}
}

func BenchmarkAMG(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			g := geometric(n, 10, 0, rand.New(rand.NewPCG(1, 1)))
			l := mustLaplacian(b, g, eigen.Normalised)
			x, rhs := make([]float64, l.Dim()), noise(l.Dim(), 3)
			b.Run("setup", func(b *testing.B) {
				for b.Loop() {
					if _, err := eigen.NewAMG(l, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("solve", func(b *testing.B) {
				a, _ := eigen.NewAMG(l, nil)
				for b.Loop() {
					s := eigen.Solver{A: l, Pre: a, Null: l.Null(1)}
					got, err := s.Solve(background, x, rhs)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(got.Iterations), "iterations")
				}
			})
		})
	}
}
