package dataio

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/hint"
)

var nan = math.NaN()

// A collector puts the blocks of a table together in file order.
type collector struct {
	l       *layout
	name    string
	opt     Options
	line    int      // on which the next block starts
	columns []string // of numbers
	x       []float64
	rows    int
	ids     []string
	at      lineMap // lines of rows, where rows have ids
	labels  []string
	docs    []string
	noValue int
}

func newCollector(l *layout, columns []string, name string, line int, opt Options) *collector {
	return &collector{l: l, columns: columns, name: name, line: line, opt: opt}
}

// collect parses what s has left, and returns all that was collected. Parsed
// blocks go back to spare.
func (c *collector) collect(s *splitter, parse func(text []byte) *block, spare *blocks) (*Dataset, error) {
	err := inOrder(s, c.opt.Workers, parse, func(b *block, done float64) error {
		defer spare.put(b)
		return c.add(b, done)
	})
	if err != nil {
		return nil, asError(err, c.name)
	}
	return c.dataset()
}

// add takes over what b holds, or its error with the line made absolute.
func (c *collector) add(b *block, done float64) error {
	if b.err != nil {
		b.err.Line += c.line
		return b.err
	}
	c.x = append(grow(c.x, len(b.x), done), b.x...)
	if c.l.has(idRole) {
		c.ids = b.id.appendTo(grow(c.ids, b.rows, done))
		for i, at := range b.at {
			c.at.add(c.rows+i, c.line+at)
		}
	}
	if c.l.has(labelRole) {
		c.labels = append(grow(c.labels, b.rows, done), b.label...)
	}
	if c.l.has(textRole) {
		c.docs = b.doc.appendTo(grow(c.docs, b.rows, done))
	}
	c.rows += b.rows
	c.line += b.lines
	c.noValue += b.noValue
	return nil
}

// dataset returns what was collected.
func (c *collector) dataset() (*Dataset, error) {
	if c.rows == 0 {
		return nil, &Error{File: c.name, Msg: "there are no rows"}
	}
	if i, j, ok := firstDuplicate(c.ids); ok {
		return nil, &Error{File: c.name, Line: c.at.of(j), Msg: fmt.Sprintf("id %s is already on line %d", clip([]byte(c.ids[j])), c.at.of(i)),
			Hint: "every row needs its own id"}
	}
	d := &Dataset{Name: c.name, IDs: c.ids, Labels: c.labels}
	if c.l.has(textRole) {
		d.Docs = c.docs
		if n := c.l.left(); n > 0 {
			d.Notes = append(d.Notes, hint.Sprintf("only the text of column %q is read, %s left out", c.opt.Text, counted(n, "other column")))
		}
	} else {
		d.Columns = c.columns
		d.X = &data.Dense{Cols: len(c.columns), V: c.x}
	}
	if c.noValue > 0 {
		d.Notes = append(d.Notes, hint.Hint(counted(c.noValue, "missing value")))
	}
	if c.opt.As == "kernel" {
		return d, toKernel(d)
	}
	return d, nil
}

// firstDuplicate returns the first j whose string stands at an i < j already.
func firstDuplicate(s []string) (i, j int, ok bool) {
	seed := maphash.MakeSeed()
	t := newHashTable(len(s))
	for j := range s {
		i := t.put(j, maphash.String(seed, s[j]), func(i int) bool { return s[i] == s[j] })
		if i != j {
			return i, j, true
		}
	}
	return 0, 0, false
}

// A hashTable finds rows by the hash of their keys: open addressing, at most
// three quarters full. Half of each place is a part of the hash, so that keys
// are compared only where they are most likely equal.
type hashTable struct {
	slot  []uint64 // the low half of a hash, and a row plus 1; or 0
	shift int
}

func newHashTable(n int) *hashTable {
	size := bits.Len(uint(n + n/3 + 1))
	return &hashTable{slot: make([]uint64, 1<<size), shift: 64 - size}
}

// put enters row j unless a row with the same key is there, and returns the
// row that is there then.
func (t *hashTable) put(j int, hash uint64, same func(i int) bool) int {
	i, p := t.look(hash, same)
	if i < 0 {
		t.slot[p] = hash<<32 | uint64(j+1)
		return j
	}
	return i
}

// look returns the row with the key, or -1, and the place for it.
func (t *hashTable) look(hash uint64, same func(i int) bool) (row int, place uint64) {
	mask := uint64(len(t.slot) - 1)
	for p := hash >> t.shift; ; p = (p + 1) & mask {
		s := t.slot[p]
		if s == 0 {
			return -1, p
		}
		if i := int(uint32(s)) - 1; s>>32 == hash&(1<<32-1) && same(i) {
			return i, p
		}
	}
}

// get returns the row with the key, or -1.
func (t *hashTable) get(hash uint64, same func(i int) bool) int {
	i, _ := t.look(hash, same)
	return i
}
