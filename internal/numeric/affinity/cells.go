package affinity

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Cells are as many as rows divided by rowsPerCell, fewer of very many rows, whose distances to all centres would take too long. A
// row looks for near cells among those whose centres are nearest to that of its own, cellsAround, and is compared with the rows of
// at most mostCompared/n of all on average.
const (
	rowsPerCell, cellsByRoot = 100, 4
	cellsAround              = 256
	mostCompared             = 20_000
	leastCellDim             = 6 // with fewer features the exact search by a tree is as fast
)

// cells are dense rows grouped around centres, each with the rows nearest to it. Neighbours are searched for in a few
// cells around a row, and those beyond are missed.
type cells struct {
	*rowTable
	centre []float64
	of     []int32     // the cell of each row
	panel  []int       // where each cell begins, at a panel of its own
	row    []int32     // at each place of the panels, -1 for none
	sieve  *simd.Sieve // the rows of the panels
	around [][]int32   // each cell: the cells nearest to it, itself included
}

// newCells returns nil where single precision does not tell the rows apart.
func newCells(ctx context.Context, t *rowTable, workers int) (*cells, error) {
	m := min(t.n/rowsPerCell, cellsByRoot*int(math.Sqrt(float64(t.n))))
	c := &cells{rowTable: t, centre: make([]float64, 0, m*t.d)}
	for _, i := range drawSorted(rand.New(rand.NewPCG(uint64(t.n), 0x43454c4c)), t.n, m) {
		c.centre = append(c.centre, t.denseRow(i)...)
	}
	of, err := t.nearestCentres(ctx, m, c.centre, workers)
	if err != nil {
		return nil, err
	}
	c.centre = t.groupMeans(m, c.centre, of)
	if c.of, err = t.nearestCentres(ctx, m, c.centre, workers); err != nil {
		return nil, err
	}
	if !c.fill(m) {
		return nil, nil
	}
	c.around = make([][]int32, m)
	every := make([]int32, m)
	for g := range every {
		every[g] = int32(g)
	}
	all := c.columnsOf(every)
	return c, blocks.Tasks(ctx, workers, m, func(g int) {
		r := scratchPool.Get().(*scratch)
		defer scratchPool.Put(r)
		c.around[g] = make([]int32, min(m, cellsAround))
		to := nearestList{idx: c.around[g], dist: make([]float64, len(c.around[g]))}
		r.fitPanels(all.Panels())
		scanPanels(all, c.centreOf(g), 0, all.Panels(), -1, nil, &to, r)
	})
}

// fill copies the rows to panels, unless single precision does not tell them apart.
func (c *cells) fill(m int) bool {
	c.panel = make([]int, m+1)
	for _, g := range c.of {
		c.panel[g+1]++
	}
	for g := range m {
		c.panel[g+1] = c.panel[g] + (c.panel[g+1]+simd.PanelRows-1)/simd.PanelRows
	}
	if c.sieve = c.newSieve(c.panel[m] * simd.PanelRows); c.sieve == nil {
		return false
	}
	c.row = slices.Repeat([]int32{-1}, c.panel[m]*simd.PanelRows)
	at := make([]int, m)
	for g := range at {
		at[g] = c.panel[g] * simd.PanelRows
	}
	for i, g := range c.of {
		c.sieve.Set(at[g], c.denseRow(i))
		c.row[at[g]] = int32(i)
		at[g]++
	}
	return true
}

func (c *cells) centreOf(g int) []float64 { return c.centre[g*c.d : (g+1)*c.d] }

// columnsOf returns the centres of some cells.
func (c *cells) columnsOf(some []int32) *simd.Columns {
	out := simd.NewColumns(len(some), c.d)
	for p, g := range some {
		out.Set(p, c.centreOf(int(g)))
	}
	return out
}

