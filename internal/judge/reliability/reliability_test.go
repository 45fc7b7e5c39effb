package reliability

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

var background = context.Background()

func kmeans(t *testing.T, x data.Rows, k int) []int {
	t.Helper()
	m, _ := catalog.Find("kmeans")
	alg, _, err := m.Configure(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cluster.Fit(background, &cluster.Problem{X: x, K: k}, alg, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r.Labels
}

func judge(t *testing.T, x data.Rows, labels []int, k int) *Report {
	t.Helper()
	r, err := Judge(background, Input{Problem: &cluster.Problem{X: x, K: k}, Labels: labels, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A kind of made-up table without clusters, by how a cell is drawn.
var without = map[string]func(rng *rand.Rand) float64{
	"normal":    func(rng *rand.Rand) float64 { return rng.NormFloat64() },
	"uniform":   func(rng *rand.Rand) float64 { return 3 * rng.Float64() },
	"skewed":    func(rng *rand.Rand) float64 { return math.Exp(0.7 * rng.NormFloat64()) },
	"two peaks": func(rng *rand.Rand) float64 { return 3*float64(rng.IntN(2)) + rng.NormFloat64() },
	"counts":    func(rng *rand.Rand) float64 { return float64(rng.IntN(5)) },
}

func table(n, d int, cell func(*rand.Rand) float64, rng *rand.Rand) *data.Dense {
	x := &data.Dense{Cols: d, V: make([]float64, n*d)}
	for i := range x.V {
		x.V[i] = cell(rng)
	}
	return x
}

// k-means on independent columns is of low reliability, whatever they are like, k and the number of rows.
func TestIndependentColumnsAreLow(t *testing.T) {
	t.Parallel()
	total, low := 0, 0
	for kind, cell := range without {
		for _, size := range [][3]int{{150, 4, 3}, {500, 6, 4}, {500, 3, 6}, {900, 12, 5}} {
			rng := rand.New(rand.NewPCG(7, uint64(size[0]+size[1])))
			x := table(size[0], size[1], cell, rng)
			r := judge(t, x, kmeans(t, x, size[2]), size[2])
			if total++; r.Level == Low {
				low++
			}
			t.Logf("%-10s %v: %s, separation %.2f, shuffled %.2f, one cloud %.2f, border %.2f", kind, size, r.Level, *r.Separation, *r.Shuffled, *r.OneCloud, *r.Border)
			if r.Level == Good {
				t.Errorf("%s %v: %+v", kind, size, r)
			}
		}
	}
	if 20*low < 19*total {
		t.Errorf("%d of %d tables of independent columns are of low reliability", low, total)
	}
}

// Blobs that k-means finds, however close, are not of low reliability, and those that it finds well are good.
func TestBlobsAreNotLow(t *testing.T) {
	t.Parallel()
	total, good, wrong := 0, 0, 0
	for _, apart := range []float64{3, 4, 5, 7} {
		for _, size := range [][3]int{{150, 3, 3}, {400, 6, 4}, {900, 8, 8}, {600, 3, 5}} {
			rng := rand.New(rand.NewPCG(11, uint64(size[0]+int(apart))))
			x, truth, err := example.Blobs(size[0], size[2], size[1], apart, 1, rng)
			if err != nil {
				t.Fatal(err)
			}
			labels := kmeans(t, x, size[2])
			ari, err := score.ARI(truth, labels)
			if err != nil {
				t.Fatal(err)
			}
			r := judge(t, x, labels, size[2])
			t.Logf("apart %v %v: ARI %.2f %s, separation %.2f, shuffled %.2f, one cloud %.2f, border %.2f %v", apart, size, ari, r.Level, *r.Separation, *r.Shuffled, *r.OneCloud, *r.Border, r.Why)
			if ari > 0.5 && r.Level == Low {
				wrong++
			}
			if ari > 0.8 {
				if total++; r.Level == Good {
					good++
				}
			}
		}
	}
	if wrong > 0 || 10*good < 8*total {
		t.Errorf("%d tables that k-means solves are called low; %d of %d are called good", wrong, good, total)
	}
}

// Groups in many columns, of which k-means finds nearly all rows: neighbours are found across borders, and yet they are groups.
func TestBordersInManyColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n, d, k := 800, 96, 12
	centres := table(k, d, without["normal"], rng)
	x := table(n, d, without["normal"], rng)
	for i := range n {
		for f := range d {
			x.V[i*d+f] += .43 * centres.V[i%k*d+f]
		}
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i % k
	}
	if r := judge(t, x, labels, k); *r.Border <= manyBorder || r.Level != Fair {
		t.Errorf("border %.2f: %s, %q", *r.Border, r.Level, r.Why)
	}
}

// An elongated cloud has no clusters: k-means cuts it into pieces, which are not called good.
func TestOneCloudIsNotGood(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 2))
		x := table(500, 5, without["normal"], rng)
		for i := range 500 {
			y := 2 * rng.NormFloat64()
			for f := range 5 {
				x.V[i*5+f] += y
			}
		}
		if r := judge(t, x, kmeans(t, x, 4), 4); r.Level == Good {
			t.Errorf("%+v", r)
		}
	}
}

// Clusters need no shape: two moons are good as they are, and k-means cuts through them.
func TestMoonsAreGood(t *testing.T) {
	s, err := example.Load("two-moons")
	if err != nil {
		t.Fatal(err)
	}
	truth, _ := s.Classes()
	if r := judge(t, s.X, truth, 2); r.Level != Good {
		t.Errorf("%+v, separation %v, shuffled %v, one cloud %v", r, *r.Separation, *r.Shuffled, *r.OneCloud)
	}
}

// Held-out constraints count most: no better than chance is low, certainly right is good even where no distance shows it.
func TestHeldOutConstraints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	noise := table(300, 4, without["normal"], rng)
	blobs, truth, err := example.Blobs(300, 3, 4, 9, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x        data.Rows
		labels   []int
		mean, se float64
		want     Level
	}{
		{blobs, truth, 0.55, 0.05, Low},
		{blobs, truth, 0.7, 0.04, Fair},
		{blobs, truth, 0.97, 0.02, Good},
		{noise, kmeans(t, noise, 3), 0.97, 0.02, Good},
		{noise, kmeans(t, noise, 3), 0.6, 0.02, Low},
	} {
		r, err := Judge(background, Input{Problem: &cluster.Problem{X: c.x, K: 3}, Labels: c.labels, HeldOut: &c.mean, HeldOutSE: &c.se})
		if err != nil || r.Level != c.want || (r.Level == Good) != (len(r.Why) == 0) {
			t.Errorf("%v ± %v: %+v, %v", c.mean, c.se, r, err)
		}
	}
	r, err := Judge(background, Input{Problem: &cluster.Problem{X: blobs, K: 3}, Labels: truth, Relevant: 1, Columns: 9})
	if err != nil || r.Level != Low || *r.Relevant != 1 || *r.Columns != 9 {
		t.Errorf("one relevant column: %+v, %v", r, err)
	}
}

