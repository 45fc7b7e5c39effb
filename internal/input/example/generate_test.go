package example_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestBlobsStatistics(t *testing.T) {
	const n, k, d = 20000, 4, 3
	x, truth, err := example.Blobs(n, k, d, 1.5, 2, rng(1))
	if err != nil {
		t.Fatal(err)
	}
	for h := range k {
		for f := range d {
			var m, s, s2 float64
			for i := range n {
				if truth[i] == h {
					y := x.V[i*d+f]
					m, s, s2 = m+1, s+y, s2+y*y
				}
			}
			mean, sd := s/m, math.Sqrt(s2/m-(s/m)*(s/m))
			// 5000 points: the mean is within 0.03 of the centre, sd within 0.02 of 2, by one standard error.
			if m != n/k || math.Abs(mean) > 1.5+0.15 || math.Abs(sd-2) > 0.1 {
				t.Errorf("blob %d, feature %d: %v points, mean %v, deviation %v", h, f, m, mean, sd)
			}
		}
	}
}

func TestCurvesWithoutNoise(t *testing.T) {
	moons, truth, err := example.TwoMoons(501, 0, rng(2))
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range truth {
		a, b := moons.V[2*i], moons.V[2*i+1]
		if h == 1 {
			a, b = 1-a, 0.5-b // the lower moon is the upper, turned
		}
		if h != i%2 || math.Abs(math.Hypot(a, b)-1) > 1e-12 || b < 0 {
			t.Fatalf("point %d of moon %d: %v", i, h, moons.V[2*i:2*i+2])
		}
	}
	circles, truth, err := example.TwoCircles(500, 0, rng(3))
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range truth {
		if r := math.Hypot(circles.V[2*i], circles.V[2*i+1]); math.Abs(r-[]float64{1, 0.5}[h]) > 1e-12 {
			t.Fatalf("point %d of circle %d has radius %v", i, h, r)
		}
	}
	noisy, truth, err := example.NoisyMoons(10, 2000, 0, rng(4))
	if err != nil {
		t.Fatal(err)
	}
	var mean [2]float64
	for i := 10; i < 2010; i++ {
		a, b := noisy.V[2*i], noisy.V[2*i+1]
		if truth[i] != -1 || a < -1.5 || a > 2.5 || b < -1 || b > 1.5 {
			t.Fatalf("background point %v, truth %d", noisy.V[2*i:2*i+2], truth[i])
		}
		mean[0], mean[1] = mean[0]+a/2000, mean[1]+b/2000
	}
	// Standard errors are 0.026 and 0.016.
	if math.Abs(mean[0]-0.5) > 0.13 || math.Abs(mean[1]-0.25) > 0.08 {
		t.Errorf("background around %v, want (0.5, 0.25)", mean)
	}
}

func TestPlantedPartitionDegrees(t *testing.T) {
	for _, tc := range []struct {
		n, k    int
		in, out float64
	}{
		{20000, 10, 8, 3}, {9999, 7, 0, 5}, {10000, 4, 5, 0}, {5000, 1, 6, 0}, {3001, 2, 1, 12},
	} {
		g, truth, err := example.PlantedPartition(tc.n, tc.k, tc.in, tc.out, rng(5))
		if err != nil {
			t.Fatal(err)
		}
		var in, out float64
		for i := range tc.n {
			to, w := g.Neighbours(i)
			for p, j := range to {
				if int(j) == i || w[p] != 1 {
					t.Fatalf("edge %d to %d of weight %v", i, j, w[p])
				}
				if truth[i] == truth[j] {
					in++
				} else {
					out++
				}
			}
		}
		n := float64(tc.n)
		// An edge counts at both ends: the mean degree has variance 2·degree/n.
		for _, c := range [][2]float64{{in / n, tc.in}, {out / n, tc.out}} {
			if math.Abs(c[0]-c[1]) > 5*math.Sqrt(2*c[1]/n) {
				t.Errorf("%+v: mean degree %v, want %v", tc, c[0], c[1])
			}
		}
	}
}

// At the largest degrees every pair is taken, so the jumps miss none.
func TestPlantedPartitionFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		s := rapid.IntRange(1, 9).Draw(t, "size")
		n := k * s
		g, truth, err := example.PlantedPartition(n, k, float64(s-1), float64(n-s), rng(rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		if g.Edges() != n*(n-1)/2 {
			t.Fatalf("%d edges of %d", g.Edges(), n*(n-1)/2)
		}
		for i, h := range truth {
			if h != i%k {
				t.Fatalf("node %d in block %d", i, h)
			}
		}
	})
}

