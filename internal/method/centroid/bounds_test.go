package centroid_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// scattered makes n rows around k places that overlap.
func scattered(n, d, k int, seed uint64) (x *data.Dense, start *data.Dense) {
	r := rand.New(rand.NewPCG(seed, 5))
	places := make([]float64, k*d)
	for i := range places {
		places[i] = 2 * r.NormFloat64()
	}
	x, start = &data.Dense{Cols: d}, &data.Dense{Cols: d}
	for range n {
		h := r.IntN(k)
		for f := range d {
			x.V = append(x.V, 100+places[h*d+f]+r.NormFloat64())
		}
	}
	for _, i := range r.Perm(n)[:k] {
		start.V = append(start.V, x.Row(i, nil).Val...)
	}
	return x, start
}

// plainLloyd makes iterations with no trick at all, adding up so that only the
// sum is rounded, and returns the labels and the centres.
func plainLloyd(x *data.Dense, start []float64, k, iterations int, fixed map[int]int) (labels []int, centres []float64) {
	n, d := x.Len(), x.Cols
	labels, centres = make([]int, n), slices.Clone(start)
	assign := func() {
		for i := range n {
			least := math.Inf(1)
			for h := range k {
				if y := data.Dist2(x.Row(i, nil), centres[h*d:(h+1)*d], 0); y < least {
					labels[i], least = h, y
				}
			}
			if h, ok := fixed[i]; ok {
				labels[i] = h
			}
		}
	}
	assign()
	for range iterations {
		sum, count := make([]big.Float, k*d), make([]float64, k)
		for i, h := range labels {
			count[h]++
			for f, y := range x.Row(i, nil).Val {
				at := &sum[h*d+f]
				at.SetPrec(200).Add(at, new(big.Float).SetFloat64(y))
			}
		}
		for at := range sum {
			if count[at/d] > 0 {
				y, _ := sum[at].Float64()
				centres[at] = y / count[at/d]
			}
		}
		assign()
	}
	return labels, centres
}

// Kernels, bounds and kept sums change nothing: after every iteration labels and
// centres have the bits of plain Lloyd.
func TestBoundsGiveTheLabelsOfPlainLloyd(t *testing.T) {
	for _, c := range []struct{ n, d, k int }{{3000, 2, 8}, {2100, 5, 20}, {2500, 17, 33}, {1500, 40, 64}} {
		x, start := scattered(c.n, c.d, c.k, uint64(c.k))
		most := 40
		if testing.Short() {
			most = 7
		}
		for iterations := 0; iterations < most; iterations += 1 + iterations/3 {
			a := centroid.NewKMeans()
			a.StartFrom(start)
			r := fit(t, &cluster.Problem{X: x, K: c.k}, a, func(s *cluster.Settings) {
				s.Restarts, s.MaxIter, s.Tol, s.Audit = 1, iterations, 0, iterations%2 == 0
			})
			labels, centres := plainLloyd(x, start.V, c.k, r.Iterations, nil)
			if slices.Min(r.Sizes(c.k)) == 0 {
				t.Fatalf("%v: a cluster is empty, which plain Lloyd here knows nothing of", c)
			}
			if !slices.Equal(labels, r.Labels) {
				t.Fatalf("%v: after %d iterations the labels are not those of plain Lloyd", c, r.Iterations)
			}
			if !slices.Equal(centres, r.Model.(*centroid.Centres).C) {
				t.Fatalf("%v: after %d iterations the centres are not those of plain Lloyd", c, r.Iterations)
			}
		}
	}
}

func BenchmarkLloyd(b *testing.B) {
	for _, c := range []struct{ n, d, k int }{{1_000_000, 32, 100}, {100_000, 128, 256}, {1_000_000, 16, 100}, {20_000, 16, 10}} {
		b.Run(fmt.Sprintf("n=%d/d=%d/k=%d", c.n, c.d, c.k), func(b *testing.B) {
			x, start := scattered(c.n, c.d, c.k, 1)
			single := &data.Dense32{Cols: c.d, V: make([]float32, len(x.V))}
			for i, y := range x.V {
				single.V[i] = float32(y)
			}
			for name, rows := range map[string]data.Rows{"f64": x, "f32": single} {
				for _, workers := range []int{1, 2} {
					b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
						a := centroid.NewKMeans()
						a.StartFrom(start)
						s := cluster.Default()
						s.Restarts, s.MaxIter, s.Tol, s.Workers = 1, 20, 0, workers
						iterations := 0
						for b.Loop() {
							r, err := cluster.Fit(context.Background(), &cluster.Problem{X: rows, K: c.k}, a, s)
							if err != nil {
								b.Fatal(err)
							}
							iterations += r.Iterations
						}
						b.ReportMetric(b.Elapsed().Seconds()/float64(iterations), "s/iteration")
					})
				}
			}
		})
	}
}
