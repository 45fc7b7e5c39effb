package lloyd

import (
	"context"
	"math"
	"runtime"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/blocks"
)

// followDense adds dense rows. Each goroutine takes some features of all of them,
// all of a line of the cache: then rows are read in their order. What moves change
// of the cost is seen from the sums.
func followDense[T float32 | float64](ctx context.Context, s *KeptSums, e *cluster.Env, p *cluster.Problem, at *Centres, c change, x []T,
	add func(sum, rest []float64, d, lo, hi int, x []T, row, label []int32, w []float64)) (cost CostChange, err error) {
	const features, some = 16, 512
	var before *KeptSums
	if at != nil {
		before = s.Clone()
	}
	s.weigh(p, c)
	tasks := e.Workers
	if tasks < 1 {
		tasks = runtime.GOMAXPROCS(0)
	}
	parts := (s.D + features - 1) / features
	tasks = min(tasks, parts)
	err = blocks.Tasks(ctx, tasks, tasks, func(t int) {
		var l rowList
		for first := 0; first < c.len(); first += some {
			l.list(p, c, first, min(first+some, c.len()))
			for f := t * parts / tasks; f < (t+1)*parts/tasks; f++ {
				add(s.Sum, s.rest, s.D, f*features, min(s.D, (f+1)*features), x, l.row, l.label, l.w)
			}
		}
	})
	if at != nil {
		cost = s.CostSince(before, at.C, nil)
	}
	return cost, err
}

// CostSince returns by how much the cost at centres c has changed with the sums since
// they were before: a row that comes to a cluster with centre c adds w ‖x − c‖², of
// which w ‖x‖² is taken away where it leaves. What is left, w (‖c‖² − 2 c·x), follows
// from the change of mass and sum. Rows and centres are taken from the mean of the
// centres, or these numbers would be large. Features weigh as given, if at all.
func (s *KeptSums) CostSince(before *KeptSums, c, weights []float64) CostChange {
	mean, k := make([]float64, s.D), len(s.Mass)
	for h := range k {
		for f, y := range c[h*s.D : (h+1)*s.D] {
			mean[f] += y / float64(k)
		}
	}
	parts, size := make([]float64, k), 0.0
	for h := range parts {
		m := (s.Mass[h] - before.Mass[h]) + (s.dust[h] - before.dust[h])
		now, was, rest, left := s.At(h), before.At(h), s.restOf(h), before.restOf(h)
		for f, y := range c[h*s.D : (h+1)*s.D] {
			c := y - mean[f]
			a := c
			if weights != nil {
				a = float64(weights[f] * c)
			}
			sum, off := (now[f]-was[f])+(rest[f]-left[f]), float64(m*mean[f])
			parts[h] += float64(a * (float64(m*c) - 2*(sum-off)))
			size += float64(math.Abs(a) * (math.Abs(m*c) + math.Abs(sum) + math.Abs(off)))
		}
	}
	return CostChange{SumSorted(parts), 0x1p-51 * size}
}

// A rowList is rows to add to sums, each with the cluster whose sum it is and the
// weight with which.
type rowList struct {
	row, label []int32
	w          []float64
}

// list lists changes lo to hi.
func (l *rowList) list(p *cluster.Problem, c change, lo, hi int) {
	most := 2 * (hi - lo)
	l.row, l.label, l.w = room(l.row, most), room(l.label, most), room(l.w, most)
	n := 0
	for j := lo; j < hi; j++ {
		i, from := c.at(j)
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
