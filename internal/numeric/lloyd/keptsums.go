package lloyd

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// KeptSums keeps the sums of clusters from one assignment to the next. Few rows
// change their cluster after the first iterations, and only those are subtracted from
// one sum and added to another. Each sum, and each mass, is held as two numbers, the
// rounded sum and its rounding error, so that subtracting a row leaves what was there
// before it was added: the sums depend on the labels alone, not on the moves that led
// to them, up to the precision of two numbers.
type KeptSums struct {
	*Sums
	sumError  []float64 // of Sum
	massError []float64 // of Mass
}

// NewKeptSums returns the sums of k empty clusters of d features.
func NewKeptSums(k, d int) *KeptSums {
	return &KeptSums{NewSums(k, d), make([]float64, k*d), make([]float64, k)}
}

// Clone returns a copy of the sums.
func (s *KeptSums) Clone() *KeptSums {
	return &KeptSums{&Sums{s.D, slices.Clone(s.Sum), slices.Clone(s.Mass), slices.Clone(s.Count)}, slices.Clone(s.sumError), slices.Clone(s.massError)}
}

// A labelChange is the current labels and the moves that led to them; where moves is
// nil, all rows are new.
type labelChange struct {
	labels []int32
	moves  []Move
}

func (c labelChange) len() int {
	if c.moves == nil {
		return len(c.labels)
	}
	return len(c.moves)
}

// moveAt returns a row that has moved and its cluster before, -1 if it is new.
func (c labelChange) moveAt(j int) (row, from int32) {
	if c.moves == nil {
		return int32(j), -1
	}
	return c.moves[j].Row, c.moves[j].From
}

// Update updates the sums to the labels after moves; where moves is nil all rows are
// new, and the sums must be empty. It returns by how much the moves change the cost,
// Σ w_i ‖x_i − c‖² with c the centre of the row's cluster in at; 0 where at or moves is
// nil.
func (s *KeptSums) Update(ctx context.Context, e *cluster.Env, p *cluster.Problem, at *Centres, labels []int32, moves []Move) (cost CostChange, err error) {
	c := labelChange{labels, moves}
	if c.moves == nil {
		at = nil
	}
	switch x := p.X.(type) {
	case *data.Dense:
		cost, err = updateDense(ctx, s, e, p, at, c, x.V, simd.AddCompensated64)
	case *data.Dense32:
		cost, err = updateDense(ctx, s, e, p, at, c, x.V, simd.AddCompensated32)
	case StoredRows:
		cost, err = s.updateStored(ctx, e, p, at, c, x)
	default:
		s.updateMass(p, c)
		cost, err = s.updateOthers(ctx, e, p, at, c)
	}
	s.clearEmpty()
	return cost, err
}

// clearEmpty clears the sums of empty clusters, which have no rounding errors.
func (s *KeptSums) clearEmpty() {
	for h, n := range s.Count {
		if n == 0 {
			clear(s.At(h))
			clear(s.sumErrorAt(h))
		}
	}
}

// updateOthers adds sparse rows and rows of unknown type, one cluster per task, so
// that its sum stays in cache. Merging sums of blocks would cost far more, as they are
// as wide as the data.
func (s *KeptSums) updateOthers(ctx context.Context, e *cluster.Env, p *cluster.Problem, at *Centres, c labelChange) (cost CostChange, err error) {
	start, rows := s.groupByCluster(c)
	by, doubt := make([]float64, len(s.Count)), make([]float64, len(s.Count))
	err = blocks.Tasks(ctx, e.Workers, len(by), func(h int) {
		part := s.addRows(p, at, h, rows[start[h]:start[h+1]])
		by[h], doubt[h] = part.Delta, part.Error
	})
	if at == nil {
		return cost, err
	}
	return CostChange{SumSorted(by), SumSorted(doubt)}, err
}

// SumSorted adds up numbers of clusters in ascending order, so that the sum does not
// depend on the order of the clusters. It sorts parts.
func SumSorted(parts []float64) (sum float64) {
	slices.Sort(parts)
	for _, y := range parts {
		sum += y
	}
	return sum
}