// Features of one column are shuffled together: indicators of a category alone are no structure.
func TestIndicatorsStayTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	n, d := 500, 8
	x := &data.Dense{Cols: d, V: make([]float64, n*d)}
	column := []int{0, 1, 2, 2, 2, 3, 3, 3}
	for i := range n {
		row := x.V[i*d:]
		row[0], row[1] = rng.NormFloat64(), rng.NormFloat64()
		row[2+rng.IntN(3)] = 1.5
		row[5+rng.IntN(3)] = 1.5
	}
	labels := kmeans(t, x, 4)
	r, err := Judge(background, Input{Problem: &cluster.Problem{X: x, K: 4}, Labels: labels, Column: column})
	if err != nil || r.Level != Low {
		t.Errorf("%+v, separation %v, shuffled %v, %v", r, *r.Separation, *r.Shuffled, err)
	}
}

// Any clustering of any rows has a report: measures are in their range, and the same on any number of workers.
func TestEveryClusteringHasAReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 5)).Draw(t, "k")
		x := &data.Dense{Cols: d}
		for range n * d {
			x.V = append(x.V, float64(rapid.IntRange(0, 3).Draw(t, "x")))
		}
		labels := make([]int, n)
		for i := range labels {
			labels[i] = rapid.IntRange(0, k-1).Draw(t, "label")
		}
		in := Input{Problem: &cluster.Problem{X: x, K: k}, Labels: labels, Workers: 1}
		r, err := Judge(background, in)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			if n >= leastRows && k > 1 {
				t.Fatalf("%d rows in %d clusters were not judged", n, k)
			}
			return
		}
		if (r.Level == Good) != (len(r.Why) == 0) {
			t.Fatalf("%+v", r)
		}
		for _, s := range []*Separation{r.Separation, r.Shuffled, r.OneCloud} {
			if s != nil && !(s.Within >= 0 && s.Within <= 1 && s.Neighbours >= -1 && s.Neighbours <= 1) {
				t.Fatalf("%+v in %+v", s, r)
			}
		}
		if r.Border != nil && !(*r.Border >= 0 && *r.Border <= 1.000001) {
			t.Fatalf("border %v", *r.Border)
		}
		in.Workers = 3
		again, err := Judge(background, in)
		if err != nil || fmt.Sprint(again.Why) != fmt.Sprint(r.Why) {
			t.Fatalf("%+v with 3 workers, %v", again, err)
		}
	})
}

