package lloyd

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// KeptSums keeps the sums of clusters from one assignment to the next. Few rows
// change their cluster after the first iterations, and only those are taken from
// one sum and added to another. Each sum is held in two numbers, as what it
// rounds to and the rest, so that taking away a row leaves what was there before
// it came: the sums are those of the labels, whatever the way to them, but for
// what is lost beyond the digits of two numbers. So is the mass.
type KeptSums struct {
	*Sums
	rest []float64 // of Sum
	dust []float64 // of Mass
}

func NewKeptSums(k, d int) *KeptSums {
	return &KeptSums{NewSums(k, d), make([]float64, k*d), make([]float64, k)}
}

// Clone returns the sums as they are now.
func (s *KeptSums) Clone() *KeptSums {
	return &KeptSums{&Sums{s.D, slices.Clone(s.Sum), slices.Clone(s.Mass), slices.Clone(s.Count)}, slices.Clone(s.rest), slices.Clone(s.dust)}
}

// A change is what has become of labels: rows have moved, or, where moves is nil,
// all have come from nowhere.
type change struct {
	labels []int32
	moves  []Move
}

func (c change) len() int {
	if c.moves == nil {
		return len(c.labels)
	}
	return len(c.moves)
}

// at returns a row that has moved, and from where, -1 for nowhere.
func (c change) at(j int) (row, from int32) {
	if c.moves == nil {
		return int32(j), -1
	}
	return c.moves[j].Row, c.moves[j].From
}

// Update brings the sums up to date with the labels. It returns by how much moves
// change the cost, Σ w_i ‖x_i − c‖² with c the centre of the row's cluster; where
// there are no centres or all rows come from nowhere, nothing.
func (s *KeptSums) Update(ctx context.Context, e *cluster.Env, p *cluster.Problem, at *Centres, labels []int32, moves []Move) (cost CostChange, err error) {
	c := change{labels, moves}
	if c.moves == nil {
		at = nil
	}
	switch x := p.X.(type) {
	case *data.Dense:
		cost, err = followDense(ctx, s, e, p, at, c, x.V, simd.AddCompensated64)
	case *data.Dense32:
		cost, err = followDense(ctx, s, e, p, at, c, x.V, simd.AddCompensated32)
	default:
		s.weigh(p, c)
		cost, err = s.followOthers(ctx, e, p, at, c)
	}
	for h, n := range s.Count {
		if n == 0 { // whatever has left, nothing is left
			clear(s.At(h))
			clear(s.restOf(h))
		}
	}
	return cost, err
}

// followOthers adds sparse rows and those of a kind that is not ours, one cluster
// a task: its sum then stays in cache. Merging sums of blocks would cost far
// more, as they are as wide as the data.
func (s *KeptSums) followOthers(ctx context.Context, e *cluster.Env, p *cluster.Problem, at *Centres, c change) (cost CostChange, err error) {
	start, rows := s.plan(c)
	by, doubt := make([]float64, len(s.Count)), make([]float64, len(s.Count))
	err = blocks.Tasks(ctx, e.Workers, len(by), func(h int) {
		part := s.add(p, at, h, rows[start[h]:start[h+1]])
		by[h], doubt[h] = part.Delta, part.Error
	})
	if at == nil {
		return cost, err
	}
	return CostChange{SumSorted(by), SumSorted(doubt)}, err
}

// SumSorted adds up numbers of clusters, no matter which cluster has which.
func SumSorted(parts []float64) (sum float64) {
	slices.Sort(parts)
	for _, y := range parts {
		sum += y
	}
	return sum
}

// weigh counts and weighs the clusters.
func (s *KeptSums) weigh(p *cluster.Problem, c change) {
	for j := range c.len() {
		i, from := c.at(j)
		to := c.labels[i]
		s.Count[to]++
		if from >= 0 {
			s.Count[from]--
		}
		if p.Weight != nil {
			s.Mass[to], s.dust[to] = simd.TwoSum(s.Mass[to], s.dust[to], p.Weight[i])
			if from >= 0 {
				s.Mass[from], s.dust[from] = simd.TwoSum(s.Mass[from], s.dust[from], -p.Weight[i])
			}
		}
	}
	for h, n := range s.Count {
		if p.Weight == nil || n == 0 {
			s.Mass[h], s.dust[h] = float64(n), 0
		}
	}
}

