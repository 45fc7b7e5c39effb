package centroid_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

func TestSeededKeepsTheContract(t *testing.T) {
	clustertest.Run(t, centroid.NewSeeded())
	t.Run("k-means++ fill", func(t *testing.T) {
		clustertest.Sample(t, &centroid.Seeded{Fill: "k-means++", Distortion: centroid.Euclidean})
	})
}

func TestConstrainedKeepsTheContract(t *testing.T) {
	clustertest.Run(t, centroid.NewConstrained())
	t.Run("k-means++ fill", func(t *testing.T) {
		clustertest.Sample(t, &centroid.Constrained{Fill: "k-means++", Distortion: centroid.Euclidean})
	})
}

// line has two groups on a line and a seed of class 1 among the first group.
func line() *cluster.Problem {
	return &cluster.Problem{
		X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 12}}, K: 2,
		Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 2, Class: 1, W: 1}, {I: 4, Class: 1, W: 1}}},
	}
}

// By hand: seed means 0 and (2+11)/2 = 6.5; labels 0 0 0 1 1 1, so that
// J = 0 + 1 + 4 + 12.25 + 20.25 + 30.25 = 67.75; then means 1 and 11, J = 4.
func TestSeededByHand(t *testing.T) {
	r := fit(t, line(), centroid.NewSeeded(), func(s *cluster.Settings) { s.Restarts = 1 })
	if got := r.Trace[0].Objective; got != 67.75 {
		t.Errorf("the start costs %v, by hand 67.75", got)
	}
	if !slices.Equal(r.Labels, []int{0, 0, 0, 1, 1, 1}) || r.Objective.Sum() != 4 {
		t.Errorf("labels %v at %v, by hand 0 0 0 1 1 1 at 4", r.Labels, r.Objective.Sum())
	}
}

// By hand: point 2 keeps class 1, so labels 0 0 1 1 1 1; means 0.5 and 8.75,
// J = 2·0.25 + 6.75² + 1.25² + 2.25² + 3.25² = 63.25.
func TestConstrainedByHand(t *testing.T) {
	r := fit(t, line(), centroid.NewConstrained(), func(s *cluster.Settings) { s.Restarts = 1 })
	if !slices.Equal(r.Labels, []int{0, 0, 1, 1, 1, 1}) || math.Abs(r.Objective.Sum()-63.25) > 1e-12 {
		t.Errorf("labels %v at %v, by hand 0 0 1 1 1 1 at 63.25", r.Labels, r.Objective.Sum())
	}
}

// A soft seed of weight 3 for class 0 and 1 for class 1 at x = 4: the seed
// means are (0 + 3·4)/4 = 3 and (11 + 4)/2 = 7.5; it is not fixed.
func TestSoftSeedsCountByWeight(t *testing.T) {
	p := &cluster.Problem{
		X: &data.Dense{Cols: 1, V: []float64{0, 4, 11}}, K: 2,
		Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 0, W: 3}, {I: 1, Class: 1, W: 1}, {I: 2, Class: 1, W: 1}}},
	}
	for _, a := range []cluster.Algorithm{centroid.NewSeeded(), centroid.NewConstrained()} {
		r := fit(t, p, a, func(s *cluster.Settings) { s.Restarts, s.MaxIter = 1, 0 })
		if c := r.Model.(*centroid.Centres).C; c[0] != 3 || c[1] != 7.5 {
			t.Errorf("%T starts at %v, by hand 3 and 7.5", a, c)
		}
	}
}

// With a seed in every cluster, Constrained-KMeans is never below the least J
// of all labelings that keep the seeds, and keeps them.
func TestConstrainedAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 7).Draw(t, "n")
		x := &data.Dense{Cols: 2, V: rapid.SliceOfN(rapid.Float64Range(-5, 5), 2*n, 2*n).Draw(t, "x")}
		p := &cluster.Problem{X: x, K: 2, Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 1, W: 1}, {I: 1, Class: 0, W: 1}}}}
		s := cluster.Default()
		s.Restarts, s.Audit = 1, true
		r, err := cluster.Fit(context.Background(), p, centroid.NewConstrained(), s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Labels[0] != 1 || r.Labels[1] != 0 {
			t.Fatalf("the seeds have labels %v", r.Labels[:2])
		}
		least := math.Inf(1)
		for bits := range 1 << (n - 2) {
			labels := []int{1, 0}
			for i := range n - 2 {
				labels = append(labels, bits>>i&1)
			}
			least = min(least, distortion(x, labels, 2))
		}
		if got := r.Objective.Sum(); got < least-1e-9*(1+least) {
			t.Fatalf("claims %v, the least possible is %v", got, least)
		}
	})
}

// distortion returns J of the labels with each centre at its mean.
func distortion(x *data.Dense, labels []int, k int) (j float64) {
	for h := range k {
		mean, count := make([]float64, x.Cols), 0.0
		for i, l := range labels {
			if l == h {
				data.Add(mean, x.Row(i, nil), 1)
				count++
			}
		}
		for f := range mean {
			mean[f] /= max(count, 1)
		}
		for i, l := range labels {
			if l == h {
				j += data.Dist2(x.Row(i, nil), mean, 0)
			}
		}
	}
	return j
}

func TestSeedsThatCannotBe(t *testing.T) {
	p := line()
	p.Constraints.Labels[2].Class = 2
	var bad *cluster.ProblemError
	if _, err := cluster.Fit(context.Background(), p, centroid.NewSeeded(), cluster.Default()); !errors.As(err, &bad) || bad.Field != "constraints" {
		t.Errorf("3 classes in 2 clusters: %v", err)
	}
	p = line()
	p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: 0, Class: 1, W: 1})
	var conflict *constraint.ConflictError
	for _, a := range []cluster.Algorithm{centroid.NewSeeded(), centroid.NewConstrained()} {
		if _, err := cluster.Fit(context.Background(), p, a, cluster.Default()); !errors.As(err, &conflict) {
			t.Errorf("%T: a point with two labels: %v", a, err)
		}
	}
}

// Only how weights compare matters, not how large they are.
func TestSeedsOfEnormousWeight(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 12}}, K: 2}
	for _, a := range []cluster.Algorithm{
		&centroid.Seeded{Fill: "perturbed-mean", Distortion: centroid.Euclidean},
		&centroid.Constrained{Fill: "perturbed-mean", Distortion: centroid.Euclidean},
	} {
		var want []int
		for _, w := range []float64{1, constraint.MaxWeight} {
			p.Constraints = &constraint.Set{Labels: []constraint.Label{
				{I: 0, Class: 1, W: w}, {I: 1, Class: 1, W: w}, {I: 4, Class: 0, W: w}, {I: 5, Class: 0, W: w}}}
			got := fit(t, p, a, nil).Labels
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) || got[0] != 1 {
				t.Errorf("%T with weight %g: %v, want %v", a, w, got, want)
			}
		}
	}
}
