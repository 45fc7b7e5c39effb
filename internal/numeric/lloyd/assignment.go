package lloyd

import (
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// assignment is the pass that gives each row its nearest centre, or the one it
// is fixed to. Merge writes Labels. The entries of Bounds are row state.
type assignment struct {
	Centres     *PackedCentres
	Sparse      *SparseRows // the same centres for sparse rows, else nil
	Rounded     roundedRows // the rows as integers, if they are kept
	Fixed       []int32
	Labels      []int32
	Bounds      *bounds      // to be kept; nil: none
	CentreMoves *centreMoves // since Bounds were set; nil: Bounds are not used

	First bool // list no moves: rows have no labels yet, or moves are not needed

	moves    []Move
	searched int        // rows that were searched among all centres
	singled  int        // those that integer scores could not decide
	parts    *sync.Pool // scratch, for rows of one length
}

// A Move is a row that has left a cluster for that of its label.
type Move struct{ Row, From int32 }

// assignmentPart is the part of one block, with scratch memory.
type assignmentPart struct {
	Moves    []Move
	Searched int
	Singled  int

	block  simd.Block
	labels []int32
	open   []int32
	rows64 []float64
	rows32 []float32
	sparse simd.SparseScratch
	buf    []float64
}

func (p *assignment) Block(x data.Rows, lo, hi int) *assignmentPart {
	part, _ := p.parts.Get().(*assignmentPart)
	if part == nil {
		part = &assignmentPart{buf: make([]float64, x.Dim())}
	}
	part.Moves, part.Searched, part.Singled = part.Moves[:0], 0, 0
	part.labels = append(part.labels[:0], p.Labels[lo:hi]...)
	switch x := x.(type) {
	case *data.Dense:
		r := rows64(x.V, x.Cols, &part.rows64)
		r.rounded = p.Rounded.of64
		labelDense(p, part, r, lo, hi)
	case *data.Dense32:
		r := rows32(x.V, x.Cols, &part.rows32)
		r.rounded = p.Rounded.of32
		labelDense(p, part, r, lo, hi)
	case *TransformedRows:
		r := rows64(nil, x.Dim(), &part.rows64)
		r.write = x.WriteRow
		labelDense(p, part, r, lo, hi)
	case *data.Sparse:
		p.labelSparse(part, lo, hi)
	default:
		p.labelOthers(part, x, lo, hi)
	}
	if p.CentreMoves == nil {
		p.listMoves(part, lo)
	}
	return part
}

func (p *assignment) Merge(lo, hi int, part *assignmentPart) {
	if p.CentreMoves == nil {
		copy(p.Labels[lo:hi], part.labels)
	} else {
		for _, m := range part.Moves {
			p.Labels[m.Row] = part.labels[int(m.Row)-lo]
		}
	}
	p.moves = append(p.moves, part.Moves...)
	p.searched += part.Searched
	p.singled += part.Singled
	p.parts.Put(part)
}

// listMoves lists the rows that have moved.
func (p *assignment) listMoves(part *assignmentPart, lo int) {
	if p.First {
		return
	}
	was := p.Labels[lo : lo+len(part.labels)]
	for i, h := range part.labels {
		if h != was[i] {
			part.Moves = append(part.Moves, Move{int32(lo + i), was[i]})
		}
	}
}

// labelSparse labels sparse rows.
func (p *assignment) labelSparse(part *assignmentPart, lo, hi int) {
	for i := lo; i < hi; i++ {
		if p.isFixed(i) {
			part.labels[i-lo] = p.Fixed[i]
		} else {
			part.labels[i-lo] = int32(p.Sparse.Nearest(i, &part.sparse))
		}
	}
}

// labelOthers labels rows of an unknown type, one by one.
func (p *assignment) labelOthers(part *assignmentPart, x data.Rows, lo, hi int) {
	for i := lo; i < hi; i++ {
		if p.isFixed(i) {
			part.labels[i-lo] = p.Fixed[i]
			continue
		}
		h, _ := p.Centres.Nearest(x.Row(i, part.buf))
		part.labels[i-lo] = int32(h)
	}
}

func (p *assignment) isFixed(i int) bool { return p.Fixed != nil && p.Fixed[i] >= 0 }

// scratch returns a slice of length n in the memory of s, if it is long enough.
func scratch[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