// updateMass updates the number of rows and the mass of each cluster.
func (s *KeptSums) updateMass(p *cluster.Problem, c labelChange) {
	for j := range c.len() {
		i, from := c.moveAt(j)
		to := c.labels[i]
		s.Count[to]++
		if from >= 0 {
			s.Count[from]--
		}
		if p.Weight == nil {
			continue
		}
		if from >= 0 {
			s.Mass[from], s.massError[from] = simd.TwoSum(s.Mass[from], s.massError[from], -p.Weight[i])
		}
		s.Mass[to], s.massError[to] = simd.TwoSum(s.Mass[to], s.massError[to], p.Weight[i])
	}
	s.settleMass(p)
}

// settleMass sets the masses that follow from the numbers of rows.
func (s *KeptSums) settleMass(p *cluster.Problem) {
	for h, n := range s.Count {
		if p.Weight == nil || n == 0 {
			s.Mass[h], s.massError[h] = float64(n), 0
		}
	}
}

// groupByCluster returns the rows to add to the sum of each cluster, those of cluster
// h from start[h] on; rows to subtract are given as complements.
func (s *KeptSums) groupByCluster(c labelChange) (start []int, rows []int32) {
	start = make([]int, len(s.Count)+2)
	for j := range c.len() {
		i, from := c.moveAt(j)
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
		i, from := c.moveAt(j)
		if from >= 0 {
			put(from, ^i)
		}
		put(c.labels[i], i)
	}
	return start, rows
}

func (s *KeptSums) sumErrorAt(h int) []float64 { return s.sumError[h*s.D : (h+1)*s.D] }

