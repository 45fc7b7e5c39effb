package centroid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

func TestKMeansKeepsTheContract(t *testing.T) {
	clustertest.Run(t, centroid.NewKMeans())
	t.Run("random start", func(t *testing.T) {
		clustertest.Sample(t, &centroid.KMeans{Init: "random", Distortion: centroid.Euclidean})
	})
}

func fit(t testing.TB, p *cluster.Problem, a cluster.Algorithm, tune func(*cluster.Settings)) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Audit = true
	if tune != nil {
		tune(&s)
	}
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Four points on a line, weights 1 2 1 1, centres 0 and 10. By hand:
// labels 0 0 1 1; start J = 0·1 + 1·2 + 1·1 + 4·1 = 7;
// means (0·1+1·2)/3 = 2/3 and (9+12)/2 = 10.5;
// J = 4/9 + 2·1/9 + 2.25 + 2.25 = 2/3 + 4.5.
func TestKMeansObjectiveByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 9, 12}}, Weight: []float64{1, 2, 1, 1}, K: 2}
	a := centroid.NewKMeans()
	a.StartFrom(&data.Dense{Cols: 1, V: []float64{0, 10}})
	r := fit(t, p, a, func(s *cluster.Settings) { s.Restarts = 1 })
	if got := r.Trace[0].Objective; got != 7 {
		t.Errorf("the start costs %v, by hand 7", got)
	}
	if got, want := r.Objective.Sum(), 2.0/3+4.5; math.Abs(got-want) > 1e-12 {
		t.Errorf("the end costs %v, by hand %v", got, want)
	}
	if c := r.Model.(*centroid.Centres).C; math.Abs(c[0]-2.0/3) > 1e-15 || c[1] != 10.5 {
		t.Errorf("the centres are %v, by hand 2/3 and 10.5", c)
	}
	if r.Status != cluster.Converged || r.Iterations != 1 {
		t.Errorf("%s after %d iterations, by hand converged after 1", r.Status, r.Iterations)
	}
}

// The third centre starts far from everything: it must take over point 5.
func TestKMeansRefillsAnEmptyCluster(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 20, 21, 30}}, K: 3}
	a := centroid.NewKMeans()
	a.StartFrom(&data.Dense{Cols: 1, V: []float64{1, 21, -500}})
	r := fit(t, p, a, func(s *cluster.Settings) { s.Restarts = 1 })
	if sizes := r.Sizes(3); sizes[0] != 3 || sizes[1] != 2 || sizes[2] != 1 {
		t.Errorf("sizes are %v, wanted 3 2 1", sizes)
	}
}

// bruteForce returns the least J over all labelings of x with k clusters.
func bruteForce(x *data.Dense, w []float64, k int) float64 {
	n, d := x.Len(), x.Cols
	labels, best := make([]int, n), math.Inf(1)
	for {
		total := 0.0
		for h := range k {
			mean, mass := make([]float64, d), 0.0
			for i, l := range labels {
				if l == h {
					data.Add(mean, x.Row(i, nil), w[i])
					mass += w[i]
				}
			}
			if mass == 0 {
				continue
			}
			for f := range mean {
				mean[f] /= mass
			}
			for i, l := range labels {
				if l == h {
					total += w[i] * data.Dist2(x.Row(i, nil), mean, 0)
				}
			}
		}
		best = min(best, total)
		i := 0
		for ; i < n && labels[i] == k-1; i++ {
			labels[i] = 0
		}
		if i == n {
			return best
		}
		labels[i]++
	}
}

// On tiny problems the best of many restarts is never below the optimum over
// all labelings, and nearly always reaches it.
func TestKMeansAgainstBruteForce(t *testing.T) {
	tried, reached := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 7).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		k := rapid.IntRange(1, min(3, n)).Draw(t, "k")
		x := &data.Dense{Cols: d, V: rapid.SliceOfN(rapid.Float64Range(-5, 5), n*d, n*d).Draw(t, "x")}
		w := rapid.SliceOfN(rapid.Float64Range(0.5, 2), n, n).Draw(t, "w")
		s := cluster.Default()
		s.Restarts, s.Tol, s.Audit = 20, 0, true
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, Weight: w, K: k}, centroid.NewKMeans(), s)
		if err != nil {
			t.Fatal(err)
		}
		got, best := r.Objective.Sum(), bruteForce(x, w, k)
		if got < best-1e-9*(1+best) {
			t.Fatalf("k-means claims %v, the least possible is %v", got, best)
		}
		tried++
		if got <= best+1e-9*(1+best) {
			reached++
		}
	})
	t.Logf("%d of %d tiny problems solved to the optimum", reached, tried)
	if reached*10 < tried*9 {
		t.Errorf("only %d of %d reached the optimum", reached, tried)
	}
}

