package cop

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// assignAll lowers the cost by labels alone: free chunklets go to the nearest centre,
// and every component of cannot-linked chunklets is assigned as a whole.
func (r *searchRun) assignAll(ctx context.Context) (moved int, err error) {
	s := r.partition
	before := slices.Clone(s.label)
	s.centresFixed, s.tolerance = true, 0
	centres := lloyd.Pack(lloyd.NewCentres(s.k, s.d, s.centre), r.problem.X)
	err = blocks.Each(ctx, r.env.Workers, r.problem.X.Len(), func(lo, hi int) []int {
		nearest := make([]int, hi-lo)
		centres.Place(r.problem.X, lo, hi, nearest)
		return nearest
	}, func(lo, hi int, nearest []int) {
		for i := lo; i < hi; i++ {
			if q := int32(s.closed.Component(i)); s.meanIndex[q] < 0 && s.isFree(q) {
				s.label[q] = int32(nearest[i-lo])
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for _, q := range s.freeGroups {
		h, _ := centres.Nearest(s.position(q, s.buf))
		s.label[q] = int32(h)
	}
	for _, c := range s.cannotComponents {
		if err := r.assignComponent(ctx, c); err != nil {
			return 0, err
		}
	}
	return r.countMoved(before), nil
}

// assignComponent assigns a component to the fixed centres: exactly if its shape
// allows it, otherwise by local search.
func (r *searchRun) assignComponent(ctx context.Context, c cannotComponent) error {
	s := r.partition
	current := 0.0
	for _, q := range c.chunklets {
		current += s.weight[q] * s.squaredDistance(s.position(q, s.buf), int(s.label[q]))
	}
	if c.shape != shapeGeneral {
		if labels, cost := s.solveExactly(c); cost < current*(1-1e-12) {
			s.setLabels(c, labels)
		}
		return ctx.Err()
	}
	s.tolerance = 1e-12 * current
	s.markAllChanged()
	_, err := s.localSearch(ctx, c.chunklets, r.env.Rand, maxPasses)
	return err
}
