package matrix

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// ReadEdges reads a graph as lines `u v [w]`, separated by blanks and tabs or,
// if the first line has a comma, by commas, or else by semicolons where it has no blanks. Lines that start with # or % are
// comments. A first line may name the columns; those after the third are then
// passed over.
//
// Nodes that are all whole numbers are those numbers, from 0 to the largest;
// otherwise they are names, numbered as they appear. Repeated edges add up,
// unless every edge is listed once in each direction.
func ReadEdges(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	if err := source.RefuseKind(name, "an edge list", opt, source.AsGraph); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "an edge list", opt, ""); err != nil {
		return nil, err
	}
	e := edgeReader{Lines: scan.NewLines(r, name)}
	for e.NextLine() {
		if !utf8.Valid(e.Text) {
			e.Text = source.DecodeLatin1(e.Text) // as in files of labels and links, whose ids name the nodes
		}
		if err := e.parseLine(); err != nil {
			return nil, err
		}
	}
	if err := e.Failed(); err != nil {
		return nil, err
	}
	if e.lines == 0 && !e.header {
		return nil, &source.Error{File: name, Msg: "there are no edges in it"}
	}
	e.settleHeader()
	return e.dataset(opt.Stopped)
}

func (e *edgeReader) parseLine() error {
	lo, _ := scan.NextField(e.Text, 0)
	if lo == len(e.Text) || e.Text[lo] == '#' || e.Text[lo] == '%' {
		return nil
	}
	first := e.lines == 0 && !e.header
	if first {
		e.sign = fieldSign(e.Text)
	}
	k, err := e.splitLine()
	if err != nil {
		return err
	}
	if k < 2 {
		return e.Refusef(lo, "every line is: node node [weight]", "an edge must have two nodes, got one")
	}
	if first && e.isHeader(k) {
		e.header, e.columns = true, k
		return nil
	}
	if err := e.tooMany(k); err != nil {
		return err
	}
	w := 1.0
	if k > 2 {
		if w, err = e.parseWeight(e.part[2]); err != nil {
			return err
		}
	} else {
		e.plain++
	}
	e.lines++
	return e.addNodes(e.part[0].tok, e.part[1].tok, w)
}

// fieldSign returns the sign that divides the fields of a line; 0 where blanks do.
func fieldSign(line []byte) byte {
	switch {
	case bytes.IndexByte(line, ',') >= 0:
		return ','
	case bytes.IndexByte(line, ';') > 0 && len(bytes.Fields(line)) == 1:
		return ';'
	}
	return 0
}

func (e *edgeReader) addNodes(a, b []byte, w float64) error {
	if e.names == nil {
		u, ok := nodeNumber(a)
		v, ok2 := nodeNumber(b)
		if ok && ok2 {
			e.addEdge(u, v, w)
			return nil
		}
		if e.lines == 1 {
			e.held = &heldEdge{string(a), string(b), w}
			return nil
		}
		e.toNames()
	}
	e.addEdge(e.nodeOf(a), e.nodeOf(b), w)
	if len(e.ids) > math.MaxInt32-2 {
		return e.Refusef(0, "", "more than %d nodes", math.MaxInt32-2)
	}
	return nil
}

func (e *edgeReader) addEdge(u, v int, w float64) {
	if w != 1 && e.w == nil {
		e.w = make([]float64, len(e.u), cap(e.u)+1)
		for p := range e.w {
			e.w[p] = 1
		}
	}
	e.u, e.v = append(e.u, u), append(e.v, v)
	if e.w != nil {
		e.w = append(e.w, w)
	}
}

// toNames turns the whole numbers read so far into names.
func (e *edgeReader) toNames() {
	e.names = map[string]int32{}
	held := e.held
	e.held = nil
	if held != nil {
		e.nodeOf([]byte(held.u))
		e.nodeOf([]byte(held.v))
	}
	var buf []byte
	seen := map[int]int{}
	rename := func(y int) int {
		p, ok := seen[y]
		if !ok {
			buf = strconv.AppendInt(buf[:0], int64(y), 10)
			p = e.nodeOf(buf)
			seen[y] = p
		}
		return p
	}
	for p := range e.u {
		e.u[p] = rename(e.u[p])
		e.v[p] = rename(e.v[p])
	}
	if held != nil {
		e.addEdge(e.nodeOf([]byte(held.u)), e.nodeOf([]byte(held.v)), held.w)
	}
}

// nodeOf returns the number of a name, a new one if it is new.
func (e *edgeReader) nodeOf(name []byte) int {
	if p, ok := e.names[string(name)]; ok {
		return int(p)
	}
	s := string(name)
	p := int32(len(e.ids))
	e.names[s] = p
	e.ids = append(e.ids, s)
	return int(p)
}

