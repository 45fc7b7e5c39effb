package starts

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

func testEnv(seed uint64, workers int, effort cluster.Effort) *cluster.Env {
	return &cluster.Env{Rand: rand.New(rand.NewPCG(seed, 0)), Workers: workers, Effort: effort}
}

// The candidate taken is the one with the least potential, computed row by row.
func TestBestCandidate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := blobs(rng, 3000, 5, 7)
	e := testEnv(1, 2, "")
	potential := newPotentialPass(p)
	first := data.Copy(p.X, 0)
	if err := potential.addCentres(context.Background(), e, p.X, first); err != nil {
		t.Fatal(err)
	}
	rows := []int{5, 77, 1500, 2999}
	var candidates []float64
	best, least := -1, math.Inf(1)
	for j, i := range rows {
		c := data.Copy(p.X, i)
		candidates = append(candidates, c...)
		sum := 0.0
		for r := range p.Len() {
			v := p.X.Row(r, nil)
			sum += p.W(r) * min(data.Dist2(v, first, 0), data.Dist2(v, c, 0))
		}
		if sum < least {
			best, least = j, sum
		}
	}
	got, err := newCandidatePass(p.X, potential, len(rows)).chooseBest(context.Background(), e, p.X, candidates)
	if err != nil || got != best {
		t.Errorf("candidate %d is taken (%v), want %d", got, err, best)
	}
	if total := potential.total(); math.Abs(total-least) > 1e-9*least {
		t.Errorf("the potential is %v, want %v", total, least)
	}
}

// Sparse rows give the same centres as the same rows stored densely.
func TestSparseStartIsTheDenseOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	dense, sparse := &data.Dense{Cols: 30}, &data.Sparse{Cols: 30, Start: []int{0}}
	for range 500 {
		for f := range 30 {
			y := 0.0
			if rng.IntN(5) == 0 {
				y = 1 + rng.Float64()
				sparse.Idx, sparse.Val = append(sparse.Idx, int32(f)), append(sparse.Val, y)
			}
			dense.V = append(dense.V, y)
		}
		sparse.Start = append(sparse.Start, len(sparse.Idx))
	}
	a := KMeansPlusPlus(context.Background(), &cluster.Problem{X: dense, K: 8}, testEnv(1, 1, ""), nil)
	b := KMeansPlusPlus(context.Background(), &cluster.Problem{X: sparse, K: 8}, testEnv(1, 3, ""), nil)
	if !slices.Equal(a.C, b.C) {
		t.Error("the centres differ")
	}
}

// Centres that are given stay, and the fitted ones find the other blobs, on any
// number of workers the same.
func TestFittedCentres(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	p := blobs(rng, 30_000, 3, 10)
	first := []float64{100, 100, 100}
	var one *lloyd.Centres
	for _, workers := range []int{1, 3} {
		c := FittedCentres(context.Background(), lloyd.Space{Problem: p}, testEnv(1, workers, cluster.EffortNormal), first)
		if !slices.Equal(c.C[:3], first) {
			t.Errorf("the given centre is now %v", c.C[:3])
		}
		if one == nil {
			one = c
		} else if !slices.Equal(one.C, c.C) {
			t.Error("the centres depend on the number of workers")
		}
	}
}

// With no time at all there are still k centres.
func TestStartsWithoutTime(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	p := blobs(rand.New(rand.NewPCG(9, 9)), 200_000, 4, 30)
	s := lloyd.Space{Problem: p}
	e := testEnv(1, 1, cluster.EffortHigh)
	sampled, _ := KMeansOnSample(ctx, s, e)
	for name, c := range map[string]*lloyd.Centres{
		"k-means++": KMeansPlusPlus(ctx, p, e, nil), "k-means||": KMeansParallel(ctx, p, e),
		"sample": sampled, "fitted": FittedCentres(ctx, s, e, nil),
	} {
		if err := c.Check(); err != nil || c.K != p.K {
			t.Errorf("%s: %d centres, %v", name, c.K, err)
		}
	}
}

// A sample is clustered first where a pass over all rows is long and the sample is at
// most half of them, unless the effort is low.
func TestWhenASampleIsClustered(t *testing.T) {
	for _, c := range []struct {
		n, d, k int
		effort  cluster.Effort
		want    bool
	}{
		{20_000, 2, 20, cluster.EffortNormal, true},
		{20_000, 2, 20, cluster.EffortHigh, true},
		{20_000, 2, 20, cluster.EffortLow, false},
		{10_000, 2, 20, cluster.EffortNormal, false},
		{20_000, 2, 200, cluster.EffortNormal, false},
	} {
		p := blobs(rand.New(rand.NewPCG(3, 4)), c.n, c.d, c.k)
		found, sampled := KMeansOnSample(context.Background(), lloyd.Space{Problem: p}, testEnv(1, 1, c.effort))
		if sampled != c.want || found.K != c.k {
			t.Errorf("%d × %d, k = %d, effort %s: sampled %v, %d centres", c.n, c.d, c.k, c.effort, sampled, found.K)
		}
	}
}

// blobs returns n weighted rows of d features around k random centres.
func blobs(rng *rand.Rand, n, d, k int) *cluster.Problem {
	x, w := &data.Dense{Cols: d}, make([]float64, n)
	centres := make([]float64, k*d)
	for f := range centres {
		centres[f] = 20 * rng.NormFloat64()
	}
	for i := range n {
		w[i] = 1 + float64(i%3)
		h := rng.IntN(k)
		for f := range d {
			x.V = append(x.V, centres[h*d+f]+rng.NormFloat64())
		}
	}
	return &cluster.Problem{X: x, K: k, Weight: w}
}
