package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// maxRenumberWork is up to how many steps clusters are numbered again in every
// iteration; beyond, only when no point moves any more.
const maxRenumberWork = 1 << 20

// renumber numbers the clusters so that overruled labels cost least: cluster h stands
// for class h, and which cluster that is nothing else in J depends on. Single moves
// cannot exchange two clusters, so where labels weigh little a run could otherwise end
// with a cluster of one class that stands for another. It returns how many points have
// other numbers.
func (r *descent) renumber(ctx context.Context, settled bool) (moved int, err error) {
	classes := min(r.p.Constraints.Classes(), r.p.K)
	if classes == 0 || r.p.K == 1 || !settled && classes*classes*r.p.K > maxRenumberWork {
		return 0, nil
	}
	number := r.cheapestNumbers(classes)
	if number == nil {
		return 0, nil
	}
	c := make([]float64, len(r.model.C))
	from := make([]int, r.p.K) // the number that each cluster had
	for h, to := range number {
		from[to] = h
		copy(c[int(to)*r.model.D:], r.model.At(h))
	}
	under, gaps := r.model.Metric, r.penalty.penalties.Gaps
	if r.model.learned() && under.Form().PerCluster {
		if under, err = permuteMetrics(under, r.model.D, from); err != nil {
			return 0, err
		}
		if len(gaps) == r.p.K {
			gaps = permute(gaps, from)
		}
	}
	m := newModel(lloyd.NewCentres(r.model.K, r.model.D, c), r.a.Distortion, under, r.model.LogDet)
	if m.perCluster() {
		r.distortion = newPerClusterDistortion(r.p.Problem, r.e)
	} else {
		r.distortion = newSharedDistortion(r.p, r.e)
	}
	r.model, r.penalty = m, r.penalty.underMetric(under, gaps)
	for i, h := range r.labels {
		if to := number[h]; to != h {
			r.labels[i] = to
			r.pending.Add([]lloyd.Move{{Row: int32(i)}}, len(r.labels))
			moved++
		}
	}
	copy(r.previous, r.labels)
	r.counts.Recount(r.labels)
	if err := r.findNearest(ctx); err != nil {
		return 0, err
	}
	r.sums = lloyd.NewKeptSums(r.p.K, r.model.D)
	if _, err := r.sums.Update(ctx, r.e, r.p.Problem, nil, r.labels, nil); err != nil {
		return 0, err
	}
	return moved, r.updateTotals(ctx, true)
}

// cheapestNumbers returns the number for each cluster with which overruled labels cost
// least, nil if that is the number it has.
func (r *descent) cheapestNumbers(classes int) []int32 {
	k := r.p.K
	cost := make([]float64, classes*k) // of the labels of a class if it is that of a cluster
	largest, now := 0.0, 0.0
	for _, l := range r.graph.Labels {
		here := int(r.labels[l.I])
		for h := range k {
			if h != here {
				cost[l.Class*k+h] += l.W * r.penalty.labelCost(h)
			}
		}
		if here != l.Class {
			now += l.W * r.penalty.labelCost(l.Class)
		}
	}
	if now == 0 {
		return nil
	}
	of, least := combinatorial.Assign(cost, k)
	for _, c := range cost {
		largest = max(largest, c)
	}
	if !(least < now-roundingShare*float64(classes)*largest) {
		return nil
	}
	number := make([]int32, k)
	for h := range number {
		number[h] = -1
	}
	for class, h := range of {
		number[h] = int32(class)
	}
	next := int32(classes)
	for h := range number {
		if number[h] < 0 {
			number[h] = next
			next++
		}
	}
	return number
}

// permuteMetrics returns the metrics of the clusters in another order.
func permuteMetrics(m *metric.Learned, d int, from []int) (*metric.Learned, error) {
	var all []float64
	for _, h := range from {
		if m.Form().Shape == metric.Full {
			all = append(all, m.Matrix(h)...)
		} else {
			all = append(all, m.Weights(h)...)
		}
	}
	return metric.New(m.Form(), d, all)
}

// permute returns the items in another order.
func permute[T any](items []T, from []int) []T {
	out := make([]T, len(from))
	for to, h := range from {
		out[to] = items[h]
	}
	return out
}
