// Package matrix reads matrices and graphs whose columns have no names: NPY,
// svmlight, Matrix Market, edge lists and METIS.
package matrix

import (
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// entries are cells of a matrix in the order of the file: row u, column v,
// value w. While w is nil, every value is 1.
type entries struct {
	u, v []int32
	w    []float64
}

func (e *entries) addEntry(u, v int, w float64) {
	if w != 1 && e.w == nil {
		e.w = make([]float64, len(e.u), cap(e.u)+1)
		for p := range e.w {
			e.w[p] = 1
		}
	}
	e.u, e.v = append(e.u, int32(u)), append(e.v, int32(v))
	if e.w != nil {
		e.w = append(e.w, w)
	}
}

// findEntry returns the place of the occurrence-th entry at row i, column j; if
// mirrored, entries at row j, column i count as well.
func (e *entries) findEntry(i, j int32, occurrence int, mirrored bool) int {
	for p, u := range e.u {
		if u == i && e.v[p] == j || mirrored && u == j && e.v[p] == i {
			if occurrence--; occurrence == 0 {
				return p
			}
		}
	}
	return -1
}

// csr is a sparse matrix by rows; while val is nil, every value is 1.
type csr struct {
	start []int
	idx   []int32
	val   []float64
}

// byRows groups the entries by row with ascending columns. Entries of the same
// cell stand next to each other, in the order of the file. The slices of e are
// used up.
func (e *entries) byRows(rows, cols int) csr {
	if e.sorted() {
		c := csr{start: make([]int, rows+1), idx: e.v, val: e.w}
		for _, u := range e.u {
			c.start[u+1]++
		}
		cumulate(c.start)
		return c
	}
	if cols > 1<<16 && cols/4 > len(e.u) { // most columns are empty: not worth counting
		c := groupBy(e.u, e.v, e.w, rows)
		c.sortRows()
		return c
	}
	c := groupBy(e.v, e.u, e.w, cols)
	return c.transposed(rows)
}

// sortRows sorts the indices of each row; equal ones keep their order.
func (c *csr) sortRows() {
	type cell struct {
		j int32
		w float64
	}
	var row []cell
	for i := range len(c.start) - 1 {
		lo, hi := c.start[i], c.start[i+1]
		if slices.IsSorted(c.idx[lo:hi]) {
			continue
		}
		row = row[:0]
		for p := lo; p < hi; p++ {
			row = append(row, cell{c.idx[p], c.valueAt(p)})
		}
		slices.SortStableFunc(row, func(a, b cell) int { return int(a.j) - int(b.j) })
		for p, x := range row {
			c.idx[lo+p] = x.j
			if c.val != nil {
				c.val[lo+p] = x.w
			}
		}
	}
}

func (e *entries) sorted() bool {
	for p := 1; p < len(e.u); p++ {
		if e.u[p] < e.u[p-1] || e.u[p] == e.u[p-1] && e.v[p] < e.v[p-1] {
			return false
		}
	}
	return true
}

// groupBy groups pairs by key, 0 to n−1, in the order they came.
func groupBy(key, other []int32, w []float64, n int) csr {
	c := csr{start: make([]int, n+1), idx: make([]int32, len(key))}
	if w != nil {
		c.val = make([]float64, len(key))
	}
	for _, k := range key {
		c.start[k+1]++
	}
	cumulate(c.start)
	next := append([]int(nil), c.start[:n]...)
	for p, k := range key {
		q := next[k]
		next[k] = q + 1
		c.idx[q] = other[p]
		if w != nil {
			c.val[q] = w[p]
		}
	}
	return c
}

// transposed returns the transpose, which has n rows; its indices are ascending.
func (c csr) transposed(n int) csr {
	t := csr{start: make([]int, n+1), idx: make([]int32, len(c.idx))}
	if c.val != nil {
		t.val = make([]float64, len(c.idx))
	}
	for _, j := range c.idx {
		t.start[j+1]++
	}
	cumulate(t.start)
	next := append([]int(nil), t.start[:n]...)
	for i := range len(c.start) - 1 {
		for p := c.start[i]; p < c.start[i+1]; p++ {
			q := next[c.idx[p]]
			next[c.idx[p]] = q + 1
			t.idx[q] = int32(i)
			if c.val != nil {
				t.val[q] = c.val[p]
			}
		}
	}
	return t
}

// cumulate turns counts, shifted by one, into starts.
func cumulate(start []int) {
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
}

func (c csr) valueAt(p int) float64 {
	if c.val == nil {
		return 1
	}
	return c.val[p]
}

// explicitValues makes the values explicit.
func (c *csr) explicitValues() []float64 {
	if c.val == nil {
		c.val = make([]float64, len(c.idx))
		for p := range c.val {
			c.val[p] = 1
		}
	}
	return c.val
}

// firstRepeated returns the first cell that is given more than once.
func (c csr) firstRepeated() (i, j int32, found bool) {
	for i := range len(c.start) - 1 {
		for p := c.start[i] + 1; p < c.start[i+1]; p++ {
			if c.idx[p] == c.idx[p-1] {
				return int32(i), c.idx[p], true
			}
		}
	}
	return 0, 0, false
}

// sumRepeated adds up values of the same cell and returns how many there were too many.
func (c *csr) sumRepeated() int {
	if _, _, found := c.firstRepeated(); !found {
		return 0
	}
	c.explicitValues()
	out, lo := 0, 0
	for i := range len(c.start) - 1 {
		first, hi := out, c.start[i+1]
		for p := lo; p < hi; p++ {
			if out > first && c.idx[out-1] == c.idx[p] {
				c.val[out-1] += c.val[p]
				continue
			}
			c.idx[out], c.val[out] = c.idx[p], c.val[p]
			out++
		}
		lo, c.start[i+1] = hi, out
	}
	extra := len(c.idx) - out
	c.idx, c.val = c.idx[:out], c.val[:out]
	return extra
}

// equals reports whether two matrices of ascending rows are the same.
func (c csr) equals(t csr) bool {
	if len(c.idx) != len(t.idx) {
		return false
	}
	for i, s := range c.start {
		if s != t.start[i] {
			return false
		}
	}
	for p, j := range c.idx {
		if j != t.idx[p] || c.valueAt(p) != t.valueAt(p) {
			return false
		}
	}
	return true
}

// merge merges two matrices of ascending rows. Where both have a cell, both
// decides its value, or stops the merge by returning false.
func (c csr) merge(t csr, both func(i, j int32, x, y float64) (float64, bool)) (csr, bool) {
	size := len(c.idx) + len(t.idx)
	m := csr{start: make([]int, len(c.start)), idx: make([]int32, 0, size), val: make([]float64, 0, size)}
	for i := range len(c.start) - 1 {
		p, q := c.start[i], t.start[i]
		for p < c.start[i+1] || q < t.start[i+1] {
			var j int32
			var w float64
			switch {
			case q == t.start[i+1] || p < c.start[i+1] && c.idx[p] < t.idx[q]:
				j, w = c.idx[p], c.valueAt(p)
				p++
			case p == c.start[i+1] || t.idx[q] < c.idx[p]:
				j, w = t.idx[q], t.valueAt(q)
				q++
			default:
				var ok bool
				j = c.idx[p]
				if w, ok = both(int32(i), j, c.valueAt(p), t.valueAt(q)); !ok {
					return csr{}, false
				}
				p, q = p+1, q+1
			}
			m.idx, m.val = append(m.idx, j), append(m.val, w)
		}
		m.start[i+1] = len(m.idx)
	}
	return m, true
}

// keepEntries drops the entries that want turns down and returns how many; want is
// asked in order.
func (c *csr) keepEntries(want func(i, p int) bool) int {
	out, lo := 0, 0
	for i := range len(c.start) - 1 {
		hi := c.start[i+1]
		for p := lo; p < hi; p++ {
			if want(i, p) {
				c.idx[out] = c.idx[p]
				if c.val != nil {
					c.val[out] = c.val[p]
				}
				out++
			}
		}
		lo, c.start[i+1] = hi, out
	}
	dropped := len(c.idx) - out
	c.idx = c.idx[:out]
	if c.val != nil {
		c.val = c.val[:out]
	}
	return dropped
}

func (c csr) toGraph() *data.Graph {
	w := c.explicitValues()
	return &data.Graph{Start: c.start, To: c.idx, W: w}
}
