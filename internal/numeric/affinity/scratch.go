package affinity

import (
	"sync"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A scratch is memory for the rows that one goroutine works on.
type scratch struct {
	values     []float64 // what it has with the columns, whole panels
	mask       []uint16
	tile       []float32 // a tile
	rows32     []float32 // rows in single precision
	candidates []int32   // rows to look at
	marks      []uint32  // marks on rows, see start
	generation uint32
	spread     []float64 // one sparse row spread out, zero between uses
}

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

func (r *scratch) fitPanels(panels int) {
	r.values, r.mask = resized(r.values, panels*simd.PanelRows), resized(r.mask, panels)
}

// rounded returns row q of those in single precision, of d features.
func (r *scratch) rounded(q, d int) []float32 { return r.rows32[q*d : (q+1)*d] }

func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// clearMarks removes the marks of n rows.
func (r *scratch) clearMarks(n int) {
	if len(r.marks) < n || r.generation == 1<<32-1 {
		r.marks, r.generation = make([]uint32, n), 0
	}
	r.generation++
}

// markRow marks row i and reports whether it had no mark.
func (r *scratch) markRow(i int32) bool {
	if r.marks[i] == r.generation {
		return false
	}
	r.marks[i] = r.generation
	return true
}
