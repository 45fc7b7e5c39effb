package dataio

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/inklinghq/inkling/data"
)

// readMTX reads a Matrix Market file: as vectors (one a row; sparse for
// coordinates, dense for an array), as a graph, or as a kernel.
//
// As a graph, one of (i, j) and (j, i) is enough; where both are given they
// must be equal.
func readMTX(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := refuseAs(name, "a Matrix Market file", opt, "vectors", "graph", "kernel"); err != nil {
		return nil, err
	}
	if err := refuseColumns(name, "a Matrix Market file", opt, ""); err != nil {
		return nil, err
	}
	l := newTextLines(r, name)
	h, err := readMTXHeader(l, opt.As)
	if err != nil {
		return nil, err
	}
	m := mtxReader{textLines: l, mtxHeader: h, graph: opt.As == "graph"}
	m.missing = opt.Missing && opt.As != "graph" && opt.As != "kernel"
	if err := m.body(); err != nil {
		return nil, err
	}
	ds := &Dataset{Name: name, Format: "mtx"}
	switch {
	case m.graph && h.array:
		err = m.denseGraph(ds)
	case m.graph:
		err = m.toGraph(ds)
	case h.array:
		m.toDense(ds)
	default:
		err = m.toSparse(ds)
	}
	if err == nil && opt.As == "kernel" {
		err = toKernel(ds)
	}
	if err != nil {
		return nil, err
	}
	if opt.As == "" && h.symmetric && !h.skew {
		ds.Notes = append(ds.Notes, "a symmetric matrix, read as vectors; it can be read as a graph or a kernel")
	}
	return ds, nil
}

type mtxReader struct {
	*textLines
	mtxHeader
	graph, missing bool
	got            int       // entries or values read
	e              entries   // of a coordinate file
	v              []float64 // of an array, column by column as in the file
	lines          lineMap   // of e, or for a graph of v
}

func (m *mtxReader) body() error {
	for m.next() {
		lo, hi := field(m.text, 0)
		if lo == hi || m.text[0] == '%' {
			continue
		}
		if m.got == m.count {
			return m.bad(lo, "", "more than the %s announced", counted(m.count, m.noun()))
		}
		var err error
		if m.array {
			err = m.cell(lo, hi)
		} else {
			err = m.entry(lo, hi)
		}
		if err != nil {
			return err
		}
		m.got++
	}
	if err := m.failed(); err != nil {
		return err
	}
	if m.got < m.count {
		return &Error{File: m.name, Line: m.at, Msg: fmt.Sprintf("%s announced, the file ends after %d", counted(m.count, m.noun()), m.got),
			Hint: "the file seems cut off"}
	}
	return nil
}

func (m *mtxReader) noun() string {
	if m.array {
		return "value"
	}
	return "entry"
}

// entry takes a line `row column [value]`.
func (m *mtxReader) entry(lo, hi int) error {
	i, err := m.index(lo, hi, m.rows, "row")
	if err != nil {
		return err
	}
	from := lo
	lo, hi = field(m.text, hi)
	j, err := m.index(lo, hi, m.cols, "column")
	if err != nil {
		return err
	}
	if m.skew && i == j {
		return m.bad(from, "", "an entry on the diagonal of a skew-symmetric matrix")
	}
	w := 1.0
	lo, hi = field(m.text, hi)
	if !m.pattern {
		if lo == hi {
			return m.bad(lo, "", "the value of row %d, column %d is missing", i, j)
		}
		if w, err = m.value(lo, hi); err != nil {
			return err
		}
		lo, hi = field(m.text, hi)
	}
	if lo < hi {
		return m.bad(lo, "", "%s after the entry", clip(m.text[lo:hi]))
	}
	m.lines.add(len(m.e.u), m.at)
	m.e.add(i-1, j-1, w)
	return nil
}

func (m *mtxReader) index(lo, hi, bound int, what string) (int, error) {
	if lo == hi {
		return 0, m.bad(lo, "", "the %s is missing", what)
	}
	y, ok := natural(m.text[lo:hi])
	if !ok || y < 1 || y > bound {
		return 0, m.bad(lo, "", "%s %s, it must be 1 to %d", what, clip(m.text[lo:hi]), bound)
	}
	return y, nil
}

func (m *mtxReader) value(lo, hi int) (float64, error) {
	y, err := m.number(lo, hi, m.missing)
	if err != nil {
		return 0, err
	}
	if m.graph && y < 0 {
		return 0, m.bad(lo, "", "an edge of weight %v, weights must not be negative", y)
	}
	if m.integer && y == y {
		if y != math.Trunc(y) {
			return 0, m.bad(lo, "", "%s in a matrix of integers", clip(m.text[lo:hi]))
		}
		if math.Abs(y) >= 1<<53 && strconv.FormatFloat(y, 'f', 0, 64) != string(m.text[lo:hi]) {
			return 0, m.bad(lo, "", "%s is a whole number that float64 cannot hold exactly", clip(m.text[lo:hi]))
		}
	}
	return y, nil
}

// cell takes a line that holds the next value of an array.
func (m *mtxReader) cell(lo, hi int) error {
	y, err := m.value(lo, hi)
	if err != nil {
		return err
	}
	if lo, hi = field(m.text, hi); lo < hi {
		return m.bad(lo, "", "%s after the value, an array has one value a line", clip(m.text[lo:hi]))
	}
	if m.graph {
		m.lines.add(m.got, m.at)
	}
	m.v = append(m.v, y)
	return nil
}

func (m *mtxReader) toDense(ds *Dataset) {
	if !m.symmetric {
		ds.X = &data.Dense{Cols: m.cols, V: transpose(m.v, m.rows, m.cols)}
		return
	}
	n, p := m.rows, 0
	v := make([]float64, n*n)
	for j := range n {
		for i := j; i < n; i++ {
			if m.skew && i == j {
				continue
			}
			v[i*n+j], v[j*n+i] = m.v[p], m.v[p]
			if m.skew {
				v[j*n+i] = -m.v[p]
			}
			p++
		}
	}
	ds.X = &data.Dense{Cols: n, V: v}
}
