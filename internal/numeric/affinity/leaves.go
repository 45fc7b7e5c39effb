package affinity

import (
	"slices"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// LeafRows is the number of rows of a leaf, LeafPanelRows that of a leaf panel: a leaf
// is a panel of rows, a leaf panel a panel of leaves.
const (
	LeafRows      = simd.PanelRows
	LeafPanelRows = simd.PanelRows * LeafRows
)

// Leaves are the rows of a dense table in an order in which rows near each other
// come together. All leaves but the last are full.
type Leaves struct {
	table         *rowTable
	Order         []int32       // leaf l holds rows Order[l·LeafRows] and following
	Panels        *simd.Columns // the rows in this order: leaf l is panel l
	LowestLeafRow []int32
}

// newLeaves begins with the order of the table; leaves are still to be filled.
func newLeaves(table *rowTable) Leaves {
	v := Leaves{table: table, Order: make([]int32, table.n), Panels: simd.NewColumns(table.n, table.d)}
	for i := range v.Order {
		v.Order[i] = int32(i)
	}
	v.LowestLeafRow = make([]int32, v.NumLeaves())
	return v
}

// NumLeafPanels returns the number of leaf panels, NumLeaves of leaves.
func (v *Leaves) NumLeafPanels() int { return (len(v.Order) + LeafPanelRows - 1) / LeafPanelRows }

func (v *Leaves) NumLeaves() int { return (len(v.Order) + LeafRows - 1) / LeafRows }

// PlacesOf returns the places in the order that a leaf holds, LeavesOf the leaves of a
// leaf panel.
func (v *Leaves) PlacesOf(leaf int) (lo, hi int) {
	return leaf * LeafRows, min(len(v.Order), (leaf+1)*LeafRows)
}

func (v *Leaves) LeavesOf(panel int) (lo, hi int) {
	return panel * simd.PanelRows, min(v.NumLeaves(), (panel+1)*simd.PanelRows)
}

// fillLeaf copies the rows of a leaf.
func (v *Leaves) fillLeaf(leaf int) {
	lo, hi := v.PlacesOf(leaf)
	v.LowestLeafRow[leaf] = slices.Min(v.Order[lo:hi])
	for p := lo; p < hi; p++ {
		v.Panels.Set(p, v.table.denseRow(int(v.Order[p])))
	}
}
