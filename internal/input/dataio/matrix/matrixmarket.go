package matrix

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ReadMTX reads a Matrix Market file: as vectors (one a row; sparse for
// coordinates, dense for an array), as a graph, or as a kernel.
//
// As a graph, one of (i, j) and (j, i) is enough; where both are given they
// must be equal.
func ReadMTX(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	if err := source.RefuseKind(name, "a Matrix Market file", opt, source.AsVectors, source.AsGraph, source.AsKernel); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "a Matrix Market file", opt, ""); err != nil {
		return nil, err
	}
	l := scan.NewLines(r, name)
	h, err := readMTXHeader(l, opt.As)
	if err != nil {
		return nil, err
	}
	m := mtxReader{Lines: l, mtxHeader: h, graph: opt.As == source.AsGraph}
	m.missing = opt.Missing && opt.As != source.AsGraph && opt.As != source.AsKernel
	if err := m.readBody(); err != nil {
		return nil, err
	}
	ds := &source.Dataset{Name: name, Format: "mtx"}
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
	if err == nil && opt.As == source.AsKernel {
		err = source.MakeKernel(ds)
	}
	if err != nil {
		return nil, err
	}
	if opt.As == "" && h.symmetric && !h.skew {
		ds.Notes = append(ds.Notes, "a symmetric matrix, read as vectors; it can be read as a graph or a kernel")
	}
	return ds, nil
}

func (m *mtxReader) readBody() error {
	for m.NextLine() {
		lo, hi := scan.NextField(m.Text, 0)
		if lo == hi || m.Text[0] == '%' {
			continue
		}
		if m.got == m.count {
			return m.Refusef(lo, "", "more than the %s announced", source.Counted(m.count, m.itemNoun()))
		}
		var err error
		if m.array {
			err = m.readCell(lo, hi)
		} else {
			err = m.readEntry(lo, hi)
		}
		if err != nil {
			return err
		}
		m.got++
	}
	if err := m.Failed(); err != nil {
		return err
	}
	if m.got < m.count {
		return &source.Error{File: m.Name, Line: m.Number, Msg: fmt.Sprintf("%s announced, the file ends after %d", source.Counted(m.count, m.itemNoun()), m.got),
			Hint: "the file seems cut off"}
	}
	return nil
}

func (m *mtxReader) itemNoun() string {
	if m.array {
		return "value"
	}
	return "entry"
}

// readEntry takes a line `row column [value]`.
func (m *mtxReader) readEntry(lo, hi int) error {
	i, err := m.parseIndex(lo, hi, m.rows, "row")
	if err != nil {
		return err
	}
	from := lo
	lo, hi = scan.NextField(m.Text, hi)
	j, err := m.parseIndex(lo, hi, m.cols, "column")
	if err != nil {
		return err
	}
	if m.skew && i == j {
		return m.Refusef(from, "", "an entry on the diagonal of a skew-symmetric matrix")
	}
	w := 1.0
	lo, hi = scan.NextField(m.Text, hi)
	if !m.pattern {
		if lo == hi {
			return m.Refusef(lo, "", "the value of row %d, column %d is missing", i, j)
		}
		if w, err = m.parseValue(lo, hi); err != nil {
			return err
		}
		lo, hi = scan.NextField(m.Text, hi)
	}
	if lo < hi {
		return m.Refusef(lo, "", "%s after the entry", source.Clip(m.Text[lo:hi]))
	}
	m.lines.AddLine(len(m.e.u), m.Number)
	m.e.addEntry(i-1, j-1, w)
	return nil
}

func (m *mtxReader) parseIndex(lo, hi, bound int, what string) (int, error) {
	if lo == hi {
		return 0, m.Refusef(lo, "", "the %s is missing", what)
	}
	y, ok := scan.ParseNatural(m.Text[lo:hi])
	if !ok || y < 1 || y > bound {
		return 0, m.Refusef(lo, "", "the %s must be 1 to %d, got %s", what, bound, source.Clip(m.Text[lo:hi]))
	}
	return y, nil
}

func (m *mtxReader) parseValue(lo, hi int) (float64, error) {
	y, err := m.ParseNumber(lo, hi, m.missing)
	if err != nil {
		return 0, err
	}
	if m.graph && y < 0 {
		return 0, m.Refusef(lo, "", "an edge of weight %v, weights must not be negative", y)
	}
	if m.integer && y == y {
		if y != math.Trunc(y) {
			return 0, m.Refusef(lo, "", "%s in a matrix of integers", source.Clip(m.Text[lo:hi]))
		}
		if math.Abs(y) >= 1<<53 && strconv.FormatFloat(y, 'f', 0, 64) != string(m.Text[lo:hi]) {
			return 0, m.Refusef(lo, "", "%s is a whole number that float64 cannot hold exactly", source.Clip(m.Text[lo:hi]))
		}
	}
	return y, nil
}

// readCell takes a line that holds the next value of an array.
func (m *mtxReader) readCell(lo, hi int) error {
	y, err := m.parseValue(lo, hi)
	if err != nil {
		return err
	}
	if lo, hi = scan.NextField(m.Text, hi); lo < hi {
		return m.Refusef(lo, "", "%s after the value, an array has one value a line", source.Clip(m.Text[lo:hi]))
	}
	if m.graph {
		m.lines.AddLine(m.got, m.Number)
	}
	m.v = append(m.v, y)
	return nil
}

func (m *mtxReader) toDense(ds *source.Dataset) {
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
