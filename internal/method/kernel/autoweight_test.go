package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// weightOf returns what a pair of weight 1 weighs in a fit.
func weightOf(t *testing.T, p *cluster.Problem, a cluster.Algorithm) float64 {
	t.Helper()
	run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return run.(*kmeansRun).Learned().(*KernelInfo).PairWeight
}

// The weight is in the unit of the affinities: what they are multiplied by, it is,
// too.
func TestAutoWeightFollowsTheAffinities(t *testing.T) {
	p := planted(t, 300, 3, 40)
	big := &cluster.Problem{Graph: &data.Graph{Start: p.Graph.Start, To: p.Graph.To}, K: 3, Constraints: p.Constraints}
	for _, w := range p.Graph.W {
		big.Graph.W = append(big.Graph.W, 8*w)
	}
	for _, objective := range objectives {
		a := NewSSKernelKMeans()
		a.Objective = objective
		if small, large := weightOf(t, p, a), weightOf(t, big, a); small <= 0 || math.Abs(large-8*small) > 1e-9*large {
			t.Errorf("%s: the weight is %v, of affinities that are 8 times as large %v", objective, small, large)
		}
	}
	rows := blobs(t, 200)
	far := &data.Dense{Cols: 4}
	for _, y := range rows.X.(*data.Dense).V {
		far.V = append(far.V, 4*y)
	}
	a := NewKernelHMRF()
	a.Kernel = Linear
	small, large := weightOf(t, rows, a), weightOf(t, &cluster.Problem{X: far, K: 3, Constraints: rows.Constraints}, a)
	if small <= 0 || math.Abs(large-16*small) > 1e-4*large {
		t.Errorf("linear kernel: the weight is %v, of rows that are 4 times as long %v", small, large)
	}
}

// Two pairs of rows on a line, by hand: in clusters of two rows J is 1. If 1 moves to 11
// and 12 it is 74, if 0 does 88 2/3, and half of the margin times the mass 2 is the
// weight: the median of two of 73 and two of 87 2/3, the lower of the two.
func TestAutoWeightByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 11, 12}}, K: 2,
		Constraints: &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}}}
	a := NewKernelHMRF()
	a.Kernel = Linear
	if got := weightOf(t, p, a); math.Abs(got-73) > 1e-3 {
		t.Errorf("the weight is %v, by hand 73", got)
	}
	a.Weight = cluster.Fixed(5)
	if got := weightOf(t, p, a); got != 5 {
		t.Errorf("the weight is %v, 5 was given", got)
	}
}
