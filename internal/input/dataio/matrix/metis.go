package matrix

import (
	"fmt"
	"io"
	"math"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// ReadMETIS reads a graph as METIS and Chaco write it: a head `n m [fmt
// [ncon]]`, then for each node from 1 a line of its neighbours. Weights and
// sizes of nodes are ignored.
func ReadMETIS(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	if err := source.RefuseKind(name, "a METIS graph", opt, source.AsGraph); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "a METIS graph", opt, ""); err != nil {
		return nil, err
	}
	m := metisReader{Lines: scan.NewLines(r, name)}
	if err := m.readHeader(); err != nil {
		return nil, err
	}
	for m.nextLine() {
		if err := m.readNode(); err != nil {
			return nil, err
		}
	}
	if err := m.Failed(); err != nil {
		return nil, err
	}
	return m.dataset()
}

type metisReader struct {
	*scan.Lines
	n, m     int
	skip     int // numbers before the neighbours: size and weights of the node
	weighted bool
	c        csr
	lines    scan.LineMap
}

// nextLine moves to the next line that is not a comment.
func (m *metisReader) nextLine() bool {
	for m.NextLine() {
		if len(m.Text) == 0 || m.Text[0] != '%' {
			return true
		}
	}
	return false
}

func (m *metisReader) readHeader() error {
	for {
		if !m.nextLine() {
			if err := m.Failed(); err != nil {
				return err
			}
			return &source.Error{File: m.Name, Msg: "the head `n m [fmt [ncon]]` is missing"}
		}
		if !scan.IsBlank(m.Text) {
			break
		}
	}
	var given [4][]byte
	var at [4]int
	k := 0
	for lo, hi := scan.NextField(m.Text, 0); lo < hi; lo, hi = scan.NextField(m.Text, hi) {
		if k == 4 {
			return m.Refusef(lo, "", "the head has more than `n m [fmt [ncon]]`")
		}
		given[k], at[k] = m.Text[lo:hi], lo
		k++
	}
	if k < 2 {
		return m.Refusef(at[0], "", "the head must be `n m [fmt [ncon]]`")
	}
	var ok bool
	if m.n, ok = scan.ParseNatural(given[0]); !ok || m.n < 1 || m.n > math.MaxInt32 {
		return m.Refusef(at[0], "", "the number of nodes must be 1 to %d, got %s", math.MaxInt32, source.Clip(given[0]))
	}
	if m.m, ok = scan.ParseNatural(given[1]); !ok || m.m > math.MaxInt/16 {
		return m.Refusef(at[1], "", "the number of edges must be a whole number, got %s", source.Clip(given[1]))
	}
	return m.readFormat(given[2], given[3], at[2], at[3])
}

// readFormat works out fmt, three digits: sizes of nodes, weights of nodes,
// weights of edges; ncon is the number of weights a node has.
func (m *metisReader) readFormat(format, ncon []byte, formatAt, nconAt int) error {
	m.c.start = []int{0}
	if format == nil {
		return nil
	}
	if len(format) > 3 {
		return m.Refusef(formatAt, "", "fmt must be up to three digits 0 or 1, got %s", source.Clip(format))
	}
	bits := 0
	for _, c := range format {
		if c != '0' && c != '1' {
			return m.Refusef(formatAt, "", "fmt must be up to three digits 0 or 1, got %s", source.Clip(format))
		}
		bits = 2*bits + int(c-'0')
	}
	m.weighted = bits&1 != 0
	weights := 1
	if ncon != nil {
		var ok bool
		if weights, ok = scan.ParseNatural(ncon); !ok || weights > 1<<20 {
			return m.Refusef(nconAt, "", "ncon must be a whole number, got %s", source.Clip(ncon))
		}
	}
	if bits&2 != 0 {
		m.skip += weights
	}
	if bits&4 != 0 {
		m.skip++
	}
	return nil
}

