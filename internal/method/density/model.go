package density

import (
	"errors"
	"fmt"
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

	search pointSearch
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
