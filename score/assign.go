package score

import "math"

// assign gives each of the rows a column of its own so that the sum of w is
// greatest (w holds rows of cols weights; rows ≤ cols), and returns the column
// of each row. It is the Hungarian method with potentials: rows join one by
// one, each along a shortest augmenting path, O(rows²·cols). Ties go to the
// lower column.
func assign(w []float64, rows, cols int) []int {
	h := &hungarian{
		w: w, cols: cols,
		u: make([]float64, rows), v: make([]float64, cols),
		owner: make([]int, cols), from: make([]int, cols),
		slack: make([]float64, cols), done: make([]bool, cols),
	}
	for j := range h.owner {
		h.owner[j] = -1
	}
	for i := range rows {
		h.join(i)
	}
	column := make([]int, rows)
	for j, i := range h.owner {
		if i >= 0 {
			column[i] = j
		}
	}
	return column
}

// hungarian keeps the invariant −w_ij − u_i − v_j ≥ 0, with equality where
// column j is owned by row i.
type hungarian struct {
	w     []float64
	cols  int
	u, v  []float64 // potentials of rows and columns
	owner []int     // the row of each column, −1 if it is free
	// The search for one path: the column before each on the shortest path
	// (−1 at its start), what is left to reach it, whether it was reached.
	from  []int
	slack []float64
	done  []bool
}

// join adds row i by the shortest path from it to a free column.
func (h *hungarian) join(i int) {
	for j := range h.cols {
		h.slack[j], h.done[j], h.from[j] = math.Inf(1), false, -1
	}
	row, at := i, -1
	for {
		h.relax(row, at)
		next := h.nearest()
		h.shift(i, h.slack[next])
		h.done[next] = true
		at = next
		if h.owner[at] < 0 {
			break
		}
		row = h.owner[at]
	}
	for at >= 0 {
		before := h.from[at]
		if before >= 0 {
			h.owner[at] = h.owner[before]
		} else {
			h.owner[at] = i
		}
		at = before
	}
}

// relax tries to come nearer to every column through row, reached by column at.
func (h *hungarian) relax(row, at int) {
	w := h.w[row*h.cols : (row+1)*h.cols]
	for j, y := range w {
		if h.done[j] {
			continue
		}
		if c := -y - h.u[row] - h.v[j]; c < h.slack[j] {
			h.slack[j], h.from[j] = c, at
		}
	}
}

// nearest returns the column not reached yet that is least far.
func (h *hungarian) nearest() int {
	best := -1
	for j, s := range h.slack {
		if !h.done[j] && (best < 0 || s < h.slack[best]) {
			best = j
		}
	}
	return best
}

// shift moves the potentials of everything reached by delta, so that the
// nearest column costs nothing.
func (h *hungarian) shift(start int, delta float64) {
	h.u[start] += delta
	for j := range h.cols {
		if h.done[j] {
			h.u[h.owner[j]] += delta
			h.v[j] -= delta
		} else {
			h.slack[j] -= delta
		}
	}
}
