package cop

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/lloyd"
)

const (
	batch    = 8    // kicks tried at a time, on any number of workers
	worth    = 1e-4 // a fall of the cost by this share ends a stage
	thaws    = 2    // rounds of means and assignment after a kick
	coolings = 3    // passes of each
)

// kick tries to leave the local minimum: one centre is moved to a lump far from
// its own, everything descends from there, and the best of a batch of such
// trials is kept if it is better than what there was. The stage ends with a
// good success, or after enough trials without any.
func (r *copSearch) kick(ctx context.Context) (moved int, err error) {
	was := append([]int32(nil), r.s.label...)
	if r.scouts == nil {
		for range batch {
			r.scouts = append(r.scouts, newLayout(r.s.lumps, make([]int32, len(r.s.label)), make([]float64, len(r.s.centre))))
		}
	}
	start := r.s.cost()
	best := start
	for idle := 0; idle < r.trials && start-best <= worth*start; idle += batch {
		costs, err := r.scout(ctx)
		if err != nil {
			return 0, err
		}
		for i, c := range costs {
			if c < best*(1-1e-9) {
				best, idle = c, -batch
				r.s.copyFrom(r.scouts[i])
				r.unsettled = true
			}
		}
	}
	return r.note(was), nil
}

// scout makes a batch of trials and returns their costs.
func (r *copSearch) scout(ctx context.Context) (costs [batch]float64, err error) {
	workers := r.e.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var seeds [batch]*rand.Rand
	for i := range seeds {
		seeds[i] = rand.New(rand.NewPCG(r.e.Rand.Uint64(), uint64(i)))
	}
	var errs [batch]error
	next := make(chan int, batch)
	for i := range batch {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(workers, batch) {
		wg.Go(func() {
			for i := range next {
				costs[i], errs[i] = r.scouts[i].trial(ctx, r.s, r.loose, seeds[i])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return costs, err
		}
	}
	return costs, nil
}

// trial kicks a copy of base and lets it descend.
func (s *layout) trial(ctx context.Context, base *layout, loose []int32, rng *rand.Rand) (cost float64, err error) {
	s.copyFrom(base)
	switch rng.IntN(4) {
	case 0:
		s.shake(loose, rng)
	case 1:
		s.jolt(rng)
		fallthrough
	default:
		s.jolt(rng)
		s.frozen = true
		for range thaws {
			if _, err := s.descend(ctx, loose, rng, coolings); err != nil {
				return 0, err
			}
			s.tally()
		}
	}
	s.frozen = false
	if _, err := s.descend(ctx, loose, rng, maxPasses); err != nil {
		return 0, err
	}
	s.tally()
	return s.cost(), nil
}

// jolt moves one centre to a lump, drawn by what it costs where it is.
func (s *layout) jolt(rng *rand.Rand) {
	running, sum := make([]float64, len(s.label)), 0.0
	for q, h := range s.label {
		sum += s.weight[q] * s.dist2(s.at(int32(q), s.buf), int(h))
		running[q] = sum
	}
	if sum == 0 {
		return
	}
	q := int32(lloyd.DrawCumulative(running, rng.Float64()))
	h := rng.IntN(s.k - 1)
	if h >= int(s.label[q]) {
		h++
	}
	row := s.row(h)
	clear(row)
	data.Add(row, s.at(q, s.buf), 1)
	s.norm[h] = data.Norm2(row)
	s.heat.touch(int32(h))
}

// shake moves a few lumps to random clusters that are legal.
func (s *layout) shake(loose []int32, rng *rand.Rand) {
	s.frozen = false
	for range 2 + rng.IntN(4) {
		q, h := loose[rng.IntN(len(loose))], rng.IntN(s.k)
		if s.look(q); !s.banned(h) && !s.blocked(h) && int(s.label[q]) != h {
			s.move(q, int32(h))
		}
	}
}
