//go:build unix && !race

package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

// processorTime returns the time that this process has spent on all processors. Other
// than a clock it does not run while others are busy.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

type slowProblem struct {
	cluster.Problem
	truth []int
}

// slowProblems are large enough that no method is done with all of them in the time that
// they are given: rows and a graph, with a few clusters and with many.
func slowProblems(t *testing.T) map[string]*slowProblem {
	rng := rand.New(rand.NewPCG(1, 2))
	x, truth, err := example.Blobs(2000, 20, 30, 1.5, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	const n = 40_000
	var edges []data.Edge
	part, place := make([]int, n), rng.Perm(n)
	for i := range n {
		part[place[i]] = i * 20 / n
		edges = append(edges, data.Edge{U: place[i], V: place[(i+1)%n], W: 1})
		for range 4 {
			j := i/(n/20)*(n/20) + rng.IntN(n/20)
			if rng.IntN(10) == 0 {
				j = rng.IntN(n)
			}
			if i != j {
				edges = append(edges, data.Edge{U: place[i], V: place[j], W: 1})
			}
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	many, kinds, err := example.Blobs(20_000, 1000, 20, 1.5, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	const each = 100_000 // every row a cluster
	alone, self := &data.Dense{Cols: 2, V: make([]float64, 2*each)}, make([]int, each)
	for i := range alone.V {
		alone.V[i] = rng.Float64()
		self[i/2] = i / 2
	}
	rows, graph := constraint.RandomPairs(truth, 200, rng), constraint.RandomPairs(part, 200, rng)
	out := map[string]*slowProblem{
		"rows/k=20":   {cluster.Problem{X: x, K: 20, Constraints: rows}, truth},
		"rows/k=500":  {cluster.Problem{X: x, K: 500, Constraints: rows}, truth},
		"rows/k=1000": {cluster.Problem{X: many, K: 1000, Constraints: constraint.RandomPairs(kinds, 200, rng)}, kinds},
		"rows/k=n":    {cluster.Problem{X: alone, K: each}, self},
		"graph/k=20":  {cluster.Problem{Graph: g, K: 20, Constraints: graph}, part},
		"graph/k=500": {cluster.Problem{Graph: g, K: 500, Constraints: graph}, part},
	}
	if testing.Short() {
		delete(out, "rows/k=20")
		delete(out, "rows/k=n")
		delete(out, "graph/k=500")
	}
	return out
}

// Every method ends soon after its time is over: with a result, or without one. The race
// detector makes everything several times slower: the limit is held without it.
func TestEveryMethodObeysItsTimeLimit(t *testing.T) {
	const limit = 100 * time.Millisecond
	const after = 900 * time.Millisecond // of all processors together, garbage collection included
	problems := slowProblems(t)
	for _, m := range Methods() {
		ran, late := 0, 0 // problems, and those that it was not done with
		for name, p := range problems {
			alg := m.New()
			if p.X != nil && !m.Takes(cluster.InputRows) {
				if err := Set(alg, "knn", "10"); err != nil {
					continue
				}
			} else if p.Graph != nil && !m.Takes(cluster.InputGraph) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", m.Name, name), func(t *testing.T) {
				ran++
				s := cluster.Default()
				s.Effort, s.Restarts, s.Memory = cluster.EffortHigh, 1000, 4<<30
				var over atomic.Int64
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				defer cancel()
				stop := context.AfterFunc(ctx, func() { over.Store(int64(processorTime())) })
				defer stop()
				r, err := cluster.Fit(ctx, &p.Problem, alg, s)
				at := over.Load() // 0 where the fit ended with its time
				spent := processorTime() - time.Duration(at)
				if err == nil {
					return // it was done before
				}
				var memory *cluster.MemoryError
				if errors.As(err, &memory) {
					return // refused before the work
				}
				var refused *cluster.ProblemError
				if m.New().Capabilities().FindsK && errors.As(err, &refused) {
					return // its tree has fewer branches than clusters were asked for
				}
				late++
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("the error is %v", err)
				}
				if at > 0 && spent > after {
					t.Errorf("ended %s of processor time after its limit", spent)
				}
				if r != nil && (r.Status != cluster.Timeout || len(r.Labels) != p.Len()) {
					t.Errorf("status %s with %d labels", r.Status, len(r.Labels))
				}
				if r != nil && !r.Trivial(p.K) && byChance(r.Labels, p.truth) {
					t.Error("the clusters are no better than chance, and pass for a clustering")
				}
			})
		}
		if ran > 1 && late == 0 {
			t.Errorf("%s was done with all problems in time: nothing was tested", m.Name)
		}
	}
}

// byChance reports whether two points of one cluster are not clearly more often of one
// class than any two points are. Points that are noise have no cluster.
func byChance(labels, truth []int) bool {
	pairs := func(count map[[2]int]int) (sum float64) {
		for _, c := range count {
			sum += float64(c) * float64(c-1)
		}
		return sum
	}
	both, clusters, classes := map[[2]int]int{}, map[[2]int]int{}, map[[2]int]int{}
	for i, h := range labels {
		if h >= 0 {
			both[[2]int{h, truth[i]}]++
			clusters[[2]int{h}]++
		}
		classes[[2]int{truth[i]}]++
	}
	n := float64(len(labels))
	return pairs(classes) > 0 && pairs(both)/pairs(clusters) < 1.5*pairs(classes)/(n*(n-1))
}
