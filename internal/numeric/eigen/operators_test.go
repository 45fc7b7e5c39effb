package eigen_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// drawGraph has weights of 0 or more, or of any sign.
func drawGraph(t *rapid.T, n int, signed bool) *data.Graph {
	node := rapid.IntRange(0, n-1)
	low := 0
	if signed {
		low = -3
	}
	return mustGraph(n, rapid.SliceOfN(rapid.Custom(func(t *rapid.T) data.Edge {
		return data.Edge{U: node.Draw(t, "u"), V: node.Draw(t, "v"), W: float64(rapid.IntRange(low, 4).Draw(t, "w")) / 4}
	}), 0, 30).Draw(t, "edges"))
}

// Every operator multiplies like the table that its definition gives.
func TestOperatorsAgainstTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		g, signed := drawGraph(t, n, false), drawGraph(t, n, true)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s, u, z := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			s[i], u[i], z[i] = 0.5+rng.Float64(), rng.NormFloat64(), 1/math.Sqrt(float64(n))
		}
		adjacency := func(g *data.Graph) []float64 {
			a := make([]float64, n*n)
			for i := range n {
				to, w := g.Neighbours(i)
				for p, j := range to {
					a[i*n+int(j)] = w[p]
				}
			}
			return a
		}
		table := func(f func(i, j int) float64) []float64 {
			a := make([]float64, n*n)
			for i := range n {
				for j := range n {
					a[i*n+j] = f(i, j)
				}
			}
			return a
		}
		same01 := func(i, j int) float64 {
			if i == j {
				return 1
			}
			return 0
		}
		a, b := adjacency(g), adjacency(signed)
		plain, err := eigen.NewLaplacian(g, eigen.Plain)
		if err != nil {
			t.Fatal(err)
		}
		normalised, err := eigen.NewLaplacian(g, eigen.Normalised)
		if err != nil {
			t.Fatal(err)
		}
		low := eigen.LowRank{N: n, U: [][]float64{u, z}, C: []float64{2, -3}}
		sum, err := eigen.NewSum(eigen.Term{Scale: 2, A: eigen.Adjacency(signed)}, eigen.Term{Scale: -1, A: low})
		if err != nil {
			t.Fatal(err)
		}
		lowTable := table(func(i, j int) float64 { return 2*u[i]*u[j] - 3*z[i]*z[j] })
		project := table(func(i, j int) float64 { return same01(i, j) - z[i]*z[j] })
		for name, c := range map[string]struct {
			op   eigen.Operator
			want []float64
		}{
			"adjacency": {eigen.Adjacency(signed), b},
			"plain":     {plain, table(func(i, j int) float64 { return same01(i, j)*g.Degree(i) - a[i*n+j] })},
			"normalised": {normalised, table(func(i, j int) float64 {
				if g.Degree(i) == 0 || g.Degree(j) == 0 {
					return 0
				}
				return same01(i, j) - a[i*n+j]/math.Sqrt(g.Degree(i)*g.Degree(j))
			})},
			"shifted":   {eigen.Shifted{A: eigen.Adjacency(signed), Shift: -0.7}, table(func(i, j int) float64 { return b[i*n+j] - 0.7*same01(i, j) })},
			"diagonal":  {eigen.Diagonal(s), table(func(i, j int) float64 { return s[i] * same01(i, j) })},
			"low rank":  {low, lowTable},
			"sum":       {sum, table(func(i, j int) float64 { return 2*b[i*n+j] - lowTable[i*n+j] })},
			"projected": {eigen.Projected{A: eigen.Adjacency(signed), Null: [][]float64{z}}, times(n, project, times(n, b, project))},
		} {
			got := eigen.ToDense(context.Background(), c.op).V
			for at := range got {
				if math.Abs(got[at]-c.want[at]) > 1e-12 {
					t.Fatalf("%s: entry (%d, %d) is %v, wanted %v", name, at/n, at%n, got[at], c.want[at])
				}
			}
			if block, ok := c.op.(eigen.BlockOperator); ok {
				checkBlock(t, name, block, rapid.IntRange(1, 18).Draw(t, "p"), rng)
			}
		}
	})
}

func times(n int, a, b []float64) []float64 {
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range n {
				c[i*n+j] += a[i*n+k] * b[k*n+j]
			}
		}
	}
	return c
}

// A block product is that of its vectors.
func checkBlock(t *rapid.T, name string, op eigen.BlockOperator, p int, rng *rand.Rand) {
	n := op.Dim()
	x, y := make([]float64, n*p), make([]float64, n*p)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	op.ApplyBlock(y, x, p)
	one, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
	for c := range p {
		for i := range n {
			one[i], got[i] = x[i*p+c], y[i*p+c]
		}
		op.Apply(want, one)
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Fatalf("%s: vector %d of %d becomes %v, alone %v", name, c, p, got, want)
		}
	}
}

func TestOperatorsRefuse(t *testing.T) {
	if _, err := eigen.NewSum(); err == nil {
		t.Error("a sum of nothing")
	}
	if _, err := eigen.NewSum(eigen.Term{Scale: 1, A: eigen.Diagonal{1}}, eigen.Term{Scale: 1, A: eigen.Diagonal{1, 2}}); err == nil {
		t.Error("a sum of different dimensions")
	}
	l := mustLaplacian(t, path(3), eigen.Plain)
	for _, extra := range [][]float64{{1}, {1, -1, 0}, {1, math.NaN(), 0}} {
		if _, err := eigen.NewAMG(l, extra); err == nil {
			t.Errorf("an extra diagonal of %v", extra)
		}
	}
	if _, err := (&eigen.Solver{A: l}).Solve(background, make([]float64, 2), make([]float64, 3)); err == nil {
		t.Error("room for two numbers of three")
	}
}
