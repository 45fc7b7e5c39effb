package affinity

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A KDTree is a k-d tree: a node holds a run of leaf panels and the box around
// their rows, and is halved along the longest side of its box. So is a leaf
// panel, until it is cut into leaves, whose boxes are compared with a row all at
// once. All leaves but the last are full. Nodes are in preorder: a node of m leaf
// panels at v has its children at v+1 and at v+2⌈m/2⌉. Nobody changes a tree.
type KDTree struct {
	Leaves
	Box       []float64     // of node v: from 2·d·v on, the least and the greatest of each feature
	LowestRow []int32       // the lowest row of each node
	Low, High *simd.Columns // the box of each leaf
}

// A TreeNode is a node with leaf panels Lo to Hi.
type TreeNode struct{ Node, Lo, Hi int }

// Children returns the two halves of a node of more than one leaf panel.
func (s TreeNode) Children() (a, b TreeNode) {
	half := (s.Hi - s.Lo + 1) / 2
	return TreeNode{s.Node + 1, s.Lo, s.Lo + half}, TreeNode{s.Node + 2*half, s.Lo + half, s.Hi}
}

// Root returns the node of all leaf panels.
func (t *KDTree) Root() TreeNode { return TreeNode{0, 0, t.NumLeafPanels()} }

// NumNodes returns the number of nodes.
func (t *KDTree) NumNodes() int { return 2*t.NumLeafPanels() - 1 }

// buildKDTree builds the tree of a dense table, level by level.
func buildKDTree(ctx context.Context, table *rowTable, workers int) (*KDTree, error) {
	t := &KDTree{Leaves: newLeaves(table)}
	nodes := t.NumNodes()
	t.Box, t.LowestRow = make([]float64, nodes*2*table.d), make([]int32, nodes)
	t.Low, t.High = simd.NewColumns(t.NumLeaves(), table.d), simd.NewColumns(t.NumLeaves(), table.d)
	for level := []TreeNode{t.Root()}; len(level) > 0; {
		if err := blocks.Tasks(ctx, workers, len(level), func(p int) { t.buildNode(level[p]) }); err != nil {
			return nil, err
		}
		var next []TreeNode
		for _, s := range level {
			if s.Hi-s.Lo > 1 {
				a, b := s.Children()
				next = append(next, a, b)
			}
		}
		level = next
	}
	return t, nil
}

// buildNode finds the box of a node and orders its rows so that those of the
// first half come first; it cuts a single leaf panel into leaves.
func (t *KDTree) buildNode(s TreeNode) {
	d := t.table.d
	rows := t.Order[s.Lo*LeafPanelRows : min(len(t.Order), s.Hi*LeafPanelRows)]
	box := t.Box[2*d*s.Node : 2*d*(s.Node+1)]
	t.boundRows(rows, box)
	t.LowestRow[s.Node] = slices.Min(rows)
	if m := s.Hi - s.Lo; m > 1 {
		t.splitRows(rows, box, (m+1)/2*LeafPanelRows)
		return
	}
	t.cutLeaves(rows, s.Lo*LeafPanelRows, slices.Clone(box), make([]float64, d), make([]float64, d))
}

// cutLeaves halves rows, which begin at place at of the order, down to leaves. It
// overwrites box, which is theirs.
func (t *KDTree) cutLeaves(rows []int32, at int, box, low, high []float64) {
	if n := len(rows); n > LeafRows {
		half := (n + 2*LeafRows - 1) / (2 * LeafRows) * LeafRows
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
	t.Low.Set(at/LeafRows, low)
	t.High.Set(at/LeafRows, high)
	t.fillLeaf(at / LeafRows)
}

// boundRows writes the box around rows.
func (t *KDTree) boundRows(rows []int32, box []float64) {
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
func (t *KDTree) splitRows(rows []int32, box []float64, half int) {
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