func (m *metisReader) readNode() error {
	i := len(m.c.start) - 1
	lo, hi := scan.NextField(m.Text, 0)
	if i == m.n {
		if lo == hi {
			return nil
		}
		return m.Refusef(lo, "", "there are more lines than the %s of the head", source.Counted(m.n, "node"))
	}
	m.lines.AddLine(i, m.Number)
	for s := range m.skip {
		if lo == hi {
			return m.Refusef(lo, "", "node %d has %d of %s before its neighbours", i+1, s, source.Counted(m.skip, "number"))
		}
		if y, err := m.ParseNumber(lo, hi, false); err != nil {
			return err
		} else if y < 0 {
			return m.Refusef(lo, "", "the weight or size of node %d must not be negative, got %v", i+1, y)
		}
		lo, hi = scan.NextField(m.Text, hi)
	}
	for ; lo < hi; lo, hi = scan.NextField(m.Text, hi) {
		j, ok := scan.ParseNatural(m.Text[lo:hi])
		if !ok || j < 1 || j > m.n {
			return m.Refusef(lo, "", "neighbour %s of node %d, nodes are 1 to %d", source.Clip(m.Text[lo:hi]), i+1, m.n)
		}
		if j == i+1 {
			return m.Refusef(lo, "", "node %d is its own neighbour", j)
		}
		m.c.idx = append(m.c.idx, int32(j-1))
		if !m.weighted {
			continue
		}
		lo, hi = scan.NextField(m.Text, hi)
		if lo == hi {
			return m.Refusef(lo, "", "the weight of the edge to %d is missing", j)
		}
		w, err := m.ParseNumber(lo, hi, false)
		if err != nil {
			return err
		}
		if w <= 0 {
			return m.Refusef(lo, "", "the weight of the edge to %d must be above 0, got %v", j, w)
		}
		m.c.val = append(m.c.val, w)
	}
	m.c.start = append(m.c.start, len(m.c.idx))
	return nil
}

func (m *metisReader) dataset() (*source.Dataset, error) {
	if k := len(m.c.start) - 1; k < m.n {
		return nil, &source.Error{File: m.Name, Line: m.Number, Msg: fmt.Sprintf("%s announced, the file ends after %d", source.Counted(m.n, "node"), k),
			Hint: "a node without neighbours is an empty line"}
	}
	t := m.c.transposed(m.n)
	c := t.transposed(m.n) // the same graph with ascending rows
	if i, j, found := c.firstRepeated(); found {
		return nil, &source.Error{File: m.Name, Line: m.lines.LineOf(int(i)), Msg: fmt.Sprintf("node %d lists %d twice", i+1, j+1)}
	}
	if !c.equals(t) {
		return nil, m.oneSided(c, t)
	}
	if len(c.idx) != 2*m.m {
		return nil, &source.Error{File: m.Name, Msg: fmt.Sprintf("the head announces %s, the lines hold %d", source.Counted(m.m, "edge"), len(c.idx)/2)}
	}
	ds := &source.Dataset{Name: m.Name, Format: "metis", Graph: c.toGraph()}
	if m.skip > 0 {
		ds.Notes = append(ds.Notes, "weights and sizes of nodes are ignored")
	}
	return ds, nil
}

// oneSided names the first edge that its two nodes do not agree on.
func (m *metisReader) oneSided(c, t csr) *source.Error {
	for i := range m.n {
		p, q := c.start[i], t.start[i]
		for p < c.start[i+1] || q < t.start[i+1] {
			switch {
			case q == t.start[i+1] || p < c.start[i+1] && c.idx[p] < t.idx[q]:
				return m.disagree(i, int(c.idx[p]), fmt.Sprintf("node %d lists %d, but %d does not list %d", i+1, c.idx[p]+1, c.idx[p]+1, i+1))
			case p == c.start[i+1] || t.idx[q] < c.idx[p]:
				return m.disagree(int(t.idx[q]), i, fmt.Sprintf("node %d lists %d, but %d does not list %d", t.idx[q]+1, i+1, i+1, t.idx[q]+1))
			case c.valueAt(p) != t.valueAt(q):
				return m.disagree(i, int(c.idx[p]), fmt.Sprintf("the edge from %d to %d has weight %v, back it has %v", i+1, c.idx[p]+1, c.valueAt(p), t.valueAt(q)))
			}
			p, q = p+1, q+1
		}
	}
	return &source.Error{File: m.Name, Msg: "the graph is not symmetric"}
}

func (m *metisReader) disagree(i, j int, msg string) *source.Error {
	return &source.Error{File: m.Name, Line: m.lines.LineOf(i), Msg: msg,
		Hint: hint.Sprintf("an edge stands in the lines of both its nodes (%d and %d)", m.lines.LineOf(i), m.lines.LineOf(j))}
}
