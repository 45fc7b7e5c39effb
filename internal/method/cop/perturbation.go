package cop

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/starts"
)

const (
	trialBatch        = 8    // trials made at a time, on any number of workers
	worthwhileShare   = 1e-4 // a decrease of the cost by this share ends a stage
	fixedCentreRounds = 2    // rounds of assignment and means after a centre is relocated
	fixedCentrePasses = 3    // passes of each assignment
)

// A perturber tries to leave local minima. The paper has nothing like it.
type perturber struct {
	env        *cluster.Env
	movable    []int32 // chunklets that may move
	trials     int     // without success after which it gives up
	candidates []*partition
}

// improvePartition runs batches of trials and keeps the best of a batch if it is better
// than s. A trial moves one or two centres to chunklets far from their own centres, or
// a few chunklets to other clusters, and searches from there. It ends after a
// worthwhile decrease of the cost, or after enough trials without success, and reports
// whether s has changed.
func (t *perturber) improvePartition(ctx context.Context, s *partition) (improved bool, err error) {
	if t.candidates == nil {
		for range trialBatch {
			t.candidates = append(t.candidates, newPartition(s.chunklets, make([]int32, len(s.label)), make([]float64, len(s.centre))))
		}
	}
	start := s.totalCost()
	best := start
	for failed := 0; failed < t.trials && start-best <= worthwhileShare*start; failed += trialBatch {
		costs, err := t.runTrials(ctx, s)
		if err != nil {
			return improved, err
		}
		for i, c := range costs {
			if c < best*(1-1e-9) {
				best, failed = c, -trialBatch
				s.copyFrom(t.candidates[i])
				improved = true
			}
		}
	}
	return improved, nil
}

// runTrials makes a batch of trials from base and returns their costs.
func (t *perturber) runTrials(ctx context.Context, base *partition) (costs [trialBatch]float64, err error) {
	var generators [trialBatch]*rand.Rand
	for i := range generators {
		generators[i] = rand.New(rand.NewPCG(t.env.Rand.Uint64(), uint64(i)))
	}
	var errs [trialBatch]error
	if err := blocks.Tasks(ctx, t.env.Workers, trialBatch, func(i int) {
		costs[i], errs[i] = t.candidates[i].runTrial(ctx, base, t.movable, generators[i])
	}); err != nil {
		return costs, err
	}
	for _, err := range errs {
		if err != nil {
			return costs, err
		}
	}
	return costs, nil
}

// runTrial makes s a copy of base, perturbs it and searches from there. It returns the
// cost it reached.
func (s *partition) runTrial(ctx context.Context, base *partition, movable []int32, rng *rand.Rand) (cost float64, err error) {
	s.copyFrom(base)
	switch rng.IntN(4) {
	case 0:
		s.moveRandomChunklets(movable, rng)
	case 1:
		s.relocateCentre(rng)
		fallthrough
	default:
		s.relocateCentre(rng)
		s.centresFixed = true
		for range fixedCentreRounds {
			if _, err := s.localSearch(ctx, movable, rng, fixedCentrePasses); err != nil {
				return 0, err
			}
			s.updateCentres()
		}
	}
	s.centresFixed = false
	if _, err := s.localSearch(ctx, movable, rng, maxPasses); err != nil {
		return 0, err
	}
	s.updateCentres()
	return s.totalCost(), nil
}

// relocateCentre draws a chunklet with probability proportional to its cost, and moves
// the centre of a random other cluster there.
func (s *partition) relocateCentre(rng *rand.Rand) {
	cumulative, sum := make([]float64, len(s.label)), 0.0
	for q, h := range s.label {
		sum += s.weight[q] * s.squaredDistance(s.position(int32(q), s.buf), int(h))
		cumulative[q] = sum
	}
	if sum == 0 {
		return
	}
	q := int32(starts.DrawCumulative(cumulative, rng.Float64()))
	h := rng.IntN(s.k - 1)
	if h >= int(s.label[q]) {
		h++
	}
	row := s.centreRow(h)
	clear(row)
	data.Add(row, s.position(q, s.buf), 1)
	s.centreNorm[h] = data.Norm2(row)
	s.changed.markChanged(int32(h))
}

// moveRandomChunklets moves a few chunklets to random clusters without violating a
// cannot-link.
func (s *partition) moveRandomChunklets(movable []int32, rng *rand.Rand) {
	s.centresFixed = false
	for range 2 + rng.IntN(4) {
		q, h := movable[rng.IntN(len(movable))], rng.IntN(s.k)
		if s.markBlocked(q); !s.isForbidden(h) && !s.isBlocked(h) && int(s.label[q]) != h {
			s.moveChunklet(q, int32(h))
		}
	}
}
