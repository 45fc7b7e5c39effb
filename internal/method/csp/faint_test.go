package csp

import (
	"fmt"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// hanging returns three clouds of n/3 nodes, rings with chords, that hang
// together by edges of weight w alone: by one edge each, or by way of a node
// that has no other edges.
func hanging(t testing.TB, n int, w float64, bridges bool) *data.Graph {
	t.Helper()
	r, size := cuttest.Rand(uint64(n)), n/3
	var edges []data.Edge
	for c := range 3 {
		for i := range size {
			edges = append(edges, data.Edge{U: c*size + i, V: c*size + (i+1)%size, W: 1})
			for range 3 {
				if j := r.IntN(size); j != i {
					edges = append(edges, data.Edge{U: c*size + i, V: c*size + j, W: 0.2 + r.Float64()})
				}
			}
		}
	}
	nodes := 3 * size
	for c := range 2 {
		from, to := c*size+r.IntN(size), (c+1)*size+r.IntN(size)
		if !bridges {
			edges = append(edges, data.Edge{U: from, V: to, W: w})
			continue
		}
		edges = append(edges, data.Edge{U: from, V: nodes, W: w}, data.Edge{U: nodes, V: to, W: w})
		nodes++
	}
	g, err := data.NewGraph(nodes, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Graphs that hang together by next to nothing have an answer, the one that
// they have without those edges: clouds are cut where knowledge says so.
func TestHangingByNextToNothing(t *testing.T) {
	t.Parallel()
	sizes := longtest.Size([]int{60}, []int{60, 150, 600, 2100}, []int{60, 99, 150, 600, 2100})
	for _, n := range sizes {
		some := []float64{1e-8, 1e-12, 1e-16, 0}
		weights := longtest.Size(some, []float64{1e-6, 1e-10, 1e-13, 1e-16, 1e-40, 0}, []float64{1e-6, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16, 1e-20, 1e-40, 0})
		if n > 1000 {
			weights = longtest.Size(some, []float64{1e-12, 0}, some)
		}
		for _, w := range weights {
			for _, bridges := range []bool{false, true} {
				for middle := range 2 { // the cloud that the one in the middle goes with
					if (testing.Short() || n > 300 && !longtest.Full()) && (middle == 1) != bridges {
						continue
					}
					t.Run(fmt.Sprintf("n=%d/w=%g/bridges=%v/middle=%d", n, w, bridges, middle), func(t *testing.T) {
						g, size := hanging(t, n, w, bridges), n/3
						known := &constraint.Set{}
						for q := range 6 {
							known.Cannot = append(known.Cannot, constraint.Pair{I: q, J: 2*size + q, W: 1})
							known.Must = append(known.Must, constraint.Pair{I: 2*middle*size + q + 6, J: size + q, W: 1})
						}
						for _, beta := range []string{BetaAuto, "0.1"} {
							a := NewCSP()
							a.Beta = number(beta)
							r, err := cluster.Fit(background, &cluster.Problem{Graph: g, K: 2, Constraints: known}, a, cluster.Default())
							if err != nil {
								t.Fatalf("beta %s: %v", beta, err)
							}
							if cut := r.Learned.(*Cut); !(cut.Cost >= 0) || !(cut.Residual < 1e-3) {
								t.Errorf("beta %s: %v", beta, cut)
							}
							for i := 0; beta == BetaAuto && i < 3*size; i++ {
								want := i / size
								if want == 1 {
									want = 2 * middle
								}
								if r.Labels[i] != want/2 {
									t.Fatalf("beta %s: node %d is in cluster %d; %v", beta, i, r.Labels[i], r.Learned)
								}
							}
						}
					})
				}
			}
		}
	}
}

// Blobs far from each other are joined by edges of 1e-12, as nothing less is
// given to an edge between rows.
func TestBlobsFarApart(t *testing.T) {
	t.Parallel()
	sizes := []int{90, 300, 2100}
	if testing.Short() {
		sizes = []int{90}
	}
	for _, n := range sizes {
		for _, spread := range []float64{10, 100, 1e4} {
			x, truth, err := example.Blobs(n, 3, 5, spread, 1, cuttest.Rand(9))
			if err != nil {
				t.Fatal(err)
			}
			p := &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, n/10, cuttest.Rand(10))}
			r, err := cluster.Fit(background, p, NewCSP(), cluster.Default())
			if err != nil {
				t.Fatalf("%d rows, %v apart: %v", n, spread, err)
			}
			for i, c := range r.Labels {
				if c != truth[i] {
					t.Errorf("%d rows, %v apart: row %d is in cluster %d; %v", n, spread, i, c, r.Learned)
					break
				}
			}
		}
	}
}

// The generalized cut has an answer for such graphs too.
func TestFastGEHangingByNextToNothing(t *testing.T) {
	for _, n := range []int{60, 150} {
		if n > 60 && testing.Short() {
			break
		}
		for _, w := range []float64{1e-8, 1e-12, 1e-16, 0} {
			for _, bridges := range []bool{false, true} {
				g, size := hanging(t, n, w, bridges), n/3
				known := &constraint.Set{}
				for q := range 6 {
					known.Cannot = append(known.Cannot, constraint.Pair{I: q, J: 2*size + q, W: 1})
					known.Must = append(known.Must, constraint.Pair{I: q + 6, J: size + q, W: 1})
				}
				r, err := cluster.Fit(background, &cluster.Problem{Graph: g, K: 2, Constraints: known}, NewFastGE(), cluster.Default())
				if err != nil {
					t.Fatalf("%d nodes, w = %v, bridges %v: %v", n, w, bridges, err)
				}
				for i := range 3 * size {
					if r.Labels[i] != i/size/2 {
						t.Errorf("%d nodes, w = %v, bridges %v: node %d is in cluster %d; %v", n, w, bridges, i, r.Labels[i], r.Learned)
						break
					}
				}
			}
		}
	}
}
