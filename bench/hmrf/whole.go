package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/hmrf"
)

// A wholeFit is a fit of HMRF-KMeans without a metric, on blobs with true pairs.
type wholeFit struct {
	inference    hmrf.Inference
	rows, d, k   int
	spread       float64 // of the centres, beside deviations of 1
	pairs, wrong int     // wrong: every so manieth pair is false, 0: none
}

func wholeFits() []wholeFit {
	return []wholeFit{
		{hmrf.BP, 1_000_000, 32, 20, 1.5, 1_000_000, 0},
		{hmrf.LP, 100_000, 32, 10, 1.5, 100_000, 0},
		{hmrf.BP, 100_000, 16, 20, 1, 100_000, 0},
		{hmrf.LP, 100_000, 16, 10, 1, 100_000, 0},
		{hmrf.BP, 100_000, 16, 20, 1.5, 100_000, 20},
		{hmrf.LP, 100_000, 16, 10, 1.5, 100_000, 20},
	}
}

// whole prints what whole fits by belief propagation and linear programming
// cost, from the start to convergence: clusters far apart, clusters that overlap,
// and pairs of which some are wrong. Rows and pairs are divided by shrink.
func whole(w io.Writer, fits []wholeFit, shrink int, seed uint64, effort cluster.Effort) error {
	fmt.Fprintln(w, "| inference | rows | d | k | spread | pairs | wrong | seconds | CPU seconds | iterations | status | objective | cost of pairs | ARI |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, c := range fits {
		n, m := c.rows/shrink, c.pairs/shrink
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		x, truth, err := example.Blobs(n, c.k, c.d, c.spread, 1, rng)
		if err != nil {
			return err
		}
		p := &cluster.Problem{X: x, K: c.k, Constraints: spoilPairs(constraint.RandomPairs(truth, m, rng), c.wrong)}
		a := hmrf.NewHMRF()
		a.Metric, a.Inference = "none", c.inference
		s := cluster.Default()
		s.Seed, s.Restarts, s.Effort = seed, 1, effort
		begun, used := time.Now(), harness.CPU()
		r, err := cluster.Fit(context.Background(), p, a, s)
		if err != nil {
			return err
		}
		seconds, cpu := time.Since(begun).Seconds(), harness.CPU()-used
		ari, err := score.ARI(truth, r.Labels)
		if err != nil {
			return err
		}
		pairs := 0.0
		for _, t := range r.Objective {
			if t.Name == "must-links" || t.Name == "cannot-links" {
				pairs += t.Value
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %g | %d | %s | %.1f | %.1f | %d | %v | %.6f | %.1f | %.4f |\n", c.inference, n, c.d, c.k, c.spread, m,
			shareOf(c.wrong), seconds, cpu, r.Iterations, r.Status, r.Objective.Sum(), pairs, ari)
	}
	return nil
}

func shareOf(every int) string {
	if every == 0 {
		return "none"
	}
	return fmt.Sprintf("1 in %d", every)
}

// spoilPairs turns every so manieth pair into its opposite, 0: none.
func spoilPairs(s *constraint.Set, every int) *constraint.Set {
	if every == 0 {
		return s
	}
	out := *s
	out.Must, out.Cannot = nil, nil
	for list, pairs := range [][]constraint.Pair{s.Must, s.Cannot} {
		for t, q := range pairs {
			if wrong := t%every == every-1; wrong == (list == 1) {
				out.Must = append(out.Must, q)
			} else {
				out.Cannot = append(out.Cannot, q)
			}
		}
	}
	return &out
}
