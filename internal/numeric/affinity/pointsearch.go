package affinity

import (
	"context"
	"math/bits"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A PointSearch finds the rows of a dense table that are near points, which need not be rows: by a k-d
// tree where that is worthwhile, otherwise by comparing several points at a time with all rows. Nobody changes it.
type PointSearch struct {
	table *rowTable
	tree  *KDTree // nil: all rows are compared
}

// NewPointSearch prepares the rows of x, dense, for searches of about k rows.
func NewPointSearch(ctx context.Context, x *data.Dense, k, workers int) (*PointSearch, error) {
	t, err := newRowTable(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	s := &PointSearch{table: t}
	if t.d > treeDim || t.n < treeRows {
		return s, nil
	}
	tree, err := buildKDTree(ctx, t, workers)
	if err != nil {
		return nil, err
	}
	if tree.visitedShare(min(k, t.n-1)) <= ringsShare {
		s.tree = tree
	}
	return s, nil
}

// PointBatch is how many points Near should be called with at a time.
const PointBatch = queryBatch

// Near calls offer with the rows whose squared distance from a point is at most what limit returns for it then, and perhaps with some
// that are farther. Distances are added up in the order of the features. Points follow each other in points; q is their number.
func (s *PointSearch) Near(points []float64, limit func(q int) float64, offer func(q int, row int32, dist2 float64)) {
	r := scratchPool.Get().(*scratch)
	defer scratchPool.Put(r)
	d := s.table.d
	if s.tree != nil {
		r.fitPanels(1)
		for q := range len(points) / d {
			v := &pointVisit{KDTree: s.tree, x: points[q*d : (q+1)*d], q: q, limit: limit, offer: offer, work: r}
			v.visitNode(s.tree.Root())
		}
		return
	}
	step, end := s.table.stripColumns()/simd.PanelRows, s.table.dense.Panels()
	r.fitPanels(step)
	for from := 0; from < end; from += step {
		for q := range len(points) / d {
			offerPanels(s.table.dense, points[q*d:(q+1)*d], from, min(end, from+step), nil, q, limit, offer, r)
		}
	}
}

// offerPanels offers the rows of panels from to to that are not too far. The row at place p of the panels is name[p], or p
// if name is nil.
func offerPanels(c *simd.Columns, x []float64, from, to int, name []int32, q int, limit func(q int) float64, offer func(q int, row int32, dist2 float64), r *scratch) {
	c.Near(x, from, to, limit(q), r.values, r.mask)
	for p, m := range r.mask[:to-from] {
		for ; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros16(m)
			row := int32((from+p)*simd.PanelRows + lane)
			if name != nil {
				row = name[row]
			}
			offer(q, row, r.values[p*simd.PanelRows+lane])
		}
	}
}

// A pointVisit is the search for the rows near one point.
type pointVisit struct {
	*KDTree
	x        []float64
	q        int
	limit    func(q int) float64
	offer    func(q int, row int32, dist2 float64)
	work     *scratch
	boxDists [simd.PanelRows]float64
}

// visitNode visits the nearer half first.
func (v *pointVisit) visitNode(s TreeNode) {
	if s.Hi-s.Lo == 1 {
		v.visitLeafPanel(s.Lo)
		return
	}
	near, far := s.Children()
	a, b := v.boxDist2(v.x, near.Node), v.boxDist2(v.x, far.Node)
	if b < a {
		near, far, a, b = far, near, b, a
	}
	if a <= v.limit(v.q) {
		v.visitNode(near)
	}
	if b <= v.limit(v.q) {
		v.visitNode(far)
	}
}

func (v *pointVisit) visitLeafPanel(b int) {
	mask := simd.NearBoxes(v.x, v.Low, v.High, b, v.limit(v.q), &v.boxDists)
	if left := v.NumLeaves() - b*simd.PanelRows; left < simd.PanelRows {
		mask &= 1<<left - 1
	}
	for ; mask != 0; mask &= mask - 1 {
		j := bits.TrailingZeros16(mask)
		if v.boxDists[j] <= v.limit(v.q) {
			l := b*simd.PanelRows + j
			offerPanels(v.Panels, v.x, l, l+1, v.Order, v.q, v.limit, v.offer, v.work)
		}
	}
}
