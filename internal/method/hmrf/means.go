package hmrf

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// updateMeans refills empty clusters and moves each centre to the mean of its
// points, for the cosine to the direction of the mean.
func (r *totals) updateMeans(ctx context.Context) (moved int, err error) {
	if moved, err = r.refillEmpty(ctx); err != nil {
		return moved, err
	}
	if moved > 0 {
		r.violated = r.collectViolations(r.hasViolations)
	}
	k, d := r.model.K, r.model.D
	c, change := slices.Clone(r.sums.Sum), make([]float64, k)
	err = blocks.Tasks(ctx, r.e.Workers, k, func(h int) {
		at, m := c[h*d:(h+1)*d], r.sums.Mass[h]
		switch {
		case m <= 0 || r.p.Distance.Unit && !lloyd.Normalise(at): // no point to take over, or no direction
			copy(at, r.model.At(h))
		case r.divergence != nil:
			r.divergence.Centre(at, m)
		case !r.p.Distance.Unit:
			for f := range at {
				at[f] /= m
			}
		}
		if m > 0 {
			change[h] = r.distortion.changeByCentre(r.sums, h, at)
		}
	})
	if err != nil {
		return moved, err
	}
	r.cost.Cost += lloyd.SumSorted(change)
	r.model = r.model.withoutCaches()
	r.model.C = c
	return moved, nil
}

// refillEmpty gives each empty cluster the point that lowers J most, never the
// last of its cluster.
func (r *totals) refillEmpty(ctx context.Context) (moved int, err error) {
	if !slices.Contains(r.sums.Count, 0) {
		return 0, nil
	}
	own, err := r.pointCosts(ctx)
	if err != nil {
		return 0, err
	}
	for h := range r.sums.Mass {
		if r.sums.Count[h] > 0 {
			continue
		}
		there := 0.0 // what a point costs on its centre
		if r.model.LogDet && r.model.learned() && r.form.PerCluster {
			there = -r.model.Metric.LogDet(h)
		}
		best, most := -1, 0.0
		for i, d := range own {
			g := r.labels[i]
			if r.sums.Count[g] < 2 {
				continue
			}
			gain := (d - there) * r.p.W(i)
			if r.constrained[i] {
				pen := r.penalties(i)
				gain += pen[g] - pen[h]
			}
			if gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			return moved, nil
		}
		from := r.labels[best]
		r.moveTo(best, int32(h), nil)
		r.previous[best] = int32(h)
		if err := r.applyMoves(ctx, []lloyd.Move{{Row: int32(best), From: from}}); err != nil {
			return moved, err
		}
		own[best] = there
		moved++
	}
	return moved, nil
}
