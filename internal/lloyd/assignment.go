package lloyd

import (
	"slices"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// assignment is the pass that gives each row its nearest centre, or the one it
// is fixed to. Merge writes Labels. The entries of Bounds are row state.
type assignment struct {
	Centres *PackedCentres
	Sparse  *SparseRows // the same centres, for sparse rows; else nil
	Rounded roundedRows // the rows in whole numbers, if there are any
	Fixed   []int32
	Labels  []int32
	Bounds  *bounds // to be kept; nil: do without
	Shift   *shift  // how far Bounds have to come down; nil: they say nothing yet

	First bool // no moves are listed: no row has a label yet, or nobody asks

	moves  []Move
	asked  int       // rows that all centres were searched for
	single int       // those of them that whole numbers left open
	parts  sync.Pool // scratch
}

// A Move is a row that has left a cluster for that of its label.
type Move struct{ Row, From int32 }

// assigned is the part of one block, and room to work in.
type assigned struct {
	Moves  []Move
	Asked  int
	Single int

	block  simd.Block
	label  []int32
	open   []int32
	rows64 []float64
	rows32 []float32
	sparse simd.SparseScratch
	buf    []float64
}

func (p *assignment) Block(x data.Rows, lo, hi int) *assigned {
	part, _ := p.parts.Get().(*assigned)
	if part == nil {
		part = &assigned{buf: make([]float64, x.Dim())}
	}
	part.Moves, part.Asked, part.Single = part.Moves[:0], 0, 0
	part.label = append(part.label[:0], p.Labels[lo:hi]...)
	switch x := x.(type) {
	case *data.Dense:
		r := rows64(x.V, x.Cols, &part.rows64)
		r.rounded = p.Rounded.of64
		dense(p, part, r, lo, hi)
	case *data.Dense32:
		r := rows32(x.V, x.Cols, &part.rows32)
		r.rounded = p.Rounded.of32
		dense(p, part, r, lo, hi)
	case *TransformedRows:
		r := rows64(nil, x.Dim(), &part.rows64)
		r.write = x.WriteRow
		dense(p, part, r, lo, hi)
	case *data.Sparse:
		p.sparse(part, lo, hi)
	default:
		p.others(part, x, lo, hi)
	}
	if p.Shift == nil {
		p.note(part, lo)
	}
	return part
}

func (p *assignment) Merge(lo, hi int, part *assigned) {
	if p.Shift == nil {
		copy(p.Labels[lo:hi], part.label)
	} else {
		for _, m := range part.Moves {
			p.Labels[m.Row] = part.label[int(m.Row)-lo]
		}
	}
	p.moves = append(p.moves, part.Moves...)
	p.asked += part.Asked
	p.single += part.Single
	p.parts.Put(part)
}

// note lists the rows that have moved.
func (p *assignment) note(part *assigned, lo int) {
	if p.First {
		return
	}
	was := p.Labels[lo : lo+len(part.label)]
	for i, h := range part.label {
		if h != was[i] {
			part.Moves = append(part.Moves, Move{int32(lo + i), was[i]})
		}
	}
}

// sparse labels sparse rows.
func (p *assignment) sparse(part *assigned, lo, hi int) {
	for i := lo; i < hi; i++ {
		if p.fixed(i) {
			part.label[i-lo] = p.Fixed[i]
		} else {
			part.label[i-lo] = int32(p.Sparse.Nearest(i, &part.sparse))
		}
	}
}

// others labels rows of a kind that is not ours, one by one.
func (p *assignment) others(part *assigned, x data.Rows, lo, hi int) {
	for i := lo; i < hi; i++ {
		if p.fixed(i) {
			part.label[i-lo] = p.Fixed[i]
			continue
		}
		h, _ := p.Centres.Nearest(x.Row(i, part.buf))
		part.label[i-lo] = int32(h)
	}
}

func (p *assignment) fixed(i int) bool { return p.Fixed != nil && p.Fixed[i] >= 0 }

// room returns s with room for n.
func room[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
