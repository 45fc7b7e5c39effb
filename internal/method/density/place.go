package density

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// This file places new points: the rows of the fit near them are found by an index.

// A pointSearch finds the rows of a model near points. The first few points are compared with all rows; then there is
// an index. Both compute the same distances.
type pointSearch struct {
	asked atomic.Int64 // points so far
	once  sync.Once
	index *affinity.PointSearch // nil: none
}

// indexedFrom is the number of points from which on an index is worth building.
const indexedFrom = 64

// near is Near of the index.
func (m *Model) near(points []float64, limit func(q int) float64, offer func(q int, row int32, dist2 float64)) {
	d := m.Dim()
	if m.Rows.Dense != nil && m.search.asked.Load() >= indexedFrom {
		m.search.once.Do(func() {
			if index, err := affinity.NewPointSearch(context.Background(), m.Rows.Dense, m.MinPoints+1, 0); err == nil {
				m.search.index = index
			}
		})
		if m.search.index != nil {
			m.search.index.Near(points, limit, offer)
			return
		}
	}
	x, buf := m.Rows.rows(), make([]float64, d)
	for q := range len(points) / d {
		point := points[q*d : (q+1)*d]
		norm := data.Norm2(point)
		for j := range x.Len() {
			var dist2 float64
			if v := x.Row(j, buf); v.Idx == nil {
				dist2 = orderedDist2(v.Val, point)
			} else {
				dist2 = data.Dist2(v, point, norm)
			}
			if dist2 <= limit(q) {
				offer(q, int32(j), dist2)
			}
		}
	}
}

// orderedDist2 adds up the squared differences in the order of the features, as the index does.
func orderedDist2(a, b []float64) (s float64) {
	for f, y := range a {
		e := y - b[f]
		s += float64(e * e)
	}
	return s
}

// Place writes the cluster of each row lo ≤ i < hi of x to labels[i-lo], -1 for noise.
func (m *Model) Place(x data.Rows, lo, hi int, labels []int) {
	d := m.Dim()
	points, buf := make([]float64, 0, min(hi-lo, affinity.PointBatch)*d), make([]float64, d)
	for from := lo; from < hi; from += affinity.PointBatch {
		to := min(hi, from+affinity.PointBatch)
		points = points[:(to-from)*d]
		for i := from; i < to; i++ {
			into(x.Row(i, buf), points[(i-from)*d:(i-from+1)*d])
		}
		for q, y := range m.place(points) {
			labels[from-lo+q] = y.label
		}
	}
}

// Membership returns how strongly a point belongs to cluster h, from 0 to 1: the density at which it joins, of the
// largest of the cluster.
func (m *Model) Membership(v data.Vec, h int) float64 {
	point := make([]float64, m.Dim())
	into(v, point)
	return membership(m.place(point)[0].lambda, m.Densest[h])
}

func membership(lambda, densest float64) float64 {
	if !(densest > 0) || lambda >= densest {
		return 1
	}
	return lambda / densest
}

// Reach returns the distance at which a point would join each cluster in the tree: by mutual reachability, from the nearest of its
// rows.
func (m *Model) Reach(v data.Vec) []float64 {
	out := make([]float64, len(m.Densest))
	for h, y := range m.entries(v) {
		out[h] = y.reach
	}
	return out
}

// Entry returns the row of cluster h at which a point would join it.
func (m *Model) Entry(v data.Vec, h int) []float64 {
	out := make([]float64, m.Dim())
	into(m.Rows.rows().Row(int(m.entries(v)[h].row), make([]float64, m.Dim())), out)
	return out
}

// entries returns where a point would join each cluster.
func (m *Model) entries(v data.Vec) []join {
	point := make([]float64, m.Dim())
	into(v, point)
	core := m.newJoins(point)[0].core
	out := slices.Repeat([]join{{reach: math.Inf(1)}}, len(m.Densest))
	m.near(point, func(int) float64 { return math.Inf(1) }, func(_ int, j int32, dist2 float64) {
		if h := m.Labels[j]; h >= 0 {
			dist := math.Sqrt(dist2)
			out[h].offer(j, max(dist, core, m.Core[j]), dist)
		}
	})
	return out
}