// A weight of w is the same as w copies of the row.
func TestKMeansWeightIsCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		v := make([]float64, n)
		for i, y := range rapid.SliceOfN(rapid.IntRange(-50, 50), n, n).Draw(t, "x") {
			v[i] = float64(y) / 8
		}
		times := rapid.SliceOfN(rapid.IntRange(1, 3), n, n).Draw(t, "times")
		if v[0] == v[n-1] {
			t.Skip("an empty cluster takes over one copy, but a whole weighted point")
		}
		first := &data.Dense{Cols: 1, V: []float64{v[0], v[n-1]}}
		var w, copies []float64
		for i, c := range times {
			w = append(w, float64(c))
			for range c {
				copies = append(copies, v[i])
			}
		}
		a := centroid.NewKMeans()
		a.StartFrom(first)
		s := cluster.Default()
		s.Restarts, s.MaxIter = 1, 1
		r1, err := cluster.Fit(context.Background(), &cluster.Problem{X: &data.Dense{Cols: 1, V: v}, Weight: w, K: 2}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		r2, err := cluster.Fit(context.Background(), &cluster.Problem{X: &data.Dense{Cols: 1, V: copies}, K: 2}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := r1.Objective.Sum(), r2.Objective.Sum(); math.Abs(a-b) > 1e-9*(1+a) {
			t.Fatalf("weights give %v, copies give %v", a, b)
		}
	})
}

func TestKMeansRefusesStartsThatDoNotFit(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 2, V: make([]float64, 8)}, K: 2}
	for name, a := range map[string]*centroid.KMeans{
		"unknown name":    {Init: "forgy", Distortion: centroid.Euclidean},
		"too few centres": {Distortion: centroid.Euclidean, Centres: &data.Dense{Cols: 2, V: make([]float64, 2)}},
		"wrong width":     {Distortion: centroid.Euclidean, Centres: &data.Dense{Cols: 1, V: make([]float64, 2)}},
		"not a number":    {Distortion: centroid.Euclidean, Centres: &data.Dense{Cols: 2, V: []float64{0, math.NaN(), 1, 1}}},
	} {
		if _, err := cluster.Fit(context.Background(), p, a, cluster.Default()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// k-means|| starts no worse than k-means++, on the whole, and mini-batches leave
// less for the iterations to do.
func TestStartsThatTakeFewPasses(t *testing.T) {
	x, _ := scattered(20_000, 4, 40, 3)
	first := func(a *centroid.KMeans) (sum float64) {
		for seed := range uint64(5) {
			r := fit(t, &cluster.Problem{X: x, K: 40}, a, func(s *cluster.Settings) { s.Restarts, s.MaxIter, s.Seed = 1, 0, seed })
			sum += r.Objective.Sum()
		}
		return sum
	}
	one := first(centroid.NewKMeans())
	many := first(&centroid.KMeans{Init: "k-means||", Distortion: centroid.Euclidean})
	warm := first(&centroid.KMeans{Init: "k-means++", Batches: 60, Distortion: centroid.Euclidean})
	t.Logf("after the start alone: k-means++ %.0f, k-means|| %.0f, with 60 batches %.0f", one, many, warm)
	if many > one || warm > 0.9*one {
		t.Errorf("after the start alone: k-means++ %v, k-means|| %v, with 60 batches %v", one, many, warm)
	}
}

// Where swaps lose little, several runs pay; where clusters are separated, one does. The
// result is the same on any number of workers, and no higher than that of one run.
func TestRunsThatPay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	overlapping, separate := &data.Dense{Cols: 16}, &data.Dense{Cols: 16}
	centres := make([]float64, 16*10)
	for i := range centres {
		centres[i] = rng.NormFloat64()
	}
	for i := range 16 * 6000 {
		c := centres[i%len(centres)]
		overlapping.V = append(overlapping.V, 0.8*c+rng.NormFloat64())
		separate.V = append(separate.V, 5*c+rng.NormFloat64())
	}
	for _, c := range []struct {
		name     string
		x        *data.Dense
		restarts int
		low, up  int
	}{
		{"overlapping", overlapping, 0, 2, 10},
		{"overlapping, one run", overlapping, 1, 1, 1},
		{"overlapping, three runs", overlapping, 3, 3, 3},
		{"separate clusters", separate, 0, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			fitWith := func(workers, restarts int) *cluster.Result {
				return fit(t, &cluster.Problem{X: c.x, K: 10}, centroid.NewKMeans(), func(s *cluster.Settings) {
					s.Effort, s.Workers, s.Restarts = cluster.EffortNormal, workers, restarts
				})
			}
			r := fitWith(1, c.restarts)
			if r.Runs < c.low || r.Runs > c.up || r.Distinct != r.Runs {
				t.Errorf("%d runs, %d of them distinct, want %d to %d", r.Runs, r.Distinct, c.low, c.up)
			}
			if one := fitWith(1, 1).Objective.Sum(); r.Objective.Sum() > one {
				t.Errorf("the objective is %v, that of one run %v", r.Objective.Sum(), one)
			}
			if on3 := fitWith(3, c.restarts); on3.Objective.Sum() != r.Objective.Sum() || on3.Runs != r.Runs || !slices.Equal(on3.Labels, r.Labels) {
				t.Errorf("on three workers %d runs reach %v, on one %d runs %v", on3.Runs, on3.Objective.Sum(), r.Runs, r.Objective.Sum())
			}
		})
	}
}