// settleHeader decides what could not be decided line by line.
func (e *edgeReader) settleHeader() {
	if e.held == nil {
		return
	}
	_, number := scan.ParseNumber([]byte(e.held.u))
	_, number2 := scan.ParseNumber([]byte(e.held.v))
	if e.lines == 1 || number || number2 { // the only line, or no name of a column
		e.toNames()
		return
	}
	e.held, e.header = nil, true
	e.lines--
}

// tooSparse reports whether node numbers are out of proportion to the edges.
func tooSparse(most, edges int) bool { return most > min(16*edges+1000, math.MaxInt32-2) }

// dataset makes a graph of the edges, unless stopped says that reading has to stop.
func (e *edgeReader) dataset(stopped func() error) (*source.Dataset, error) {
	ds := &source.Dataset{Name: e.Name, Format: "edges"}
	if e.header {
		ds.Notes = append(ds.Notes, "the first line names the columns")
	}
	if e.columns > 3 {
		ds.Notes = append(ds.Notes, "columns after the third are ignored")
	}
	n := len(e.ids)
	if e.names == nil {
		most := 0
		for p, u := range e.u {
			most = max(most, u, e.v[p])
		}
		if n = most + 1; tooSparse(most, len(e.u)) {
			e.toNames()
			n = len(e.ids)
			ds.Notes = append(ds.Notes, hint.Sprintf("node numbers reach %d with %s: taken as names", most, source.Counted(len(e.u), "edge")))
		}
	}
	ds.IDs = e.ids
	if e.w != nil && e.plain > 0 && e.plain < e.lines {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s without a weight, taken as 1", source.Counted(e.plain, "edge")))
	}
	list := e.toEntries()
	if len(list.u) == 0 {
		return nil, &source.Error{File: e.Name, Msg: "there are no edges between different nodes in it"}
	}
	c, err := undirected(list, n, ds, stopped)
	if err != nil {
		return nil, err
	}
	if e.loops > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s from a node to itself left out", source.Counted(e.loops, "edge")))
	}
	if e.zeros > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s of weight 0 left out", source.Counted(e.zeros, "edge")))
	}
	ds.Graph = c.toGraph()
	noteLonely(ds)
	return ds, nil
}

// toEntries returns the edges that count.
func (e *edgeReader) toEntries() *entries {
	list := &entries{u: make([]int32, 0, len(e.u)), v: make([]int32, 0, len(e.u))}
	for p, u := range e.u {
		w := 1.0
		if e.w != nil {
			w = e.w[p]
		}
		switch v := e.v[p]; {
		case u == v:
			e.loops++
		case w == 0:
			e.zeros++
		default:
			list.addEntry(u, v, w)
		}
	}
	e.u, e.v, e.w = nil, nil, nil
	return list
}

// undirected makes a graph of n nodes from a list of edges. Of long lists every step takes
// its time.
func undirected(list *entries, n int, ds *source.Dataset, stopped func() error) (csr, error) {
	c := list.byRows(n, n)
	repeats := c.sumRepeated()
	if err := stopped(); err != nil {
		return c, err
	}
	t := c.transposed(n)
	if err := stopped(); err != nil {
		return c, err
	}
	if c.equals(t) {
		ds.Notes = append(ds.Notes, "every edge is listed in both directions and counted once")
	} else {
		both := 0
		c, _ = c.merge(t, func(_, _ int32, x, y float64) (float64, bool) {
			both++
			return x + y, true
		})
		repeats += both / 2
	}
	if repeats == 0 {
		return c, nil
	}
	ds.Notes = append(ds.Notes, hint.Sprintf("%s added up", source.Counted(repeats, "repeated edge")))
	for i := range n {
		for p := c.start[i]; p < c.start[i+1]; p++ {
			if math.IsInf(c.val[p], 0) {
				return c, &source.Error{File: ds.Name, Msg: fmt.Sprintf("the edges between %s and %s add up beyond what float64 holds", ds.ID(i), ds.ID(int(c.idx[p])))}
			}
		}
	}
	return c, nil
}

// noteLonely says which nodes have no edge: often a list that counts from 1.
func noteLonely(ds *source.Dataset) {
	lonely, first := 0, 0
	for i := range ds.Graph.Len() {
		if ds.Graph.Start[i] == ds.Graph.Start[i+1] {
			if lonely == 0 {
				first = i
			}
			lonely++
		}
	}
	if lonely > 0 {
		ds.Notes = append(ds.Notes, hint.Sprintf("%s without an edge, the first is %s", source.Counted(lonely, "node"), ds.ID(first)))
	}
}
