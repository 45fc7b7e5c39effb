package combinatorial

import "math"

// Assign gives each row of a cost table, of cols columns and at most as many
// rows, a column of its own so that the sum of the costs is least, and returns
// the column of each row and the sum. Infinite costs are never taken; where that
// is impossible it returns nil and +Inf. Ties go to the lower column.
//
// It is the Hungarian method with potentials: rows are added one by one, each
// along a shortest augmenting path, O(rows²·cols).
func Assign(cost []float64, cols int) (column []int32, sum float64) {
	if len(cost) == 0 {
		return []int32{}, 0
	}
	rows := len(cost) / cols
	a := &assignment{
		cost: cost, cols: cols, rowPotential: make([]float64, rows), columnPotential: make([]float64, cols),
		owner: make([]int32, cols), previous: make([]int32, cols), distance: make([]float64, cols), reached: make([]bool, cols),
	}
	for j := range a.owner {
		a.owner[j] = -1
	}
	for i := range rows {
		if !a.addRow(i) {
			return nil, math.Inf(1)
		}
	}
	column = make([]int32, rows)
	for j, i := range a.owner {
		if i >= 0 {
			column[i] = int32(j)
			sum += cost[int(i)*cols+j]
		}
	}
	return column, sum
}

// An assignment of the rows added so far. It keeps the invariant
// cost_ij − rowPotential_i − columnPotential_j ≥ 0, with equality where row i
// owns column j.
type assignment struct {
	cost                          []float64
	cols                          int
	rowPotential, columnPotential []float64
	owner                         []int32 // the row of each column, −1 if it is free
	// The search for one path: the column before each on the shortest path
	// (−1 at its start), what is left to reach it, whether it was reached.
	previous []int32
	distance []float64
	reached  []bool
}

// addRow adds row i along the shortest path from it to a free column; false if
// no path of finite cost leads to one.
func (a *assignment) addRow(i int) bool {
	for j := range a.cols {
		a.distance[j], a.reached[j], a.previous[j] = math.Inf(1), false, -1
	}
	row, at := i, int32(-1)
	for {
		next := a.nearestColumn(row, at)
		if next < 0 {
			return false
		}
		a.shiftPotentials(i, a.distance[next])
		a.reached[next] = true
		at = next
		if a.owner[at] < 0 {
			break
		}
		row = int(a.owner[at])
	}
	for at >= 0 {
		before := a.previous[at]
		if before >= 0 {
			a.owner[at] = a.owner[before]
		} else {
			a.owner[at] = int32(i)
		}
		at = before
	}
	return true
}

// nearestColumn extends all paths by row, which was reached through column at,
// and returns the nearest column that was not reached yet, -1 if all are
// infinitely far.
func (a *assignment) nearestColumn(row int, at int32) int32 {
	nearest, least := int32(-1), math.Inf(1)
	for j, c := range a.cost[row*a.cols : (row+1)*a.cols] {
		if a.reached[j] {
			continue
		}
		if c := c - a.rowPotential[row] - a.columnPotential[j]; c < a.distance[j] {
			a.distance[j], a.previous[j] = c, at
		}
		if a.distance[j] < least {
			nearest, least = int32(j), a.distance[j]
		}
	}
	return nearest
}

// shiftPotentials moves the potentials of everything reached by delta, so that
// the nearest column costs nothing.
func (a *assignment) shiftPotentials(start int, delta float64) {
	a.rowPotential[start] += delta
	for j := range a.cols {
		if a.reached[j] {
			a.rowPotential[a.owner[j]] += delta
			a.columnPotential[j] -= delta
		} else {
			a.distance[j] -= delta
		}
	}
}
