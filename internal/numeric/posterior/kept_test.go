package posterior

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Kernels of the same points share what was found of them, whose bits are those of a kernel of one's own.
func TestKernelsOfTheSamePointsShareWhatWasFound(t *testing.T) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(7, 8))
	x := &data.Dense{Cols: 3, V: make([]float64, 3*700)}
	for i := range x.V {
		x.V[i] = r.NormFloat64()
	}
	p := &cluster.Problem{X: x, Derived: &data.Derived{}}
	kernelOf := func(p *cluster.Problem, o Options) *Kernel {
		k, err := NewKernel(ctx, p, o)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	gramOf := func(k *Kernel, rows ...int) *Gram {
		g, err := k.Gram(ctx, rows)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	expand := func(k *Kernel, g *Gram) []float64 {
		out, err := k.Expand(ctx, g, []float64{1, -2, 0.5}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first, second := kernelOf(p, Options{Workers: 1}), kernelOf(p, Options{Workers: 3})
	alone := kernelOf(&cluster.Problem{X: x}, Options{Workers: 1})
	if first.Graph() != second.Graph() || first.Graph() == alone.Graph() {
		t.Error("the graph of neighbours is not shared by the kernels of one problem alone")
	}
	if first.workers != 1 || second.workers != 3 || second.laplace.Workers != 3 {
		t.Errorf("the kernels have %d and %d workers, not 1 and 3", first.workers, second.workers)
	}
	g := gramOf(first, 5, 100, 300)
	if gramOf(second, 5, 100, 300) != g {
		t.Error("the kernel of the same points is computed twice")
	}
	if !slices.Equal(g.V, gramOf(alone, 5, 100, 300).V) || !slices.Equal(expand(first, g), expand(alone, g)) {
		t.Error("a kernel that is shared has other bits")
	}
	if other := gramOf(second, 100, 5, 300); other == g || other.At(0, 1) != g.At(1, 0) || other.Rows[0] != 100 {
		t.Error("the kernel of points in another order is not their own")
	}
	for what, other := range map[string]*Kernel{"seed": kernelOf(p, Options{Seed: 1}), "number of neighbours": kernelOf(p, Options{Neighbours: 5}),
		"points": kernelOf(&cluster.Problem{X: data.Pick(x, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), Derived: p.Derived}, Options{})} {
		if other.Graph() == first.Graph() {
			t.Errorf("a kernel of another %s has the same graph", what)
		}
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	if _, err := second.Gram(ended, []int{1, 2}); err == nil {
		t.Error("a context that has ended gives no error")
	}
	if _, err := second.Gram(ctx, []int{1, 2}); err != nil {
		t.Errorf("an error is kept: %v", err)
	}
}