func TestSixNodesAsInThePaper(t *testing.T) {
	// The matrix A of section 4.4; its volume is 14.
	want := [6][6]float64{
		{0, 1, 1, 0, 0, 0}, {1, 0, 1, 0, 0, 0}, {1, 1, 0, 1, 0, 0},
		{0, 0, 1, 0, 1, 1}, {0, 0, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 0},
	}
	g, _, err := example.SixNodes()
	if err != nil {
		t.Fatal(err)
	}
	var got [6][6]float64
	volume := 0.0
	for i := range 6 {
		to, w := g.Neighbours(i)
		for p, j := range to {
			got[i][j] = w[p]
		}
		volume += g.Degree(i)
	}
	if got != want || volume != 14 {
		t.Errorf("volume %v, matrix %v", volume, got)
	}
}

// A generator called twice with one seed gives one answer, with another seed
// another.
func TestGeneratorsRepeat(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) (any, []int, error){
		"blobs":   func(r *rand.Rand) (any, []int, error) { return example.Blobs(50, 3, 2, 1.5, 1, r) },
		"moons":   func(r *rand.Rand) (any, []int, error) { return example.TwoMoons(50, 0.1, r) },
		"circles": func(r *rand.Rand) (any, []int, error) { return example.TwoCircles(50, 0.1, r) },
		"noisy":   func(r *rand.Rand) (any, []int, error) { return example.NoisyMoons(50, 10, 0.1, r) },
		"planted": func(r *rand.Rand) (any, []int, error) { return example.PlantedPartition(50, 3, 5, 2, r) },
	} {
		a, _, err := draw(rng(9))
		b, _, err2 := draw(rng(9))
		c, _, err3 := draw(rng(10))
		if err != nil || err2 != nil || err3 != nil {
			t.Fatal(name, err, err2, err3)
		}
		if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
			t.Errorf("%s: does not follow its seed", name)
		}
	}
}

func TestGeneratorsRefuse(t *testing.T) {
	nan := math.NaN()
	r := rng(1)
	for i, draw := range []func() (any, []int, error){
		func() (any, []int, error) { return example.Blobs(-1, 1, 1, 1, 1, r) },
		func() (any, []int, error) { return example.Blobs(1, 0, 1, 1, 1, r) },
		func() (any, []int, error) { return example.Blobs(1, 1, 0, 1, 1, r) },
		func() (any, []int, error) { return example.Blobs(1, 1, 1, nan, 1, r) },
		func() (any, []int, error) { return example.Blobs(1, 1, 1, 1, math.Inf(1), r) },
		func() (any, []int, error) { return example.TwoMoons(-1, 0, r) },
		func() (any, []int, error) { return example.TwoCircles(1, nan, r) },
		func() (any, []int, error) { return example.NoisyMoons(1, -1, 0, r) },
		func() (any, []int, error) { return example.PlantedPartition(3, 4, 0, 0, r) },
		func() (any, []int, error) { return example.PlantedPartition(4, 0, 0, 0, r) },
		func() (any, []int, error) { return example.PlantedPartition(10, 2, 4.5, 0, r) },
		func() (any, []int, error) { return example.PlantedPartition(10, 2, 1, 5.5, r) },
		func() (any, []int, error) { return example.PlantedPartition(10, 1, 1, 0.5, r) },
		func() (any, []int, error) { return example.PlantedPartition(10, 2, nan, 1, r) },
	} {
		if _, _, err := draw(); err == nil {
			t.Errorf("case %d was drawn", i)
		}
	}
	if x, truth, err := example.Blobs(0, 1, 1, 1, 1, r); err != nil || x.Len() != 0 || len(truth) != 0 {
		t.Errorf("no points: %v %v %v", x, truth, err)
	}
}

func BenchmarkBlobs(b *testing.B) {
	const n, d = 1_000_000, 16
	b.Run(fmt.Sprintf("n=%d/d=%d/k=10", n, d), func(b *testing.B) {
		for b.Loop() {
			if _, _, err := example.Blobs(n, 10, d, 1.5, 1, rng(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPlantedPartition(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d/edges=%d/k=100", n, 10*n), func(b *testing.B) {
			var g *data.Graph
			for b.Loop() {
				var err error
				if g, _, err = example.PlantedPartition(n, 100, 14, 6, rng(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.Edges()), "edges")
		})
	}
}
