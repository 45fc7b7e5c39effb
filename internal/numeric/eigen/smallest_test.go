package eigen_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// Graphs whose Laplacians have spectra in closed form, small (dense) and large
// (multigrid and LOBPCG). Those of cycles and of square grids have pairs of
// equal eigenvalues.
func TestKnownSpectra(t *testing.T) {
	cycleValues := func(n int) (out []float64) {
		for j := range n {
			out = append(out, 2-2*math.Cos(2*math.Pi*float64((j+1)/2)/float64(n)))
		}
		return out
	}
	completeValues := func(n int) []float64 {
		out := make([]float64, n)
		for j := 1; j < n; j++ {
			out[j] = float64(n)
		}
		return out
	}
	for name, c := range map[string]struct {
		g      *data.Graph
		values []float64
		k      int
	}{
		"short path":    {path(40), pathValues(40), 40},
		"path":          {path(2000), pathValues(2000), 5},
		"short cycle":   {cycle(31), cycleValues(31), 31},
		"cycle":         {cycle(1500), cycleValues(1500), 7},
		"complete":      {complete(30), completeValues(30), 30},
		"small grid":    {grid(12, 17), gridValues(12, 17), 20},
		"grid":          {grid(60, 60), gridValues(60, 60), 12},
		"long grid":     {grid(20, 300), gridValues(20, 300), 10},
		"big complete":  {complete(600), completeValues(600), 4},
		"one node":      {path(1), []float64{0}, 3},
		"two nodes":     {path(2), []float64{0, 2}, 2},
		"no nodes":      {mustGraph(0, nil), nil, 3},
		"only isolated": {mustGraph(5, nil), make([]float64, 5), 3},
	} {
		if testing.Short() && (name == "long grid" || name == "big complete") {
			continue
		}
		l := mustLaplacian(t, c.g, eigen.Plain)
		p, err := eigen.Smallest(background, l, eigen.Options{K: c.k, Tol: 1e-9})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !p.Converged {
			t.Errorf("%s: not converged, %v", name, p.Residuals)
		}
		same(t, p.Values, c.values[:min(c.k, len(c.values))], 1e-10)
		certify(t, l, p, 1e-7)
	}
}

// By the dense route and by LOBPCG the pairs are the same.
func TestSmallestAgainstDense(t *testing.T) {
	for seed := range uint64(2) {
		g := geometric(600, 8, int(seed)*3, rand.New(rand.NewPCG(seed, 3)))
		for _, form := range []eigen.Form{eigen.Plain, eigen.Normalised} {
			if testing.Short() && (form == eigen.Plain) != (seed == 0) {
				continue
			}
			l := mustLaplacian(t, g, form)
			p, err := eigen.Smallest(background, l, eigen.Options{K: 8, Tol: 1e-10})
			if err != nil {
				t.Fatal(err)
			}
			want, err := eigen.Symmetric(background, eigen.ToDense(context.Background(), l), eigen.Options{K: 8})
			if err != nil {
				t.Fatal(err)
			}
			if l.Components == 1 && p.Method != "lobpcg" {
				t.Errorf("found by %s", p.Method)
			}
			same(t, p.Values, want.Values, 1e-11)
			certify(t, l, p, 1e-8)
		}
	}
}

// Whatever the components: as many zeros as there are of them, and the rest as
// the dense route finds it.
func TestComponentsAreTheNullSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) data.Edge {
			return data.Edge{U: node.Draw(t, "u"), V: node.Draw(t, "v"), W: rapid.SampledFrom([]float64{0, 0.25, 1, 3}).Draw(t, "w")}
		}), 0, 40).Draw(t, "edges")
		l, err := eigen.NewLaplacian(mustGraph(n, edges), eigen.Form(rapid.IntRange(0, 1).Draw(t, "form")))
		if err != nil {
			t.Fatal(err)
		}
		k := rapid.IntRange(0, n+1).Draw(t, "k")
		p, err := eigen.Smallest(background, l, eigen.Options{K: k})
		if err != nil {
			t.Fatal(err)
		}
		all := jacobi(n, eigen.ToDense(context.Background(), l).V)
		same(t, p.Values, all[:min(k, n)], 1e-11)
		certify(t, l, p, 1e-10)
		zeros := 0
		for _, y := range all {
			if math.Abs(y) < 1e-10 {
				zeros++
			}
		}
		if zeros != l.Components {
			t.Fatalf("%d components, %d eigenvalues of 0: %v", l.Components, zeros, all)
		}
	})
}

