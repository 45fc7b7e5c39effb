package csp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

// clumps are three groups on a line, of four points each.
func clumps() *cluster.Problem {
	return &cluster.Problem{K: 3, X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3, 20, 21, 22, 23, 40, 41, 42, 43}}}
}

func all() map[string]cluster.Algorithm {
	return map[string]cluster.Algorithm{"spectral": spectral.NewSpectral(), "learning": spectral.NewSpectralLearning(), "csp": NewCSP(), "fast-ge": NewFastGE()}
}

// What a class is called makes no difference, and costs nothing: lists as long
// as the highest number here would fill the memory of any machine.
func TestClassesByAnyNumber(t *testing.T) {
	label := func(b, c int) *constraint.Set {
		return &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 1, W: 1}, {I: 3, Class: 1, W: 1}, {I: 4, Class: b, W: 1}, {I: 9, Class: c, W: 1}}}
	}
	for name, a := range all() {
		var want []int
		for _, s := range []*constraint.Set{label(2, 0), label(1_000_000_000, 0), label(2_000_000_000, 2_147_483_646)} {
			p := clumps()
			p.Constraints = s
			r, err := cluster.Fit(context.Background(), p, a, cluster.Default())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want == nil {
				want = r.Labels
			}
			if !slices.Equal(r.Labels, want) {
				t.Errorf("%s: classes %+v make %v of it, not %v", name, s.Labels, r.Labels, want)
			}
			if s.Labels[2].Class < 2 || p.Constraints != s {
				t.Errorf("%s: what is known was changed", name)
			}
		}
	}
}

// No spectral method is for a kernel, nor for weights whose products overflow,
// and each says so instead of failing on the way.
func TestProblemsThatAreNotForSpectra(t *testing.T) {
	kernel := &cluster.Problem{K: 2, Kernel: &data.Dense{Cols: 3, V: []float64{1, .5, 0, .5, 1, 0, 0, 0, 1}}}
	heavy := clumps()
	heavy.Weight = slices.Repeat([]float64{1e300}, 12)
	far := clumps()
	far.X.(*data.Dense).V[0] = math.MaxFloat64 / 2
	for name, a := range all() {
		for field, p := range map[string]*cluster.Problem{"graph": kernel, "weight": heavy, "x": far} {
			_, err := cluster.Fit(context.Background(), p, a, cluster.Default())
			var bad *cluster.ProblemError
			if !errors.As(err, &bad) || bad.Field != field {
				t.Errorf("%s: %T %v, it should be about %s", name, err, err, field)
			}
		}
	}
}