// Rates of false alarms and misses over more tables, for the limits.
func TestCalibration(t *testing.T) {
	if os.Getenv("INKLING_FULL") == "" {
		t.Skip("a long run: INKLING_FULL=1 makes it")
	}
	levels := map[Level]int{}
	for seed := range uint64(40) {
		for _, cell := range without {
			rng := rand.New(rand.NewPCG(seed, 77))
			n, d, k := 100+rng.IntN(900), 2+rng.IntN(12), 2+rng.IntN(6)
			x := table(n, d, cell, rng)
			levels[judge(t, x, kmeans(t, x, k), k).Level]++
		}
	}
	t.Logf("tables without clusters: %v", levels)
	if 20*levels[Low] < 19*(levels[Low]+levels[Fair]+levels[Good]) || levels[Good] > 0 {
		t.Errorf("tables without clusters: %v", levels)
	}
	levels = map[Level]int{}
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 78))
		n, d, k := 100+rng.IntN(900), 2+rng.IntN(12), 2+rng.IntN(6)
		x, truth, err := example.Blobs(n, k, d, 3.5+3*rng.Float64(), 1, rng)
		if err != nil {
			t.Fatal(err)
		}
		labels := kmeans(t, x, k)
		if ari, err := score.ARI(truth, labels); err == nil && ari > 0.6 {
			levels[judge(t, x, labels, k).Level]++
		}
	}
	t.Logf("tables that k-means solves: %v", levels)
	if all := levels[Low] + levels[Fair] + levels[Good]; 50*levels[Low] > all {
		t.Errorf("tables that k-means solves: %v", levels)
	}
}

// Clusters that another choice of columns would not have found are not called good: three columns, each of which divides the
// rows in two without regard to the others, make another pair of clusters when the first of them is left out.
func TestClustersThatHangOnOneColumn(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 71))
		x := &data.Dense{Cols: 3, V: make([]float64, 900)}
		for i := range 300 {
			for f := range 3 {
				x.V[3*i+f] = (3.2-0.2*float64(f))*float64(rng.IntN(2)) + 0.3*rng.NormFloat64()
			}
		}
		r := judge(t, x, kmeans(t, x, 2), 2)
		if r.WithoutColumn == nil || *r.WithoutColumn > oneColumn || r.Level == Good {
			t.Errorf("seed %d: %+v", seed, r)
		}
		blobs, _, err := example.Blobs(300, 3, 5, 8, 1, rng)
		if err != nil {
			t.Fatal(err)
		}
		if r := judge(t, blobs, kmeans(t, blobs, 3), 3); r.WithoutColumn == nil || *r.WithoutColumn < 0.9 || r.Level != Good {
			t.Errorf("seed %d: blobs: %+v", seed, r)
		}
		other := make([]int, 300) // clusters of another kind
		for i := range other {
			other[i] = i / 100
		}
		if r := judge(t, blobs, other, 3); r.WithoutColumn != nil {
			t.Errorf("seed %d: clusters that k-means would not find: %+v", seed, r)
		}
	}
}
