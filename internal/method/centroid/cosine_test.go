package centroid_test

import (
	"context"
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

func TestSphericalKeepsTheContract(t *testing.T) {
	t.Run("kmeans", func(t *testing.T) {
		clustertest.Sample(t, &centroid.KMeans{Init: "k-means++", Distortion: centroid.Cosine})
	})
	t.Run("seeded", func(t *testing.T) {
		clustertest.Sample(t, &centroid.Seeded{Fill: "perturbed-mean", Distortion: centroid.Cosine})
	})
	t.Run("constrained", func(t *testing.T) {
		clustertest.Sample(t, &centroid.Constrained{Fill: "k-means++", Distortion: centroid.Cosine})
	})
}

// Rows (2,0), (0,3), (5,5) and (0,0), centres given as (7,0) and (0,1), that is
// e1 and e2. By hand: labels 0 1 0 0 (ties to the lowest), costs 0, 0,
// 1 − 1/√2 and 1. Then μ_0 has the direction of (1 + 1/√2, 1/√2), which lies
// 22.5° from e1 and from (5,5): costs 2(1 − cos 22.5°) and 1 for the zero row.
func TestSphericalByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 2, V: []float64{2, 0, 0, 3, 5, 5, 0, 0}}, K: 2}
	a := &centroid.KMeans{Distortion: centroid.Cosine, Centres: &data.Dense{Cols: 2, V: []float64{7, 0, 0, 1}}}
	r := fit(t, p, a, func(s *cluster.Settings) { s.Restarts = 1 })
	if got, want := r.Trace[0].Objective, 2-1/math.Sqrt2; math.Abs(got-want) > 1e-12 {
		t.Errorf("the start costs %v, by hand %v", got, want)
	}
	if got, want := r.Objective.Sum(), 3-2*math.Cos(math.Pi/8); math.Abs(got-want) > 1e-12 {
		t.Errorf("the end costs %v, by hand %v", got, want)
	}
	if !slices.Equal(r.Labels, []int{0, 1, 0, 0}) {
		t.Errorf("labels are %v, by hand 0 1 0 0", r.Labels)
	}
}

// The length of a row says nothing.
func TestSphericalIgnoresLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		v := make([]float64, 0, 3*n)
		for range n {
			a := rapid.Float64Range(0, 6.28).Draw(t, "a")
			b := rapid.Float64Range(0, 3.14).Draw(t, "b")
			v = append(v, math.Sin(b)*math.Cos(a), math.Sin(b)*math.Sin(a), math.Cos(b))
		}
		long := slices.Clone(v)
		for i := range long {
			long[i] *= math.Ldexp(1, i/3%40-20) // exact
		}
		a := &centroid.KMeans{Init: "k-means++", Distortion: centroid.Cosine}
		s := cluster.Default()
		s.Audit = true
		one, err := cluster.Fit(context.Background(), &cluster.Problem{X: &data.Dense{Cols: 3, V: v}, K: 2}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		two, err := cluster.Fit(context.Background(), &cluster.Problem{X: &data.Dense{Cols: 3, V: long}, K: 2}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := one.Objective.Sum(), two.Objective.Sum(); math.Abs(x-y) > 1e-9 {
			t.Fatalf("rows of length 1 cost %v, the same rows longer %v", x, y)
		}
	})
}

// Nor does it where its square is no longer a number: only 0 has no direction.
func TestSphericalAtBothEndsOfTheRange(t *testing.T) {
	for _, size := range []float64{5e-324, 1e-310, 1e-200, 1, 1e200, 1e308} {
		for _, x := range []data.Rows{
			&data.Dense{Cols: 2, V: []float64{size, 0, 0, size, size, 0, 0, size}},
			&data.Sparse{Cols: 2, Start: []int{0, 1, 2, 3, 4}, Idx: []int32{0, 1, 0, 1}, Val: []float64{size, size, size, size}},
		} {
			r := fit(t, &cluster.Problem{X: x, K: 2}, &centroid.KMeans{Init: "k-means++", Distortion: centroid.Cosine}, nil)
			if l := r.Labels; l[0] != l[2] || l[1] != l[3] || l[0] == l[1] || r.Objective.Sum() > 1e-12 {
				t.Errorf("%T of size %g: %v at a cost of %v", x, size, l, r.Objective.Sum())
			}
		}
	}
}

// On tiny problems the best of many starts is never below the least J of all
// labelings: Σ_h (number of rows − ‖sum of their directions‖).
func TestSphericalAgainstBruteForce(t *testing.T) {
	reached, tried := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "n")
		var v []float64
		for range n {
			a := rapid.Float64Range(0, 6.28).Draw(t, "a")
			v = append(v, math.Cos(a), math.Sin(a))
		}
		least := math.Inf(1)
		for bits := range 1 << n {
			var sum [2][2]float64
			for i := range n {
				h := bits >> i & 1
				sum[h][0] += v[2*i]
				sum[h][1] += v[2*i+1]
			}
			least = min(least, float64(n)-math.Hypot(sum[0][0], sum[0][1])-math.Hypot(sum[1][0], sum[1][1]))
		}
		s := cluster.Default()
		s.Restarts, s.Audit, s.Tol = 20, true, 0
		a := &centroid.KMeans{Init: "k-means++", Distortion: centroid.Cosine}
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: &data.Dense{Cols: 2, V: v}, K: 2}, a, s)
		if err != nil {
			t.Fatal(err)
		}
		got := r.Objective.Sum()
		if got < least-1e-9 {
			t.Fatalf("claims %v, the least possible is %v", got, least)
		}
		tried++
		if got < least+1e-9 {
			reached++
		}
	})
	if reached*10 < tried*9 {
		t.Errorf("only %d of %d reached the optimum", reached, tried)
	}
}

// Seeds that cancel out have no mean direction, and rows may all be zero.
func TestSphericalWithoutDirection(t *testing.T) {
	p := &cluster.Problem{
		X: &data.Dense{Cols: 2, V: []float64{1, 0, -1, 0, 0, 1, 0, 2}}, K: 2,
		Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 0, W: 1}, {I: 2, Class: 1, W: 1}}},
	}
	for _, a := range []cluster.Algorithm{
		&centroid.Seeded{Fill: "perturbed-mean", Distortion: centroid.Cosine},
		&centroid.Constrained{Fill: "perturbed-mean", Distortion: centroid.Cosine},
	} {
		fit(t, p, a, nil)
	}
}
