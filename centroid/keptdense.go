package centroid

import (
	"context"
	"runtime"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/blocks"
)

// followDense adds dense rows. Each goroutine takes some features of all of them,
// all of a line of the cache: then rows are read in their order.
func followDense[T float32 | float64](ctx context.Context, s *keptSums, e *cluster.Env, p *cluster.Problem, at *Centres, c change, x []T,
	add func(sum, rest []float64, d, lo, hi int, x []T, row, label []int32, w []float64)) (cost float64, err error) {
	const features, some = 16, 512
	parts := make([]float64, (s.D+features-1)/features) // the same on any number of workers
	tasks := e.Workers
	if tasks < 1 {
		tasks = runtime.GOMAXPROCS(0)
	}
	tasks = min(tasks, len(parts))
	err = blocks.Tasks(ctx, tasks, tasks, func(t int) {
		var l rowList
		from, to := t*len(parts)/tasks, (t+1)*len(parts)/tasks
		mine := make([]float64, to-from)
		for first := 0; first < c.len(); first += some {
			l.list(p, c, first, min(first+some, c.len()))
			for f := range mine {
				lo, hi := (from+f)*features, min(s.D, (from+f+1)*features)
				add(s.Sum, s.rest, s.D, lo, hi, x, l.row, l.label, l.w)
				if at == nil {
					continue
				}
				mine[f] += price(x, at, s.D, lo, hi, p, c, first, min(first+some, c.len()))
			}
		}
		copy(parts[from:to], mine)
	})
	for _, y := range parts {
		cost += y
	}
	return cost, err
}

// A rowList is rows to add to sums, each with the cluster whose sum it is and the
// weight with which.
type rowList struct {
	row, label []int32
	w          []float64
}

// list lists changes lo to hi.
func (l *rowList) list(p *cluster.Problem, c change, lo, hi int) {
	l.row, l.label, l.w = l.row[:0], l.label[:0], l.w[:0]
	for j := lo; j < hi; j++ {
		i, from := c.at(j)
		w := p.W(int(i))
		if from >= 0 {
			l.row, l.label, l.w = append(l.row, i), append(l.label, from), append(l.w, -w)
		}
		l.row, l.label, l.w = append(l.row, i), append(l.label, c.labels[i]), append(l.w, w)
	}
}

// price returns by how much changes first to last change the cost, as far as
// features lo to hi go: Σ w ((x − b)² − (x − a)²) = Σ w (a − b)(2x − a − b), with a
// and b the centres before and after; or Σ w (x − b)² where there was none before.
func price[T float32 | float64](x []T, at *Centres, d, lo, hi int, p *cluster.Problem, c change, first, last int) (cost float64) {
	for j := first; j < last; j++ {
		i, from := c.at(j)
		row := x[int(i)*d+lo : int(i)*d+hi]
		b := at.At(int(c.labels[i]))[lo:hi]
		b = b[:len(row)]
		sum := 0.0
		if from >= 0 {
			a := at.At(int(from))[lo:hi]
			a = a[:len(row)]
			for f, y := range row {
				sum += float64((a[f] - b[f]) * ((float64(y) - a[f]) + (float64(y) - b[f])))
			}
		} else {
			for f, y := range row {
				z := float64(y) - b[f]
				sum += float64(z * z)
			}
		}
		cost += float64(p.W(int(i)) * sum)
	}
	return cost
}
