package table

import (
	"math"
	"sync"

	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

var nan = math.NaN()

// A block is what one chunk of a table holds. Lines count from 0 at the start
// of the chunk.
type block struct {
	x       []float64
	rows    int
	lines   int
	at      []int // line of each row, kept only where rows have ids
	id, doc scan.Arena
	label   []string
	known   map[string]string // label texts, so that equal labels share memory
	noValue int               // missing cells
	odd     []oddCell         // cells that are not plain numbers, of mixed tables
	oddText scan.Arena
	cells   []Cell
	err     *source.Error
}

func (b *block) reset() {
	b.x, b.rows, b.lines, b.at = b.x[:0], 0, 0, b.at[:0]
	b.id.Reset()
	b.doc.Reset()
	b.label, b.noValue, b.err = b.label[:0], 0, nil
	b.odd = b.odd[:0]
	b.oddText.Reset()
	if len(b.known) > 1<<14 {
		clear(b.known)
	}
}

// An oddCell is the place of a cell that is not a plain number: a row of the
// block and a feature.
type oddCell struct {
	row, feature int32
	at           source.Place
}

// addOdd keeps the text of a cell of the row that is being read.
func (b *block) addOdd(row, feature int, s []byte, line, col int) {
	b.odd = append(b.odd, oddCell{int32(row), int32(feature), source.Place{Line: int32(line), Col: int32(col)}})
	b.oddText.AddText(s)
}

// A blockPool keeps blocks whose memory is used again.
type blockPool struct{ pool sync.Pool }

func (s *blockPool) get() *block {
	b, _ := s.pool.Get().(*block)
	if b == nil {
		return &block{}
	}
	b.reset()
	return b
}

func (s *blockPool) put(b *block) { s.pool.Put(b) }

func (b *block) addLabel(text []byte) {
	if IsUnknownLabel(text) {
		b.label = append(b.label, "")
		return
	}
	s, ok := b.known[string(text)]
	if !ok {
		if b.known == nil {
			b.known = make(map[string]string)
		}
		s = string(text)
		b.known[s] = s
	}
	b.label = append(b.label, s)
}

// addCell takes a cell that is no number; false is an id that is not there.
func (b *block) addCell(r role, s []byte) bool {
	switch r {
	case idRole:
		b.id.AddText(s)
		return len(s) > 0
	case labelRole:
		b.addLabel(s)
	case textRole:
		b.doc.AddText(s)
	}
	return true
}

// A mark is a state of a block to go back to.
type mark struct{ x, id, ids, doc, docs, label int }

func (b *block) currentMark() mark {
	return mark{len(b.x), len(b.id.Buf), len(b.id.End), len(b.doc.Buf), len(b.doc.End), len(b.label)}
}

func (b *block) rewind(m mark) {
	b.x, b.label = b.x[:m.x], b.label[:m.label]
	b.id.Buf, b.id.End = b.id.Buf[:m.id], b.id.End[:m.ids]
	b.doc.Buf, b.doc.End = b.doc.Buf[:m.doc], b.doc.End[:m.docs]
}
