package starts

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// onLine returns points on a line, with k and what is known.
func onLine(k int, known *constraint.Set, at ...float64) *cluster.Problem {
	return &cluster.Problem{X: &data.Dense{Cols: 1, V: at}, K: k, Constraints: known}
}

func must(pairs ...int) (out []constraint.Pair) {
	for t := 0; t < len(pairs); t += 2 {
		out = append(out, constraint.Pair{I: pairs[t], J: pairs[t+1], W: 1})
	}
	return out
}

func TestTheLargestNeighbourhoodsStart(t *testing.T) {
	// {0,1,2} about 1, {3,4} about 10.5, {5,6} about 20.5; 7 alone.
	p := onLine(2, &constraint.Set{Must: must(0, 1, 1, 2, 3, 4, 5, 6)}, 0, 1, 2, 10, 11, 20, 21, 30)
	c := NeighbourhoodCentres(context.Background(), p, testEnv(1, 1, ""), "largest", "k-means++")
	if !slices.Equal(c.C, []float64{1, 10.5}) {
		t.Errorf("centres are %v, wanted those of the largest, the first on ties: 1 and 10.5", c.C)
	}
	nb := findNeighbourhoods(p, &cluster.Env{}, closure(t, p))
	at, free := nb.classCentres()
	if got := nb.farthest(context.Background(), at, free, nil); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("farthest-first takes neighbourhoods %v, wanted the largest and the last", got)
	}
}

func closure(t *testing.T, p *cluster.Problem) *constraint.Closure {
	t.Helper()
	c, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNeighbourhoodsOfOneClusterOpenItOnce(t *testing.T) {
	// Two pairs that overlap, and one far away. Pairs 3 apart are 9/2 from their
	// mean, all info, so s² = 4.5, and 0.5² is well below 2·4.5·(½+½).
	known := &constraint.Set{Must: must(0, 1, 2, 3, 4, 5)}
	p := onLine(3, known, 0, 3, 0.5, 3.5, 100, 103)
	nb := findNeighbourhoods(p, &cluster.Env{}, closure(t, p))
	at, free := nb.classCentres()
	if got := nb.farthest(context.Background(), at, free, nil); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("farthest-first takes %v, wanted one of the two that overlap and the far one", got)
	}
	known.Cannot = must(0, 2) // now known to be of different clusters
	nb = findNeighbourhoods(p, &cluster.Env{}, closure(t, p))
	if got := nb.farthest(context.Background(), at, free, nil); !slices.Equal(got, []int{0, 2, 1}) {
		t.Errorf("farthest-first takes %v, wanted all three, two being apart by a cannot-link", got)
	}
}

func TestClassesStartTheirOwnClusters(t *testing.T) {
	known := &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 2, W: 1}, {I: 1, Class: 2, W: 1}, {I: 6, Class: 0, W: 1}},
		Must: must(3, 4)}
	p := onLine(3, known, 0, 2, 5, 50, 52, 70, 100)
	for _, mode := range []Neighbourhoods{"largest", "farthest"} {
		c := NeighbourhoodCentres(context.Background(), p, testEnv(1, 1, ""), mode, "k-means++")
		if c.C[0] != 100 || c.C[2] != 1 {
			t.Errorf("%s: centres are %v, class 0 lies at 100 and class 2 about 1", mode, c.C)
		}
		if mode == "largest" && c.C[1] != 51 {
			t.Errorf("the neighbourhood without a class starts cluster 1 at %v, not 51", c.C[1])
		}
	}
}

func TestAPointApartFromAllStartsACluster(t *testing.T) {
	// 5 cannot be with 0 or 3, hence with neither neighbourhood; 4 only with one.
	known := &constraint.Set{Must: must(0, 1, 2, 3), Cannot: must(4, 0, 5, 1, 5, 2)}
	p := onLine(4, known, 0, 1, 10, 11, 30, 40, 50, 60)
	c := NeighbourhoodCentres(context.Background(), p, testEnv(1, 1, ""), "largest", "perturbed-mean")
	if !slices.Equal(c.C[:3], []float64{0.5, 10.5, 40}) {
		t.Errorf("centres are %v, wanted 0.5, 10.5, then point 5 at 40", c.C)
	}
	if c.C[3] < 20 || c.C[3] > 35 {
		t.Errorf("the last centre is %v, wanted one near the mean 25.25", c.C[3])
	}
}

func TestContradictionsLeaveTheMustLinks(t *testing.T) {
	known := &constraint.Set{Must: must(0, 1, 2, 3), Cannot: must(0, 1)}
	p := onLine(2, known, 0, 1, 10, 11)
	c := NeighbourhoodCentres(context.Background(), p, testEnv(1, 1, ""), "largest", "k-means++")
	if !slices.Equal(c.C, []float64{0.5, 10.5}) {
		t.Errorf("centres are %v, wanted 0.5 and 10.5", c.C)
	}
}