// byCells finds neighbours in cells, in as many around each row as a sample of rows needs to find a share of goal, and
// reports false where these are too many or rows cannot be told apart.
func (nb *Neighbours) byCells(ctx context.Context, goal float64, workers int) (bool, error) {
	truth, err := nb.sampleTruth(ctx, workers)
	if err != nil {
		return false, err
	}
	c, err := newCells(ctx, nb.table, workers)
	if c == nil || err != nil {
		return false, err
	}
	near, recall := c.enough(truth, goal)
	if c.compared(near) > mostCompared*float64(nb.N) || recall < goal {
		return false, nil
	}
	nb.Method, nb.Recall = "cells", recall
	return true, blocks.Tasks(ctx, workers, len(c.around), func(g int) {
		s := c.begin(g, near)
		defer scratchPool.Put(s.scratch)
		for _, i := range c.row[c.panel[g]*simd.PanelRows : c.panel[g+1]*simd.PanelRows] {
			if i >= 0 {
				best := nb.emptyList(int(i))
				s.search(ctx, int(i), &best)
			}
		}
	})
}

// enough returns in how many cells the share goal of the neighbours of sampled rows is, and that share; if they are not in all
// cells that are looked at, the share in these.
func (c *cells) enough(truth []sampledTruth, goal float64) (near int, share float64) {
	in, total := make([]int, len(c.around[0])), 0
	place := make([]int, len(c.around))
	for _, t := range truth {
		s := c.begin(int(c.of[t.row]), len(in))
		for q, h := range s.order(t.row) {
			place[s.around[h]] = q + 1
		}
		for _, j := range t.near {
			if q := place[c.of[j]]; q > 0 {
				in[q-1]++
			}
		}
		for _, h := range s.around {
			place[h] = 0
		}
		total += len(t.near)
		scratchPool.Put(s.scratch)
	}
	found := 0
	for q, m := range in {
		if found += m; float64(found) >= goal*float64(total) {
			return q + 1, float64(found) / float64(total)
		}
	}
	return len(in), float64(found) / float64(total)
}

// compared returns about how many pairs of rows are compared in so many cells around each row.
func (c *cells) compared(near int) (pairs float64) {
	for g, around := range c.around {
		rows := 0
		for _, h := range around[:near] {
			rows += c.panel[h+1] - c.panel[h]
		}
		pairs += float64(c.panel[g+1]-c.panel[g]) * float64(rows)
	}
	return pairs * simd.PanelRows * simd.PanelRows
}

// A cellSearch is a search for the neighbours of the rows of one cell.
type cellSearch struct {
	*cells
	*scratch
	around  []int32
	centres *simd.Columns // of the cells around
	nearest nearestList   // of these, to a row
	x       []float32     // the row in single precision
}

// begin prepares a search in so many cells around each row of a cell.
func (c *cells) begin(cell, near int) *cellSearch {
	s := &cellSearch{cells: c, scratch: scratchPool.Get().(*scratch), around: c.around[cell]}
	s.centres, s.x = c.columnsOf(s.around), make([]float32, c.d)
	s.fitPanels(s.centres.Panels())
	s.nearest = nearestList{idx: make([]int32, near), dist: make([]float64, near)}
	return s
}

// order returns which of the cells around are nearest to row i, the nearest first.
func (s *cellSearch) order(i int) []int32 {
	s.nearest.count = 0
	scanPanels(s.centres, s.denseRow(i), 0, s.centres.Panels(), -1, nil, &s.nearest, s.scratch)
	return s.nearest.idx
}

// search offers the rows of the cells nearest to row i to best, and all rows where these are too few.
func (s *cellSearch) search(ctx context.Context, i int, best *nearestList) {
	s.sieve.Round(s.denseRow(i), s.x)
	limit := s.sieve.Limit(math.Inf(1))
	for _, h := range s.order(i) {
		g := s.around[h]
		for p := s.panel[g]; p < s.panel[g+1]; p++ {
			mask := s.sieve.Near(s.x, p, limit)
			if mask == 0 {
				continue
			}
			for ; mask != 0; mask &= mask - 1 {
				if j := s.row[p*simd.PanelRows+bits.TrailingZeros16(mask)]; int(j) != i {
					best.insert(j, s.dist2(i, int(j)))
				}
			}
			limit = s.sieve.Limit(math.Sqrt(best.cutoff()))
		}
	}
	if best.count < len(best.idx) {
		best.count = 0
		s.scanTable(ctx, []int{i}, []nearestList{*best}, s.scratch)
	}
}
