package centroid

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// keptSums keeps the sums of clusters of sparse rows from one assignment to the
// next. Few rows change their cluster after the first iterations, and only those
// are taken from one sum and added to another. Each sum is held in two numbers,
// as what it rounds to and the rest, so that taking away a row leaves what was
// there before it came: the sums are those of the labels, whatever the way to
// them.
//
// The cost needs no distances then: Σ_i w_i‖x_i − μ_h‖² = Σ_i w_i‖x_i‖² +
// Σ_h (m_h‖μ_h‖² − 2μ_h·s_h), with m_h the mass and s_h the sum of cluster h. Where
// that leaves little of numbers so much larger that it would be rounding, or a
// distance is asked for, the distances are measured.
type keptSums struct {
	of       []int32   // the labels that the sums are of; nil: none
	rest     []float64 // of the sums
	v2       float64   // Σ_i w_i‖x_i‖²
	measured bool      // the distances are those of the labels and the centres
}

// littleLeft is the share of what it is made of from which down the cost is
// measured.
const littleLeft = 1e-4

// settle brings sums, and what is known of them, from labels before to r.labels,
// and returns the cost.
func (s *keptSums) settle(ctx context.Context, r *lloyd) (cost float64, err error) {
	s.count(r)
	start, rows := s.plan(r)
	parts := make([]float64, r.p.K)
	err = blocks.Tasks(ctx, r.e.Workers, r.p.K, func(h int) {
		change := rows[start[h]:start[h+1]]
		if s.of == nil || r.sums.Count[h] == 0 {
			clear(r.sums.at(h))
			clear(s.restOf(r, h))
		}
		if r.sums.Count[h] == 0 {
			change = nil // whatever leaves, nothing is left
		}
		for _, i := range change {
			s.add(r, h, i)
		}
		parts[h] = float64(r.sums.Mass[h]*r.centres.norm[h]) - 2*product(r.centres.At(h), r.sums.at(h))
	})
	if err != nil {
		return 0, err
	}
	s.of = append(s.of[:0], r.labels...)
	s.measured = false
	slices.Sort(parts) // no matter which cluster has which number
	big := s.v2
	cost = s.v2
	for h, y := range parts {
		cost += y
		big += float64(r.sums.Mass[h] * r.centres.norm[h])
	}
	if !(cost > littleLeft*big) {
		return s.measure(ctx, r)
	}
	return cost, nil
}

func (s *keptSums) restOf(r *lloyd, h int) []float64 {
	return s.rest[h*r.sums.D : (h+1)*r.sums.D]
}

// add adds row i to the sum of cluster h, or takes row ^i from it.
func (s *keptSums) add(r *lloyd, h int, i int32) {
	sign := 1.0
	if i < 0 {
		i, sign = ^i, -1
	}
	lo, hi := r.sparse.Start[i], r.sparse.Start[i+1]
	w, val := sign*r.p.W(int(i)), r.sparse.Val[lo:hi]
	sum, rest := r.sums.at(h), s.restOf(r, h)
	for q, f := range r.sparse.Idx[lo:hi] {
		// Knuth's sum of two numbers: what rounding takes from a + y goes to the
		// rest, and then as much of the rest as the sum can hold comes back.
		y, a := float64(w*val[q]), sum[f]
		b := a + y
		part := b - a
		left := (a - (b - part)) + (y - part) + rest[f]
		sum[f] = b + left
		rest[f] = left - (sum[f] - b)
	}
}

// move moves row i, and its weight, to cluster h.
func (s *keptSums) move(r *lloyd, i, h int) {
	from, w := int(r.labels[i]), r.p.W(i)
	s.add(r, from, ^int32(i))
	s.add(r, h, int32(i))
	r.sums.Count[from]--
	r.sums.Count[h]++
	r.sums.Mass[from] -= w
	r.sums.Mass[h] += w
	s.of[i] = int32(h)
}

// count counts and weighs the clusters.
func (s *keptSums) count(r *lloyd) {
	clear(r.sums.Count)
	clear(r.sums.Mass)
	for i, h := range r.labels {
		r.sums.Count[h]++
		r.sums.Mass[h] += r.p.W(i)
	}
	if s.rest == nil {
		s.rest = make([]float64, len(r.sums.Sum))
	}
	if s.of == nil {
		s.v2 = 0
		for i, y := range r.sparse.norm2 {
			s.v2 += float64(r.p.W(i) * y)
		}
	}
}

// plan returns the rows to add to each sum, those of cluster h from start[h] on,
// and to take away from it, as complements. It forgets what the sums are of if
// all are to be added.
func (s *keptSums) plan(r *lloyd) (start []int, rows []int32) {
	moved := 0
	for i, h := range s.of {
		if r.labels[i] != h {
			moved++
		}
	}
	if 2*moved > len(r.labels) {
		s.of = nil
	}
	start = make([]int, r.p.K+2)
	each := func(do func(h, row int32)) {
		for i, h := range r.labels {
			switch {
			case s.of == nil:
				do(h, int32(i))
			case s.of[i] != h:
				do(s.of[i], ^int32(i))
				do(h, int32(i))
			}
		}
	}
	each(func(h, _ int32) { start[h+2]++ })
	for h := range r.p.K {
		start[h+2] += start[h+1]
	}
	rows = make([]int32, start[r.p.K+1])
	each(func(h, row int32) {
		rows[start[h+1]] = row
		start[h+1]++
	})
	return start, rows
}

// measure measures the distance of every row, one cluster a task, so that its
// centre stays in cache, and returns the cost.
func (s *keptSums) measure(ctx context.Context, r *lloyd) (cost float64, err error) {
	start, rows := new(keptSums).plan(r)
	err = blocks.Tasks(ctx, r.e.Workers, r.p.K, func(h int) {
		c, norm := r.centres.At(h), r.centres.norm[h]
		for _, i := range rows[start[h]:start[h+1]] {
			lo, hi := r.sparse.Start[i], r.sparse.Start[i+1]
			v := data.Vec{Idx: r.sparse.Idx[lo:hi], Val: r.sparse.Val[lo:hi]}
			r.dist[i] = data.SparseDist2(data.Dot(v, c), r.sparse.norm2[i], norm)
		}
	})
	s.measured = err == nil
	for i, d := range r.dist {
		cost += float64(r.p.W(i) * d)
	}
	return cost, err
}

// product returns Σ_f x_f·y_f, in four strands.
func product(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	f := 0
	for ; f+4 <= len(x); f += 4 {
		a, b := x[f:f+4:f+4], y[f:f+4:f+4]
		s[0] += float64(a[0] * b[0])
		s[1] += float64(a[1] * b[1])
		s[2] += float64(a[2] * b[2])
		s[3] += float64(a[3] * b[3])
	}
	for ; f < len(x); f++ {
		s[0] += float64(x[f] * y[f])
	}
	return (s[0] + s[2]) + (s[1] + s[3])
}