func TestEveryKindOfRowsStartsAlike(t *testing.T) {
	p, _ := overlapping(300, 6, 5, 60, 3)
	x := p.X.(*data.Dense)
	single := &data.Dense32{Cols: 6}
	sparse := &data.Sparse{Cols: 6, Start: []int{0}}
	for i, y := range x.V {
		x.V[i] = float64(float32(y))
		single.V = append(single.V, float32(y))
		sparse.Idx, sparse.Val = append(sparse.Idx, int32(i%6)), append(sparse.Val, x.V[i])
		if i%6 == 5 {
			sparse.Start = append(sparse.Start, len(sparse.Idx))
		}
	}
	for _, mode := range []Neighbourhoods{"largest", "farthest", "random"} {
		want := NeighbourhoodCentres(context.Background(), p, testEnv(4, 1, ""), mode, "k-means++")
		for _, rows := range []data.Rows{x, single, sparse} {
			q := *p
			q.X = rows
			got := NeighbourhoodCentres(context.Background(), &q, testEnv(4, 2, ""), mode, "k-means++")
			for i := range want.C {
				if d := got.C[i] - want.C[i]; d > 1e-9 || d < -1e-9 {
					t.Fatalf("%s from %T: number %d is %v, from dense rows %v", mode, rows, i, got.C[i], want.C[i])
				}
			}
		}
	}
}

func TestAStartIsMadeWhateverIsKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	stop, cancel := context.WithCancel(context.Background())
	cancel()
	for range 200 {
		p, truth := overlapping(5+r.IntN(40), 1+r.IntN(3), 1+r.IntN(5), 1+r.IntN(60), r.Uint64())
		if r.IntN(2) == 0 {
			p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: 0, Class: truth[0], W: 1}, constraint.Label{I: 1, Class: truth[1] + r.IntN(2), W: 1})
		}
		if r.IntN(3) == 0 {
			p.Weight = make([]float64, p.X.Len())
			for i := range p.Weight {
				p.Weight[i] = float64(r.IntN(3))
			}
			p.Weight[0] = 1
		}
		ctx := []context.Context{context.Background(), stop}[r.IntN(2)]
		mode := []Neighbourhoods{"largest", "farthest", "random"}[r.IntN(3)]
		fill := []string{"k-means++", "perturbed-mean"}[r.IntN(2)]
		c := NeighbourhoodCentres(ctx, p, testEnv(r.Uint64(), 1, ""), mode, fill)
		if c.K != p.K || len(c.C) != p.K*p.X.Dim() || data.CheckFinite(&data.Dense{Cols: c.D, V: c.C}) != nil {
			t.Fatalf("%s, %s: %d centres, %v, wanted %d", mode, fill, c.K, c.C, p.K)
		}
	}
}

// overlapping returns clusters of unit variance about centres in [-1.5, 1.5]^d,
// with pairs info by the truth.
func overlapping(n, d, k, pairs int, seed uint64) (*cluster.Problem, []int) {
	r := rand.New(rand.NewPCG(seed, 99))
	at := make([]float64, k*d)
	for i := range at {
		at[i] = 3*r.Float64() - 1.5
	}
	x, truth := &data.Dense{Cols: d}, make([]int, n)
	for i := range truth {
		truth[i] = i % k
		for f := range d {
			x.V = append(x.V, at[truth[i]*d+f]+r.NormFloat64())
		}
	}
	return &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, pairs, r)}, truth
}

// startedBy is plain k-means from a start of this file, or from k-means++.
type startedBy string

func (startedBy) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph, cluster.InputKernel}}
}

func (a startedBy) Check(*cluster.Problem) error { return nil }
func (a startedBy) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	c := KMeansPlusPlus(ctx, p, e, nil)
	if a != "k-means++" {
		c = NeighbourhoodCentres(ctx, p, e, Neighbourhoods(a), "k-means++")
	}
	return lloyd.Start(ctx, lloyd.Space{Problem: p}, e, c, nil)
}

// With few constraints the paper's start is worse than none; ours must not be.
func TestFewConstraintsDoNoHarm(t *testing.T) {
	median := map[startedBy]float64{}
	for _, a := range []startedBy{"k-means++", "farthest"} {
		var ari []float64
		for seed := range uint64(20) {
			p, truth := overlapping(500, 16, 10, 50, seed)
			r, err := cluster.Fit(context.Background(), p, a, cluster.Settings{Seed: seed, Restarts: 1, MaxIter: 100})
			if err != nil {
				t.Fatal(err)
			}
			y, err := score.ARI(truth, r.Labels)
			if err != nil {
				t.Fatal(err)
			}
			ari = append(ari, y)
		}
		slices.Sort(ari)
		median[a] = (ari[9] + ari[10]) / 2
	}
	t.Logf("median ARI: %v", median)
	if median["farthest"] < median["k-means++"]-0.01 {
		t.Errorf("median ARI from neighbourhoods %v, from k-means++ %v", median["farthest"], median["k-means++"])
	}
}

func BenchmarkNeighbourhoods(b *testing.B) {
	for _, mode := range []Neighbourhoods{"largest", "farthest"} {
		b.Run(string(mode)+"/n=100000/d=16/k=10/m=10000", func(b *testing.B) {
			p, _ := overlapping(100_000, 16, 10, 10_000, 1)
			for b.Loop() {
				NeighbourhoodCentres(context.Background(), p, testEnv(1, 1, ""), mode, "k-means++")
			}
		})
	}
}