// Two large components and an isolated node: pairs of both are merged.
func TestSmallestOfALargeDisconnectedGraph(t *testing.T) {
	edges := append(edgesOf(grid(30, 30), 0), edgesOf(grid(25, 40), 900)...)
	l := mustLaplacian(t, mustGraph(1901, edges), eigen.Plain)
	p, err := eigen.Smallest(background, l, eigen.Options{K: 12, Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	want := append(append([]float64{0}, gridValues(30, 30)...), gridValues(25, 40)...)
	slices.Sort(want)
	same(t, p.Values, want[:12], 1e-10)
	certify(t, l, p, 1e-7)
}

func TestTheSameBitsOnAnyNumberOfWorkers(t *testing.T) {
	n, hands := 5000, []int{2, 7}
	if testing.Short() {
		n, hands = 4200, []int{3} // as many blocks, and two of those that vectors are added up by
	}
	g := geometric(n, 10, 5, rand.New(rand.NewPCG(4, 4)))
	dense := eigen.NewDense(220)
	copy(dense.V, noise(220*220, 9))
	bits := func(workers int) (out []float64) {
		l := mustLaplacian(t, g, eigen.Normalised)
		l.Workers = workers
		o := eigen.Options{K: 5, Tol: 1e-5, Workers: workers}
		for _, find := range []func() (*eigen.Pairs, error){
			func() (*eigen.Pairs, error) { return eigen.Smallest(background, l, o) },
			func() (*eigen.Pairs, error) {
				o := o
				o.End, o.Tol = eigen.High, 1e-3
				return eigen.Lanczos(background, l, o)
			},
			func() (*eigen.Pairs, error) { return eigen.Symmetric(background, dense, o) },
			func() (*eigen.Pairs, error) {
				o := o
				o.K = 220
				return eigen.Symmetric(background, dense, o)
			},
		} {
			p, err := find()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, p.Values...)
			out = append(out, p.Residuals...)
			for _, v := range p.Vectors {
				out = append(out, v...)
			}
		}
		pre, err := eigen.NewAMG(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, l.Dim())
		s := eigen.Solver{A: l, Pre: pre, Null: l.Null(1), Workers: workers}
		if _, err := s.Solve(background, x, noise(l.Dim(), 2)); err != nil {
			t.Fatal(err)
		}
		return append(out, x...)
	}
	want := bits(1)
	for _, workers := range hands {
		if !slices.Equal(bits(workers), want) {
			t.Errorf("other bits on %d workers", workers)
		}
	}
}

func TestNegativeWeightsAreRefused(t *testing.T) {
	_, err := eigen.NewLaplacian(mustGraph(3, []data.Edge{{U: 0, V: 2, W: -1}}), eigen.Plain)
	if err == nil || err.Error() != "the edge 0-2 weighs -1; a Laplacian needs weights of 0 or more" {
		t.Error(err)
	}
}

func TestDegreesOutOfRangeAreRefused(t *testing.T) {
	for _, w := range []float64{1e-310, 1e-151, 1e151} {
		if _, err := eigen.NewLaplacian(mustGraph(2, []data.Edge{{U: 0, V: 1, W: w}}), eigen.Normalised); err == nil {
			t.Errorf("a degree of %v is accepted", w)
		}
	}
	// Within the range sizes do not matter.
	for _, w := range []float64{1e-149, 1e149} {
		g := grid(25, 30)
		for i := range g.W {
			g.W[i] = w / 4
		}
		p, err := eigen.Smallest(background, mustLaplacian(t, g, eigen.Plain), eigen.Options{K: 4, Tol: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		for c, y := range gridValues(25, 30)[:4] {
			if math.Abs(p.Values[c]/(w/4)-y) > 1e-11 {
				t.Errorf("weight %v: value %d is %v, wanted %v", w, c, p.Values[c]/(w/4), y)
			}
		}
	}
}

func TestBadOptions(t *testing.T) {
	l := mustLaplacian(t, path(5), eigen.Plain)
	for _, o := range []eigen.Options{{K: -1}, {K: 1, End: 7}, {K: 1, Tol: math.NaN()}, {K: 1, Max: -2}, {K: 1, Rel: 2}, {K: 2, End: eigen.High}} {
		if _, err := eigen.Smallest(background, l, o); !errors.Is(err, eigen.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// The context is looked at while it works, and its error comes back.
func TestCancelled(t *testing.T) {
	g := geometric(4000, 8, 0, rand.New(rand.NewPCG(2, 3)))
	l := mustLaplacian(t, g, eigen.Normalised)
	for name, find := range map[string]func(context.Context, eigen.Options) (*eigen.Pairs, error){
		"smallest": func(ctx context.Context, o eigen.Options) (*eigen.Pairs, error) { return eigen.Smallest(ctx, l, o) },
		"lanczos":  func(ctx context.Context, o eigen.Options) (*eigen.Pairs, error) { return eigen.Lanczos(ctx, l, o) },
	} {
		ctx, cancel := context.WithCancel(background)
		heard := 0
		_, err := find(ctx, eigen.Options{K: 4, Tol: 1e-12, Observe: func(p eigen.Progress) {
			if heard++; heard == 2 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || heard > 3 {
			t.Errorf("%s: %v after %d events", name, err, heard)
		}
	}
}

// When products run out the pairs come back with their residuals, marked.
func TestProductsRunOut(t *testing.T) {
	l := mustLaplacian(t, path(3000), eigen.Plain)
	p, err := eigen.Lanczos(background, l, eigen.Options{K: 3, Max: 60})
	if err != nil || p.Converged || len(p.Values) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	certify(t, l, p, 1)
}

func BenchmarkSmallest(b *testing.B) {
	for _, c := range []struct{ n, k, centres int }{{100_000, 10, 0}, {100_000, 10, 10}} {
		g := geometric(c.n, 10, c.centres, rand.New(rand.NewPCG(1, 1)))
		l := mustLaplacian(b, g, eigen.Normalised)
		for _, tol := range []float64{1e-4, 1e-6, 1e-8} {
			b.Run(fmt.Sprintf("n=%d/centres=%d/k=%d/tol=%g", c.n, c.centres, c.k, tol), func(b *testing.B) {
				for b.Loop() {
					p, err := eigen.Smallest(background, l, eigen.Options{K: c.k, Tol: tol})
					if err != nil || !p.Converged {
						b.Fatal(err, p)
					}
				}
			})
		}
	}
}

// Two rings that hang together by one edge of weight w have a second
// eigenvalue of w(1/vol + 1/vol'), all but; it is found as quickly however
// small w is, and the others with it.
func TestHangingByAnEdge(t *testing.T) {
	const n = 900
	ring := func(at, size int) (out []data.Edge) {
		for i := range size {
			for _, far := range []int{1, 7, 40} {
				out = append(out, data.Edge{U: at + i, V: at + (i+far)%size, W: 1})
			}
		}
		return out
	}
	edges := append(ring(0, n), ring(n, 2*n)...)
	for _, w := range []float64{1e-2, 1e-4, 1e-6, 1e-8, 1e-9, 1e-12, 1e-16, 1e-30} {
		for _, by := range []int{0, 1} { // an edge, or a node with two
			if testing.Short() && w != 1e-4 && w != 1e-12 {
				continue
			}
			g := mustGraph(3*n, append(edges, data.Edge{U: 3, V: n + 5, W: w}))
			weight := w
			if by == 1 {
				g, weight = mustGraph(3*n+1, append(edges, data.Edge{U: 3, V: 3 * n, W: w}, data.Edge{U: 3 * n, V: n + 5, W: w})), w/2
			}
			steps := 0
			p, err := eigen.Smallest(background, mustLaplacian(t, g, eigen.Normalised), eigen.Options{K: 5, Tol: 1e-3, Rel: 0.1,
				Observe: func(e eigen.Progress) { steps = e.Iteration }})
			if err != nil {
				t.Fatal(err)
			}
			want := weight * (1/(6.0*n) + 1/(12.0*n))
			if got := p.Values[1]; math.Abs(got-want) > 0.1*want+1e-12 {
				t.Errorf("w = %v by %d: second eigenvalue %v, want %v", w, by, got, want)
			}
			if steps > 60 || !p.Converged || p.Values[2] < 1e-4 {
				t.Errorf("w = %v by %d: %d steps, converged %v, values %v", w, by, steps, p.Converged, p.Values)
			}
		}
	}
}

// Loose pairs are not waited for; the others are what they are without them,
// and every residual is what it is said to be.
func TestLoosePairs(t *testing.T) {
	l := mustLaplacian(t, grid(70, 71), eigen.Normalised)
	o := eigen.Options{K: 6, Tol: 1e-6}
	want, err := eigen.Smallest(background, l, o)
	if err != nil {
		t.Fatal(err)
	}
	o.K, o.Loose = 9, 3
	got, err := eigen.Smallest(background, l, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Values) != 9 || !got.Converged {
		t.Fatalf("%d pairs, converged %v", len(got.Values), got.Converged)
	}
	y := make([]float64, l.Dim())
	for c, v := range got.Vectors {
		if c < 6 && (math.Abs(got.Values[c]-want.Values[c]) > 1e-8 || got.Residuals[c] > 3e-6) {
			t.Errorf("value %d is %v with residual %v, want %v", c, got.Values[c], got.Residuals[c], want.Values[c])
		}
		l.Apply(y, v)
		r := 0.0
		for i := range y {
			e := y[i] - got.Values[c]*v[i]
			r += e * e
		}
		if math.Abs(math.Sqrt(r)-got.Residuals[c]) > 1e-12 {
			t.Errorf("residual %d is %v, told %v", c, math.Sqrt(r), got.Residuals[c])
		}
	}
	if _, err := eigen.Smallest(background, l, eigen.Options{K: 3, Loose: -1}); !errors.Is(err, eigen.ErrOptions) {
		t.Errorf("loose pairs below 0: %v", err)
	}
}