// addRows adds rows to the sum of cluster h, or subtracts those given as complements,
// and returns by how much that changes the cost: by w (‖c‖² − 2 c·x) for each row, as
// w ‖x‖² is added to one cluster and subtracted from another.
func (s *KeptSums) addRows(p *cluster.Problem, at *Centres, h int, rows []int32) (cost CostChange) {
	sum := s.At(h)
	rest, c, c2 := s.sumErrorAt(h)[:len(sum)], sum, 0.0 // c is read even where no cost is computed
	if at != nil {
		c, c2 = at.At(h)[:len(sum)], at.norm[h]
	}
	var buf []float64
	if _, sparse := p.X.(*data.Sparse); !sparse { // sparse rows need no buffer
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

// moveToMean writes the mean of cluster h to now, and returns by how much the cost of
// the cluster changes when its centre moves there from old: CentreMoveCost in the same
// loop.
func (s *KeptSums) moveToMean(h int, old, now []float64) float64 {
	sum, m := s.At(h), s.Mass[h]
	rest, old, now := s.sumErrorAt(h)[:len(sum)], old[:len(sum)], now[:len(sum)]
	var before, after float64
	share := 1 / m
	for f, y := range sum {
		c := y / m
		now[f] = c
		off := float64((math.FMA(m, c, -y) - rest[f]) * share) // the rounding error of the mean
		was := (old[f] - c) + off
		after += float64(off * off)
		before += float64(was * was)
	}
	return float64(m*after) - float64(m*before)
}

// moveToDirection is moveToMean for the cosine: the centre moves to the direction of
// the mean; old2 is the squared length of old. Where the mean is 0 every direction
// costs the same, and the centre stays.
func (s *KeptSums) moveToDirection(h int, old, now []float64, old2 float64) float64 {
	sum := s.At(h)
	l := math.Sqrt(dotProduct(sum, sum))
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

// CentreMoveCost returns by how much the cost of cluster h, Σ w_i ‖x_i − c‖², changes
// when its centre c moves from old to now; by is the metric, nil for the Euclidean.
func (s *KeptSums) CentreMoveCost(h int, old, now []float64, by *metric.Learned) float64 {
	sum, rest, m := s.At(h), s.sumErrorAt(h), s.Mass[h]
	var off, was []float64
	if by != nil {
		off, was = make([]float64, s.D), make([]float64, s.D)
	}
	var before, after float64
	for f, c := range now {
		o := (math.FMA(m, c, -sum[f]) - rest[f]) / m // offset from the mean
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

// SearchedRows are StoredRows whose nearest centres are found where the rows are kept.
// All else is done here, with the code for rows in memory and with the same bits.
type SearchedRows interface {
	StoredRows
	// Assign finds the nearest of the centres c for every row, which is transformed by m
	// first unless m is nil. It does what AssignRows does.
	Assign(ctx context.Context, c *Centres, m *metric.Learned) (*Assigned, error)
	// NearestDistances returns the squared distance of every row to the nearest of the
	// centres c.
	NearestDistances(ctx context.Context, c *Centres) ([]float64, error)
	// LastAssigned returns what Assign returned last; nil before.
	LastAssigned() *Assigned
	// ExactSums reports whether sums of the rows, in two numbers each, have no rounding
	// error, so that they do not depend on the order of the rows.
	ExactSums() bool
}

// Assigned is the result of a search for the nearest centres of rows.
type Assigned struct {
	Centres    *Centres
	Metric     *metric.Learned
	Labels     []int32
	Sums       *KeptSums // of the rows by these labels
	Distortion []float64 // the sum of squared distances to the nearest centre in each block of blocks.Len rows
}

// distortionAt returns the sum of squared distances of the rows of a block to the
// centres of their labels, if that is known.
func (a *Assigned) distortionAt(c *Centres, lo, hi int, labels []int32) (sum float64, ok bool) {
	if a == nil || a.Centres != c || !slices.Equal(a.Labels[lo:hi], labels[lo:hi]) {
		return 0, false
	}
	return a.Distortion[lo/blocks.Len], true
}

// lastAssigned returns the last assignment of x, if sums of x are exact.
func lastAssigned(x StoredRows) *Assigned {
	if s, ok := x.(SearchedRows); ok && s.ExactSums() {
		return s.LastAssigned()
	}
	return nil
}

// fewMoves is the number of moves up to which rows are read one by one.
const fewMoves = 256

// updateStored adds stored rows. Where sums are exact they follow from those of the
// last search and from the rows that are not at their nearest centre; elsewhere every
// row that has moved is read, in order.
func (s *KeptSums) updateStored(ctx context.Context, e *cluster.Env, p *cluster.Problem, at *Centres, c labelChange, x StoredRows) (cost CostChange, err error) {
	var before *KeptSums
	if at != nil {
		before = s.Clone()
	}
	s.updateMass(p, c)
	buf := make([]float64, s.D)
	if found := lastAssigned(x); found != nil && p.Weight == nil && c.len() > fewMoves {
		copy(s.Sum, found.Sums.Sum)
		copy(s.sumError, found.Sums.sumError)
		for i, h := range found.Labels {
			if g := c.labels[i]; g != h {
				v := x.Row(i, buf)
				s.addRow(h, v, -1)
				s.addRow(g, v, 1)
			}
		}
	} else {
		for j := range c.len() {
			if j%blocks.Len == 0 && ctx.Err() != nil {
				return cost, ctx.Err()
			}
			i, from := c.moveAt(j)
			v, w := x.Row(int(i), buf), p.W(int(i))
			if from >= 0 {
				s.addRow(from, v, -w)
			}
			s.addRow(c.labels[i], v, w)
		}
	}
	if at != nil {
		cost = s.CostSince(before, at.C, nil, e.Workers)
	}
	return cost, nil
}

// addRow adds w times a dense row to the sum of cluster h.
func (s *KeptSums) addRow(h int32, v data.Vec, w float64) {
	sum, rest := s.At(int(h)), s.sumErrorAt(int(h))
	for f, y := range v.Val {
		sum[f], rest[f] = simd.TwoSum(sum[f], rest[f], float64(w*y))
	}
}

// Add adds sums of other rows: their rounded sums and rounding errors, as Errors
// returns them, and the number of rows in each cluster.
func (s *KeptSums) Add(sum, rest []float64, count []int) {
	for i, y := range sum {
		s.Sum[i], s.sumError[i] = simd.TwoSum(s.Sum[i], s.sumError[i], y)
		s.Sum[i], s.sumError[i] = simd.TwoSum(s.Sum[i], s.sumError[i], rest[i])
	}
	for h, n := range count {
		s.Count[h] += n
		s.Mass[h] += float64(n)
	}
}

// Errors returns the rounding errors of the sums.
func (s *KeptSums) Errors() []float64 { return s.sumError }
