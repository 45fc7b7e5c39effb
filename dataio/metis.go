package dataio

import (
	"fmt"
	"io"
	"math"

	"github.com/inklinghq/inkling/hint"
)

// readMETIS reads a graph as METIS and Chaco write it: a head `n m [fmt
// [ncon]]`, then for each node from 1 a line of its neighbours. Weights and
// sizes of nodes are passed over.
func readMETIS(r io.Reader, name string, opt Options) (*Dataset, error) {
	if err := refuseAs(name, "a METIS graph", opt, "graph"); err != nil {
		return nil, err
	}
	if err := refuseColumns(name, "a METIS graph", opt, ""); err != nil {
		return nil, err
	}
	m := metisReader{textLines: newTextLines(r, name)}
	if err := m.head(); err != nil {
		return nil, err
	}
	for m.nextLine() {
		if err := m.node(); err != nil {
			return nil, err
		}
	}
	if err := m.failed(); err != nil {
		return nil, err
	}
	return m.dataset()
}

type metisReader struct {
	*textLines
	n, m     int
	skip     int // numbers before the neighbours: size and weights of the node
	weighted bool
	c        csr
	lines    lineMap
}

// nextLine moves to the next line that is not a comment.
func (m *metisReader) nextLine() bool {
	for m.next() {
		if len(m.text) == 0 || m.text[0] != '%' {
			return true
		}
	}
	return false
}

func (m *metisReader) head() error {
	for {
		if !m.nextLine() {
			if err := m.failed(); err != nil {
				return err
			}
			return &Error{File: m.name, Msg: "the head `n m [fmt [ncon]]` is missing"}
		}
		if !blank(m.text) {
			break
		}
	}
	var given [4][]byte
	var at [4]int
	k := 0
	for lo, hi := field(m.text, 0); lo < hi; lo, hi = field(m.text, hi) {
		if k == 4 {
			return m.bad(lo, "", "the head has more than `n m [fmt [ncon]]`")
		}
		given[k], at[k] = m.text[lo:hi], lo
		k++
	}
	if k < 2 {
		return m.bad(at[0], "", "the head must be `n m [fmt [ncon]]`")
	}
	var ok bool
	if m.n, ok = natural(given[0]); !ok || m.n < 1 || m.n > math.MaxInt32 {
		return m.bad(at[0], "", "%s nodes, from 1 to %d can be", clip(given[0]), math.MaxInt32)
	}
	if m.m, ok = natural(given[1]); !ok || m.m > math.MaxInt/16 {
		return m.bad(at[1], "", "%s is not a number of edges", clip(given[1]))
	}
	return m.layout(given[2], given[3], at[2], at[3])
}

