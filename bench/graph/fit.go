package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// A job is one graph with its truth.
type job struct {
	g     *data.Graph
	truth []int
	k     int
	known *constraint.Set
}

const header = "%-46s %9s %7s %11s %11s %8s %8s %9s\n"

func printHeader() {
	fmt.Printf(header, "fit", "ncut", "ari", "must", "cannot", "cpu s", "wall s", "peak MB")
}

// fit cuts the graph of j and prints a line about it.
func (j job) fit(ctx context.Context, o options, name string, a cluster.Algorithm) error {
	s := cluster.Default()
	s.Effort = cluster.EffortNormal
	s.Restarts, s.Workers = max(1, o.runs), o.workers
	cpu, _ := harness.Process()
	start := time.Now()
	r, err := cluster.Fit(ctx, &cluster.Problem{Graph: j.g, K: j.k, Constraints: j.known}, a, s)
	if err != nil {
		return err
	}
	wall := time.Since(start).Seconds()
	now, peak := harness.Process()
	ari, err := score.ARI(j.truth, r.Labels)
	if err != nil {
		return err
	}
	kept := score.Satisfied(j.known, r.Labels)
	fmt.Printf(header, name, number(kernel.Cuts(j.g, r.Labels, j.k).NormalizedCut, 4), number(ari, 4), share(kept.Must), share(kept.Cannot),
		number(now-cpu, 2), number(wall, 2), number(peak, 0))
	return nil
}

// fitCycles cuts the graph as it is after one descent, and after all cycles.
func (j job) fitCycles(ctx context.Context, o options, name string) error {
	for _, cycles := range []int{0, kernel.NewGraphCut().Cycles} {
		a := kernel.NewGraphCut()
		a.Cycles = cycles
		if err := j.fit(ctx, o, fmt.Sprintf("%s cycles=%d", name, cycles), a); err != nil {
			return err
		}
	}
	return nil
}

// fitBoth cuts the graph by graph-cut and by ss-kernel-kmeans.
func (j job) fitBoth(ctx context.Context, o options, name string) error {
	if err := j.fit(ctx, o, name, kernel.NewGraphCut()); err != nil {
		return err
	}
	return j.fit(ctx, o, name+" ss-kernel", kernel.NewSSKernelKMeans())
}

func number(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

func share(c score.Count) string {
	if c.Given == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", c.Satisfied, c.Given)
}

// truly draws true pairs; with half of them must-links if halves says so, else
// as they come.
func truly(truth []int, k, pairs int, halves bool) *constraint.Set {
	rng := rand.New(rand.NewPCG(5, uint64(pairs)))
	if !halves {
		return constraint.RandomPairs(truth, pairs, rng)
	}
	members := make([][]int, k)
	for i, h := range truth {
		members[h] = append(members[h], i)
	}
	s := &constraint.Set{}
	for len(s.Must) < pairs/2 {
		m := members[rng.IntN(k)]
		if i, j := m[rng.IntN(len(m))], m[rng.IntN(len(m))]; i != j {
			s.Must = append(s.Must, constraint.Pair{I: i, J: j, W: 1})
		}
	}
	for len(s.Cannot) < pairs-pairs/2 {
		if i, j := rng.IntN(len(truth)), rng.IntN(len(truth)); truth[i] != truth[j] {
			s.Cannot = append(s.Cannot, constraint.Pair{I: i, J: j, W: 1})
		}
	}
	return s
}

// save writes j's graph and truth for other programs.
func (j job) save(folder, name string) error {
	if folder == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(folder, name+".edges"))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range j.g.Len() {
		to, weight := j.g.Neighbours(i)
		for q, h := range to {
			if int(h) >= i {
				fmt.Fprintf(w, "%d %d %g\n", i, h, weight[q])
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
