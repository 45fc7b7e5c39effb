package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

// scale prints what an iteration with as many true pairs as points costs beside
// one of plain k-means on the same data. The methods take turns, so that they
// share whatever else the machine does.
func scale(w io.Writer, n, rounds int) error {
	const d, k = 32, 50
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x, truth, err := example.Blobs(n, k, d, 1.5, 1, rng)
	if err != nil {
		return err
	}
	p := &cluster.Problem{X: x, K: k, Constraints: constraint.RandomPairs(truth, n, rng)}
	list := []contestant{{"lloyd", centroid.NewKMeans()}, {"pc-kmeans", hmrf.NewPC()}, {"mpc-kmeans", hmrf.NewMPC()}}
	fmt.Fprintf(w, "n=%d d=%d k=%d pairs=%d, %.0f MB of rows, medians of %d rounds\n\n%-12s workers  iterations  wall ms  × lloyd  processor ms  × lloyd  peak heap MB\n",
		n, d, k, n, float64(8*n*d)/1e6, rounds, "")
	for workers := 1; workers <= runtime.GOMAXPROCS(0); workers *= 2 {
		took := make([][]spent, len(list))
		for range rounds {
			for c, method := range list {
				s, err := iterate(p, method.a, workers)
				if err != nil {
					return fmt.Errorf("%s: %w", method.name, err)
				}
				took[c] = append(took[c], s)
			}
		}
		wall := func(s spent, of spent) float64 { return s.wall / of.wall }
		processor := func(s spent, of spent) float64 { return s.processor / of.processor }
		one := spent{wall: 1, processor: 1}
		for c, method := range list {
			fmt.Fprintf(w, "%-12s %7d  %10d  %7.1f  %7.2f  %12.1f  %7.2f  %12.0f\n", method.name, workers, took[c][0].iterations,
				median(took[c], nil, one, wall), median(took[c], took[0], one, wall),
				median(took[c], nil, one, processor), median(took[c], took[0], one, processor), peak(took[c]))
		}
	}
	return nil
}

// spent is what the iterations of a run took, each in ms, and the run in MB.
type spent struct {
	iterations            int
	wall, processor, heap float64
}

// iterate runs a method for some iterations and measures them, the start left
// out but for its memory.
func iterate(p *cluster.Problem, a cluster.Algorithm, workers int) (out spent, err error) {
	runtime.GC()
	stop, most := make(chan struct{}), make(chan uint64)
	go watchHeap(stop, most)
	defer func() {
		close(stop)
		out.heap = float64(<-most) / 1e6
	}()
	s := cluster.Default()
	s.Restarts, s.MaxIter, s.Tol, s.Workers = 1, 7, -1, workers // then the constrained have converged: the same iterations of all
	var begun time.Time
	var used float64
	s.Observe = func(e cluster.Event) {
		if e.Iter == 0 {
			begun, used = time.Now(), harness.CPU()
		}
	}
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		return out, err
	}
	out.iterations = r.Iterations
	out.wall = time.Since(begun).Seconds() * 1000 / float64(r.Iterations)
	out.processor = (harness.CPU() - used) * 1000 / float64(r.Iterations)
	return out, nil
}

// watchHeap looks at the heap until stop, garbage not yet collected included,
// and says how large it was at most.
func watchHeap(stop chan struct{}, most chan uint64) {
	s, top := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}, uint64(0)
	for {
		metrics.Read(s)
		top = max(top, s[0].Value.Uint64())
		select {
		case <-stop:
			most <- top
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// median returns the median share over rounds, of the same round of base or, if
// there is none, of one.
func median(list, base []spent, one spent, share func(s, of spent) float64) float64 {
	var all []float64
	for i, s := range list {
		if base != nil {
			one = base[i]
		}
		all = append(all, share(s, one))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func peak(list []spent) (top float64) {
	for _, s := range list {
		top = max(top, s.heap)
	}
	return top
}