// JoinedBy returns the distance at which a share of the rows of cluster h has joined the tree.
func (m *Model) JoinedBy(h int, share float64) float64 {
	var densities []float64
	for i, own := range m.Labels {
		if own == h {
			densities = append(densities, m.Lambda[i])
		}
	}
	slices.Sort(densities)
	at := len(densities) - int(math.Ceil(share*float64(len(densities))))
	if at >= len(densities) {
		return 0
	}
	return min(1/densities[at], math.MaxFloat64)
}

// A join is where a point joins the tree.
type join struct {
	nearest []nearRow // the rows that make the core distance, ascending
	core    float64
	row     int32   // the nearest by mutual reachability
	reach   float64 // at which distance it is
	dist    float64 // and how far it is
	label   int
	lambda  float64
}

// offer takes a row where it is nearer.
func (y *join) offer(row int32, reach, dist float64) {
	if reach < y.reach || reach == y.reach && (dist < y.dist || dist == y.dist && row < y.row) {
		y.row, y.reach, y.dist = row, reach, dist
	}
}

// A nearRow is a row and its squared distance.
type nearRow struct {
	dist2 float64
	row   int32
}

// newJoins finds the core distances of points: those of as many rows as core distances of the fit have, each row's own
// among them.
func (m *Model) newJoins(points []float64) []join {
	most := m.MinPoints + 1
	joins := make([]join, len(points)/m.Dim())
	m.search.asked.Add(int64(len(joins)))
	all := make([]nearRow, len(joins)*most)
	for q := range joins {
		joins[q].nearest = all[q*most : q*most : (q+1)*most]
		joins[q].reach = math.Inf(1)
	}
	limit := func(q int) float64 {
		if list := joins[q].nearest; len(list) == most {
			return list[most-1].dist2
		}
		return math.Inf(1)
	}
	m.near(points, limit, func(q int, row int32, dist2 float64) {
		list := joins[q].nearest
		if len(list) < most {
			list = append(list, nearRow{})
		} else if dist2 >= list[most-1].dist2 {
			return
		}
		at := len(list) - 1
		for ; at > 0 && list[at-1].dist2 > dist2; at-- {
			list[at] = list[at-1]
		}
		list[at] = nearRow{dist2, row}
		joins[q].nearest = list
	})
	for q := range joins {
		y := &joins[q]
		y.core = math.Sqrt(y.nearest[len(y.nearest)-1].dist2)
	}
	return joins
}

// place returns where points join the tree.
func (m *Model) place(points []float64) []join {
	joins := m.newJoins(points)
	offer := func(q int, row int32, dist2 float64) {
		y, dist := &joins[q], math.Sqrt(dist2)
		y.offer(row, max(dist, y.core, m.Core[row]), dist)
	}
	for q := range joins { // a bound to begin with
		for _, near := range joins[q].nearest {
			offer(q, near.row, near.dist2)
		}
	}
	// The square of the root of a number may be less than the number.
	m.near(points, func(q int) float64 { return joins[q].reach * joins[q].reach * (1 + 1e-15) }, offer)
	for q := range joins {
		m.assign(&joins[q])
	}
	return joins
}

// assign finds the cluster of a point by the row that it joins, and the density at which it does.
func (m *Model) assign(y *join) {
	near := y.row
	y.label = m.Labels[near]
	if y.lambda = math.Inf(1); y.reach > 0 {
		y.lambda = 1 / y.reach
	}
	if y.dist == 0 { // a row of the fit: at its own density
		y.lambda = m.Lambda[near]
		return
	}
	if m.Join {
		return
	}
	at := m.Node[near]
	if m.Lambda[near] > y.lambda {
		for at > 0 && m.Birth[at] >= y.lambda {
			at = m.Parent[at]
		}
	}
	if at != m.Node[near] && !m.Inside[at] {
		y.label = noCluster
	}
}
