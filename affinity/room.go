package affinity

import (
	"sync"

	"github.com/inklinghq/inkling/internal/simd"
)

// room is memory for the rows that a goroutine works on.
type room struct {
	out    []float64 // what it has with the columns, whole panels
	mask   []uint16
	part32 []float32 // a tile
	list   []int32   // rows to look at
	stamp  []uint32  // marks on rows, see start
	now    uint32
	wide   []float64 // one sparse row spread out, zero between uses
}

var rooms = sync.Pool{New: func() any { return new(room) }}

func (r *room) fit(panels int) {
	r.out, r.mask = grow(r.out, panels*simd.PanelRows), grow(r.mask, panels)
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// start forgets all marks on n rows; mark reports whether a row had none.
func (r *room) start(n int) {
	if len(r.stamp) < n || r.now == 1<<32-1 {
		r.stamp, r.now = make([]uint32, n), 0
	}
	r.now++
}

func (r *room) mark(i int32) bool {
	if r.stamp[i] == r.now {
		return false
	}
	r.stamp[i] = r.now
	return true
}
