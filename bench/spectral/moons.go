package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/method/csp"
)

const row = "%9s %9s %9s %9s %8s %9s  %s\n"

// moons cuts two moons from rows to clusters, the graph of neighbours
// included. Sizes rise, so that the peak of memory is that of the last.
func moons(ctx context.Context, o options) error {
	sizes, err := harness.Sizes(o.sizes, 1_000, 2_000, 10_000, 100_000, 1_000_000)
	if err != nil {
		return err
	}
	m, ok := catalog.Find(o.method)
	if !ok {
		return fmt.Errorf("there is no method %q", o.method)
	}
	fmt.Printf(row, "nodes", "wall s", "cpu s", "peak MB", "ari", "satisfied", "stages (wall s), what was learned")
	for _, n := range sizes {
		x, truth, err := example.TwoMoons(n, 0.1, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			return err
		}
		p := &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, o.pairs, rand.New(rand.NewPCG(2, 0)))}
		s, stages := cluster.Default(), []string(nil)
		s.Workers = o.workers
		cpu, _ := harness.Process()
		start := time.Now()
		last := start
		s.Observe = func(e cluster.Event) {
			if e.Stage != "" {
				stages = append(stages, fmt.Sprintf("%s %.2f", e.Stage, time.Since(last).Seconds()))
			}
			last = time.Now()
		}
		r, err := cluster.Fit(ctx, p, m.New(), s)
		if err != nil {
			return err
		}
		wall := time.Since(start).Seconds()
		now, peak := harness.Process()
		ari, err := score.ARI(truth, r.Labels)
		if err != nil {
			return err
		}
		kept := score.Satisfied(p.Constraints, r.Labels)
		fmt.Printf(row, strconv.Itoa(n), number(wall, 2), number(now-cpu, 2), number(peak, 0), number(ari, 4),
			fmt.Sprintf("%d/%d", kept.Must.Satisfied+kept.Cannot.Satisfied, kept.Must.Given+kept.Cannot.Given),
			fmt.Sprint(strings.Join(stages, ", "), "; ", describe(r.Learned)))
	}
	return nil
}

// describe formats what a method learned, with how much work it took.
func describe(learned any) string {
	if c, ok := learned.(*csp.Cut); ok {
		return fmt.Sprintf("%v; %d betas, %d steps", c, c.Tried, c.Steps)
	}
	return fmt.Sprint(learned)
}

func number(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }
