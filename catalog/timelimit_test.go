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
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/example"
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

// slowProblems are large enough that no method is done with them in the time that they
// are given: rows and a graph, with a few clusters and with many.
func slowProblems(t *testing.T) map[string]*cluster.Problem {
	rng := rand.New(rand.NewPCG(1, 2))
	x, truth, err := example.Blobs(2000, 20, 30, 1.5, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	const n = 40_000
	var edges []data.Edge
	part := make([]int, n)
	for i := range n {
		part[i] = i * 20 / n
		edges = append(edges, data.Edge{U: i, V: (i + 1) % n, W: 1})
		for range 4 {
			j := i/(n/20)*(n/20) + rng.IntN(n/20)
			if rng.IntN(10) == 0 {
				j = rng.IntN(n)
			}
			if i != j {
				edges = append(edges, data.Edge{U: i, V: j, W: 1})
			}
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	rows, graph := constraint.RandomPairs(truth, 200, rng), constraint.RandomPairs(part, 200, rng)
	out := map[string]*cluster.Problem{
		"rows/k=20": {X: x, K: 20, Constraints: rows}, "rows/k=500": {X: x, K: 500, Constraints: rows},
		"graph/k=20": {Graph: g, K: 20, Constraints: graph}, "graph/k=500": {Graph: g, K: 500, Constraints: graph},
	}
	if testing.Short() {
		delete(out, "rows/k=20")
		delete(out, "graph/k=500")
	}
	return out
}

// Every method ends soon after its time is over: with a result, or without one. The race
// detector makes everything several times slower: the limit is held without it.
func TestEveryMethodObeysItsTimeLimit(t *testing.T) {
	const limit = 200 * time.Millisecond
	const after = 900 * time.Millisecond // of all processors together, garbage collection included
	problems := slowProblems(t)
	for _, m := range Methods() {
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
				s := cluster.Default()
				s.Effort, s.Restarts = cluster.EffortHigh, 1000
				var over atomic.Int64
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				defer cancel()
				stop := context.AfterFunc(ctx, func() { over.Store(int64(processorTime())) })
				defer stop()
				r, err := cluster.Fit(ctx, p, alg, s)
				spent := processorTime() - time.Duration(over.Load())
				if err == nil {
					return // it was done before
				}
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("the error is %v", err)
				}
				if over.Load() > 0 && spent > after {
					t.Errorf("ended %s of processor time after its limit", spent)
				}
				if r != nil && (r.Status != cluster.Timeout || len(r.Labels) != p.Len()) {
					t.Errorf("status %s with %d labels", r.Status, len(r.Labels))
				}
			})
		}
	}
}
