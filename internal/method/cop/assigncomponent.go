package cop

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// assignAll lowers the cost by labels alone: free chunklets go to the nearest centre,
// and every component of cannot-linked chunklets is assigned as a whole.
func (r *searchRun) assignAll(ctx context.Context) (moved int, err error) {
	s := r.partition
	before := slices.Clone(s.label)
	s.centresFixed, s.tolerance = true, 0
	centres := lloyd.NewCentres(s.k, s.d, slices.Clone(s.centre))
	if err := r.assignFreePoints(ctx, centres); err != nil {
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

// assignFreePoints gives the free points that are chunklets by themselves their nearest
// centre.
func (r *searchRun) assignFreePoints(ctx context.Context, centres *lloyd.Centres) error {
	s := r.partition
	label := func(i int, h int32) {
		if q := int32(s.closed.Component(i)); s.meanIndex[q] < 0 && s.isFree(q) {
			s.label[q] = h
		}
	}
	if x, ok := r.problem.X.(lloyd.SearchedRows); ok {
		found, err := x.Assign(ctx, centres, nil)
		if err != nil {
			return err
		}
		for i, h := range found.Labels {
			label(i, h)
		}
		return nil
	}
	packed := lloyd.Pack(centres, r.problem.X)
	return blocks.Each(ctx, r.env.Workers, r.problem.X.Len(), func(lo, hi int) []int {
		nearest := make([]int, hi-lo)
		packed.Place(r.problem.X, lo, hi, nearest)
		return nearest
	}, func(lo, hi int, nearest []int) {
		for i := lo; i < hi; i++ {
			label(i, int32(nearest[i-lo]))
		}
	})
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
