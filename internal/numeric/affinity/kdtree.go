package affinity

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/numeric/blocks"
	"github.com/inklinghq/inkling/internal/numeric/simd"
)

// A leaf panel is a panel of leaves, a leaf a panel of rows.
const (
	leafRows      = simd.PanelRows
	leafPanelRows = simd.PanelRows * leafRows
)

// A kdTree is a k-d tree: a node holds a run of leaf panels and the box around
// their rows, and is halved along the longest side of its box. So is a leaf
// panel, until it is cut into leaves, whose boxes are compared with a row all at
// once. All leaves but the last are full. Nodes are in preorder: a node of m leaf
// panels at v has its children at v+1 and at v+2⌈m/2⌉.
type kdTree struct {
	table     *rowTable
	order     []int32 // leaf l holds rows order[l·leafRows] and following
	panels    *simd.Columns
	box       []float64 // of node v: from 2·d·v on, the least and the greatest of each feature
	lowestRow []int32   // the lowest row of each node

	low, high     *simd.Columns // of each leaf
	lowestLeafRow []int32
}

// A treeNode is a node with leaf panels lo to hi.
type treeNode struct{ node, lo, hi int }

// children returns the two halves of a node of more than one leaf panel.
func (s treeNode) children() (a, b treeNode) {
	half := (s.hi - s.lo + 1) / 2
	return treeNode{s.node + 1, s.lo, s.lo + half}, treeNode{s.node + 2*half, s.lo + half, s.hi}
}

func (t *kdTree) numLeafPanels() int { return (len(t.order) + leafPanelRows - 1) / leafPanelRows }
func (t *kdTree) numLeaves() int     { return (len(t.order) + leafRows - 1) / leafRows }

// buildKDTree builds the tree of a dense table, level by level.
func buildKDTree(ctx context.Context, table *rowTable, workers int) (*kdTree, error) {
	t := &kdTree{table: table, order: make([]int32, table.n), panels: simd.NewColumns(table.n, table.d)}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	nodes := 2*t.numLeafPanels() - 1
	t.box, t.lowestRow = make([]float64, nodes*2*table.d), make([]int32, nodes)
	t.low, t.high = simd.NewColumns(t.numLeaves(), table.d), simd.NewColumns(t.numLeaves(), table.d)
	t.lowestLeafRow = make([]int32, t.numLeaves())
	for level := []treeNode{{0, 0, t.numLeafPanels()}}; len(level) > 0; {
		if err := blocks.Tasks(ctx, workers, len(level), func(p int) { t.buildNode(level[p]) }); err != nil {
			return nil, err
		}
		var next []treeNode
		for _, s := range level {
			if s.hi-s.lo > 1 {
				a, b := s.children()
				next = append(next, a, b)
			}
		}
		level = next
	}
	return t, nil
}

// buildNode finds the box of a node and orders its rows so that those of the
// first half come first; it cuts a single leaf panel into leaves.
func (t *kdTree) buildNode(s treeNode) {
	d := t.table.d
	rows := t.order[s.lo*leafPanelRows : min(len(t.order), s.hi*leafPanelRows)]
	box := t.box[2*d*s.node : 2*d*(s.node+1)]
	t.boundRows(rows, box)
	t.lowestRow[s.node] = slices.Min(rows)
	if m := s.hi - s.lo; m > 1 {
		t.splitRows(rows, box, (m+1)/2*leafPanelRows)
		return
	}
	t.cutLeaves(rows, s.lo*leafPanelRows, slices.Clone(box), make([]float64, d), make([]float64, d))
}

// cutLeaves halves rows, which begin at place at of the order, down to leaves. It
// overwrites box, which is theirs.
func (t *kdTree) cutLeaves(rows []int32, at int, box, low, high []float64) {
	if n := len(rows); n > leafRows {
		half := (n + 2*leafRows - 1) / (2 * leafRows) * leafRows
		t.splitRows(rows, box, half)
		t.boundRows(rows[:half], box)
		t.cutLeaves(rows[:half], at, box, low, high)
		t.boundRows(rows[half:], box)
		t.cutLeaves(rows[half:], at+half, box, low, high)
		return
	}
	for f := range low {
		low[f], high[f] = box[2*f], box[2*f+1]
	}
	leaf := at / leafRows
	t.low.Set(leaf, low)
	t.high.Set(leaf, high)
	t.lowestLeafRow[leaf] = slices.Min(rows)
	for p, i := range rows {
		t.panels.Set(at+p, t.table.denseRow(int(i)))
	}
}

// boundRows writes the box around rows.
func (t *kdTree) boundRows(rows []int32, box []float64) {
	for f := range t.table.d {
		box[2*f], box[2*f+1] = math.Inf(1), math.Inf(-1)
	}
	for _, i := range rows {
		for f, y := range t.table.denseRow(int(i)) {
			if y < box[2*f] {
				box[2*f] = y
			}
			if y > box[2*f+1] {
				box[2*f+1] = y
			}
		}
	}
}

// splitRows orders rows along the longest side of their box, just enough that the
// first half comes first.
func (t *kdTree) splitRows(rows []int32, box []float64, half int) {
	longest := 0
	for f := range t.table.d {
		if box[2*f+1]-box[2*f] > box[2*longest+1]-box[2*longest] {
			longest = f
		}
	}
	keys := make([]rowKey, len(rows))
	for p, i := range rows {
		keys[p] = rowKey{t.table.denseRow(int(i))[longest], i}
	}
	selectFirst(keys, half)
	for p, k := range keys {
		rows[p] = k.row
	}
}
