package table

import (
	"context"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// A collector puts the blocks of a table together in file order.
type collector struct {
	l       *layout
	name    string
	opt     source.Options
	line    int      // on which the next block starts
	columns []string // of numbers
	x       []float64
	rows    int
	ids     []string
	at      scan.LineMap // lines of rows, where rows have ids
	labels  []string
	docs    []string
	noValue int
	cells   []source.Cells // by feature, of mixed tables
	known   []map[string]string

	spare   *blockPool
	waiting []waitingBlock // whose numbers are still to be copied
}

// A waitingBlock is a block whose numbers belong at x[at:].
type waitingBlock struct {
	b  *block
	at int
}

func newCollector(l *layout, columns []string, name string, line int, opt source.Options) *collector {
	return &collector{l: l, columns: columns, name: name, line: line, opt: opt}
}

// collectAll parses what s has left, and returns all that was collected. Parsed
// blocks go back to spare.
func (c *collector) collectAll(s *scan.Chunks, parse func(text []byte) *block, spare *blockPool) (*source.Dataset, error) {
	c.spare = spare
	add := func(b *block, done float64) error {
		err := c.addBlock(b, done)
		s.SetAhead(scan.Ahead(c.x) + scan.Ahead(c.ids) + scan.Ahead(c.labels) + scan.Ahead(c.docs))
		return err
	}
	if err := scan.InOrder(s, c.opt.Workers, parse, add); err != nil {
		return nil, source.AsError(err, c.name)
	}
	c.copyNumbers()
	return c.dataset()
}

// addNumbers makes room for the numbers of b. They are copied later, those of several
// blocks at a time: the first to write to memory waits for it, so workers share that.
func (c *collector) addNumbers(b *block, done float64) {
	if len(c.x)+len(b.x) > cap(c.x) || len(c.waiting) >= max(2, blocks.Workers(c.opt.Workers)/2) {
		c.copyNumbers()
	}
	at := len(c.x)
	c.x = scan.Grow(c.x, len(b.x), done)[:at+len(b.x)]
	c.waiting = append(c.waiting, waitingBlock{b, at})
}

// copyNumbers copies the numbers of the blocks that wait, which go back to spare.
func (c *collector) copyNumbers() {
	_ = blocks.Tasks(context.Background(), c.opt.Workers, len(c.waiting), func(i int) {
		copy(c.x[c.waiting[i].at:], c.waiting[i].b.x)
	})
	for i := range c.waiting {
		c.spare.put(c.waiting[i].b)
	}
	c.waiting = c.waiting[:0]
}

// addBlock takes over what b holds, or its error with the line made absolute.
func (c *collector) addBlock(b *block, done float64) error {
	if b.err != nil {
		b.err.Line += c.line
		return b.err
	}
	c.addNumbers(b, done)
	if c.opt.Mixed && !c.l.hasRole(idRole) {
		for i, at := range b.at {
			c.at.AddLine(c.rows+i, c.line+at)
		}
	}
	if c.l.hasRole(idRole) {
		c.ids = b.id.AppendTo(scan.Grow(c.ids, b.rows, done))
		for i, at := range b.at {
			c.at.AddLine(c.rows+i, c.line+at)
		}
	}
	if c.l.hasRole(labelRole) {
		c.labels = append(scan.Grow(c.labels, b.rows, done), b.label...)
	}
	if c.l.hasRole(textRole) {
		c.docs = b.doc.AppendTo(scan.Grow(c.docs, b.rows, done))
	}
	c.addOdd(b)
	c.rows += b.rows
	c.line += b.lines
	c.noValue += b.noValue
	return nil
}

// manyTexts bounds how many different texts of a column are kept once.
const manyTexts = 1 << 16

// addOdd takes over the cells that are not plain numbers. Equal texts share memory.
func (c *collector) addOdd(b *block) {
	if len(b.odd) == 0 {
		return
	}
	if c.cells == nil {
		c.cells, c.known = make([]source.Cells, len(c.columns)), make([]map[string]string, len(c.columns))
	}
	for i, o := range b.odd {
		known := c.known[o.feature]
		if known == nil {
			known = map[string]string{}
			c.known[o.feature] = known
		}
		s, ok := known[string(b.oddText.TextAt(i))]
		if !ok {
			s = string(b.oddText.TextAt(i))
			if len(known) < manyTexts {
				known[s] = s
			}
		}
		cells := &c.cells[o.feature]
		if len(cells.At) == len(cells.Rows) && strings.IndexByte("[({", s[0]) >= 0 {
			cells.At = append(cells.At, o.at)
		}
		cells.Rows, cells.Text = append(cells.Rows, int32(c.rows)+o.row), append(cells.Text, s)
	}
}

// dataset returns what was collected.
func (c *collector) dataset() (*source.Dataset, error) {
	if c.rows == 0 {
		return nil, &source.Error{File: c.name, Msg: "there are no rows"}
	}
	if i, j, ok := scan.FirstDuplicate(c.ids); ok {
		return nil, &source.Error{File: c.name, Line: c.at.LineOf(j), Msg: fmt.Sprintf("id %s is already on line %d", source.Clip([]byte(c.ids[j])), c.at.LineOf(i)),
			Hint: "every row needs its own id"}
	}
	d := &source.Dataset{Name: c.name, IDs: c.ids, Labels: c.labels, Cells: c.cells}
	if c.l.HasHeader {
		d.Names = c.l.Names
	}
	if c.opt.Mixed {
		d.Lines = c.at.LineOf
	}
	if len(c.columns) == 0 && c.opt.Text == "" {
		d.Docs = make([]string, c.rows)
		return d, nil
	}
	beside := c.opt.Mixed && len(c.columns) > 0
	if beside {
		d.Beside = c.docs
	}
	if c.l.hasRole(textRole) && !beside {
		d.Docs = c.docs
		if n := c.l.countIgnored(); n > 0 {
			d.Notes = append(d.Notes, hint.Sprintf("only the text of column %q is read, %s left out", c.opt.Text, source.Counted(n, "other column")))
		}
	} else {
		d.Columns = c.columns
		d.X = &data.Dense{Cols: len(c.columns), V: c.x}
	}
	if c.noValue > 0 {
		d.Notes = append(d.Notes, hint.Hint(source.Counted(c.noValue, "missing value")))
	}
	if c.opt.As == source.AsKernel {
		return d, source.MakeKernel(d)
	}
	return d, nil
}
