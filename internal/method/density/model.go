package density

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// storedRows are the rows of a fit: dense, or sparse where they were.
type storedRows struct {
	Dense  *data.Dense  `json:"dense,omitempty"`
	Sparse *data.Sparse `json:"sparse,omitempty"`
}

// storeRows copies x.
func storeRows(x data.Rows) *storedRows {
	if s, ok := x.(*data.Sparse); ok {
		return &storedRows{Sparse: &data.Sparse{Cols: s.Cols, Start: slices.Clone(s.Start), Idx: slices.Clone(s.Idx), Val: slices.Clone(s.Val)}}
	}
	out := &data.Dense{Cols: x.Dim(), V: make([]float64, x.Len()*x.Dim())}
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		into(x.Row(i, buf), out.V[i*out.Cols:(i+1)*out.Cols])
	}
	return &storedRows{Dense: out}
}

// into writes v to row, which has as many numbers as there are features.
func into(v data.Vec, row []float64) {
	clear(row)
	for q, y := range v.Val {
		row[v.Feature(q)] = y
	}
}

func (s *storedRows) rows() data.Rows {
	if s.Sparse != nil {
		return s.Sparse
	}
	return s.Dense
}

// A Model places points by the rule of approximate_predict of hdbscan: a point belongs where its nearest
// row by mutual reachability is, at the density at which it would join it. It keeps all rows of the fit.
type Model struct {
	Rows      storedRows `json:"rows"`
	MinPoints int        `json:"min_points"` // neighbours that make a core distance
	Core      []float64  `json:"core"`       // of each row
	Node      []int32    `json:"node"`       // of each row, the node that it falls out of
	Lambda    []float64  `json:"lambda"`     // of each row, where it does
	Labels    []int      `json:"labels"`     // of each row; -1: noise
	Parent    []int32    `json:"parent"`     // of each node
	Birth     []float64  `json:"birth"`      // of each node
	Inside    []bool     `json:"inside"`     // of each node: it is a cluster or part of one
	Densest   []float64  `json:"densest"`    // of each cluster: its largest density, by which memberships are divided
	Join      bool       `json:"join"`       // no point is noise
}

// Model returns what places new points; nil where there was no time for a tree.
func (r *run) Model() cluster.Model {
	if r.stub {
		return nil
	}
	t := r.condensed
	m := &Model{Rows: *r.x, MinPoints: r.a.minPoints(r.p, r.minSize), Core: r.core, Node: t.Node, Lambda: t.Lambda, Labels: slices.Clone(r.labels),
		Parent: t.Parent, Birth: t.Birth, Inside: make([]bool, len(t.Parent)), Densest: r.densest(), Join: r.a.Noise == JoinNoise}
	for v, s := range r.now.selected {
		m.Inside[v] = s >= 0
	}
	return m
}

// outlineNodes is how many nodes of the tree are shown to people.
const outlineNodes = 240

// CondensedTree returns the tree of the fit, to be drawn, with the nodes that are clusters.
func (m *Model) CondensedTree() *hierarchy.Outline {
	t := &hierarchy.Tree{Parent: m.Parent, Birth: m.Birth, Size: make([]int32, len(m.Parent)), Node: m.Node, Lambda: m.Lambda}
	for _, v := range m.Node {
		t.Size[v]++
	}
	var chosen []int32
	for v := len(m.Parent) - 1; v >= 0; v-- {
		if v > 0 {
			t.Size[m.Parent[v]] += t.Size[v]
		}
		if m.Inside[v] && (v == 0 || !m.Inside[m.Parent[v]]) {
			chosen = append(chosen, int32(v))
		}
	}
	return t.Outline(chosen, m.Labels, outlineNodes)
}

// Dim returns the number of features.
func (m *Model) Dim() int { return m.Rows.rows().Dim() }

// Clusters returns the number of clusters.
func (m *Model) Clusters() int { return len(m.Densest) }

