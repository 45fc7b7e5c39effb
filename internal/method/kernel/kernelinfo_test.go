package kernel

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// blobs returns three blobs of n points, with a true pair for every ten.
func blobs(t *testing.T, n int) *cluster.Problem {
	t.Helper()
	x, truth, err := example.Blobs(n, 3, 4, 1.5, 1, rand.New(rand.NewPCG(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, n/10, rand.New(rand.NewPCG(3, 3)))}
}

func fitted(t *testing.T, p *cluster.Problem, a cluster.Algorithm) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Restarts, s.Audit = 2, true
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// As many features as rows are the kernel itself, for every objective.
func TestAllFeaturesAreTheKernel(t *testing.T) {
	p := blobs(t, 200)
	for _, objective := range objectives {
		if testing.Short() && objective != NormalizedCut {
			continue
		}
		a := NewKernelHMRF()
		a.Objective = objective
		want := fitted(t, p, a)
		a.Features = 200
		got := fitted(t, p, a)
		if d := math.Abs(got.Objective.Sum() - want.Objective.Sum()); d > 1e-4*math.Abs(want.Objective.Sum()) {
			t.Errorf("%s: J is %v by features, %v by the kernel", objective, got.Objective, want.Objective)
		}
		if info := got.Learned.(*KernelInfo); info.Features < 150 || info.Residual > 1e-6 {
			t.Errorf("%s: the features are reported as %+v", objective, info)
		}
	}
}

// The missing share of the trace falls with the number of features, and with
// few of them the clustering is nearly that of the kernel.
func TestFewFeaturesAreEnough(t *testing.T) {
	p := blobs(t, 1000)
	a := NewKernelHMRF()
	want := fitted(t, p, a)
	was := 1.0
	for _, m := range []int{5, 20, 80} {
		if testing.Short() && m == 20 {
			continue
		}
		a.Features = m
		got := fitted(t, p, a)
		info := got.Learned.(*KernelInfo)
		if info.Residual >= was || info.Features != m {
			t.Errorf("%d features: %+v, with fewer %v was missing", m, info, was)
		}
		was = info.Residual
		if ari, err := score.ARI(want.Labels, got.Labels); err != nil || m == 80 && ari < 0.95 {
			t.Errorf("%d features miss %.3f of the trace and agree with the kernel by %v (%v)", m, info.Residual, ari, err)
		}
	}
}

// The kernel of rows, given as a matrix, is clustered as the rows are.
func TestGivenKernelIsThatOfRows(t *testing.T) {
	p := blobs(t, 150)
	l, err := affinity.Kernel{Kind: "rbf", Width: 1.3}.Over(context.Background(), p.X, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := p.Len()
	q := &cluster.Problem{Kernel: &data.Dense{Cols: n, V: make([]float64, n*n)}, K: p.K, Constraints: p.Constraints}
	l.Tile64(0, n, 0, n, q.Kernel.V)
	for _, objective := range objectives {
		a := NewKernelHMRF()
		a.Objective, a.Width = objective, cluster.Fixed(1.3)
		want, got := fitted(t, p, a), fitted(t, q, a)
		if !slices.Equal(want.Labels, got.Labels) || want.Objective.Sum() != got.Objective.Sum() {
			t.Errorf("%s: J is %v by rows, %v by the matrix", objective, want.Objective, got.Objective)
		}
	}
	a := NewKernelKMeans()
	a.Width = cluster.Fixed(1.3)
	if want, got := fitted(t, p, a), fitted(t, q, a); !slices.Equal(want.Labels, got.Labels) {
		t.Error("kernel-kmeans clusters the matrix otherwise than the rows")
	}
}

func TestRefusesBadKernels(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		cols int
		v    []float64
		says string
	}{
		{3, []float64{1, 2, 3, 4, 5, 6}, "must be 2 × 2, one row and column a point, got 2 × 3"},
		{2, []float64{1, 2, 3, 1}, "must be symmetric"},
		{2, []float64{1, nan, nan, 1}, "must be finite"},
		{2, []float64{1, 1e39, 1e39, 1}, "scale the matrix"},
	} {
		_, err := cluster.Fit(context.Background(), &cluster.Problem{Kernel: &data.Dense{Cols: c.cols, V: c.v}, K: 1}, NewKernelKMeans(), cluster.Default())
		var bad *cluster.ProblemError
		if !errors.As(err, &bad) || bad.Field != "kernel" || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: wanted an error about the kernel that says %q, got %v", c.v, c.says, err)
		}
	}
}

