package matrix

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// toSparse makes rows of the entries.
func (m *mtxReader) toSparse(ds *source.Dataset) error {
	if m.symmetric {
		m.mirror()
	}
	c, err := m.matrix()
	if err != nil {
		return err
	}
	val := c.explicitValues()
	c.keepEntries(func(i int, p int) bool { return val[p] != 0 })
	ds.X = fullRows(&data.Sparse{Cols: m.cols, Start: c.start, Idx: c.idx, Val: c.val})
	return nil
}

// mirror adds the triangle that the file leaves out.
func (m *mtxReader) mirror() {
	sign := 1.0
	if m.skew {
		sign = -1
	}
	for p := range m.e.u {
		if i, j := m.e.u[p], m.e.v[p]; i != j {
			w := 1.0
			if m.e.w != nil {
				w = m.e.w[p]
			}
			m.e.addEntry(int(j), int(i), sign*w)
		}
	}
}

// matrix groups the entries by row; no cell may be given twice.
func (m *mtxReader) matrix() (csr, error) {
	if source.OutOfProportion(m.rows, source.FreeRows, len(m.e.u)) || source.OutOfProportion(m.cols, source.FreeColumns, len(m.e.u)) {
		return csr{}, &source.Error{File: m.Name, Msg: fmt.Sprintf("%d by %d is out of proportion to %s", m.rows, m.cols, source.Counted(m.got, "entry"))}
	}
	c := m.e.byRows(m.rows, m.cols)
	i, j, found := c.firstRepeated()
	if !found {
		return c, nil
	}
	line := m.lines.LineOf(m.e.findEntry(i, j, 2, m.symmetric))
	first := m.lines.LineOf(m.e.findEntry(i, j, 1, m.symmetric))
	if m.symmetric && i < j {
		i, j = j, i
	}
	return csr{}, &source.Error{File: m.Name, Line: line, Msg: fmt.Sprintf("row %d, column %d is given twice, first on line %d", i+1, j+1, first)}
}

// toGraph makes an undirected graph of the entries.
func (m *mtxReader) toGraph(ds *source.Dataset) error {
	c, err := m.matrix()
	if err != nil {
		return err
	}
	c.idx = slices.Clone(c.idx) // the entries are still needed, to find lines
	loops := c.keepEntries(func(i, p int) bool { return int(c.idx[p]) != i })
	t := c.transposed(m.rows)
	once := 0
	if m.symmetric || !c.equals(t) {
		if c, once, err = m.bothWays(c, t); err != nil {
			return err
		}
	}
	val := c.explicitValues()
	zeros := c.keepEntries(func(i, p int) bool { return val[p] != 0 }) / 2
	ds.Graph = c.toGraph()
	if once > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s given in one direction only, counted for both", source.Counted(once, "edge")))
	}
	if zeros > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s of weight 0 left out", source.Counted(zeros, "edge")))
	}
	m.noteLoops(ds, loops)
	return nil
}

func (m *mtxReader) noteLoops(ds *source.Dataset, loops int) {
	if loops > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s left out: a node has no edge to itself", source.Counted(loops, "diagonal entry")))
	}
}

// denseGraph makes a graph of the cells of an array that are not zero.
func (m *mtxReader) denseGraph(ds *source.Dataset) error {
	n, loops := m.rows, 0
	m.toDense(ds)
	v := ds.X.(*data.Dense).V
	ds.X = nil
	c := csr{start: make([]int, 1, n+1)}
	for i := range n {
		for j := range n {
			x, y := v[i*n+j], v[j*n+i]
			switch {
			case x != y:
				return m.unequal(i, j, x, y, m.lines.LineOf(i*n+j), m.lines.LineOf(j*n+i))
			case x != 0 && i == j:
				loops++
			case x != 0:
				c.idx, c.val = append(c.idx, int32(j)), append(c.val, x)
			}
		}
		c.start = append(c.start, len(c.idx))
	}
	ds.Graph = c.toGraph()
	m.noteLoops(ds, loops)
	return nil
}

func (m *mtxReader) unequal(i, j int, x, y float64, other, line int) *source.Error {
	return &source.Error{File: m.Name, Line: max(line, other), Msg: fmt.Sprintf("row %d, column %d is %v but row %d, column %d is %v (line %d)", i+1, j+1, x, j+1, i+1, y, min(line, other)),
		Hint: "a graph is symmetric"}
}

// bothWays merges a matrix with its transpose and counts the edges that only
// one of them has.
func (m *mtxReader) bothWays(c, t csr) (merged csr, once int, err error) {
	var fault *source.Error
	both := 0
	merged, ok := c.merge(t, func(i, j int32, x, y float64) (float64, bool) {
		if x == y && !m.symmetric {
			both++
			return x, true
		}
		first, line := m.lines.LineOf(m.e.findEntry(i, j, 1, true)), m.lines.LineOf(m.e.findEntry(i, j, 2, true))
		fault = m.unequal(int(i), int(j), x, y, first, line)
		if m.symmetric {
			fault = &source.Error{File: m.Name, Line: line, Msg: fmt.Sprintf("row %d, column %d is given twice, first on line %d", j+1, i+1, first),
				Hint: "a symmetric file gives one triangle"}
		}
		return 0, false
	})
	if !ok {
		return csr{}, 0, fault
	}
	if !m.symmetric {
		once = (len(merged.idx) - both) / 2
	}
	return merged, once, nil
}