// layout works out fmt, three digits: sizes of nodes, weights of nodes,
// weights of edges; ncon is the number of weights a node has.
func (m *metisReader) layout(format, ncon []byte, formatAt, nconAt int) error {
	m.c.start = []int{0}
	if format == nil {
		return nil
	}
	if len(format) > 3 {
		return m.bad(formatAt, "", "fmt %s, three digits 0 or 1 can be", clip(format))
	}
	bits := 0
	for _, c := range format {
		if c != '0' && c != '1' {
			return m.bad(formatAt, "", "fmt %s, three digits 0 or 1 can be", clip(format))
		}
		bits = 2*bits + int(c-'0')
	}
	m.weighted = bits&1 != 0
	weights := 1
	if ncon != nil {
		var ok bool
		if weights, ok = natural(ncon); !ok || weights > 1<<20 {
			return m.bad(nconAt, "", "ncon %s is not a number of weights", clip(ncon))
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

func (m *metisReader) node() error {
	i := len(m.c.start) - 1
	lo, hi := field(m.text, 0)
	if i == m.n {
		if lo == hi {
			return nil
		}
		return m.bad(lo, "", "there are more lines than the %s of the head", counted(m.n, "node"))
	}
	m.lines.add(i, m.at)
	for s := range m.skip {
		if lo == hi {
			return m.bad(lo, "", "node %d has %d of %s before its neighbours", i+1, s, counted(m.skip, "number"))
		}
		if y, err := m.number(lo, hi, false); err != nil {
			return err
		} else if y < 0 {
			return m.bad(lo, "", "the weight or size of node %d is %v, it must not be negative", i+1, y)
		}
		lo, hi = field(m.text, hi)
	}
	for ; lo < hi; lo, hi = field(m.text, hi) {
		j, ok := natural(m.text[lo:hi])
		if !ok || j < 1 || j > m.n {
			return m.bad(lo, "", "neighbour %s of node %d, nodes are 1 to %d", clip(m.text[lo:hi]), i+1, m.n)
		}
		if j == i+1 {
			return m.bad(lo, "", "node %d is its own neighbour", j)
		}
		m.c.idx = append(m.c.idx, int32(j-1))
		if !m.weighted {
			continue
		}
		lo, hi = field(m.text, hi)
		if lo == hi {
			return m.bad(lo, "", "the weight of the edge to %d is missing", j)
		}
		w, err := m.number(lo, hi, false)
		if err != nil {
			return err
		}
		if w <= 0 {
			return m.bad(lo, "", "the edge to %d has weight %v, it must be above 0", j, w)
		}
		m.c.val = append(m.c.val, w)
	}
	m.c.start = append(m.c.start, len(m.c.idx))
	return nil
}

func (m *metisReader) dataset() (*Dataset, error) {
	if k := len(m.c.start) - 1; k < m.n {
		return nil, &Error{File: m.name, Line: m.at, Msg: fmt.Sprintf("%s announced, the file ends after %d", counted(m.n, "node"), k),
			Hint: "a node without neighbours is an empty line"}
	}
	t := m.c.flip(m.n)
	c := t.flip(m.n) // the same graph with rising rows
	if i, j, found := c.twice(); found {
		return nil, &Error{File: m.name, Line: m.lines.of(int(i)), Msg: fmt.Sprintf("node %d lists %d twice", i+1, j+1)}
	}
	if !c.equal(t) {
		return nil, m.oneSided(c, t)
	}
	if len(c.idx) != 2*m.m {
		return nil, &Error{File: m.name, Msg: fmt.Sprintf("the head announces %s, the lines hold %d", counted(m.m, "edge"), len(c.idx)/2)}
	}
	ds := &Dataset{Name: m.name, Format: "metis", Graph: c.graph()}
	if m.skip > 0 {
		ds.Notes = append(ds.Notes, "weights and sizes of nodes are passed over")
	}
	return ds, nil
}

// oneSided names the first edge that its two nodes do not agree on.
func (m *metisReader) oneSided(c, t csr) *Error {
	for i := range m.n {
		p, q := c.start[i], t.start[i]
		for p < c.start[i+1] || q < t.start[i+1] {
			switch {
			case q == t.start[i+1] || p < c.start[i+1] && c.idx[p] < t.idx[q]:
				return m.disagree(i, int(c.idx[p]), fmt.Sprintf("node %d lists %d, but %d does not list %d", i+1, c.idx[p]+1, c.idx[p]+1, i+1))
			case p == c.start[i+1] || t.idx[q] < c.idx[p]:
				return m.disagree(int(t.idx[q]), i, fmt.Sprintf("node %d lists %d, but %d does not list %d", t.idx[q]+1, i+1, i+1, t.idx[q]+1))
			case c.at(p) != t.at(q):
				return m.disagree(i, int(c.idx[p]), fmt.Sprintf("the edge from %d to %d has weight %v, back it has %v", i+1, c.idx[p]+1, c.at(p), t.at(q)))
			}
			p, q = p+1, q+1
		}
	}
	return &Error{File: m.name, Msg: "the graph is not symmetric"}
}

func (m *metisReader) disagree(i, j int, msg string) *Error {
	return &Error{File: m.name, Line: m.lines.of(i), Msg: msg,
		Hint: hint.Sprintf("an edge stands in the lines of both its nodes (%d and %d)", m.lines.of(i), m.lines.of(j))}
}
