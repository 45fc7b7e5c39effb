package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/bench/internal/harness"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// planted cuts planted partitions of k = 100 blocks, where a node has on
// average 10 neighbours in its own block and 10 in others; without knowledge,
// and with a true pair for every ten nodes, half of them must-links.
func planted(ctx context.Context, o options) error {
	sizes, err := harness.Sizes(o.sizes, 50_000, 1_000_000)
	if err != nil {
		return err
	}
	printHeader()
	const k = 100
	for _, n := range sizes {
		g, truth, err := example.PlantedPartition(n, k, 10, 10, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			return err
		}
		j := job{g: g, truth: truth, k: k}
		if err := j.save(o.write, fmt.Sprintf("planted-%d", n)); err != nil {
			return err
		}
		if err := j.fitCycles(ctx, o, fmt.Sprintf("planted n=%d", n)); err != nil {
			return err
		}
		if err := j.fit(ctx, o, fmt.Sprintf("planted n=%d ss-kernel", n), kernel.NewSSKernelKMeans()); err != nil {
			return err
		}
		j.known = truly(truth, k, n/10, true)
		if err := j.fitBoth(ctx, o, fmt.Sprintf("planted n=%d pairs=%d", n, n/10)); err != nil {
			return err
		}
	}
	return nil
}
