package lloyd

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// featuresAtOnce is how many features a task adds at a time: whole cache lines.
const featuresAtOnce = 16

// adder is simd.AddCompensated64 or simd.AddCompensated32.
type adder[T any] func(sum, rest []float64, d, lo, hi int, x []T, row, label []int32, w []float64)

// updateDense adds dense rows. Each task adds some features of all rows, or of the rows
// of some clusters, so that each sum is added up in the order of the rows. The change
// of the cost follows from the sums.
func updateDense[T float32 | float64](ctx context.Context, s *KeptSums, e *cluster.Env, p *cluster.Problem, at *Centres, c labelChange, x []T, add adder[T]) (cost CostChange, err error) {
	var before *KeptSums
	if at != nil {
		before = s.Clone()
	}
	tasks := blocks.Workers(e.Workers)
	if parts := s.featureParts(); tasks <= parts || c.len() < fewestSorted {
		err = addByFeature(ctx, s, p, c, x, min(tasks, parts), add)
	} else {
		err = addByCluster(ctx, s, p, c, x, tasks, add)
	}
	if at != nil {
		cost = s.CostSince(before, at.C, nil, e.Workers)
	}
	return cost, err
}

// featureParts returns in how many parts features are added.
func (s *KeptSums) featureParts() int { return (s.D + featuresAtOnce - 1) / featuresAtOnce }

// addByFeature adds rows in tasks by features alone: all that one worker needs.
func addByFeature[T float32 | float64](ctx context.Context, s *KeptSums, p *cluster.Problem, c labelChange, x []T, tasks int, add adder[T]) error {
	const rows = 512 // at a time
	s.updateMass(p, c)
	parts := s.featureParts()
	return blocks.Tasks(ctx, tasks, tasks, func(t int) {
		var l rowList
		for first := 0; first < c.len(); first += rows {
			l.fill(p, c, first, min(first+rows, c.len()))
			for f := t * parts / tasks; f < (t+1)*parts/tasks; f++ {
				add(s.Sum, s.sumError, s.D, f*featuresAtOnce, min(s.D, (f+1)*featuresAtOnce), x, l.row, l.label, l.w)
			}
		}
	})
}

// CostSince returns by how much the cost at centres c has changed since the sums were
// before. A row that joins a cluster with centre c adds w ‖x − c‖²; its part w ‖x‖² is
// subtracted where the row leaves. The rest, w (‖c‖² − 2 c·x), follows from the change
// of mass and sum. Rows and centres are measured from the mean of the centres, to keep
// these numbers small. weights are those of the features, nil for ones.
func (s *KeptSums) CostSince(before *KeptSums, c, weights []float64, workers int) CostChange {
	mean, k, ctx := make([]float64, s.D), len(s.Mass), context.Background()
	parts, sizes, size := make([]float64, k), make([]float64, k), 0.0
	_ = blocks.Tasks(ctx, workers, s.featureParts(), func(t int) {
		lo, hi := t*featuresAtOnce, min(s.D, (t+1)*featuresAtOnce)
		for h := range k {
			for f, y := range c[h*s.D+lo : h*s.D+hi] {
				mean[lo+f] += y / float64(k)
			}
		}
	})
	const atOnce = 16 // clusters
	_ = blocks.Tasks(ctx, workers, (k+atOnce-1)/atOnce, func(t int) {
		for h := t * atOnce; h < min(k, (t+1)*atOnce); h++ {
			m := (s.Mass[h] - before.Mass[h]) + (s.massError[h] - before.massError[h])
			now, was, rest, left := s.At(h), before.At(h), s.sumErrorAt(h), before.sumErrorAt(h)
			for f, y := range c[h*s.D : (h+1)*s.D] {
				c := y - mean[f]
				a := c
				if weights != nil {
					a = float64(weights[f] * c)
				}
				sum, off := (now[f]-was[f])+(rest[f]-left[f]), float64(m*mean[f])
				parts[h] += float64(a * (float64(m*c) - 2*(sum-off)))
				sizes[h] += float64(math.Abs(a) * (math.Abs(m*c) + math.Abs(sum) + math.Abs(off)))
			}
		}
	})
	for _, y := range sizes {
		size += y
	}
	return CostChange{SumSorted(parts), 0x1p-51 * size}
}

// A rowList is rows to add to sums, each with a cluster and a weight.
type rowList struct {
	row, label []int32
	w          []float64
}

// fill makes the list of changes lo to hi.
func (l *rowList) fill(p *cluster.Problem, c labelChange, lo, hi int) {
	most := 2 * (hi - lo)
	l.row, l.label, l.w = scratch(l.row, most), scratch(l.label, most), scratch(l.w, most)
	n := 0
	for j := lo; j < hi; j++ {
		i, from := c.moveAt(j)
		w := 1.0
		if p.Weight != nil {
			w = p.Weight[i]
		}
		if from >= 0 {
			l.row[n], l.label[n], l.w[n] = i, from, -w
			n++
		}
		l.row[n], l.label[n], l.w[n] = i, c.labels[i], w
		n++
	}
	l.row, l.label, l.w = l.row[:n], l.label[:n], l.w[:n]
}