// rings returns two rings of 100 points each, with 300 true pairs.
func rings(inner, outer float64) (*cluster.Problem, []int) {
	x, truth := &data.Dense{Cols: 2}, []int{}
	for i := range 200 {
		radius := []float64{inner, outer}[i%2]
		s, c := math.Sincos(float64(i))
		x.V, truth = append(x.V, radius*c, radius*s), append(truth, i%2)
	}
	return &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, 300, rand.New(rand.NewPCG(6, 6)))}, truth
}

// Where a width can tell rings apart, pairs that are held back find it; where
// they are near each other, it is below that of the median. Every run and every
// fit has the same. Without pairs the rule is the median's.
func TestWidthByHeldOutPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outer  float64
		tenths int // of the pairs that were held back
	}{{3, 9}, {1.7, 5}} {
		if testing.Short() && c.outer != 3 {
			continue
		}
		p, truth := rings(1, c.outer)
		a := NewKernelHMRF()
		wide := fitted(t, p, a).Learned.(*KernelInfo)
		a.Width = cluster.ByRule(cluster.RuleAuto)
		r := fitted(t, p, a)
		info := r.Learned.(*KernelInfo)
		if wide.WidthRule != RuleMedian || info.WidthRule != widthHeldOut || info.Width > wide.Width || info.HeldOut < 100 || 10*info.HeldOutKept < c.tenths*info.HeldOut {
			t.Errorf("by the median %+v, by pairs %+v", wide, info)
		}
		if ari, err := score.ARI(truth, r.Labels); err != nil || c.outer == 3 && ari < 0.95 {
			t.Errorf("the adjusted Rand index is %v (%v)", ari, err)
		}
		if again := fitted(t, p, a).Learned.(*KernelInfo); *again != *info {
			t.Errorf("the choice is %+v and %+v", info, again)
		}
		p.Constraints = nil
		if info := fitted(t, p, a).Learned.(*KernelInfo); info.WidthRule != RuleMedian || info.Width != wide.Width {
			t.Errorf("without pairs %+v", info)
		}
	}
}

// Rows far from the origin are clustered by the linear kernel as near it, in memory,
// on the fly and by features: the distortion does not depend on the origin, and is
// not lost to single precision.
func TestLinearKernelFarFromTheOrigin(t *testing.T) {
	near := blobs(t, 300)
	far := &data.Dense{Cols: 4}
	for _, y := range near.X.(*data.Dense).V {
		far.V = append(far.V, y+1e6)
	}
	for _, memory := range []int{4096, 0} {
		for _, features := range []int{0, 4} {
			a := NewKernelKMeans()
			a.Kernel, a.Memory, a.Features = Linear, memory, features
			want, got := fitted(t, near, a), fitted(t, &cluster.Problem{X: far, K: 3}, a)
			if !slices.Equal(want.Labels, got.Labels) || math.Abs(got.Objective.Sum()-want.Objective.Sum()) > 1e-4*want.Objective.Sum() {
				t.Errorf("%d MB, %d features: the distortion is %v, near the origin %v", memory, features, got.Objective, want.Objective)
			}
		}
	}
	// The polynomial kernel depends on the origin: what is lost is reported.
	a := NewKernelKMeans()
	a.Kernel = Polynomial
	r := fitted(t, &cluster.Problem{X: far, K: 3}, a)
	if info, ok := r.Learned.(*KernelInfo); r.Objective.Sum() < 0 || !ok || !info.Imprecise || len(info.Notes()) != 1 {
		t.Errorf("polynomial kernel: J is %v, %+v", r.Objective, r.Learned)
	}
	if info, ok := fitted(t, near, a).Learned.(*KernelInfo); ok && info.Imprecise {
		t.Errorf("near the origin: %+v", info)
	}
}
