package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// An effortful algorithm searches as long as effort says, whoever starts it.
type effortful struct {
	cluster.Algorithm
	effort cluster.Effort
}

func (a effortful) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	with := *e
	with.Effort = a.effort
	return a.Algorithm.Start(ctx, p, &with)
}

// fitOnce returns the audited result of one start.
func fitOnce(t *testing.T, p *cluster.Problem, a cluster.Algorithm, effort cluster.Effort, seed uint64) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Restarts, s.Audit, s.Seed = 1, true, seed
	r, err := cluster.Fit(context.Background(), p, effortful{a, effort}, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Three pairs of points on a line, with two clusters on one pair and one on the
// others: no single point and no batch step leads out, a swap does.
func TestSwapByHand(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 100, 101, 140, 141}}
	a := NewKernelHMRF()
	a.Kernel = Linear
	run, err := a.Start(context.Background(), &cluster.Problem{X: x, K: 3}, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Effort: cluster.EffortNormal})
	if err != nil {
		t.Fatal(err)
	}
	r := run.(*kmeansRun)
	copy(r.label, []int32{0, 1, 2, 2, 2, 2})
	if err := r.recompute(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, move := range []func(context.Context) (int, error){r.batchStep, r.movePoints} {
		if moved, err := move(context.Background()); moved != 0 || err != nil {
			t.Fatalf("%d points move by themselves (%v)", moved, err)
		}
	}
	// Dissolving a cluster of the first pair costs 1, splitting the third gains
	// 40² = 4 · 20².
	halves, err := r.splitInHalves(context.Background(), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if plans := r.planSwaps(halves, 3); plans[0][0].split != 2 || math.Abs(plans[0][0].gain-(1600-1)) > 1e-3 {
		t.Errorf("the first plan is %+v", plans[0])
	}
	r.startQuality, r.batchConverged = r.quality(), true
	if moved, err := r.runSwaps(context.Background()); moved != 3 || err != nil {
		t.Errorf("%d points moved by swaps (%v)", moved, err)
	}
	label := r.Labels()
	if label[0] != label[1] || label[2] != label[3] || label[4] != label[5] || label[2] == label[4] || label[0] == label[2] {
		t.Errorf("the clusters are %v", label)
	}
	if got := r.Tracked().Sum(); math.Abs(got-1.5) > 1e-3 {
		t.Errorf("J is %v, by hand 1.5", got)
	}
}

// On few points no run is below the optimum over all clusterings; swaps end there
// more often, and never above where the descent alone ends.
func TestSwapsAgainstAllClusterings(t *testing.T) {
	const n, k, sets = 9, 3, 40
	reached := map[cluster.Effort]int{}
	for at := range uint64(sets) {
		rng := rand.New(rand.NewPCG(at, 6))
		p := &cluster.Problem{X: &data.Dense{Cols: 2, V: make([]float64, 2*n)}, K: k}
		for i := range p.X.(*data.Dense).V {
			p.X.(*data.Dense).V[i] = rng.NormFloat64()
		}
		a := NewKernelKMeans()
		a.Width = cluster.Fixed(0.7)
		best := leastOf(n, k, func(label []int) float64 { return distortion(p.X.(*data.Dense), 0.7, k, label) })
		was := math.Inf(1)
		for _, effort := range []cluster.Effort{cluster.EffortLow, cluster.EffortNormal, cluster.EffortHigh} {
			got := fitOnce(t, p, a, effort, at).Objective.Sum()
			if got < best-1e-5 || got > was+1e-9 {
				t.Errorf("set %d, effort %s: J is %v, at lower effort %v, the optimum %v", at, effort, got, was, best)
			}
			if was = got; got < best+1e-5 {
				reached[effort]++
			}
		}
	}
	if t.Log(reached); reached[cluster.EffortNormal] < sets*8/10 || reached[cluster.EffortNormal] <= reached[cluster.EffortLow] {
		t.Errorf("of %d optima these are reached: %v", sets, reached)
	}
}

// distortion is J of kernel k-means with the rbf kernel, from all pairs.
func distortion(x *data.Dense, width float64, k int, label []int) (j float64) {
	sum, size := make([]float64, k), make([]float64, k)
	for i, c := range label {
		size[c]++
		for h, d := range label {
			if c == d {
				a, b := x.V[2*i]-x.V[2*h], x.V[2*i+1]-x.V[2*h+1]
				sum[c] += math.Exp(-(a*a + b*b) / (2 * width * width))
			}
		}
	}
	for c := range k {
		j -= quotient(sum[c], size[c])
	}
	return j + float64(len(label))
}

// On blobs swaps end lower than the descent alone, in a bounded number of rows, the
// same on any number of workers, by the kernel and by features.
func TestSwapsOnBlobs(t *testing.T) {
	t.Parallel()
	x, _, err := example.Blobs(600, 20, 6, 3, 1, rand.New(rand.NewPCG(7, 7)))
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: x, K: 20}
	for _, features := range []int{0, 60} {
		a := NewKernelKMeans()
		a.Features = features
		low, normal, high := 0.0, 0.0, 0.0
		for seed := range uint64(4) {
			low += fitOnce(t, p, a, cluster.EffortLow, seed).Objective.Sum()
			normal += fitOnce(t, p, a, cluster.EffortNormal, seed).Objective.Sum()
			high += fitOnce(t, p, a, cluster.EffortHigh, seed).Objective.Sum()
		}
		if t.Logf("%d features: %v, %v, %v", features, low, normal, high); normal > 0.99*low || high > normal {
			t.Errorf("%d features: J is %v at low, %v at normal, %v at high effort", features, low, normal, high)
		}
		var labels [][]int
		for _, workers := range []int{1, 3} {
			run, err := a.Start(context.Background(), p, &cluster.Env{Rand: rand.New(rand.NewPCG(1, 1)), Workers: workers, Effort: cluster.EffortNormal})
			for stages := run.Stages(); err == nil && len(stages) > 0; stages = run.Stages() {
				for _, s := range stages {
					if _, err = s.Do(context.Background()); err != nil {
						break
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			labels = append(labels, slices.Clone(run.Labels()))
			r := run.(*kmeansRun)
			// The last swap may have begun just before the limit.
			if limit := r.swaps.descent + max(r.swaps.least, int(r.swaps.share)*r.swaps.descent) + 100*x.Len(); r.rowsRead > limit {
				t.Errorf("%d features: %d rows were read, allowed are %d", features, r.rowsRead, limit)
			}
		}
		if !slices.Equal(labels[0], labels[1]) {
			t.Errorf("%d features: other clusters on three workers", features)
		}
	}
}