// Check refuses a file whose parts do not fit together.
func (m *Model) Check() error {
	if m.Rows.Sparse == nil && m.Rows.Dense == nil {
		return errors.New("the model has no rows")
	}
	if c, ok := m.Rows.rows().(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	n := m.Rows.rows().Len()
	for name, length := range map[string]int{"core": len(m.Core), "node": len(m.Node), "lambda": len(m.Lambda), "labels": len(m.Labels)} {
		if length != n {
			return fmt.Errorf("%s has %d entries for %d rows", name, length, n)
		}
	}
	if n == 0 || len(m.Parent) == 0 || len(m.Birth) != len(m.Parent) || len(m.Inside) != len(m.Parent) || m.MinPoints < 0 {
		return errors.New("the tree of the model is not complete")
	}
	for v, up := range m.Parent {
		if up >= int32(v) || up < 0 && v > 0 || up < -1 {
			return fmt.Errorf("node %d of the tree has parent %d", v, up)
		}
	}
	for i := range n {
		if v, h := m.Node[i], m.Labels[i]; v < 0 || int(v) >= len(m.Parent) || h < noCluster || h >= len(m.Densest) || m.Join && h < 0 {
			return fmt.Errorf("row %d of the model is in node %d and cluster %d", i, v, h)
		}
	}
	return nil
}

// Place writes the cluster of each row lo ≤ i < hi of x to labels[i-lo], -1 for noise.
func (m *Model) Place(x data.Rows, lo, hi int, labels []int) {
	s := m.newSearch()
	for i := lo; i < hi; i++ {
		labels[i-lo], _ = s.place(x.Row(i, s.buf))
	}
}

// Membership returns how strongly a point belongs to cluster h, from 0 to 1: the density at which it joins, of the
// largest of the cluster.
func (m *Model) Membership(v data.Vec, h int) float64 {
	_, lambda := m.newSearch().place(v)
	return membership(lambda, m.Densest[h])
}

// Reach returns the distance at which a point would join each cluster in the tree: by mutual reachability, from the nearest of its
// rows.
func (m *Model) Reach(v data.Vec) []float64 {
	s := m.newSearch()
	into(v, s.point)
	core := s.measure()
	out := slices.Repeat([]float64{math.Inf(1)}, len(m.Densest))
	for j, d := range s.distances {
		if h := m.Labels[j]; h >= 0 {
			out[h] = min(out[h], max(d, core, m.Core[j]))
		}
	}
	return out
}

func membership(lambda, densest float64) float64 {
	if !(densest > 0) || lambda >= densest {
		return 1
	}
	return lambda / densest
}

// A search finds the nearest rows of points, with memory of its own.
type search struct {
	*Model
	x         data.Rows
	buf, row  []float64 // of the point as it is given, and of a row of the model
	point     []float64
	distances []float64
	nearest   []float64 // the distances that make the core distance
}

func (m *Model) newSearch() *search {
	x := m.Rows.rows()
	d := x.Dim()
	return &search{Model: m, x: x, buf: make([]float64, d), row: make([]float64, d), point: make([]float64, d), distances: make([]float64, x.Len())}
}

// place returns the cluster of a point, and the density at which it joins its nearest row.
func (s *search) place(v data.Vec) (label int, lambda float64) {
	into(v, s.point)
	core := s.measure()
	near, reach := 0, math.Inf(1)
	for j, d := range s.distances {
		if y := max(d, core, s.Core[j]); y < reach || y == reach && d < s.distances[near] {
			near, reach = j, y
		}
	}
	if lambda = math.Inf(1); reach > 0 {
		lambda = 1 / reach
	}
	if s.distances[near] == 0 { // a row of the fit: at its own density
		return s.Labels[near], s.Lambda[near]
	}
	if s.Join {
		return s.Labels[near], lambda
	}
	at := s.Node[near]
	if s.Lambda[near] > lambda {
		for at > 0 && s.Birth[at] >= lambda {
			at = s.Parent[at]
		}
	}
	if at != s.Node[near] && !s.Inside[at] {
		return noCluster, lambda
	}
	return s.Labels[near], lambda
}

// measure computes the distances of the point from all rows, and returns its core distance: that of as many rows
// as core distances of the fit have, each row's own among them.
func (s *search) measure() float64 {
	norm, most := data.Norm2(s.point), s.MinPoints+1
	s.nearest = s.nearest[:0] // ascending
	for j := range s.distances {
		d := math.Sqrt(data.Dist2(s.x.Row(j, s.row), s.point, norm))
		s.distances[j] = d
		if len(s.nearest) == most && d >= s.nearest[most-1] {
			continue
		}
		at, _ := slices.BinarySearch(s.nearest, d)
		s.nearest = slices.Insert(s.nearest, at, d)
		s.nearest = s.nearest[:min(len(s.nearest), most)]
	}
	return s.nearest[len(s.nearest)-1]
}