// plan returns the rows to add to each sum, those of cluster h from start[h] on,
// and to take away from it, as complements.
func (s *KeptSums) plan(c change) (start []int, rows []int32) {
	start = make([]int, len(s.Count)+2)
	for j := range c.len() {
		i, from := c.at(j)
		start[c.labels[i]+2]++
		if from >= 0 {
			start[from+2]++
		}
	}
	for h := range s.Count {
		start[h+2] += start[h+1]
	}
	rows = make([]int32, start[len(s.Count)+1])
	put := func(h, row int32) {
		rows[start[h+1]] = row
		start[h+1]++
	}
	for j := range c.len() {
		i, from := c.at(j)
		if from >= 0 {
			put(from, ^i)
		}
		put(c.labels[i], i)
	}
	return start, rows
}

func (s *KeptSums) restOf(h int) []float64 { return s.rest[h*s.D : (h+1)*s.D] }

// add adds rows to the sum of cluster h, or takes away those whose complement is
// given, and returns by how much that changes the cost: by w (‖c‖² − 2 c·x) for each,
// as w ‖x‖² comes to one cluster and goes from another.
func (s *KeptSums) add(p *cluster.Problem, at *Centres, h int, rows []int32) (cost CostChange) {
	sum := s.At(h)
	rest, c, c2 := s.restOf(h)[:len(sum)], sum, 0.0 // of c the length matters where nothing is priced
	if at != nil {
		c, c2 = at.At(h)[:len(sum)], at.norm[h]
	}
	var buf []float64
	if _, sparse := p.X.(*data.Sparse); !sparse { // whose rows need no room
		buf = make([]float64, s.D)
	}
	for _, i := range rows {
		sign := 1.0
		if i < 0 {
			i, sign = ^i, -1
		}
		w, v, dot := sign*p.W(int(i)), p.X.Row(int(i), buf), 0.0
		if v.Idx == nil {
			for f, y := range v.Val {
				y = float64(w * y)
				dot += float64(y * c[f])
				sum[f], rest[f] = simd.TwoSum(sum[f], rest[f], y)
			}
		} else {
			val := v.Val[:len(v.Idx)]
			for q, f := range v.Idx {
				y := float64(w * val[q])
				dot += float64(y * c[f])
				sum[f], rest[f] = simd.TwoSum(sum[f], rest[f], y)
			}
		}
		cost.Delta += float64(w*c2) - 2*dot
		cost.Error += 0x1p-48 * (math.Abs(w)*c2 + 2*math.Abs(dot))
	}
	return cost
}

// mean writes the mean of cluster h to now, and returns by how much the cost of the
// cluster changes when its centre goes there from old: gain, in the same breath.
func (s *KeptSums) mean(h int, old, now []float64) float64 {
	sum, m := s.At(h), s.Mass[h]
	rest, old, now := s.restOf(h)[:len(sum)], old[:len(sum)], now[:len(sum)]
	var before, after float64
	share := 1 / m
	for f, y := range sum {
		c := y / m
		now[f] = c
		off := float64((math.FMA(m, c, -y) - rest[f]) * share) // what rounding has left
		was := (old[f] - c) + off
		after += float64(off * off)
		before += float64(was * was)
	}
	return float64(m*after) - float64(m*before)
}

// direction is mean where the centre is the direction of the mean, and old2 the
// squared length of old. Without a direction every one costs the same: it stays.
func (s *KeptSums) direction(h int, old, now []float64, old2 float64) float64 {
	sum := s.At(h)
	l := math.Sqrt(product(sum, sum))
	if l == 0 || math.IsInf(l, 0) {
		copy(now, old)
		return 0
	}
	old, now = old[:len(sum)], now[:len(sum)]
	turn := 0.0
	for f, y := range sum {
		c := y / l
		now[f] = c
		turn += float64(y * (c - old[f]))
	}
	return float64(s.Mass[h]*(1-old2)) - 2*turn
}

// CentreMoveCost returns by how much the cost of cluster h, Σ w_i ‖x_i − c‖², changes when
// its centre c goes from old to now; of rows as a metric sees them, if there is one.
func (s *KeptSums) CentreMoveCost(h int, old, now []float64, by *metric.Learned) float64 {
	sum, rest, m := s.At(h), s.restOf(h), s.Mass[h]
	var off, was []float64
	if by != nil {
		off, was = make([]float64, s.D), make([]float64, s.D)
	}
	var before, after float64
	for f, c := range now {
		o := (math.FMA(m, c, -sum[f]) - rest[f]) / m // from the mean
		w := (old[f] - c) + o
		if by != nil {
			off[f], was[f] = o, w
			continue
		}
		after += float64(o * o)
		before += float64(w * w)
	}
	if by != nil {
		after, before = by.Norm2(0, off), by.Norm2(0, was)
	}
	return float64(m*after) - float64(m*before)
}
